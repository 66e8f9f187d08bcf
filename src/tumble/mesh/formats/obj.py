"""Wavefront OBJ: vertices, faces, and the objects or groups that make its parts.

Parts are the `o` objects when the file has several, else its `g` groups. Faces keep their order in the file;
texture, normal and material data is skipped, so corners that differ only there stay one vertex. Polygons
are cut into fans, and negative indices count back from the vertices read so far, as the format says.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.polygons import coordinates, fan
from tumble.mesh.mesh import Mesh
from tumble.mesh.part import Part, compacted


@dataclass
class _Statements:
    vertices: list[str] = field(default_factory=list)
    faces: list[str] = field(default_factory=list)
    # For every face: how many vertices came before it, and the object and group it belongs to.
    seen: list[int] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


def read_obj(path: Path, split: bool) -> list[Part]:
    """Return the parts of an OBJ file, or the whole as one Part when not split."""
    statements = _scan(path.read_bytes().decode("utf-8-sig", errors="replace"))
    vertices = coordinates(statements.vertices)
    triangles, polygon = _triangles(statements, len(vertices))
    whole = Mesh(vertices, triangles)
    labels = _part_labels(statements) if split else []
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        return [Part(path.stem, whole)]
    number = {name: k for k, name in enumerate(names)}
    part_of_face = np.array([number[label] for label in labels])[polygon]
    return [Part(name, compacted(Mesh(whole.vertices, whole.faces[part_of_face == k]))) for k, name in enumerate(names)]


def _scan(text: str) -> _Statements:
    found = _Statements()
    current_object = current_group = ""
    if "\\" in text:
        text = re.sub(r"\\\r?\n", " ", text)  # a backslash continues a line
    for line in text.splitlines():
        keyword, _, rest = line.partition("#")[0].strip().replace("\t", " ").partition(" ")
        if keyword == "v":
            found.vertices.append(rest)
        elif keyword == "f":
            found.faces.append(rest)
            found.seen.append(len(found.vertices))
            found.objects.append(current_object)
            found.groups.append(current_group)
        elif keyword == "o":
            current_object = rest.strip()
        elif keyword == "g":
            current_group = rest.strip()
    return found


def _triangles(found: _Statements, vertex_count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if not found.faces:
        return np.empty((0, 3), np.int64), np.empty(0, np.int64)
    rows = re.sub(r"/\S*", "", "\n".join(found.faces)).split("\n")
    fields = [row.split() for row in rows]
    sizes = np.array([len(row) for row in fields], dtype=np.int64)
    stored = np.array([int(value) for row in fields for value in row], dtype=np.int64)
    seen = np.repeat(np.array(found.seen, dtype=np.int64), sizes)
    corners = np.where(stored > 0, stored - 1, seen + stored)
    wrong = np.flatnonzero((stored == 0) | (corners < 0) | (corners >= vertex_count))
    if len(wrong):
        face = np.searchsorted(np.cumsum(sizes), wrong[0], side="right")
        raise ValueError(
            f"face number {face + 1} ({found.faces[face]!r}) refers to vertex {stored[wrong[0]]}, "
            f"and the file has {vertex_count} vertices"
        )
    return fan(corners, sizes)


def _part_labels(found: _Statements) -> list[str]:
    return found.objects if len(set(found.objects)) > 1 else found.groups
