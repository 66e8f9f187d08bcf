"""OFF and its variants with colours, normals or texture coordinates, as text. Polygons are cut into fans."""

import re
from pathlib import Path

import numpy as np

from tumble.mesh.formats.polygons import coordinates, fan
from tumble.mesh.mesh import Mesh
from tumble.mesh.part import Part

_COMMENT = re.compile(r"#[^\n]*")
_HEADER = re.compile(r"\s*(?:ST)?C?N?OFF\b(?!\s+BINARY)")


def read_off(path: Path, split: bool) -> list[Part]:
    """Return the one Part of an OFF file."""
    text = _COMMENT.sub("", path.read_bytes().decode("utf-8-sig", errors="replace"))
    header = _HEADER.match(text)
    if header is None:
        raise ValueError(f"starts with {text[:20].strip()!r}, not with OFF, COFF or NOFF (text)")
    rows = [row for row in text[header.end() :].splitlines() if row.strip()]
    vertex_count, face_count = _counts(rows)
    if len(rows) < 1 + vertex_count + face_count:
        raise ValueError(
            f"its header announces {vertex_count} vertices and {face_count} faces, "
            f"but only {len(rows) - 1} lines follow: truncated or damaged"
        )
    vertices = coordinates(rows[1 : 1 + vertex_count])
    return [Part(path.stem, Mesh(vertices, _faces(rows[1 + vertex_count : 1 + vertex_count + face_count])))]


def _counts(rows: list[str]) -> tuple[int, int]:
    fields = rows[0].split() if rows else []
    if len(fields) < 2 or not all(value.isdigit() for value in fields[:2]):
        raise ValueError("the line with the numbers of vertices and faces is missing")
    return int(fields[0]), int(fields[1])


def _faces(rows: list[str]) -> np.ndarray:
    sizes, corners = [], []
    for number, row in enumerate(rows, 1):
        size, *values = map(int, row.split()[: 1 + int(row.split(maxsplit=1)[0])])
        if len(values) < size:
            raise ValueError(f"face number {number} announces {size} corners and has {len(values)}: {row!r}")
        sizes.append(size)
        corners += values
    return fan(np.array(corners, dtype=np.int64), np.array(sizes, dtype=np.int64))[0]
