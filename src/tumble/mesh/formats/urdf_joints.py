"""The joints of a URDF file, one by one: those that turn, slide or hold; others become several of these.

A planar joint becomes three joints one after the other, and a floating joint six, with links without a shape between:

    planar     NAME/x, NAME/y    slide in the plane whose normal is the axis      NAME/theta           turns about it
    floating   NAME/x, NAME/y, NAME/z   slide along the axes of its frame         NAME/roll, /pitch, /yaw turn

The x of a plane is that of the joint's frame, turned with z to the axis by the shortest way. Roll, pitch and yaw are
those of `rpy`: about x first, then y, then z.
"""

from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from tumble.core.products import length
from tumble.mesh.formats.placing import Matrix
from tumble.mesh.formats.urdf_values import numbers, origin_of
from tumble.mesh.joints import KINDS

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

Vector = tuple[float, float, float]
Links = dict[str, Element | None]


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
    of: str = ""
    """the joint of the file that it is, or is a part of"""

    @property
    def moves(self) -> bool:
        """Whether it turns or slides."""
        return self.kind in KINDS


def joints_of(name: str, element: Element, links: Links) -> list[UrdfJoint]:
    """Return the joint of an element, or those that it becomes; links between them are added to the others."""
    parent, child = (_link_of(element, end, links) for end in ("parent", "child"))
    kind, origin = element.get("type", ""), origin_of(element)
    if kind == "floating":
        slides = [(f"{name}/{each}", "prismatic", axis) for each, axis in zip("xyz", (_X, _Y, _Z), strict=True)]
        turns = [(f"{name}/{each}", "continuous", axis) for each, axis in (("yaw", _Z), ("pitch", _Y), ("roll", _X))]
        *first, yaw, pitch, roll = _chain([*slides, *turns], parent, child, origin, links)
        return [*first, roll, pitch, yaw]
    if kind == "planar":
        right, ahead, normal = plane_axes(_axis(element))
        steps = [(f"{name}/x", "prismatic", right), (f"{name}/y", "prismatic", ahead)]
        return _chain([*steps, (f"{name}/theta", "continuous", normal)], parent, child, origin, links)
    if kind not in KINDS:
        return [UrdfJoint(name, kind, parent, child, origin, _X)]
    low, high = _limits(element, kind)
    return [UrdfJoint(name, kind, parent, child, origin, _axis(element), low, high, _follows(element))]


def _chain(
    steps: list[tuple[str, str, Vector]],
    parent: str,
    child: str,
    origin: Matrix | None,
    links: Links,
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


def _axis(element: Element) -> Vector:
    stated = element.find("axis")
    axis = np.array(_X if stated is None else numbers(stated, "xyz", 3, "1 0 0"))
    finite = bool(np.isfinite(axis).all())
    if finite:  # a power of two changes no digit, and the length of what is next to 0 would have few
        axis = np.ldexp(axis, -int(np.frexp(np.abs(axis).max())[1]))
    size = length(axis) if finite else np.inf
    if not 0.0 < size < np.inf:
        raise ValueError("its axis has no direction")
    x, y, z = (axis / size).tolist()
    return x, y, z


def _limits(element: Element, kind: str) -> tuple[float, float]:
    limit = element.find("limit")
    if limit is None or kind == "continuous" or not {"lower", "upper"} & set(limit.keys()):
        return -np.inf, np.inf
    (low,), (high,) = numbers(limit, "lower", 1, "0"), numbers(limit, "upper", 1, "0")
    if not low <= high or low == np.inf or high == -np.inf:
        raise ValueError(f"its limits are {low} and {high}: nothing is between them")
    return low, high


def _follows(element: Element) -> Follows | None:
    stated = element.find("mimic")
    if stated is None:
        return None
    other = stated.get("joint", "")
    (factor,), (offset,) = numbers(stated, "multiplier", 1, "1"), numbers(stated, "offset", 1, "0")
    return Follows(other, factor, offset)


def _link_of(joint: Element, end: str, links: Links) -> str:
    element = joint.find(end)
    link = None if element is None else element.get("link")
    if link is None or links.get(link) is None:
        raise ValueError(f"its {end} is {str(link)[:80]!r}, which is not a link")
    return link
