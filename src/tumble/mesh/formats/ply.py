"""PLY, text and binary of either byte order: the vertices' x, y, z and the faces' lists of corners.

Polygons of any size are cut into fans; other properties and elements are skipped. Announced rows that are not there are
an error, found before anything is allocated for them.

Text has a line per row. In a binary file an element without lists, or whose lists all have the sizes that the first row
has, is one array of records. Otherwise each row starts where the one before ends, and they are walked one after the
other.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats import Request, read_regular
from tumble.mesh.formats.placing import Instance
from tumble.mesh.formats.ply_header import Element, Header, read_header
from tumble.mesh.formats.polygons import fan, ragged_numbers
from tumble.mesh.mesh import Mesh

# All wanted values of an element, row by row, and how many each row has.
Rows = tuple[NDArray[np.float64], NDArray[np.int64]]

_CORNERS = ("vertex_indices", "vertex_index")
# Surfaces stored in another way than by faces; leaving them out would look like an answer.
_OTHER_SURFACES = ("tristrips", "trifans", "range_grid")


def read(path: Path, request: Request) -> list[Instance]:
    """Return the one part of a PLY file."""
    data = read_regular(path)
    header = read_header(data)
    wanted = _wanted(header)
    rows = (binary_rows if header.byte_order else text_rows)(data, header, wanted)
    if not wanted:
        return []
    vertices, _ = rows["vertex"]
    return [Instance(path.stem, Mesh(vertices.reshape(-1, 3), _triangles(*rows["face"])))]


def _wanted(header: Header) -> dict[str, list[str]]:
    """Return the properties to read of each element that matters."""
    elements = {element.name: element for element in header.elements if element.rows}
    for name in _OTHER_SURFACES:
        if name in elements:
            raise ValueError(f"its surface is stored as {name}; export it as faces")
    if "face" not in elements:
        return {}
    if "vertex" not in elements:
        raise ValueError("it has faces, but no vertices")
    return {"vertex": _coordinates(elements["vertex"]), "face": _corner_list(elements["face"])}


def _coordinates(element: Element) -> list[str]:
    single = [each.name for each in element.properties if each.count_kind is None]
    if any(single.count(axis) != 1 for axis in "xyz"):
        raise ValueError("its vertices lack x, y or z")
    return ["x", "y", "z"]


def _corner_list(element: Element) -> list[str]:
    lists = [each.name for each in element.properties if each.count_kind is not None and each.name in _CORNERS]
    if len(lists) != 1:
        raise ValueError(f"its faces have {len(lists)} lists called {' or '.join(_CORNERS)}; expected one")
    return lists


def _triangles(corners: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    whole = corners.astype(np.int64)
    if not np.array_equal(whole, corners):
        raise ValueError("a corner of a face is not a whole number")
    return fan(whole, sizes)[0]


def text_rows(data: bytes, header: Header, wanted: dict[str, list[str]]) -> dict[str, Rows]:
    """Return the rows of each element of which properties are wanted: single values, or one list."""
    rows = [row for row in data[header.size :].decode("latin-1").splitlines() if row.strip()]
    total = sum(element.rows for element in header.elements if element.properties)
    if len(rows) < total:
        raise ValueError(f"its header announces {total} lines of data, but {len(rows)} follow: truncated")
    found, start = {}, 0
    for element in header.elements:
        if not element.properties:
            continue
        names = wanted.get(element.name)
        if names:
            found[element.name] = _text_rows(rows[start : start + element.rows], element, names)
        start += element.rows
    return found


def _text_rows(rows: list[str], element: Element, names: list[str]) -> Rows:
    def fields(block: Sequence[str], start: int) -> list[list[str]]:
        return [_words(row, element, names, number) for number, row in enumerate(block, start)]

    return ragged_numbers(rows, fields, float)


def _words(row: str, element: Element, names: list[str], number: int) -> list[str]:
    """Return the words of a line that belong to the properties of these names."""
    words, at = row.split(), 0
    pieces = {}
    for each in element.properties:
        size = 1
        if each.count_kind is not None:
            size = int(words[at]) if at < len(words) else -1
            at += 1
        if size < 0 or at + size > len(words):
            raise ValueError(f"{element.name} {number} is incomplete: {row[:80]!r}")
        pieces[each.name] = words[at : at + size]
        at += size
    return [word for name in names for word in pieces[name]]


def binary_rows(data: bytes, header: Header, wanted: dict[str, list[str]]) -> dict[str, Rows]:
    """Return the rows of each element of which properties are wanted: single values, or one list."""
    _check_size(header, len(data) - header.size)
    found, start = {}, header.size
    for element in header.elements:
        names = wanted.get(element.name, [])
        rows, start = _records(data, start, element, names) or _walk(data, start, element, names)
        if names:
            found[element.name] = rows
    return found


def _check_size(header: Header, size: int) -> None:
    """Refuse a file that is too short even if all its lists are empty."""
    least = 0
    for element in header.elements:
        kinds = [each.count_kind or each.kind for each in element.properties]
        least += element.rows * sum(np.dtype(kind).itemsize for kind in kinds)
    if size < least:
        raise ValueError(f"its header announces at least {least} bytes of data, but {size} follow: truncated")


def _records(data: bytes, start: int, element: Element, names: list[str]) -> tuple[Rows, int] | None:
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
        return (np.empty(0), np.empty(0, np.int64)), start
    if start + element.rows * record.itemsize > len(data):
        return None
    rows = np.frombuffer(data, record, element.rows, start)
    if any((rows[f"count {place}"] != size).any() for place, size in sizes.items()):
        return None
    places = _places(element, names)
    values = _side_by_side([rows[f"value {place}"].astype(np.float64).reshape(-1) for place in places])
    row_sizes = np.full(element.rows, sum(sizes.get(place, 1) for place in places), np.int64)
    return (values, row_sizes), start + element.rows * record.itemsize


def _places(element: Element, names: list[str]) -> list[int]:
    own = [each.name for each in element.properties]
    return [own.index(name) for name in names]


def _side_by_side(columns: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the values of several columns row by row; those of a single one, a list maybe, as they are."""
    return np.stack(columns, axis=1).reshape(-1) if columns else np.empty(0)


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


