"""Groups of joints out of an SRDF: for a planner, the columns that it may change.

    joint name                   this joint
    link name                    the joint that carries the link
    chain base_link tip_link     the joints from below the base link down to the tip link
    group name                   the joints of another group

Fixed joints and those that follow others drive nothing, and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from tumble.mesh.formats.urdf_tree import by_name

MOST_STEPS = 100_000_000
"""groups by joints, for all that a file may have"""


class Carriers(NamedTuple):
    """What carries the links of a robot."""

    columns: Mapping[str, Sequence[str]]
    """by joint of the file, the columns of Q that it has: none, one, or several"""
    joints: Mapping[str, str]
    """by link, the joint of the file that carries it; the root has none"""
    parents: Mapping[str, str]
    """by link, the link that carries it"""
    root: str
    """the link that stands"""


def read_groups(root: Element, carriers: Carriers) -> dict[str, frozenset[str]]:
    """Return the columns of each group below the root element of an SRDF file."""
    elements = by_name(root, "group")
    chains, columns = len(list(root.iter("chain"))), sum(map(len, carriers.columns.values()))
    if chains * len(carriers.joints) + len(elements) * columns > MOST_STEPS:
        raise ValueError(f"it has {len(elements):,} groups, too many for {len(carriers.joints):,} joints")
    known: dict[str, frozenset[str]] = {}
    around: set[str] = set()
    waiting = [(name, False) for name in elements]
    while waiting:
        name, complete = waiting.pop()
        if name in known:
            continue
        inner = [_group(each, elements) for each in elements[name].findall("group")]
        if complete:
            around.discard(name)
            known[name] = _own(elements[name], carriers).union(*(known[each] for each in inner))
        elif name in around:
            raise ValueError(f"group {name[:80]!r} is inside itself")
        else:
            around.add(name)
            waiting += [(name, True), *((each, False) for each in inner)]
    return known


def _group(element: Element, elements: Mapping[str, Element]) -> str:
    name = element.get("name", "")
    if name not in elements:
        raise ValueError(f"a group has {name[:80]!r} in it, which is not a group")
    return name


def _own(group: Element, carriers: Carriers) -> frozenset[str]:
    """Return the columns that a group names itself."""
    found: set[str] = set()
    for element in group:
        name = element.get("name", "")
        if element.tag == "joint":
            if name not in carriers.columns:
                raise ValueError(f"group {group.get('name', '')[:80]!r} has joint {name[:80]!r}, which is not there")
            found.update(carriers.columns[name])
        elif element.tag == "link":
            found.update(_carrying(name, carriers, group))
        elif element.tag == "chain":
            base, tip = element.get("base_link", ""), element.get("tip_link", "")
            while tip != base:
                found.update(_carrying(tip, carriers, group))
                if tip not in carriers.parents:
                    raise ValueError(f"{base[:80]!r} does not carry {element.get('tip_link', '')[:80]!r}: not a chain")
                tip = carriers.parents[tip]
    return frozenset(found)


def _carrying(link: str, carriers: Carriers, group: Element) -> Sequence[str]:
    """Return the columns of the joint that carries a link."""
    if link in carriers.joints:
        return carriers.columns[carriers.joints[link]]
    if link == carriers.root:
        return ()
    raise ValueError(f"group {group.get('name', '')[:80]!r} has link {link[:80]!r}, which is not there")
