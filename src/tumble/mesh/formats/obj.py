"""Wavefront OBJ: vertices, faces, and the objects or groups that make its parts.

Parts are the `o` objects; `g` groups only when they are asked for, as programs write them for materials and smooth
surfaces of one part. Faces keep their order in the file; texture, normal and material data is skipped (no other file is
opened), so corners that differ only there stay one vertex. Polygons are cut into fans, and negative indices count back
from the vertices read so far, as the format says.

A `#` starts a comment, but in the names of objects and groups only when blanks surround it: CAD programs
number the copies of a part `bolt#1`, `bolt #2`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats import Request, Split, read_regular
from tumble.mesh.formats.placing import Instance
from tumble.mesh.formats.polygons import compact, coordinates, fan, ragged_numbers
from tumble.mesh.mesh import Mesh

_COMMENT_AFTER_NAME = re.compile(r"\s#(?:\s.*)?$")


@dataclass
class _Statements:
    vertices: list[str] = field(default_factory=list)
    faces: list[str] = field(default_factory=list)
    # For every face: how many vertices came before it, and the object and group it belongs to.
    seen: list[int] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


def read(path: Path, request: Request) -> list[Instance]:
    """Return the parts of an OBJ file."""
    statements = _scan(read_regular(path).decode("utf-8-sig", errors="replace"))
    vertices = coordinates(statements.vertices)
    triangles, polygon = _triangles(statements, len(vertices))
    labels = _labels(statements, request.split)
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        return [Instance(path.stem, Mesh(vertices, triangles))]
    number = {name: k for k, name in enumerate(names)}
    part_of_face = np.array([number[label] for label in labels])[polygon]
    by_part = np.split(
        triangles[np.argsort(part_of_face, kind="stable")],
        np.cumsum(np.bincount(part_of_face, minlength=len(names)))[:-1],
    )
    return [Instance(name, Mesh(*compact(vertices, faces))) for name, faces in zip(names, by_part, strict=True)]


def _labels(found: _Statements, split: Split) -> list[str]:
    """Return the part of every face, by name; none when the file is one part."""
    if split == "files":
        return []
    if split == "groups":
        pairs = zip(found.objects, found.groups, strict=True)
        return [f"{outer}/{inner}" if outer else inner for outer, inner in pairs]
    if split == "nodes" or len(set(found.objects)) > 1:
        return found.objects
    return found.groups


def _scan(text: str) -> _Statements:
    found = _Statements()
    current_object = current_group = ""
    if "\\" in text:
        text = re.sub(r"\\\r?\n", " ", text)  # a backslash continues a line
    for line in _lines(text):
        keyword, _, rest = line.strip().replace("\t", " ").partition(" ")
        if keyword == "v":
            found.vertices.append(rest.partition("#")[0])
        elif keyword == "f":
            found.faces.append(rest.partition("#")[0])
            found.seen.append(len(found.vertices))
            found.objects.append(current_object)
            found.groups.append(current_group)
        elif keyword == "o":
            current_object = _COMMENT_AFTER_NAME.sub("", " " + rest).strip()
        elif keyword == "g":
            current_group = _COMMENT_AFTER_NAME.sub("", " " + rest).strip()
    return found


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, some thousands of characters at a time: all at once they take much memory."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + 2**16) + 1 or len(text)
        yield from text[start:end].splitlines()
        start = end


def _triangles(found: _Statements, vertex_count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    stored, sizes = ragged_numbers(found.faces, _fields)
    seen = np.repeat(np.array(found.seen, dtype=np.int64), sizes)
    corners = np.where(stored > 0, stored - 1, seen + stored)
    wrong = np.flatnonzero((stored == 0) | (corners < 0) | (corners >= vertex_count))
    if len(wrong):
        face = np.searchsorted(np.cumsum(sizes), wrong[0], side="right")
        raise ValueError(
            f"face number {face + 1} ({found.faces[face][:80]!r}) refers to vertex {stored[wrong[0]]}, "
            f"and the file has {vertex_count} vertices"
        )
    return fan(corners, sizes)


def _fields(faces: Sequence[str], start: int) -> list[list[str]]:
    """Return the vertex numbers of faces, without those of textures and normals."""
    return [row.split() for row in re.sub(r"/\S*", "", "\n".join(faces)).split("\n")]
