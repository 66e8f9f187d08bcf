"""The data of a binary PLY file.

An element without lists, or whose lists all have the sizes that the first row has, is one array of records. Otherwise
each row starts where the one before ends, and they are walked one after the other.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.ply_header import Element, Header
from tumble.mesh.formats.ply_text import Columns

Column = tuple[NDArray[np.float64], NDArray[np.int64]]


def binary_columns(data: bytes, header: Header, wanted: dict[str, list[str]]) -> Columns:
    """Return, per element and property, all values in a row and how many each row has."""
    _check_size(header, len(data) - header.size)
    columns, start = {}, header.size
    for element in header.elements:
        names = wanted.get(element.name, [])
        found, start = _records(data, start, element, names) or _walk(data, start, element, names)
        if names:
            columns[element.name] = found
    return columns


def _check_size(header: Header, size: int) -> None:
    """Refuse a file that is too short even if all its lists are empty."""
    least = 0
    for element in header.elements:
        kinds = [each.count_kind or each.kind for each in element.properties]
        least += element.rows * sum(np.dtype(kind).itemsize for kind in kinds)
    if size < least:
        raise ValueError(f"its header announces at least {least} bytes of data, but {size} follow: truncated")


def _records(data: bytes, start: int, element: Element, names: list[str]) -> tuple[dict[str, Column], int] | None:
    """Read an element whose rows are all built like the first one; None when they are not."""
    sizes = _first_sizes(data, start, element)
    fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = []
    for place, each in enumerate(element.properties):
        if each.count_kind is None:
            fields.append((f"value {place}", each.kind))
        else:
            fields += [(f"count {place}", each.count_kind), (f"value {place}", each.kind, (sizes[place],))]
    record = np.dtype(fields)
    if not element.rows or not fields:
        return {name: (np.empty(0), np.empty(0, np.int64)) for name in names}, start
    if start + element.rows * record.itemsize > len(data):
        return None
    rows = np.frombuffer(data, record, element.rows, start)
    if any((rows[f"count {place}"] != size).any() for place, size in sizes.items()):
        return None
    found = {}
    for place, each in enumerate(element.properties):
        if each.name in names:
            values = rows[f"value {place}"].astype(np.float64).reshape(-1)
            found[each.name] = values, np.full(element.rows, sizes.get(place, 1), np.int64)
    return found, start + element.rows * record.itemsize


def _first_sizes(data: bytes, at: int, element: Element) -> dict[int, int]:
    """Return the sizes of the lists in the first row, by the place of their property."""
    sizes = {}
    for place, each in enumerate(element.properties):
        size = 1
        if each.count_kind is not None:
            size = sizes[place] = _count(data, at, each.count_kind) if element.rows else 0
            at += np.dtype(each.count_kind).itemsize
        at += size * np.dtype(each.kind).itemsize
        if at > len(data):
            raise ValueError(f"{element.name} 0 goes on after the end of the file: truncated or damaged")
    return sizes


def _walk(data: bytes, start: int, element: Element, names: list[str]) -> tuple[dict[str, Column], int]:
    steps = [
        (place, each.count_kind, np.dtype(each.count_kind or "u1").itemsize, np.dtype(each.kind).itemsize)
        for place, each in enumerate(element.properties)
    ]
    starts: list[list[int]] = [[] for _ in steps]
    sizes: list[list[int]] = [[] for _ in steps]
    at, end = start, len(data)
    for number in range(element.rows):
        for place, count_kind, count_bytes, value_bytes in steps:
            size = 1
            if count_kind is not None:
                size = data[at] if count_kind[1:] == "u1" and at < end else _count(data, at, count_kind)
                at += count_bytes
            starts[place].append(at)
            sizes[place].append(size)
            at += size * value_bytes
        if at > end:
            raise ValueError(f"{element.name} {number} goes on after the end of the file: truncated or damaged")
    found = {
        each.name: _gather(data, each.kind, np.array(starts[place]), np.array(sizes[place]))
        for place, each in enumerate(element.properties)
        if each.name in names
    }
    return found, at


def _count(data: bytes, at: int, kind: str) -> int:
    dtype = np.dtype(kind)
    size = int.from_bytes(
        data[at : at + dtype.itemsize], "big" if kind[0] == ">" else "little", signed=dtype.kind == "i"
    )
    if size < 0 or at + dtype.itemsize > len(data):
        raise ValueError(f"a list of {size} values at byte {at}: truncated or damaged")
    return size


def _gather(data: bytes, kind: str, starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> Column:
    """Return the values of all lists, given where they start and how many values they have."""
    dtype = np.dtype(kind)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    places = np.repeat(starts, sizes) + within * dtype.itemsize
    raw = np.frombuffer(data, np.uint8)
    values = raw[places[:, None] + np.arange(dtype.itemsize)].view(dtype).reshape(-1)
    return values.astype(np.float64), sizes
