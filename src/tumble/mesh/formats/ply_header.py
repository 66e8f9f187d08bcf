"""The header of a PLY file: elements with their numbers of rows, and the properties of a row."""

import re
from typing import NamedTuple

import numpy as np

_C_TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4"}
_SIZED = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
_TYPES = {**_C_TYPES, "float": "f4", "double": "f8", **{name: np.dtype(name).str[1:] for name in _SIZED}}
_BYTE_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_END = re.compile(rb"(?:^|\n|\r)end_header[ \t]*(?:\r\n|\n|\r)")


class Property(NamedTuple):
    """One value of a row, or a list: a count and its values. Types are NumPy's, with the byte order."""

    name: str
    kind: str
    count_kind: str | None = None
    """the type of the count; None for a single value"""


class Element(NamedTuple):
    """A table: all vertices, or all faces."""

    name: str
    rows: int
    properties: list[Property]


class Header(NamedTuple):
    """What precedes the data."""

    byte_order: str
    """empty for text"""
    elements: list[Element]
    size: int
    """bytes"""


def read_header(data: bytes) -> Header:
    """Return the header of a PLY file, or say what is wrong with it."""
    end = _END.search(data)
    if not data.startswith(b"ply") or end is None:
        raise ValueError("no complete PLY header: truncated, or of another format")
    lines = [line.split() for line in data[: end.start()].decode("latin-1").splitlines()]
    forms = [words[1] for words in lines if words[:1] == ["format"] and len(words) > 1]
    if len(forms) != 1 or forms[0] not in _BYTE_ORDERS:
        raise ValueError(f"its format is {', '.join(forms) or 'not stated'}; known are {', '.join(_BYTE_ORDERS)}")
    return Header(_BYTE_ORDERS[forms[0]], _elements(lines, _BYTE_ORDERS[forms[0]]), end.end())


def _elements(lines: list[list[str]], byte_order: str) -> list[Element]:
    elements: list[Element] = []
    for words in lines:
        if words[:1] == ["element"]:
            if len(words) != 3 or not words[2].isdecimal():
                raise ValueError(f"a line of its header makes no sense: {' '.join(words)!r}")
            elements.append(Element(words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            if not elements:
                raise ValueError("a property comes before the first element")
            elements[-1].properties.append(_property(words[1:], byte_order))
    if len({element.name for element in elements}) < len(elements):
        raise ValueError("an element is announced twice")
    return elements


def _property(words: list[str], byte_order: str) -> Property:
    kinds = words[1:-1] if words[:1] == ["list"] else words[:-1]
    if len(words) not in (2, 4) or not all(kind in _TYPES for kind in kinds):
        raise ValueError(f"a property of its header makes no sense: {' '.join(words)!r}")
    types = [byte_order + _TYPES[kind] for kind in kinds]
    if len(types) == 1:
        return Property(words[-1], types[0])
    if "f" in types[0]:
        raise ValueError(f"the list {words[-1]!r} is counted by {words[1]}; a count is a whole number")
    return Property(words[-1], types[1], types[0])
