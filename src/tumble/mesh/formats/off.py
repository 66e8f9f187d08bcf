"""OFF and its variants with colours, normals or texture coordinates, as text. Polygons are cut into fans."""

import re
from collections.abc import Sequence
from pathlib import Path

from tumble.mesh.formats import Request, read_regular
from tumble.mesh.formats.placing import Instance
from tumble.mesh.formats.polygons import coordinates, fan, ragged_numbers
from tumble.mesh.mesh import Mesh

_COMMENT = re.compile(r"#[^\n]*")
_HEADER = re.compile(r"\s*(?:ST)?C?N?OFF\b(?!\s+BINARY)")


def read(path: Path, request: Request) -> list[Instance]:
    """Return the one part of an OFF file."""
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
    faces, _ = fan(*ragged_numbers(rows[1 + vertex_count : 1 + vertex_count + face_count], _fields))
    return [Instance(path.stem, Mesh(vertices, faces))]


def _counts(rows: list[str]) -> tuple[int, int]:
    fields = rows[0].split() if rows else []
    if len(fields) < 2 or not all(value.isdecimal() for value in fields[:2]):
        raise ValueError("the line with the numbers of vertices and faces is missing")
    return int(fields[0]), int(fields[1])


def _fields(rows: Sequence[str], start: int) -> list[list[str]]:
    return [_corners(row, number) for number, row in enumerate(rows, start + 1)]


def _corners(row: str, number: int) -> list[str]:
    first, *rest = row.split()
    size = int(first)
    if not 0 <= size <= len(rest):
        raise ValueError(f"face number {number} announces {size} corners and has {len(rest)}: {row[:80]!r}")
    return rest[:size]