def _walk(data: bytes, start: int, element: Element, names: list[str]) -> tuple[Rows, int]:
    steps = [
        (each.count_kind, np.dtype(each.count_kind or "u1").itemsize, np.dtype(each.kind).itemsize)
        for each in element.properties
    ]
    starts: list[list[int]] = [[] for _ in steps]
    sizes: list[list[int]] = [[] for _ in steps]
    at, end = start, len(data)
    for number in range(element.rows):
        for place, (count_kind, count_bytes, value_bytes) in enumerate(steps):
            size = 1
            if count_kind is not None:
                size = data[at] if count_kind[1:] == "u1" and at < end else _count(data, at, count_kind)
                at += count_bytes
            starts[place].append(at)
            sizes[place].append(size)
            at += size * value_bytes
        if at > end:
            raise ValueError(f"{element.name} {number} goes on after the end of the file: truncated or damaged")
    columns, totals = [], np.zeros(element.rows, np.int64)
    for place in _places(element, names):
        own_sizes = np.array(sizes[place])
        columns.append(_gather(data, element.properties[place].kind, np.array(starts[place]), own_sizes))
        totals += own_sizes
    return (_side_by_side(columns), totals), at


def _count(data: bytes, at: int, kind: str) -> int:
    dtype = np.dtype(kind)
    size = int.from_bytes(
        data[at : at + dtype.itemsize], "big" if kind[0] == ">" else "little", signed=dtype.kind == "i"
    )
    if size < 0 or at + dtype.itemsize > len(data):
        raise ValueError(f"a list of {size} values at byte {at}: truncated or damaged")
    return size


def _gather(data: bytes, kind: str, starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the values of all lists, given where they start and how many values they have."""
    dtype = np.dtype(kind)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    places = np.repeat(starts, sizes) + within * dtype.itemsize
    raw = np.frombuffer(data, np.uint8)
    return raw[places[:, None] + np.arange(dtype.itemsize)].view(dtype).reshape(-1).astype(np.float64)
