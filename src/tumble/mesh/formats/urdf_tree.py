"""The links and joints of a robot as the file states them, checked: a tree, of joints that turn, slide or hold.

A planar joint becomes three joints one after the other, and a floating joint six, with links without a shape between:

    planar     NAME/x, NAME/y    slide in the plane whose normal is the axis      NAME/theta           turns about it
    floating   NAME/x, NAME/y, NAME/z   slide along the axes of its frame         NAME/roll, /pitch, /yaw turn

The x of a plane is that of the joint's frame, turned with z to the axis by the shortest way. Roll, pitch and yaw are
those of `rpy`: about x first, then y, then z.
"""

from collections import defaultdict
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from tumble.core.products import length
from tumble.mesh.formats.placing import Matrix
from tumble.mesh.formats.urdf_values import numbers, origin_of
from tumble.mesh.joints import KINDS

_XACRO = ("{http://www.ros.org/wiki/xacro}", "{http://ros.org/wiki/xacro}", "{http://wiki.ros.org/xacro}")
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

Vector = tuple[float, float, float]


class Follows(NamedTuple):
    """A joint that follows another one: its value is factor · value of the other + offset."""

    joint: str
    factor: float
    offset: float


class UrdfJoint(NamedTuple):
    """A joint."""

    name: str
    kind: str
    """"fixed", "revolute", "continuous", "prismatic"; another word stands for a joint that is not known here"""
    parent: str
    child: str
    origin: Matrix | None
    axis: Vector
    """in the frame of the joint, of length 1"""
    low: float = -np.inf
    high: float = np.inf
    follows: Follows | None = None
    """a joint that follows none itself"""

    @property
    def moves(self) -> bool:
        """Whether it turns or slides."""
        return self.kind in KINDS


class UrdfTree(NamedTuple):
    """The links of a robot and the joints between them."""

    links: dict[str, Element | None]
    """in the order of the file; None for the links between the joints that a planar or a floating one becomes"""
    joints: list[UrdfJoint]
    """in the order of the file"""
    roots: list[str]
    walk: list[UrdfJoint]
    """all joints, parents first, depth first"""


def urdf_tree(root: Element) -> UrdfTree:
    """Return the links and joints below the root element of a file."""
    if root.tag != "robot":
        raise ValueError(f"starts with <{root.tag[:80]}>, not with <robot>")
    for element in root.iter():
        if element.tag.startswith(_XACRO):
            raise ValueError("it has macros (xacro); expand them first, with `xacro robot.urdf.xacro > robot.urdf`")
    links: dict[str, Element | None] = dict(by_name(root, "link"))
    stated = by_name(root, "joint")
    joints: list[UrdfJoint] = []
    for name, element in stated.items():
        for joint in _joints(name, element, links):
            if joint.name in stated and joint.name != name:
                raise ValueError(
                    f"joint {name[:80]!r} becomes several, one of them {joint.name[:80]!r}, which is there"
                )
            joints.append(joint)
    joints = _following(joints, stated)
    return _walked(links, joints)


def by_name(root: Element, tag: str) -> dict[str, Element]:
    """Return elements by their names, each with one of its own."""
    found: dict[str, Element] = {}
    for element in root.findall(tag):
        name = element.get("name")
        if not name or name in found:
            raise ValueError(f"it has a {tag} without a name, or two that are called {str(name)[:80]!r}")
        found[name] = element
    return found


def _joints(name: str, element: Element, links: dict[str, Element | None]) -> list[UrdfJoint]:
    """Return the joint of an element, or those that it becomes; links between them are added to the others."""
    parent, child = (_link_of(element, end, name, links) for end in ("parent", "child"))
    kind, origin = element.get("type", ""), origin_of(element)
    if kind == "floating":
        slides = [(f"{name}/{each}", "prismatic", axis) for each, axis in zip("xyz", (_X, _Y, _Z), strict=True)]
        turns = [(f"{name}/{each}", "continuous", axis) for each, axis in (("yaw", _Z), ("pitch", _Y), ("roll", _X))]
        *first, yaw, pitch, roll = _chain([*slides, *turns], parent, child, origin, links)
        return [*first, roll, pitch, yaw]
    if kind == "planar":
        right, ahead, normal = plane_axes(_axis(element, name))
        steps = [(f"{name}/x", "prismatic", right), (f"{name}/y", "prismatic", ahead)]
        return _chain([*steps, (f"{name}/theta", "continuous", normal)], parent, child, origin, links)
    if kind not in KINDS:
        return [UrdfJoint(name, kind, parent, child, origin, _X)]
    low, high = _limits(element, kind, name)
    return [UrdfJoint(name, kind, parent, child, origin, _axis(element, name), low, high, _follows(element, name))]


