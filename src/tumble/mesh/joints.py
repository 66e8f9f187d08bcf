"""Joints of a robot: where its parts are when they turn and slide.

A joint is given where it is when all are at zero: a point and an axis. Turning the first joint of an arm moves all that
it carries, the other joints too. So a part is moved by its own joint first, then by the one that carries that, and so
on to the ground: the product of these motions, each about its axis at zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.errors import InputError
from tumble.mesh.names import clean
from tumble.mesh.pose import rotation, translation

SLIDES, TURNS = ("prismatic",), ("revolute", "continuous")
KINDS = (*SLIDES, *TURNS)


class Mimic(NamedTuple):
    """A joint that follows another one: its value is factor · value of the other + offset."""

    joint: int
    factor: float
    offset: float


class Joint(NamedTuple):
    """A joint that can move, where it is when all are at zero."""

    name: str
    kind: str
    """"revolute", "continuous" (without limits) or "prismatic"; values are radians, or lengths"""
    point: tuple[float, float, float]
    axis: tuple[float, float, float]
    """of length 1"""
    low: float
    high: float
    """limits, infinite if there are none"""
    parent: int | None = None
    """the joint that carries it, by its place in the list; None: it stands on the ground"""
    mimic: Mimic | None = None
    parts: tuple[int, ...] = ()
    """the parts that it carries and that no joint between them moves, by their places in the list of parts"""


def joint_values(joints: Sequence[Joint], values: Mapping[str, float]) -> list[float]:
    """Return the value of every joint: those given by name, 0 for others, and what follows for those that mimic."""
    names = {joint.name: number for number, joint in enumerate(joints)}
    found = [0.0] * len(joints)
    for name, value in values.items():
        if name not in names:
            raise InputError(f"there is no joint {name!r}; joints are {', '.join(names) or 'none'}")
        if joints[names[name]].mimic is not None:
            raise InputError(f"joint {name!r} follows another one, and takes no value")
        number = float(value)
        if not isfinite(number):
            raise InputError(f"the value of joint {name!r} must be finite, not {value!r}")
        found[names[name]] = number
    for number in range(len(joints)):
        found[number] = _followed(joints, found, number)
    return found


def _followed(joints: Sequence[Joint], values: Sequence[float], number: int) -> float:
    mimic = joints[number].mimic
    return values[number] if mimic is None else mimic.factor * _followed(joints, values, mimic.joint) + mimic.offset


def joint_poses(joints: Sequence[Joint], values: Mapping[str, float]) -> dict[int, NDArray[np.float64]]:
    """Return how far the parts that joints carry have moved from where they are at zero, by their numbers."""
    motions: list[NDArray[np.float64]] = []
    for joint, value in zip(joints, joint_values(joints, values), strict=True):
        own = _motion(joint, value)
        motions.append(own if joint.parent is None else motions[joint.parent] @ own)  # parents come first
    return {part: motion for joint, motion in zip(joints, motions, strict=True) for part in joint.parts}


def _motion(joint: Joint, value: float) -> NDArray[np.float64]:
    if joint.kind in SLIDES:
        return translation(*(value * np.array(joint.axis)))
    return rotation(joint.axis, value, joint.point)


def placed_joints(
    joints: Sequence[Joint], scale: float, origin: Sequence[float], before: int, prefix: str
) -> list[Joint]:
    """Return joints in another unit and around another origin, in a list after `before` others.

    scale    the length of their unit in the new one
    origin   what is subtracted, in the new one
    """
    sizes = [scale if joint.kind in SLIDES else 1.0 for joint in joints]
    found = []
    for joint, size in zip(joints, sizes, strict=True):
        x, y, z = (scale * each - shift for each, shift in zip(joint.point, origin, strict=True))
        mimic = joint.mimic
        if mimic is not None:
            factor = mimic.factor * size / sizes[mimic.joint]
            mimic = Mimic(mimic.joint + before, factor, size * mimic.offset)
        parent = None if joint.parent is None else joint.parent + before
        name, limits = prefix + clean(joint.name), (size * joint.low, size * joint.high)
        found.append(Joint(name, joint.kind, (x, y, z), joint.axis, *limits, parent, mimic, joint.parts))
    return found
