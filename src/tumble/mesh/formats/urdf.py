"""URDF: a part for every link of a robot, all joints at zero; and the joints that can move.

A link is what its collision elements are: meshes, boxes, cylinders, spheres; a robot without any is taken as it looks
(visual elements). Lengths are in metres; meshes are taken so, whatever their file says, but for COLLADA, which is
scaled by its unit and not turned by its up axis, as programs for robots do.
"""

from collections import defaultdict
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats import Request, open_regular, reader
from tumble.mesh.formats.dae import read_scene
from tumble.mesh.formats.instances import MAX_COPIED_TRIANGLES
from tumble.mesh.formats.placing import Instance, Matrix, placed, product
from tumble.mesh.formats.polygons import number_array
from tumble.mesh.formats.urdf_paths import find_mesh
from tumble.mesh.formats.xml_events import parse_tree
from tumble.mesh.joints import KINDS, Joint, Mimic
from tumble.mesh.mesh import Mesh, concatenated
from tumble.mesh.names import joined
from tumble.mesh.pose import rotation, translation
from tumble.mesh.shapes import box, icosphere
from tumble.mesh.shapes.grid import turned

_XACRO = ("{http://www.ros.org/wiki/xacro}", "{http://ros.org/wiki/xacro}", "{http://wiki.ros.org/xacro}")
_MESHES = ("stl", "dae", "obj", "ply", "off", "glb", "gltf")
_SIDES, _SUBDIVISIONS = 64, 3


def read(path: Path, request: Request) -> list[Instance]:
    """Return the links of a robot that have a shape."""
    with open_regular(path) as source:
        root = parse_tree(source)
    if root.tag != "robot":
        raise ValueError(f"starts with <{root.tag[:80]}>, not with <robot>")
    _refuse_xacro(root)
    links = _by_name(root, "link")
    tree = _Tree(links, _by_name(root, "joint"))
    places = tree.places
    wanted = "collision" if any(link.find("collision") is not None for link in links.values()) else "visual"
    shapes = _Shapes(path, request)
    group = joined([root.get("name") or path.stem])
    instances = [
        _instance(name, [shapes.read(each) for each in link.findall(wanted)], places[name])
        for name, link in links.items()
        if link.find(wanted) is not None
    ]
    if shapes.rounded:
        request.notes.append("spheres and cylinders are taken as polyhedra inside them, within 0.5 % of the radius.")
    request.joints, request.carried = tree.joints(), tree.carried
    if tree.stiff:
        kinds = ", ".join(sorted({each.get("type", "")[:80] for each in tree.stiff}))
        request.notes.append(f"joints of other kinds than {', '.join(KINDS)} and fixed do not move here: {kinds}.")
    return [instance._replace(group=group) for instance in instances]


def _instance(name: str, pieces: list[Instance], place: Matrix | None) -> Instance:
    """Return one link of what it consists of."""
    if len(pieces) == 1:
        return pieces[0]._replace(name=name, matrix=product(place, pieces[0].matrix))
    whole = concatenated([placed(each.mesh, each.matrix) for each in pieces])
    return Instance(name, whole, place, "m", shape=f"link {name}")


def _refuse_xacro(root: Element) -> None:
    for element in root.iter():
        if element.tag.startswith(_XACRO):
            raise ValueError("it has macros (xacro); expand them first, with `xacro robot.urdf.xacro > robot.urdf`")


def _by_name(root: Element, tag: str) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in root.findall(tag):
        name = element.get("name")
        if not name or name in found:
            raise ValueError(f"it has a {tag} without a name, or two that are called {str(name)[:80]!r}")
        found[name] = element
    return found