def _chain(
    steps: list[tuple[str, str, Vector]],
    parent: str,
    child: str,
    origin: Matrix | None,
    links: dict[str, Element | None],
) -> list[UrdfJoint]:
    """Return joints one after the other, each but the last one carrying a link of its name."""
    found: list[UrdfJoint] = []
    for name, kind, axis in steps:
        last = len(found) + 1 == len(steps)
        if not last and name in links:
            raise ValueError(
                f"there has to be room for a link {name[:80]!r} between two joints; rename the one there is"
            )
        found.append(UrdfJoint(name, kind, parent, child if last else name, origin, axis))
        if not last:
            links[name] = None
        parent, origin = name, None
    return found


def plane_axes(normal: Vector) -> tuple[Vector, Vector, Vector]:
    """Return x, y and z turned by the shortest way that takes z to the normal; about x by half a turn, if it is -z."""
    x, y, z = normal
    if z < -1.0 + 1e-12:
        return _X, (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)
    share = 1.0 / (1.0 + z)
    return (1.0 - x * x * share, -x * y * share, -x), (-x * y * share, 1.0 - y * y * share, -y), normal


def _axis(element: Element, name: str) -> Vector:
    stated = element.find("axis")
    axis = np.array(_X if stated is None else numbers(stated, "xyz", 3, "1 0 0"))
    size = length(axis) if np.isfinite(axis).all() else np.inf
    if not 0.0 < size < np.inf:
        raise ValueError(f"the axis of joint {name[:80]!r} has no direction")
    x, y, z = (axis / size).tolist()
    return x, y, z


def _limits(element: Element, kind: str, name: str) -> tuple[float, float]:
    limit = element.find("limit")
    if limit is None or kind == "continuous" or not {"lower", "upper"} & set(limit.keys()):
        return -np.inf, np.inf
    (low,), (high,) = numbers(limit, "lower", 1, "0"), numbers(limit, "upper", 1, "0")
    if not low <= high or low == np.inf or high == -np.inf:
        raise ValueError(f"the limits of joint {name[:80]!r} are {low} and {high}: nothing is between them")
    return low, high


def _follows(element: Element, name: str) -> Follows | None:
    stated = element.find("mimic")
    if stated is None:
        return None
    other = stated.get("joint", "")
    (factor,), (offset,) = numbers(stated, "multiplier", 1, "1"), numbers(stated, "offset", 1, "0")
    return Follows(other, factor, offset)


def _following(joints: list[UrdfJoint], stated: dict[str, Element]) -> list[UrdfJoint]:
    """Return joints of which each follows one that follows none; what follows itself is refused."""
    moving = {joint.name: joint for joint in joints if joint.moves}
    known: dict[str, Follows | None] = {}
    for joint in moving.values():
        waiting: dict[str, Follows] = {}
        while joint.name not in known and joint.follows is not None:
            if joint.name in waiting:
                raise ValueError(f"joint {joint.name[:80]!r} follows itself")
            waiting[joint.name] = joint.follows
            if joint.follows.joint not in moving:
                raise ValueError(f"joint {joint.name[:80]!r} follows {_not_followed(joint.follows.joint, stated)}")
            joint = moving[joint.follows.joint]
        known.setdefault(joint.name, None)
        for name, (other, factor, offset) in reversed(waiting.items()):
            nearer = known[other]
            if nearer is not None:
                other, factor, offset = nearer.joint, factor * nearer.factor, factor * nearer.offset + offset
            if not (np.isfinite(factor) and np.isfinite(offset)):
                raise ValueError(f"joint {name[:80]!r} follows {other[:80]!r} by {factor} and {offset}: not finite")
            known[name] = Follows(other, factor, offset)
    return [joint._replace(follows=known.get(joint.name)) for joint in joints]


def _not_followed(name: str, stated: dict[str, Element]) -> str:
    several = name in stated and stated[name].get("type") in ("planar", "floating")
    return f"{name[:80]!r}, which {'moves in several ways' if several else 'is no joint that moves'}"


def _walked(links: dict[str, Element | None], joints: list[UrdfJoint]) -> UrdfTree:
    """Return the tree of all links, or say why they are none."""
    children: dict[str, list[UrdfJoint]] = defaultdict(list)
    roots = dict.fromkeys(links)
    for joint in joints:
        if joint.child not in roots:
            raise ValueError(
                f"link {joint.child[:80]!r} is the child of several joints; the links of a robot are a tree"
            )
        del roots[joint.child]
        children[joint.parent].append(joint)
    walk: list[UrdfJoint] = []
    waiting = [joint for root in reversed(roots) for joint in reversed(children[root])]
    while waiting:
        walk.append(waiting.pop())
        waiting += reversed(children[walk[-1].child])
    if len(roots) + len(walk) < len(links):
        lost = min(links.keys() - roots.keys() - {joint.child for joint in walk})
        raise ValueError(f"the joints of link {lost[:80]!r} make a loop")
    return UrdfTree(links, joints, list(roots), walk)


def _link_of(joint: Element, end: str, name: str, links: dict[str, Element | None]) -> str:
    element = joint.find(end)
    link = None if element is None else element.get("link")
    if link is None or links.get(link) is None:
        raise ValueError(f"the {end} of joint {name[:80]!r} is {str(link)[:80]!r}, which is not a link")
    return link
