"""XAML (WPF): a part for every GeometryModel3D, moved by its own transform and those of all models around it.

Transforms of every kind are applied, as 4×4 matrices of column vectors; bindings and resources, which only a running
program can look up, are refused where they stand for geometry or a transform.
"""

from collections.abc import Callable
from math import radians
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats import Request, open_regular
from tumble.mesh.formats.placing import Instance, Matrix, product, quaternion_matrix
from tumble.mesh.formats.polygons import number_array, rows_of_three
from tumble.mesh.formats.xml_events import local_name, parse_tree
from tumble.mesh.mesh import Mesh
from tumble.mesh.pose import rotation, translation

_MODEL, _MESH = "GeometryModel3D", "MeshGeometry3D"
# Attributes that would stand for models; and elements that place what is inside them.
_CONTENT = {"Children", "Content", "Geometry", "Model"}
_PLACING = ("ModelVisual3D", "Model3DGroup", "ModelUIElement3D", "ContainerUIElement3D", _MODEL)
_NONE = {"Identity", "{x:Null}"}


def read(path: Path, request: Request) -> list[Instance]:
    """Return one part per GeometryModel3D."""
    with open_regular(path) as source:
        root = parse_tree(source)
    parts: list[Instance] = []
    # depth first, in the order of the file
    stack: list[tuple[Element, Matrix | None]] = [(root, None)]
    while stack:
        element, outer = stack.pop()
        name = local_name(element.tag)
        matrix = _placed(element, outer) if name in _PLACING else outer
        if name == _MODEL:
            parts.append(_part(element, matrix, f"model {len(parts) + 1}"))
            continue
        if name == _MESH:
            raise ValueError("it has a mesh outside of a GeometryModel3D; resources are not read")
        # transforms of cameras and lights do not matter; other elements may hold models
        owner = name.partition(".")[0]
        if name.endswith(".Transform") and owner not in _PLACING and not owner.endswith(("Camera", "Light")):
            raise ValueError(f"<{name}> is not read; known are the transforms of {', '.join(_PLACING)}")
        stack += [(child, matrix) for child in reversed(element)]
    return parts


def _placed(element: Element, outer: Matrix | None) -> Matrix | None:
    for name in _CONTENT & element.attrib.keys():
        raise ValueError(f"{name}={element.attrib[name][:80]!r} is not read; resources and bindings need a program")
    return product(outer, _transform(element))


def _part(model: Element, matrix: Matrix | None, number: str) -> Instance:
    names = [value for key, value in model.attrib.items() if local_name(key) == "Name"]
    meshes = [_mesh(each) for each in model.iter() if local_name(each.tag) == _MESH]
    if len(meshes) != 1:
        raise ValueError(f"{number} has {len(meshes)} meshes of its own; expected one")
    return Instance((names or [number])[0], meshes[0], matrix)


def _mesh(element: Element) -> Mesh:
    _refuse_properties(element, ("Normals", "TextureCoordinates"))
    vertices = rows_of_three(number_array(element.attrib.get("Positions", ""), float, "Positions"), "Positions")
    if "TriangleIndices" not in element.attrib:  # three positions each are a triangle
        return Mesh(vertices, rows_of_three(np.arange(len(vertices)), "vertices without TriangleIndices"))
    corners = number_array(element.attrib["TriangleIndices"], int, "TriangleIndices")
    return Mesh(vertices, rows_of_three(corners, "TriangleIndices"))


def _transform(element: Element) -> Matrix | None:
    """Return the transform that an element carries, None without one; what is not understood is refused."""
    if element.attrib.get("Transform", "Identity") not in _NONE:
        raise ValueError(f"the transform {element.attrib['Transform'][:80]!r} is not read: write it as an element")
    content = _property(element, "Transform")
    return None if content is None else _matrix(content)


def _refuse_properties(element: Element, known: tuple[str, ...] = ()) -> None:
    """Refuse an element whose properties are elements of their own, except known ones: they would be lost."""
    for child in element:
        name = local_name(child.tag)
        if name.rpartition(".")[2] not in known:
            raise ValueError(f"<{name}> inside <{local_name(element.tag)}> is not read: write it as an attribute")


def _property(element: Element, name: str) -> Element | None:
    """Return the one element inside `<Type.name>`."""
    tag = f"{local_name(element.tag)}.{name}"
    found = [each for child in element if local_name(child.tag) == tag for each in child]
    if len(found) > 1:
        raise ValueError(f"<{tag}> holds {len(found)} elements; expected one")
    return found[0] if found else None


def _matrix(transform: Element) -> Matrix:
    name = local_name(transform.tag)
    if name not in _KINDS:
        raise ValueError(f"a transform of kind {name!r} is not read; known are {', '.join(sorted(_KINDS))}")
    if name != "Transform3DGroup":
        _refuse_properties(transform, ("Rotation",) if name == "RotateTransform3D" else ())
    return _KINDS[name](transform)


def _group(transform: Element) -> Matrix:
    """Return the product of the transforms of a group; the first one is applied first."""
    product = np.eye(4)
    for child in transform:
        inner = child if local_name(child.tag).endswith(".Children") else [child]
        for each in inner:
            product = _matrix(each) @ product
    return product


def _general(transform: Element) -> Matrix:
    text = transform.attrib.get("Matrix", "Identity")
    return np.eye(4) if text in _NONE else np.array(_numbers(text, "the matrix of a transform", 16)).reshape(4, 4).T


def _rotate(transform: Element) -> Matrix:
    if "Rotation" in transform.attrib:
        raise ValueError(f"the rotation {transform.attrib['Rotation'][:80]!r} is not read: write it as an element")
    turn = _property(transform, "Rotation")
    if turn is None:
        return np.eye(4)
    _refuse_properties(turn)
    name = local_name(turn.tag)
    if name == "AxisAngleRotation3D":
        axis = _numbers(turn.attrib.get("Axis", "0 1 0"), "the axis of a rotation", 3)
        return _about_centre(rotation(axis, radians(_number(turn, "Angle", 0.0))), transform)
    if name == "QuaternionRotation3D":
        text = turn.attrib.get("Quaternion", "Identity")
        matrix = np.eye(4) if text in _NONE else quaternion_matrix(_numbers(text, "a quaternion", 4))
        return _about_centre(matrix, transform)
    raise ValueError(f"a rotation of kind {name!r} is not read")


def _numbers(text: str, what: str, count: int) -> list[float]:
    numbers = number_array(text, float, what)
    if len(numbers) != count:
        raise ValueError(f"{what} has {len(numbers)} numbers, not {count}: {text[:80]!r}")
    return numbers.tolist()


def _about_centre(matrix: Matrix, transform: Element) -> Matrix:
    centre = np.array(_vector(transform, "Center", 0.0))
    matrix[:3, 3] = centre - matrix[:3, :3] @ centre
    return matrix


def _vector(transform: Element, prefix: str, otherwise: float) -> list[float]:
    return [_number(transform, prefix + axis, otherwise) for axis in "XYZ"]


def _number(element: Element, name: str, otherwise: float) -> float:
    return _numbers(element.attrib[name], name, 1)[0] if name in element.attrib else otherwise


_KINDS: dict[str, Callable[[Element], Matrix]] = {
    "MatrixTransform3D": _general,
    "TranslateTransform3D": lambda element: translation(*_vector(element, "Offset", 0.0)),
    "ScaleTransform3D": lambda element: _about_centre(np.diag([*_vector(element, "Scale", 1.0), 1.0]), element),
    "RotateTransform3D": _rotate,
    "Transform3DGroup": _group,
}