class _Tree:
    """The links of a robot, the root link at the origin, and the joints between them."""

    def __init__(self, links: dict[str, Element], joints: dict[str, Element]) -> None:
        self.places: dict[str, Matrix | None] = {}
        self.carried: dict[str, int] = {}
        """by link, the place of the joint that moves it"""
        self.stiff: list[Element] = []
        """joints that can move in ways that are not kept"""
        self._moving: list[tuple[Element, Matrix | None, int | None]] = []
        children: dict[str, list[tuple[str, Element]]] = defaultdict(list)
        roots = dict.fromkeys(links)
        for name, joint in joints.items():
            parent, child = (_link_of(joint, end, name, links) for end in ("parent", "child"))
            if child not in roots:
                raise ValueError(f"link {child!r} is the child of several joints; the links of a robot are a tree")
            del roots[child]
            children[parent].append((child, joint))
        stack: list[tuple[str, Matrix | None, int | None]] = [(root, None, None) for root in roots]
        while stack:
            name, place, carrier = stack.pop()
            self.places[name] = place
            if carrier is not None:
                self.carried[name] = carrier
            for child, joint in children[name]:
                frame = product(place, _origin(joint))
                stack.append((child, frame, self._add(joint, frame, carrier)))
        if len(self.places) < len(links):
            raise ValueError(f"the joints of link {min(links.keys() - self.places.keys())!r} make a loop")

    def _add(self, joint: Element, frame: Matrix | None, carrier: int | None) -> int | None:
        """Note a joint that can move, and return its place; else that of the joint that carries it."""
        kind = joint.get("type")
        if kind not in KINDS:
            if kind != "fixed":
                self.stiff.append(joint)
            return carrier
        self._moving.append((joint, frame, carrier))
        return len(self._moving) - 1

    def joints(self) -> list[Joint]:
        """Return the joints that can move, parents first."""
        numbers = {joint.get("name", ""): number for number, (joint, _, _) in enumerate(self._moving)}
        found = [_joint(joint, frame, carrier, numbers) for joint, frame, carrier in self._moving]
        for number, joint in enumerate(found):
            seen = {number}
            while joint.mimic is not None:
                if joint.mimic.joint in seen:
                    raise ValueError(f"joint {found[number].name[:80]!r} follows itself")
                seen.add(joint.mimic.joint)
                joint = found[joint.mimic.joint]
        return found


def _joint(element: Element, frame: Matrix | None, carrier: int | None, numbers: dict[str, int]) -> Joint:
    """Return a joint where it is when all are at zero."""
    name, kind = element.get("name", ""), element.get("type", "")
    place = np.eye(4) if frame is None else frame
    stated = element.find("axis")
    axis = place[:3, :3] @ ([1.0, 0.0, 0.0] if stated is None else _numbers(stated, "xyz", 3, "1 0 0"))
    size = float(np.linalg.norm(axis))
    if not 0.0 < size < np.inf:
        raise ValueError(f"the axis of joint {name[:80]!r} has no direction")
    low, high = -np.inf, np.inf
    limit = element.find("limit")
    if limit is not None and kind != "continuous" and {"lower", "upper"} & set(limit.keys()):
        (low,), (high,) = _numbers(limit, "lower", 1, "0"), _numbers(limit, "upper", 1, "0")
        if not low <= high:
            raise ValueError(f"the limits of joint {name[:80]!r} are {low} and {high}: nothing is between them")
    x, y, z = (axis / size).tolist()
    return Joint(
        name, kind, tuple(place[:3, 3].tolist()), (x, y, z), low, high, carrier, _mimic(element, name, numbers)
    )


def _mimic(element: Element, name: str, numbers: dict[str, int]) -> Mimic | None:
    stated = element.find("mimic")
    if stated is None:
        return None
    other = stated.get("joint", "")
    if other not in numbers:
        raise ValueError(f"joint {name[:80]!r} follows {other[:80]!r}, which is no joint that moves")
    (factor,), (offset,) = _numbers(stated, "multiplier", 1, "1"), _numbers(stated, "offset", 1, "0")
    if not (np.isfinite(factor) and np.isfinite(offset)):
        raise ValueError(f"joint {name[:80]!r} follows {other[:80]!r} by {factor} and {offset}: not finite")
    return Mimic(numbers[other], factor, offset)


def _link_of(joint: Element, end: str, name: str, links: dict[str, Element]) -> str:
    element = joint.find(end)
    link = None if element is None else element.get("link")
    if link not in links:
        raise ValueError(f"the {end} of joint {name[:80]!r} is {str(link)[:80]!r}, which is not a link")
    return link


