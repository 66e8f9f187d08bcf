"""The triangles of one COLLADA geometry: lists, strips, fans and polygons over one or more lists of positions."""

from collections.abc import Callable
from typing import TypeAlias
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.polygons import compact, fan, number_array, rows_of_three, strip
from tumble.mesh.formats.xml_events import local_name
from tumble.mesh.mesh import Mesh, concatenated

# looks up an element by its address and kind
Find: TypeAlias = Callable[[str | None, str], Element]
Faces: TypeAlias = NDArray[np.int64]

_AXES = ("X", "Y", "Z")


def read_geometry(geometry: Element, find: Find) -> Mesh:
    """Return all triangles of a geometry, vertices shared as in the file; lines are left out."""
    mesh = geometry.find("{*}mesh")
    if mesh is None:
        other = [local_name(child.tag) for child in geometry if local_name(child.tag) in ("convex_mesh", "brep")]
        if other:
            raise ValueError(f"the geometry {geometry.get('id')!r} is a {other[0]}, which is not read")
        return Mesh([], [])  # a curve
    # primitives over one list of positions are put together, so that a list is copied once
    faces: dict[str, list[Faces]] = {}
    for primitive in mesh:
        kind = local_name(primitive.tag)
        if kind in _PRIMITIVES:
            source, offset, width = _vertex_input(primitive, find)
            faces.setdefault(source, []).append(_PRIMITIVES[kind](primitive, offset, width))
    return concatenated([_mesh(find(source, "source"), np.concatenate(each), find) for source, each in faces.items()])


def _mesh(source: Element, faces: Faces, find: Find) -> Mesh:
    positions = _positions(source, find)
    if len(positions) > 3 * len(faces) and len(faces) and faces.min() >= 0 and faces.max() < len(positions):
        return Mesh(*compact(positions, faces))
    return Mesh(positions, faces)


def _vertex_input(primitive: Element, find: Find) -> tuple[str, int, int]:
    """Return the source of positions, the place of its index among those of a corner, and how many a corner has."""
    inputs = primitive.findall("{*}input")
    offsets = [_whole(each, "offset") for each in inputs]
    vertex = [k for k, each in enumerate(inputs) if each.get("semantic") == "VERTEX"]
    if len(vertex) != 1:
        raise ValueError(f"a <{local_name(primitive.tag)}> has {len(vertex)} inputs of vertices; expected one")
    vertices = find(inputs[vertex[0]].get("source"), "vertices")
    sources = [each.get("source") for each in vertices.findall("{*}input") if each.get("semantic") == "POSITION"]
    if len(sources) != 1 or sources[0] is None:
        raise ValueError(f"the vertices {vertices.get('id')!r} have {len(sources)} positions; expected one")
    return sources[0], offsets[vertex[0]], max(offsets) + 1


def _positions(source: Element, find: Find) -> NDArray[np.float64]:
    accessor = source.find("{*}technique_common/{*}accessor")
    if accessor is None:
        raise ValueError(f"the source {source.get('id')!r} has no accessor")
    array = find(accessor.get("source"), "float_array")
    numbers = number_array(array.text or "", float, "a float_array")
    if _whole(array, "count") != len(numbers):
        raise ValueError(f"a float_array announces {array.get('count')} numbers and has {len(numbers)}: truncated?")
    count, offset, stride = _whole(accessor, "count"), _whole(accessor, "offset"), _whole(accessor, "stride", 1)
    if offset + count * stride > len(numbers):
        raise ValueError(f"an accessor of {count} × {stride} numbers refers to an array of {len(numbers)}")
    rows = numbers[offset : offset + count * stride].reshape(count, stride)
    return rows[:, _columns(accessor, stride)]


def _columns(accessor: Element, stride: int) -> list[int]:
    names = [each.get("name", "").upper() for each in accessor.findall("{*}param")]
    columns = [names.index(axis) for axis in _AXES] if set(_AXES) <= set(names) else [0, 1, 2]
    if max(columns) >= stride:
        raise ValueError(f"positions have {stride} numbers each; expected three")
    return columns


def _corners(primitive: Element, offset: int, width: int) -> list[NDArray[np.int64]]:
    """Return the vertices of all corners, a list for each <p>."""
    if primitive.find("{*}ph") is not None:
        raise ValueError("it has polygons with holes; export it as triangles")
    lists = [number_array(each.text or "", int, "a list of corners") for each in primitive.findall("{*}p")]
    for numbers in lists:
        if len(numbers) % width:
            raise ValueError(f"{len(numbers)} indices are not a multiple of {width} per corner")
    return [numbers[offset::width] for numbers in lists]


def _check_count(primitive: Element, found: int) -> None:
    if _whole(primitive, "count", found) != found:
        kind = local_name(primitive.tag)
        raise ValueError(f"a <{kind}> announces {primitive.get('count')} and has {found}: truncated or damaged")


def _triangles(primitive: Element, offset: int, width: int) -> Faces:
    lists = [rows_of_three(each, "corners") for each in _corners(primitive, offset, width)]
    faces = np.concatenate([np.empty((0, 3), np.int64), *lists])
    _check_count(primitive, len(faces))
    return faces


def _polylist(primitive: Element, offset: int, width: int) -> Faces:
    corners = np.concatenate([np.empty(0, np.int64), *_corners(primitive, offset, width)])
    sizes = number_array(primitive.findtext("{*}vcount", ""), int, "vcount")
    _check_count(primitive, len(sizes))
    if (len(sizes) and (sizes.min() < 3 or sizes.max() > len(corners))) or sizes.sum() != len(corners):
        raise ValueError(f"its polygons do not have the {len(corners)} corners that are listed")
    return fan(corners, sizes)[0]


def _polygons(primitive: Element, offset: int, width: int) -> Faces:
    lists = _corners(primitive, offset, width)
    _check_count(primitive, len(lists))
    sizes = np.array([len(each) for each in lists], np.int64)
    return fan(np.concatenate([np.empty(0, np.int64), *lists]), sizes)[0]


def _strips(primitive: Element, offset: int, width: int) -> Faces:
    lists = _corners(primitive, offset, width)
    _check_count(primitive, len(lists))
    if any(len(each) < 3 for each in lists):
        raise ValueError("a strip has less than three corners")
    return np.concatenate([np.empty((0, 3), np.int64), *(strip(each) for each in lists)])


_PRIMITIVES: dict[str, Callable[[Element, int, int], Faces]] = {
    "triangles": _triangles,
    "polylist": _polylist,
    "polygons": _polygons,
    "trifans": _polygons,
    "tristrips": _strips,
}


def _whole(element: Element, name: str, otherwise: int = 0) -> int:
    value = int(element.get(name, otherwise))
    if value < 0:
        raise ValueError(f"{name} of <{local_name(element.tag)}> is negative: {value}")
    return value
