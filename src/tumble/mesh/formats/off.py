"""OFF and its variants with colours, normals or texture coordinates, as text. Polygons are cut into fans."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.polygons import BLOCK, coordinates, fan
from tumble.mesh.formats.regular import read_regular
from tumble.mesh.mesh import Mesh
from tumble.mesh.part import Part

_COMMENT = re.compile(r"#[^\n]*")
_HEADER = re.compile(r"\s*(?:ST)?C?N?OFF\b(?!\s+BINARY)")


def read_off(path: Path, split: bool) -> list[Part]:
    """Return the one Part of an OFF file."""
    text = _COMMENT.sub("", read_regular(path).decode("utf-8-sig", errors="replace"))
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
    if len(fields) < 2 or not all(value.isdecimal() for value in fields[:2]):
        raise ValueError("the line with the numbers of vertices and faces is missing")
    return int(fields[0]), int(fields[1])


def _faces(rows: list[str]) -> NDArray[np.int64]:
    sizes, corners = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for start in range(0, len(rows), BLOCK):
        block = [_face(row, number) for number, row in enumerate(rows[start : start + BLOCK], start + 1)]
        sizes.append(np.array([len(face) for face in block], dtype=np.int64))
        corners.append(np.array([corner for face in block for corner in face], dtype=np.int64))
    return fan(np.concatenate(corners), np.concatenate(sizes))[0]


def _face(row: str, number: int) -> list[int]:
    first, *rest = row.split()
    size = int(first)
    if not 0 <= size <= len(rest):
        raise ValueError(f"face number {number} announces {size} corners and has {len(rest)}: {row[:80]!r}")
    return [int(corner) for corner in rest[:size]]