def _origin(element: Element) -> Matrix | None:
    """Return the place that an element states: turned about x, y, z, in this order, then moved."""
    origin = element.find("origin")
    if origin is None:
        return None
    roll, pitch, yaw = _numbers(origin, "rpy", 3, "0 0 0")
    matrix = translation(*_numbers(origin, "xyz", 3, "0 0 0"))
    if not (roll or pitch or yaw):
        return matrix
    return matrix @ rotation("z", yaw) @ rotation("y", pitch) @ rotation("x", roll)


def _numbers(element: Element, name: str, count: int, otherwise: str | None = None) -> list[float]:
    text = element.get(name, otherwise)
    if text is None:
        raise ValueError(f"<{element.tag[:80]}> has no {name}")
    numbers: list[float] = number_array(text, float, name).tolist()
    if len(numbers) != count:
        raise ValueError(f"{name} of <{element.tag[:80]}> has {len(numbers)} numbers, not {count}")
    return numbers


class _Shapes:
    """The shapes of one robot; a file that several links use is read once."""

    def __init__(self, path: Path, request: Request) -> None:
        self._path = path
        self._request = request
        self._files: dict[Path, Mesh] = {}
        self._basic: dict[str, Mesh] = {}
        self._copied = 0
        self.rounded = False

    def read(self, element: Element) -> Instance:
        """Return the shape of a collision or visual element, in the frame of its link."""
        geometry = element.find("geometry")
        if geometry is None or len(geometry) != 1:
            raise ValueError(f"a <{element.tag}> has no geometry, or several")
        mesh, sizes, key = self._mesh(geometry[0])
        self._copied += len(mesh)
        if self._copied > MAX_COPIED_TRIANGLES:
            raise ValueError(f"its links use the same meshes again for more than {MAX_COPIED_TRIANGLES} triangles")
        scale = None if sizes == [1.0, 1.0, 1.0] else np.diag([*sizes, 1.0])
        return Instance("", mesh, product(_origin(element), scale), "m", shape=key)

    def _mesh(self, shape: Element) -> tuple[Mesh, list[float], str]:
        """Return a mesh, how it is stretched along the axes, and what names it."""
        if shape.tag == "mesh":
            name = shape.get("filename", "")
            return self._file(name), _numbers(shape, "scale", 3, "1 1 1"), name
        if shape.tag == "box":
            sizes = _numbers(shape, "size", 3)
        elif shape.tag == "sphere":
            sizes = _numbers(shape, "radius", 1) * 3
        elif shape.tag == "cylinder":
            sizes = _numbers(shape, "radius", 1) * 2 + _numbers(shape, "length", 1)
        else:
            raise ValueError(f"a shape of kind {shape.tag[:80]!r} is not read")
        if min(sizes) < 0:
            raise ValueError(f"a {shape.tag} has a negative size: {sizes}")
        self.rounded |= shape.tag != "box"
        return self._solid(shape.tag), sizes, shape.tag

    def _solid(self, kind: str) -> Mesh:
        if kind not in self._basic:
            cylinder = [(0.0, -0.5), (1.0, -0.5), (1.0, 0.5), (0.0, 0.5)]
            makers = {
                "box": box,
                "sphere": lambda: icosphere(_SUBDIVISIONS),
                "cylinder": lambda: turned(cylinder, _SIDES),
            }
            self._basic[kind] = makers[kind]()
        return self._basic[kind]

    def _file(self, name: str) -> Mesh:
        path = find_mesh(name, self._path, self._request.folders)
        if path not in self._files:
            kind = path.suffix[1:].lower()
            if kind not in _MESHES:
                raise ValueError(f"the mesh {name[:80]!r} is of a format that is not read here: {', '.join(_MESHES)}")
            found = read_scene(path, upright=False) if kind == "dae" else reader(kind)(path, Request("files"))
            self._files[path] = concatenated([placed(each.mesh, each.matrix) for each in found])
            self._copied -= len(self._files[path])
        return self._files[path]
