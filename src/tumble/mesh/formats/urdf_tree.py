"""The links and joints of a robot as the file states them, checked: a tree."""

from collections import defaultdict
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from tumble.mesh.formats.urdf_joints import Follows, Links, UrdfJoint, joints_of
from tumble.mesh.formats.urdf_values import said_of

_XACRO = ("{http://www.ros.org/wiki/xacro}", "{http://ros.org/wiki/xacro}", "{http://wiki.ros.org/xacro}")


class UrdfTree(NamedTuple):
    """The links of a robot and the joints between them."""

    links: Links
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
    links: Links = dict(by_name(root, "link"))
    stated = by_name(root, "joint")
    joints: list[UrdfJoint] = []
    for name, element in stated.items():
        with said_of(f"joint {name[:80]!r}"):
            parts = joints_of(name, element, links)
        for joint in parts:
            if joint.name in stated and joint.name != name:
                raise ValueError(
                    f"joint {name[:80]!r} becomes several, one of them {joint.name[:80]!r}, which is there"
                )
            joints.append(joint._replace(of=name))
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


def _walked(links: Links, joints: list[UrdfJoint]) -> UrdfTree:
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
