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

from tumble.mesh.formats.archive import Archive
from tumble.mesh.formats.instances import Key, Node, Placement, expand
from tumble.mesh.formats.polygons import number_array
from tumble.mesh.formats.threedxml_shape import read_shape
from tumble.mesh.formats.xml_events import local_name, parse_tree
from tumble.mesh.mesh import Mesh
from tumble.mesh.part import Part

_URN = "urn:3DXML:"


def read_3dxml(path: Path, split: bool) -> list[Part]:
    """Return one Part per instance of a shape."""
    with Archive(path) as archive:
        manifest = _document(archive, "Manifest.xml")
        structure = _Structure(_document(archive, _text(manifest, "Root")), archive)
        parts = expand([Placement(("reference", structure.root))], structure.node)
        return [Part(part.name, part.mesh, "mm") for part in parts]


class _Structure:
    """References, and what they hold."""

    def __init__(self, model: Element, archive: Archive) -> None:
        product = next((child for child in model if local_name(child.tag) == "ProductStructure"), None)
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

    def node(self, key: Key) -> Node:
        kind, number = key
        if kind == "shape":
            return Node(number, self._mesh(number), [])
        if number not in self._names:
            raise ValueError(f"its structure refers to {number!r}, which the file does not have")
        name = self._names[number]
        named = [child._replace(name=name) if child.key[0] == "shape" else child for child in self._children[number]]
        return Node(name, None, named)

    def _mesh(self, number: str) -> Mesh:
        shape = self._shapes.get(number)
        if shape is None:
            raise ValueError(f"its structure refers to the shape {number!r}, which the file does not have")
        if shape.attrib.get("format") != "TESSELLATED":
            raise ValueError(f"the shape {number!r} has the format {shape.attrib.get('format')!r}, not TESSELLATED")
        name = shape.attrib.get("associatedFile", "").removeprefix(_URN)
        return read_shape(_document(self._archive, name), name)


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
    for child in element:
        if local_name(child.tag) == name and child.text and child.text.strip():
            return child.text.strip()
    raise ValueError(f"<{local_name(element.tag)}> has no <{name}>")


def _matrix(element: Element) -> NDArray[np.float64] | None:
    """Return the place of an instance: nine numbers for the axes, three for the origin."""
    for child in element:
        if local_name(child.tag) == "RelativeMatrix":
            entries = number_array(child.text or "", float, "a RelativeMatrix")
            if len(entries) != 12:
                raise ValueError(f"a RelativeMatrix has {len(entries)} numbers, not 12")
            matrix = np.eye(4)
            matrix[:3] = entries.reshape(4, 3).T
            return matrix
    return None
