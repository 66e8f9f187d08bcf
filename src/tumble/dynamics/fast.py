"""Which bodies are so fast that a step could take them past what they meet.

Contacts are looked for once per step, where free flight leads (see `prediction`). That is enough while no body gets
farther in a step than the smaller of the two that meet is thick: V/A of it, a quarter of its mean chord (see `sizes`).
A body that gets farther, and whose way has something else in it, is fast. Towards thin walls it is if it gets farther
than a slop: where it is ahead, its core must be on the same side as now (see `cores`). And towards planes, if it turns:
the corners that come down are others than those that are low when the step begins.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.broad.sweep import Sweep
from tumble.core.keys import keys_of_pairs, pairs_of_keys
from tumble.core.products import dot_product, length, lengths
from tumble.dynamics.cores import with_thin_wall
from tumble.dynamics.state import Conditions, RigidBodies, State

TURN = 0.25
"""radians in a step, beyond which contacts with planes at its start do not tell those at its end"""
AWAKE, AT_REST = (1, 3), (2, 1)  # group and mask: what rests meets only what moves


def watched_bodies(given: Conditions) -> NDArray[np.bool_]:
    """Return (n,) the bodies that are not to pass through others, nor others through them."""
    if given.settings.continuous:
        return np.ones(len(given.roster), bool)
    return given.roster.column("continuous").astype(bool)


def fast_bodies(given: Conditions, state: State) -> NDArray[np.bool_]:
    """Return (n,) the fast bodies at the start of a step."""
    fast = np.zeros(len(given.roster), bool)
    if not watched_bodies(given).any():
        return fast
    bodies, time, moving = state.bodies, given.time_step, given.roster.movable & ~state.asleep
    fast |= watched_bodies(given) & moving & _turn_at_planes(given, bodies)
    ways = ways_of(bodies, moving, given.roster.hulls.radii, time)
    reaches = given.roster.sizes.reaches
    least = reaches.min() if np.isfinite(reaches).all() else min(reaches.min(), given.settings.slop)
    if not ways.max() > least:
        return fast
    shift = time * bodies.velocity[:-1]
    boxes = swept_boxes(given, bodies.position[:-1], shift, 0.5 * time * time * length(given.gravity))
    pairs = pairs_that_meet(given, moving, boxes)
    for side in pairs.T:
        fast[side[ways[side] > _reaches(given, pairs)]] = True
    return fast


def _turn_at_planes(given: Conditions, bodies: RigidBodies) -> NDArray[np.bool_]:
    """Return (n,) the bodies that may meet a plane while they turn so far that other corners come down than now."""
    time, planes = given.time_step, given.planes
    turning = lengths(bodies.spin[:-1]) * time > TURN
    if not turning.any() or len(planes.offsets) == 0:
        return np.zeros(len(turning), bool)
    heights = dot_product(bodies.position[:-1, None], planes.normals[None]) - planes.offsets
    reach = given.roster.hulls.radii + time * (lengths(bodies.velocity[:-1]) + time * length(given.gravity))
    return np.asarray(turning & (heights.min(axis=1) < reach))


def ways_of(
    bodies: RigidBodies, moving: NDArray[np.bool_], radii: NDArray[np.float64], time: float
) -> NDArray[np.float64]:
    """Return (n,) a bound on how far any point of each body gets in a time with its present velocities."""
    speeds = lengths(bodies.velocity[:-1]) + lengths(bodies.spin[:-1]) * radii
    return np.where(moving, time * speeds, 0.0)


def swept_boxes(
    given: Conditions, starts: NDArray[np.float64], shifts: NDArray[np.float64], margin: float
) -> NDArray[np.float64]:
    """Return (n, 6) boxes in which bodies stay whose centres of mass move in a straight line, however they turn."""
    reach = given.roster.hulls.radii[:, None] + margin
    low, high = np.minimum(starts, starts + shifts), np.maximum(starts, starts + shifts)
    swept = np.concatenate([low - reach, high + reach], axis=1)
    return np.where(given.roster.movable[:, None], swept, given.roster.sizes.boxes)


def pairs_that_meet(given: Conditions, moving: NDArray[np.bool_], boxes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return (k, 2) the watched pairs of bodies whose boxes meet and that may collide."""
    filters = np.where(moving[:, None], AWAKE, AT_REST)
    keys = Sweep().keys(boxes, filters)
    keys = keys[~np.isin(keys, keys_of_pairs(np.sort(given.connected, axis=1)))]
    pairs = pairs_of_keys(keys)
    return pairs[watched_bodies(given)[pairs].any(axis=1)]


def fast_pairs(
    given: Conditions, pairs: NDArray[np.int64], ways: NDArray[np.float64], fast: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return those of some pairs of which a body gets too far in a step, or was fast when it began."""
    return pairs[fast[pairs].any(axis=1) | (ways[pairs].max(axis=1, initial=0.0) > _reaches(given, pairs))]


def _reaches(given: Conditions, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how far a body of each pair may get in a step: V/A of the smaller one, or a slop towards thin walls."""
    sizes = given.roster.sizes
    a, b = pairs.T
    first = sizes.radii[a] <= sizes.radii[b]
    smaller, larger = sizes.reaches[np.where(first, a, b)], sizes.reaches[np.where(first, b, a)]
    reaches = np.where(np.isfinite(smaller), smaller, larger)
    return np.where(with_thin_wall(given, pairs), np.minimum(reaches, given.settings.slop), reaches)
