"""The triangles of a 3DXML shape: lists, strips and fans over the vertices of each representation."""

from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.polygons import fan, number_array, rows_of_three, strip
from tumble.mesh.formats.xml_events import local_name
from tumble.mesh.mesh import Mesh
from tumble.mesh.part import concatenated

_TYPE = "http://www.w3.org/2001/XMLSchema-instance}type"
_KNOWN = {"BagRepType", "PolygonalRepType"}


def read_shape(root: Element, name: str) -> Mesh:
    """Return all triangles of a representation file; coarser levels of detail are not read."""
    meshes = []
    for rep in root.iter():
        if local_name(rep.tag) != "Rep":
            continue
        kind = local_name(rep.attrib.get(_TYPE, "PolygonalRepType")).rpartition(":")[2]
        if kind not in _KNOWN:
            raise ValueError(f"{name!r} has a representation of type {kind!r}, which is not read")
        faces = [face for each in _children(rep, "Faces") for face in _children(each, "Face")]
        if faces:
            meshes.append(_mesh(rep, faces))
    return concatenated(meshes)


def _mesh(rep: Element, faces: list[Element]) -> Mesh:
    positions = [each for buffer in _children(rep, "VertexBuffer") for each in _children(buffer, "Positions")]
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


def _children(element: Element, name: str) -> list[Element]:
    return [child for child in element if local_name(child.tag) == name]
