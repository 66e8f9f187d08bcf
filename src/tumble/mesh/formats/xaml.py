"""XAML (WPF): a part for every GeometryModel3D, moved by its own transform and those of all models around it.

Transforms of every kind are applied (see xaml_transform.py); bindings and resources, which only a running program can
look up, are refused where they stand for geometry or a transform.
"""

from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats.matrices import Matrix, placed, product
from tumble.mesh.formats.polygons import number_array, rows_of_three
from tumble.mesh.formats.regular import open_regular
from tumble.mesh.formats.xaml_transform import read_transform, refuse_properties
from tumble.mesh.formats.xml_events import local_name, parse_tree
from tumble.mesh.mesh import Mesh
from tumble.mesh.part import Part

_MODEL, _MESH = "GeometryModel3D", "MeshGeometry3D"
# Attributes that would stand for models; and elements that place what is inside them.
_CONTENT = {"Children", "Content", "Geometry", "Model"}
_PLACING = ("ModelVisual3D", "Model3DGroup", "ModelUIElement3D", "ContainerUIElement3D", _MODEL)


def read(path: Path, split: bool) -> list[Part]:
    """Return one Part per GeometryModel3D."""
    with open_regular(path) as source:
        root = parse_tree(source)
    parts: list[Part] = []
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
        if name.endswith(".Transform") and name.partition(".")[0] not in _PLACING:
            _refuse_unknown(name)
        stack += [(child, matrix) for child in reversed(element)]
    return parts


def _refuse_unknown(name: str) -> None:
    """Refuse transforms of elements that may hold models; those of cameras and lights do not matter."""
    if not name.partition(".")[0].endswith(("Camera", "Light")):
        raise ValueError(f"<{name}> is not read; known are the transforms of {', '.join(_PLACING)}")


def _placed(element: Element, outer: Matrix | None) -> Matrix | None:
    for name in _CONTENT & element.attrib.keys():
        raise ValueError(f"{name}={element.attrib[name][:80]!r} is not read; resources and bindings need a program")
    return product(outer, read_transform(element))


def _part(model: Element, matrix: Matrix | None, number: str) -> Part:
    names = [value for key, value in model.attrib.items() if local_name(key) == "Name"]
    meshes = [_mesh(each) for each in model.iter() if local_name(each.tag) == _MESH]
    if len(meshes) != 1:
        raise ValueError(f"{number} has {len(meshes)} meshes of its own; expected one")
    return Part((names or [number])[0], placed(meshes[0], matrix))


def _mesh(element: Element) -> Mesh:
    refuse_properties(element, ("Normals", "TextureCoordinates"))
    vertices = rows_of_three(number_array(element.attrib.get("Positions", ""), float, "Positions"), "Positions")
    if "TriangleIndices" not in element.attrib:  # three positions each are a triangle
        return Mesh(vertices, rows_of_three(np.arange(len(vertices)), "vertices without TriangleIndices"))
    corners = number_array(element.attrib["TriangleIndices"], int, "TriangleIndices")
    return Mesh(vertices, rows_of_three(corners, "TriangleIndices"))
