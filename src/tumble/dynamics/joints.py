"""Joints between two bodies, or a body and the world: what a user says about them, and the rows that kernels read.

    Ball      one point of both stays common
    Hinge     and one axis through it: a turns about it, relative to b
    Slider    no turning; a goes along an axis, relative to b
    Fixed     nothing moves

A joint is a list of scalar constraints, one row each, with three kinds:

    LINE    a point of a lies in a plane of b with the normal `along`; with a limit or a motor: its distance from it
    DOT     a direction of a stays at a right angle to a direction of b
    TURN    the angle by which a is turned about an axis of b; only with a limit or a motor
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.products import applied, length
from tumble.dynamics.contacts import WORLD
from tumble.dynamics.planes import tangents_of
from tumble.dynamics.settings import number, vector
from tumble.errors import InputError

LINE, DOT, TURN = 0, 1, 2  # kinds of rows
EQUAL, MOTOR, LOWER, UPPER, NOTHING = 0, 1, 2, 3, 4  # what a row asks for; NOTHING: only its position is read


class JointRows(NamedTuple):
    """A row for each scalar constraint; vectors are in the frames of the bodies, anchors relative to their centres."""

    joint: NDArray[np.int32]  # which joint the row belongs to
    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]  # WORLD (−1) for the world
    kind: NDArray[np.int32]
    role: NDArray[np.int32]
    anchor_a: NDArray[np.float64]
    anchor_b: NDArray[np.float64]
    own: NDArray[np.float64]  # a direction of a
    along: NDArray[np.float64]  # a direction of b: the normal of a plane, the other of two directions, the axis
    mark: NDArray[np.float64]  # a direction of b from which TURN counts the angle of `own`
    bound: NDArray[np.float64]  # m or rad, of a limit
    speed: NDArray[np.float64]  # m/s or rad/s, of a motor
    low: NDArray[np.float64]  # N or N m: the least and the largest force or torque of the row
    high: NDArray[np.float64]


@dataclass(frozen=True)
class Motor:
    """Drives a hinge or a slider at a speed, as far as its strength allows."""

    speed: float = 0.0
    """rad/s of a hinge, m/s of a slider: of a relative to b, about or along the axis"""
    limit: float = inf
    """N m of a hinge, N of a slider: the largest torque or force; infinite by default"""

    def __post_init__(self) -> None:
        number(self.speed, "the speed of a motor", -inf)
        if isnan(number_or_infinite(self.limit, "the limit of a motor")) or self.limit < 0:
            raise InputError(f"the limit of a motor must be a torque or a force of 0 or more, not {self.limit!r}")


@dataclass(frozen=True, eq=False)
class Ball:
    """One point of both bodies stays common; `anchor` is where it is now, in world coordinates.

    a, b      bodies by number or name; b is None for the world
    collide   whether the two bodies collide with each other; by default they do not
    """

    a: int | str
    b: int | str | None
    anchor: ArrayLike
    collide: bool = False


@dataclass(frozen=True, eq=False)
class Hinge:
    """Body a turns about an axis of b through the anchor; both are given in world coordinates, as they are now.

    motor     drives it, see `Motor`
    limits    rad, the least and the largest angle of a relative to b, which is 0 now; from −π to π
    """

    a: int | str
    b: int | str | None
    anchor: ArrayLike
    axis: ArrayLike
    motor: Motor | None = None
    limits: tuple[float, float] | None = None
    collide: bool = False


@dataclass(frozen=True, eq=False)
class Slider:
    """Body a goes along an axis of b and does not turn relative to it.

    limits    m, the least and the largest way of a along the axis, which is 0 now
    anchor    the point of a that is kept on its line; the centre of mass of a by default
    """

    a: int | str
    b: int | str | None
    axis: ArrayLike
    motor: Motor | None = None
    limits: tuple[float, float] | None = None
    anchor: ArrayLike | None = None
    collide: bool = False


@dataclass(frozen=True, eq=False)
class Fixed:
    """Body a stays where it is relative to b, as if the two were one; `anchor` as in `Slider`."""

    a: int | str
    b: int | str | None
    anchor: ArrayLike | None = None
    collide: bool = False


Joint = Ball | Hinge | Slider | Fixed


class Place(NamedTuple):
    """The two bodies of a joint as they are when it is made; the world is at the origin."""

    numbers: tuple[int, int]
    centres: tuple[NDArray, NDArray]
    rotations: tuple[NDArray, NDArray]


def no_joints() -> JointRows:
    """Return an empty record."""
    numbers, vectors, values = np.empty(0, np.int32), np.empty((0, 3)), np.empty(0)
    return JointRows._make([numbers] * 5 + [vectors] * 5 + [values] * 4)


def rows_of_joint(joint: Joint, number_of_joint: int, place: Place) -> JointRows:
    """Return the rows of a joint; raise InputError for an axis, an anchor, a motor or limits that make no sense."""
    anchor = place.centres[0] if joint.anchor is None else vector(joint.anchor, "the anchor of a joint")
    axis = unit_axis(joint) if isinstance(joint, Hinge | Slider) else np.array([0.0, 0.0, 1.0])
    tangents = tangents_of(axis)
    first, second = tangents[:3], tangents[3:]
    lines = [first, second] if isinstance(joint, Slider) else [first, second, axis]
    if isinstance(joint, Hinge):
        dots = [(axis, first), (axis, second)]
    else:
        dots = [] if isinstance(joint, Ball) else [(first, second), (second, axis), (axis, first)]
    rows: list[tuple[Any, ...]] = [(LINE, EQUAL, axis, along, first, 0.0, 0.0, -inf, inf) for along in lines]
    rows += [(DOT, EQUAL, own, other, first, 0.0, 0.0, -inf, inf) for own, other in dots]
    if isinstance(joint, Hinge | Slider):
        kind = TURN if isinstance(joint, Hinge) else LINE
        rows += [(kind, role, first, axis, first, *rest) for role, *rest in _bounded(joint)]
    return _stacked(rows, number_of_joint, place, anchor)


def _bounded(joint: Hinge | Slider) -> list[tuple[Any, ...]]:
    """Return role, bound, speed, low and high of the position, the motor and the limits of a joint."""
    rows: list[tuple[Any, ...]] = [(NOTHING, 0.0, 0.0, 0.0, 0.0)]
    if joint.motor is not None:
        if not isinstance(joint.motor, Motor):
            raise InputError(f"the motor of a joint must be a tumble.dynamics.Motor or None, not {joint.motor!r}")
        rows.append((MOTOR, 0.0, float(joint.motor.speed), -float(joint.motor.limit), float(joint.motor.limit)))
    if joint.limits is not None:
        low, high = checked_limits(joint.limits, pi if isinstance(joint, Hinge) else inf)
        rows += [(LOWER, low, 0.0, 0.0, inf), (UPPER, high, 0.0, -inf, 0.0)]
    return rows


def _stacked(rows: list[tuple[Any, ...]], joint: int, place: Place, anchor: NDArray[np.float64]) -> JointRows:
    """Return rows with their vectors in the frames of the bodies."""
    count, (in_a, in_b) = len(rows), (rotation.T for rotation in place.rotations)
    kinds, roles, own, along, marks, bounds, speeds, lows, highs = zip(*rows, strict=True)
    anchors = [applied(frame, anchor - centre) for frame, centre in zip((in_a, in_b), place.centres, strict=True)]
    integers = [np.full(count, value) for value in (joint, *place.numbers)] + [np.array(kinds), np.array(roles)]
    vectors = [np.tile(each, (count, 1)) for each in anchors]
    frames = [(in_a, own), (in_b, along), (in_b, marks)]
    vectors += [np.array([applied(frame, each) for each in those]) for frame, those in frames]
    values = [np.array(each, np.float64) for each in (bounds, speeds, lows, highs)]
    return JointRows._make((*(each.astype(np.int32) for each in integers), *vectors, *values))


def joined_rows(*parts: JointRows) -> JointRows:
    """Return all rows of several records, motors and limits last: what follows from others must be one of them."""
    together = JointRows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    order = np.argsort(together.role != EQUAL, kind="stable")
    return chosen_rows(together, order)


def chosen_rows(rows: JointRows, which: NDArray[Any]) -> JointRows:
    """Return copies of some rows."""
    columns: tuple[NDArray, ...] = rows
    return JointRows._make(column[which] for column in columns)


def unit_axis(joint: Hinge | Slider) -> NDArray[np.float64]:
    """Return the axis of a joint at length one."""
    axis = vector(joint.axis, "the axis of a joint")
    size = length(axis)
    if size == 0.0:
        raise InputError(f"the axis of a {type(joint).__name__} must not be the zero vector")
    return axis / size


def checked_limits(limits: Any, most: float) -> tuple[float, float]:
    """Return the least and the largest position of a joint, about 0."""
    try:
        low, high = (float(value) for value in limits)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"the limits of a joint must be two numbers, not {limits!r}") from error
    if not -most <= low <= 0.0 <= high <= most:
        least = "any length" if most == inf else "−π to π"
        raise InputError(
            f"the limits of a joint must be low ≤ 0 ≤ high, within {least}: 0 is where it is now; found {limits!r}"
        )
    return low, high


def number_or_infinite(value: Any, what: str) -> float:
    """Return a number that may be infinite."""
    try:
        return float(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{what} must be a number, not {value!r}") from error


def links_of(rows: JointRows) -> NDArray[np.int64]:
    """Return (k, 2) the bodies that joints connect with each other: they sleep and wake together."""
    pairs = np.stack([rows.body_a, rows.body_b], axis=1).astype(np.int64)
    return pairs[(pairs != WORLD).all(axis=1)]


def held(rows: JointRows, count: int) -> NDArray[np.bool_]:
    """Return (n,) which bodies have a joint."""
    found = np.zeros(count + 1, bool)  # the last for the world
    found[rows.body_a] = found[rows.body_b] = True
    return found[:count]


def driven(rows: JointRows, count: int) -> NDArray[np.bool_]:
    """Return (n,) which bodies have a motor that runs: they do not fall asleep, however slow it is."""
    running = (rows.role == MOTOR) & (rows.speed != 0.0) & (rows.high > 0.0)
    return held(chosen_rows(rows, running), count)
