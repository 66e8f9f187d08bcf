"""What trimesh passes over in PLY files: it drops the faces that a truncated one lacks.

So the header is held against the data before trimesh reads it.
"""

import re
from pathlib import Path
from typing import NamedTuple

_SIZES = {
    **dict.fromkeys(("char", "uchar", "int8", "uint8"), 1),
    **dict.fromkeys(("short", "ushort", "int16", "uint16"), 2),
    **dict.fromkeys(("int", "uint", "float", "int32", "uint32", "float32"), 4),
    **dict.fromkeys(("double", "float64", "int64", "uint64"), 8),
}


class _Element(NamedTuple):
    name: str
    rows: int
    properties: list[list[str]]  # the words after `property`, e.g. ["list", "uchar", "int", "vertex_indices"]

    @property
    def has_list(self) -> bool:
        return any(words[0] == "list" for words in self.properties)

    @property
    def smallest_row(self) -> int:
        """Bytes of a binary row whose lists are all empty."""
        return sum(_SIZES[words[1] if words[0] == "list" else words[0]] for words in self.properties)


def check_ply(path: Path) -> int:
    """Return how many faces the header announces; refuse a file that is too short for its header."""
    data = path.read_bytes()
    end = re.search(rb"\bend_header[ \t]*\r?\n", data)
    if not data.startswith(b"ply") or end is None:
        raise ValueError("no complete PLY header: truncated, or of another format")
    header = data[: end.start()].decode("latin-1").splitlines()
    elements = _elements(header)
    if any(line.split()[:2] == ["format", "ascii"] for line in header):
        _check_text(elements, data[end.end() :].decode("latin-1"))
    else:
        _check_binary(elements, len(data) - end.end())
    return sum(element.rows for element in elements if element.name == "face")


def _elements(header: list[str]) -> list[_Element]:
    elements: list[_Element] = []
    for words in (line.split() for line in header):
        if words[:1] == ["element"]:
            elements.append(_Element(words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1].properties.append(words[1:])
    return elements


def _check_binary(elements: list[_Element], size: int) -> None:
    least = sum(element.rows * element.smallest_row for element in elements)
    if size < least:
        raise ValueError(f"its header announces at least {least} bytes of data, but {size} follow: truncated")


def _check_text(elements: list[_Element], text: str) -> None:
    rows = text.splitlines()
    total = sum(element.rows for element in elements)
    if len(rows) < total:
        raise ValueError(f"its header announces {total} lines of data, but {len(rows)} follow: truncated")
    start = 0
    for element in elements:
        for number, row in enumerate(rows[start : start + element.rows]):
            if not _is_complete(row.split(), element):
                raise ValueError(f"{element.name} {number} is incomplete: {row!r}")
        start += element.rows


def _is_complete(values: list[str], element: _Element) -> bool:
    if not element.has_list:
        return len(values) >= len(element.properties)
    at = 0
    for words in element.properties:
        if at >= len(values):
            return False
        at += 1 + int(values[at]) if words[0] == "list" else 1
    return at <= len(values)
