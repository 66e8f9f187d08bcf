"""The data of a text PLY file: one line per row."""

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.ply_header import Element, Header, Property
from tumble.mesh.formats.polygons import BLOCK

Columns = dict[str, dict[str, tuple[NDArray[np.float64], NDArray[np.int64]]]]


def text_columns(data: bytes, header: Header, wanted: dict[str, list[str]]) -> Columns:
    """Return, per element and property, all values in a row and how many each row has."""
    rows = [row for row in data[header.size :].decode("latin-1").splitlines() if row.strip()]
    total = sum(element.rows for element in header.elements if element.properties)
    if len(rows) < total:
        raise ValueError(f"its header announces {total} lines of data, but {len(rows)} follow: truncated")
    columns, start = {}, 0
    for element in header.elements:
        if not element.properties:
            continue
        if element.name in wanted:
            columns[element.name] = _columns(rows[start : start + element.rows], element, wanted[element.name])
        start += element.rows
    return columns


def _columns(
    rows: list[str], element: Element, names: list[str]
) -> dict[str, tuple[NDArray[np.float64], NDArray[np.int64]]]:
    values: dict[str, list[NDArray[np.float64]]] = {name: [np.empty(0)] for name in names}
    sizes: dict[str, list[NDArray[np.int64]]] = {name: [np.empty(0, np.int64)] for name in names}
    for start in range(0, len(rows), BLOCK):
        block = [
            _pieces(row, element, number) for number, row in enumerate(rows[start : start + BLOCK], start)
        ]  # fmt: skip
        for name in names:
            place = [each.name for each in element.properties].index(name)
            pieces = [row[place] for row in block]
            values[name].append(np.array([float(value) for piece in pieces for value in piece]))
            sizes[name].append(np.array([len(piece) for piece in pieces], dtype=np.int64))
    return {name: (np.concatenate(values[name]), np.concatenate(sizes[name])) for name in names}


def _pieces(row: str, element: Element, number: int) -> list[list[str]]:
    """Return the words of a row, one list per property."""
    words = row.split()
    pieces, at = [], 0
    for each in element.properties:
        size = _size(words, at, each)
        at += each.count_kind is not None
        if size < 0 or at + size > len(words):
            raise ValueError(f"{element.name} {number} is incomplete: {row[:80]!r}")
        pieces.append(words[at : at + size])
        at += size
    return pieces


def _size(words: list[str], at: int, each: Property) -> int:
    if each.count_kind is None:
        return 1
    return int(words[at]) if at < len(words) else -1
