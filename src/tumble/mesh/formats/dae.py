"""COLLADA (.dae): a part for every geometry that a node of the visual scene shows.

Nodes may show other nodes again, so a scene is expanded like one of 3MF. Parts stand upright along z, whatever axis
the file calls up: that only swaps coordinates. Skins are shown as they are bound, without their joints, and morphs as
their base. Lengths keep the file's unit if it is one of ours, and are scaled to metres if not.
"""

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats import Request, open_regular
from tumble.mesh.formats.dae_geometry import read_geometry
from tumble.mesh.formats.instances import Key, Placement, SceneNode, expand
from tumble.mesh.formats.placing import Instance, Matrix, product
from tumble.mesh.formats.polygons import number_array
from tumble.mesh.formats.xml_events import local_name, parse_tree
from tumble.mesh.mesh import Mesh
from tumble.mesh.pose import rotation, translation
from tumble.mesh.units import unit_of_metres

# from the file's axes to ours; the columns are the file's x, y, z
_UPRIGHT = {
    "X_UP": [[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]],
    "Y_UP": [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
    "Z_UP": None,
}
_REFERRED = {"geometry", "node", "controller", "visual_scene", "source", "vertices", "float_array"}


def read(path: Path, request: Request) -> list[Instance]:
    """Return one part per geometry that the scene shows."""
    return read_scene(path, upright=True)


def read_scene(path: Path, upright: bool) -> list[Instance]:
    """Return the parts of the scene, turned upright, or in metres and as they are for robots."""
    with open_regular(path) as source:
        root = parse_tree(source)
    if local_name(root.tag) != "COLLADA":
        raise ValueError(f"starts with <{root.tag[:80]}>, not with <COLLADA>")
    document = _Document(root)
    metres, axis = _unit_and_axis(root)
    unit = unit_of_metres(metres) if upright else None
    frame = None if unit or metres == 1.0 else np.diag([metres, metres, metres, 1.0])
    turn = _UPRIGHT[axis] if upright else None
    if turn is not None:
        frame = product(frame, np.array([[*row, 0.0] for row in turn] + [[0.0, 0.0, 0.0, 1.0]]))
    return expand([Placement(document.scene(), frame)], document.node, unit or "m")


def _unit_and_axis(root: Element) -> tuple[float, str]:
    unit, axis = root.find("{*}asset/{*}unit"), root.findtext("{*}asset/{*}up_axis", "Y_UP").strip()
    metres = 1.0 if unit is None else float(unit.get("meter", "1"))
    if not 0 < metres < np.inf or axis not in _UPRIGHT:
        raise ValueError(f"its unit has {metres} metres, or its up axis is not one: {axis[:80]!r}")
    return metres, axis


class _Document:
    """Elements by their ids, and nodes as `expand` wants them."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._elements: dict[str, list[Element]] = {}
        self._keys: dict[int, Key] = {}
        self._nodes: list[Element] = []
        for element in root.iter():
            if "id" in element.attrib and local_name(element.tag) in _REFERRED:
                self._elements.setdefault(element.attrib["id"], []).append(element)

    def find(self, url: str | None, kind: str) -> Element:
        """Return the element that an address names, which must be in this file."""
        name = (url or "").strip()
        if not name.startswith("#"):
            raise ValueError(f"it refers to {name[:80]!r}; only what is in the file itself is read")
        found = [each for each in self._elements.get(name[1:], []) if local_name(each.tag) == kind]
        if len(found) != 1:
            raise ValueError(f"it refers to the {kind} {name[:80]!r}, of which it has {len(found)}")
        return found[0]

    def scene(self) -> Key:
        """Return the scene to show."""
        shown = self._root.find("{*}scene/{*}instance_visual_scene")
        if shown is not None:
            return self._key(self.find(shown.get("url"), "visual_scene"))
        scenes = self._root.findall("{*}library_visual_scenes/{*}visual_scene")
        if len(scenes) != 1:
            raise ValueError(f"it has {len(scenes)} scenes, and does not say which one to show")
        return self._key(scenes[0])

    def node(self, key: Key) -> SceneNode:
        """Return a node or a geometry."""
        kind, name = key
        if kind == "geometry":
            return SceneNode(name, self._mesh(name), [])
        element = self._nodes[int(name)]
        own = "" if local_name(element.tag) == "visual_scene" else element.get("name") or element.get("id") or "node"
        return SceneNode(own, None, [each for child in element for each in self._shown(child, own)])

    def _key(self, element: Element) -> Key:
        if id(element) not in self._keys:
            self._keys[id(element)] = "node", str(len(self._nodes))
            self._nodes.append(element)
        return self._keys[id(element)]

    def _mesh(self, name: str) -> Mesh:
        return read_geometry(self.find("#" + name, "geometry"), self.find)

    def _shown(self, child: Element, name: str) -> Sequence[Placement]:
        """Return what an element inside a node shows: nothing, if it is a transform, a camera or a light."""
        kind, url = local_name(child.tag), child.get("url")
        if kind == "node":
            return [Placement(self._key(child), _matrix(child))]
        if kind == "instance_node":
            node = self.find(url, "node")
            return [Placement(self._key(node), _matrix(node))]
        if kind == "instance_geometry":
            return [Placement(("geometry", self.find(url, "geometry").attrib["id"]), None, name)]
        if kind == "instance_controller":
            return [self._bound(self.find(url, "controller"), name)]
        return []

    def _bound(self, controller: Element, name: str) -> Placement:
        """Return the geometry of a skin or a morph."""
        deformer = next((each for each in controller if local_name(each.tag) in ("skin", "morph")), None)
        if deformer is None:
            raise ValueError("it has a controller that is neither a skin nor a morph")
        geometry = self.find(deformer.get("source"), "geometry")
        text = deformer.findtext("{*}bind_shape_matrix")
        matrix = None if text is None else np.array(_numbers(text, "bind_shape_matrix", 16)).reshape(4, 4)
        return Placement(("geometry", geometry.attrib["id"]), matrix, name)


def _matrix(node: Element) -> Matrix | None:
    """Return the product of all transforms of a node, in the order of the file."""
    matrix = None
    for child in node:
        kind = local_name(child.tag)
        if kind in ("lookat", "skew"):
            raise ValueError(f"a transform of kind {kind!r} is not read")
        if kind in _TRANSFORMS:
            count, make = _TRANSFORMS[kind]
            matrix = product(matrix, make(_numbers(child.text or "", kind, count)))
    return matrix


def _numbers(text: str, what: str, count: int) -> list[float]:
    numbers: list[float] = number_array(text, float, what).tolist()
    if len(numbers) != count:
        raise ValueError(f"a {what} has {len(numbers)} numbers, not {count}")
    return numbers


_TRANSFORMS = {
    "matrix": (16, lambda numbers: np.array(numbers).reshape(4, 4)),
    "translate": (3, lambda numbers: translation(*numbers)),
    "rotate": (4, lambda numbers: rotation(numbers[:3], np.radians(numbers[3]))),
    "scale": (3, lambda numbers: np.diag([*numbers, 1.0])),
}
