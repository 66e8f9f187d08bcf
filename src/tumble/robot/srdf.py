"""SRDF: which pairs of links may touch, named groups of joints and named states, as MoveIt writes them.

    disable_collisions link1 link2 reason     the pair may touch
    disable_default_collisions link           so may the link and any other one,
    enable_collisions link1 link2             but for this pair
    group                                     joints that belong together: `tumble.robot.groups`
    group_state                               a configuration with a name; for what it does not say, see `Robot.states`
    virtual_joint                             holds the root link in the world: where the root is, is not part of Q

All but the pairs is kept as text too, so that a file that is written has it again: groups, states, end effectors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, fromstring, indent, tostring

from tumble.errors import FileError, InputError
from tumble.mesh.formats import open_regular
from tumble.mesh.formats.urdf_values import numbers
from tumble.mesh.formats.xml_events import parse_tree
from tumble.mesh.names import MAX_LENGTH, clean
from tumble.mesh.reading import errors_of, kind_of
from tumble.robot.groups import Carriers, read_groups

Pair = tuple[str, str]
_PAIRS = "disable_collisions", "enable_collisions", "disable_default_collisions"
_UNGIVEN = "User"
_KINDS = "srdf", "xml"
MOST_DEFAULT_PAIRS = 1_000_000
MOST_STATE_VALUES = 10_000_000


class Srdf(NamedTuple):
    """What a file says about a robot."""

    name: str
    allowed: dict[Pair, str]
    """pairs of links that may touch, and why"""
    states: dict[str, dict[str, float]]
    """values of joints; where several groups have a state of one name, the group stands before it: "hand/open" """
    groups: dict[str, frozenset[str]]
    """the columns of each group"""
    other: tuple[str, ...]
    """all other elements, as text"""


def read_srdf(path: Path, links: Sequence[str], carriers: Carriers) -> Srdf:
    """Read an SRDF file about a robot with these links; whatever is wrong with it is a FileError."""
    kind_of(path, _KINDS)
    with errors_of(path):
        with open_regular(path) as source:
            root = parse_tree(source)
        if root.tag != "robot":
            raise ValueError(f"starts with <{root.tag[:80]}>, not with <robot>")
        other = tuple(tostring(each, "unicode") for each in root if each.tag not in _PAIRS)
        states = _states(root, carriers.columns)
        return Srdf(root.get("name", ""), _allowed(root, links), states, read_groups(root, carriers), other)


def _allowed(root: Element, links: Sequence[str]) -> dict[Pair, str]:
    places = {name: place for place, name in enumerate(links)}
    found: dict[Pair, str] = {}
    free = [_link(each, "link", places) for each in root.findall("disable_default_collisions")]
    if len(free) * len(links) > MOST_DEFAULT_PAIRS:
        raise ValueError(f"disable_default_collisions allow more than {MOST_DEFAULT_PAIRS:,} pairs")
    for link in free:
        found.update({ordered((link, other), places): "Default" for other in links if other != link})
    for element in root.findall("enable_collisions"):
        found.pop(_pair(element, places), None)
    for element in root.findall("disable_collisions"):
        found[_pair(element, places)] = element.get("reason", _UNGIVEN)[:80]
    return found


def ordered(pair: Pair, places: Mapping[str, int]) -> Pair:
    """Return the names of a pair in the order of the links."""
    first, second = sorted(pair, key=places.__getitem__)
    return first, second


def _pair(element: Element, places: Mapping[str, int]) -> Pair:
    pair = _link(element, "link1", places), _link(element, "link2", places)
    if pair[0] == pair[1]:
        raise ValueError(f"<{element.tag}> names link {pair[0][:80]!r} twice")
    return ordered(pair, places)


def _link(element: Element, attribute: str, places: Mapping[str, int]) -> str:
    name = element.get(attribute, "")
    if name not in places:
        raise ValueError(f"{attribute} of <{element.tag}> is {name[:80]!r}, which is not a link of the robot")
    return name


def _states(root: Element, joints: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    """Return the states; a value of a joint that the robot does not have is refused, one of its root's place is not."""
    placing = {each.get("name", "") for each in root.findall("virtual_joint")}
    elements = root.findall("group_state")
    if len(elements) * sum(map(len, joints.values())) > MOST_STATE_VALUES:
        raise ValueError(f"it has {len(elements):,} states, too many for {len(joints):,} joints")
    times = Counter(each.get("name", "") for each in elements)
    found: dict[str, dict[str, float]] = {}
    for element in elements:
        name = element.get("name", "")
        called = name if times[name] == 1 else f"{element.get('group', '')}/{name}"
        if not name or called in found:
            raise ValueError(f"it has a group_state without a name, or two of a group that are called {name[:80]!r}")
        found[called] = {}
        for joint in element.iter("joint"):
            of = joint.get("name", "")
            if of in placing:
                continue
            if of not in joints:
                raise ValueError(
                    f"state {called[:80]!r} has a value for {of[:80]!r}, which is not a joint of the robot"
                )
            names = joints[of] if len(joints[of]) > 1 else (of,)
            values = numbers(joint, "value", len(names))
            if not all(map(isfinite, values)):
                raise ValueError(f"state {called[:80]!r} has the value {values} for joint {of[:80]!r}: not finite")
            found[called].update(zip(names, values, strict=True))
    return found


def check_srdf_path(path: Path) -> None:
    """Refuse to write an SRDF file over another one, or where it would not be read: a device takes whatever comes."""
    kinds = ", ".join(f".{kind}" for kind in _KINDS)
    if path.suffix[1:].lower() not in _KINDS and (path.is_file() or not path.exists()):
        raise FileError(f"cannot write to {path}: the name of an SRDF file ends in one of {kinds}")


def as_srdf(name: str, allowed: Mapping[Pair, str], other: Sequence[str]) -> bytes:
    """Return the text of a file."""
    for word in (name, *(link for pair in allowed for link in pair)):
        if clean(word[:MAX_LENGTH]) != word[:MAX_LENGTH]:
            raise InputError(f"the name {word[:80]!r} has characters that cannot be written to an SRDF file")
    root = Element("robot", name=name)
    root.extend([fromstring(each) for each in other])
    for (link1, link2), reason in allowed.items():
        SubElement(root, "disable_collisions", link1=link1, link2=link2, reason=clean(reason))
    indent(root)
    text: Any = tostring(root, "utf-8", xml_declaration=True)
    return bytes(text) + b"\n"
