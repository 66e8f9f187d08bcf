"""3DXML (Dassault Systèmes): a part for every way from the root of the product structure to a tessellated shape.

A Reference3D is an assembly or a part; an Instance3D puts one inside another; an InstanceRep gives one a shape, whose
triangles are in a file of their own. Lengths are in millimetres; the format does not say so, its programs do.
"""

from collections import defaultdict
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats import Request
from tumble.mesh.formats.archive import Archive
from tumble.mesh.formats.instances import Key, Placement, SceneNode, expand
from tumble.mesh.formats.placing import Instance, Matrix, row_vector_matrix
from tumble.mesh.formats.polygons import fan, number_array, rows_of_three, strip
from tumble.mesh.formats.xml_events import local_name, parse_tree
from tumble.mesh.mesh import Mesh, concatenated

_URN = "urn:3DXML:"
_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_KNOWN = {"BagRepType", "PolygonalRepType"}


def read(path: Path, request: Request) -> list[Instance]:
    """Return one part per instance of a shape."""
    with Archive(path) as archive:
        manifest = _document(archive, "Manifest.xml")
        structure = _Structure(_document(archive, _text(manifest, "Root")), archive)
        return expand([Placement(("reference", structure.root))], structure.node, "mm")


class _Structure:
    """References, and what they hold."""

    def __init__(self, model: Element, archive: Archive) -> None:
        product = model.find("{*}ProductStructure")
        if product is None or "root" not in product.attrib:
            raise ValueError("it has no product structure with a root")
        self._archive = archive
        self.root = product.attrib["root"]
        self._names: dict[str, str] = {}
        self._shapes: dict[str, Element] = {}
        self._children: dict[str, list[Placement]] = defaultdict(list)
        for element in product.iter():
            self._read(element)

    def _read(self, element: Element) -> None:
        kind = local_name(element.tag)
        if kind == "Reference3D":
            _add(self._names, element, element.attrib.get("name") or f"reference {element.attrib['id']}")
        elif kind == "ReferenceRep":
            _add(self._shapes, element, element)
        elif kind == "Instance3D":
            child = "reference", _text(element, "IsInstanceOf")
            self._children[_text(element, "IsAggregatedBy")].append(Placement(child, _matrix(element)))
        elif kind == "InstanceRep":
            child = "shape", _text(element, "IsInstanceOf")
            self._children[_text(element, "IsAggregatedBy")].append(Placement(child))

    def node(self, key: Key) -> SceneNode:
        kind, number = key
        if kind == "shape":
            return SceneNode(number, self._mesh(number), [])
        if number not in self._names:
            raise ValueError(f"its structure refers to {number!r}, which the file does not have")
        name = self._names[number]
        named = [child._replace(name=name) if child.key[0] == "shape" else child for child in self._children[number]]
        return SceneNode(name, None, named)

    def _mesh(self, number: str) -> Mesh:
        shape = self._shapes.get(number)
        if shape is None:
            raise ValueError(f"its structure refers to the shape {number!r}, which the file does not have")
        if shape.attrib.get("format") != "TESSELLATED":
            raise ValueError(f"the shape {number!r} has the format {shape.attrib.get('format')!r}, not TESSELLATED")
        name = shape.attrib.get("associatedFile", "").removeprefix(_URN)
        return _read_shape(_document(self._archive, name), name)


def _add(table: dict[str, Any], element: Element, value: object) -> None:
    number = element.attrib.get("id")
    if number is None or number in table:
        raise ValueError(f"its structure has an element without an id, or two with the id {number!r}")
    table[number] = value


def _document(archive: Archive, name: str) -> Element:
    data = archive.read(name)
    if b"<" not in data[:200]:
        raise ValueError(f"{name!r} is stored in a binary form, which is not read")
    return parse_tree(BytesIO(data))


def _text(element: Element, name: str) -> str:
    for child in element.findall(f"{{*}}{name}"):
        if child.text and child.text.strip():
            return child.text.strip()
    raise ValueError(f"<{local_name(element.tag)}> has no <{name}>")


def _matrix(element: Element) -> Matrix | None:
    """Return the place of an instance: nine numbers for the axes, three for the origin."""
    text, what = element.findtext("{*}RelativeMatrix"), "a RelativeMatrix"
    return None if text is None else row_vector_matrix(number_array(text, float, what).tolist(), what)


def _read_shape(root: Element, name: str) -> Mesh:
    """Return all triangles of a representation file: lists, strips and fans; coarser levels of detail are not read."""
    meshes = []
    for rep in (each for each in root.iter() if local_name(each.tag) == "Rep"):
        kind = local_name(rep.attrib.get(_TYPE, "PolygonalRepType")).rpartition(":")[2]
        if kind not in _KNOWN:
            raise ValueError(f"{name!r} has a representation of type {kind!r}, which is not read")
        faces = rep.findall("{*}Faces/{*}Face")
        if faces:
            meshes.append(_mesh(rep, faces))
    return concatenated(meshes)


def _mesh(rep: Element, faces: list[Element]) -> Mesh:
    positions = rep.findall("{*}VertexBuffer/{*}Positions")
    if len(positions) != 1:
        raise ValueError(f"a representation with faces has {len(positions)} lists of positions; expected one")
    vertices = rows_of_three(number_array(positions[0].text or "", float, "Positions"), "Positions")
    return Mesh(vertices, np.concatenate([_triangles(face) for face in faces]))


def _triangles(face: Element) -> NDArray[np.int64]:
    found = [np.empty((0, 3), np.int64)]
    found += [strip(each) for each in _lists(face, "strips")]
    found += [rows_of_three(number_array(face.attrib.get("triangles", ""), int, "triangles"), "triangles")]
    found += [fan(each, np.array([len(each)]))[0] for each in _lists(face, "fans")]
    return np.concatenate(found)


def _lists(face: Element, name: str) -> list[NDArray[np.int64]]:
    text = face.attrib.get(name, "")
    lists = [number_array(each, int, name) for each in text.split(",")] if text.strip() else []
    if any(len(each) < 3 for each in lists):
        raise ValueError(f"one of its {name} has less than three corners")
    return lists
