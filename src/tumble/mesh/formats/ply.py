"""PLY, text and binary of either byte order: the vertices' x, y, z and the faces' lists of corners.

Polygons of any size are cut into fans; other properties and elements are skipped. Announced rows that are not there are
an error, found before anything is allocated for them.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.ply_data import binary_rows, text_rows
from tumble.mesh.formats.ply_header import Element, Header, read_header
from tumble.mesh.formats.polygons import fan
from tumble.mesh.formats.regular import read_regular
from tumble.mesh.mesh import Mesh, Part

_CORNERS = ("vertex_indices", "vertex_index")
# Surfaces stored in another way than by faces; leaving them out would look like an answer.
_OTHER_SURFACES = ("tristrips", "trifans", "range_grid")


def read(path: Path, split: bool) -> list[Part]:
    """Return the one Part of a PLY file."""
    data = read_regular(path)
    header = read_header(data)
    wanted = _wanted(header)
    rows = (binary_rows if header.byte_order else text_rows)(data, header, wanted)
    if not wanted:
        return []
    vertices, _ = rows["vertex"]
    return [Part(path.stem, Mesh(vertices.reshape(-1, 3), _triangles(*rows["face"])))]


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
