"""The transforms of XAML as 4×4 matrices of column vectors."""

from math import radians
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats.matrices import Matrix, quaternion_matrix
from tumble.mesh.formats.polygons import number_array
from tumble.mesh.formats.xml_events import local_name
from tumble.mesh.pose import rotation

_NONE = {"Identity", "{x:Null}"}


def read_transform(element: Element) -> Matrix | None:
    """Return the transform that an element carries, None without one; what is not understood is refused."""
    if element.attrib.get("Transform", "Identity") not in _NONE:
        raise ValueError(f"the transform {element.attrib['Transform'][:80]!r} is not read: write it as an element")
    content = _property(element, "Transform")
    return None if content is None else _matrix(content)


def refuse_properties(element: Element, known: tuple[str, ...] = ()) -> None:
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
        refuse_properties(transform, ("Rotation",) if name == "RotateTransform3D" else ())
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
    if text in _NONE:
        return np.eye(4)
    return np.array(_numbers(text, "the matrix of a transform", 16)).reshape(4, 4).T


def _translate(transform: Element) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, 3] = _vector(transform, "Offset", 0.0)
    return matrix


def _scale(transform: Element) -> Matrix:
    return _about_centre(np.diag([*_vector(transform, "Scale", 1.0), 1.0]), transform)


def _rotate(transform: Element) -> Matrix:
    if "Rotation" in transform.attrib:
        raise ValueError(f"the rotation {transform.attrib['Rotation'][:80]!r} is not read: write it as an element")
    turn = _property(transform, "Rotation")
    if turn is None:
        return np.eye(4)
    refuse_properties(turn)
    name = local_name(turn.tag)
    if name == "AxisAngleRotation3D":
        axis = _numbers(turn.attrib.get("Axis", "0 1 0"), "the axis of a rotation", 3)
        return _about_centre(rotation(axis, radians(_number(turn, "Angle", 0.0))), transform)
    if name == "QuaternionRotation3D":
        return _about_centre(_of_quaternion(turn), transform)
    raise ValueError(f"a rotation of kind {name!r} is not read")


def _of_quaternion(turn: Element) -> Matrix:
    text = turn.attrib.get("Quaternion", "Identity")
    if text in _NONE:
        return np.eye(4)
    return quaternion_matrix(_numbers(text, "a quaternion", 4))


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


_KINDS = {
    "MatrixTransform3D": _general,
    "TranslateTransform3D": _translate,
    "ScaleTransform3D": _scale,
    "RotateTransform3D": _rotate,
    "Transform3DGroup": _group,
}
