"""What makes a motion: poses, angles and times as users hand them over, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.products import applied
from tumble.errors import PoseError
from tumble.mesh.arrays import MAX_COORDINATE, plain_copy, real_array
from tumble.mesh.motion_pieces import MOST_TURNS, made_pieces, rotations_between, straightened
from tumble.mesh.rigid import as_rigid

SHORTEST = 2.0**-40
"""the least time from one pose of a path to the next"""


def pieces_between(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    point: NDArray[np.float64],
    times: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return the pieces from each of some poses to each of others; the times are those of `made_pieces`."""
    starts, ends = straightened(starts), straightened(ends)
    axes, angles = rotations_between(starts[:, :3, :3], ends[:, :3, :3])
    centres = applied(starts[:, :3, :3], point) + starts[:, :3, 3]
    ways = (applied(ends[:, :3, :3], point) + ends[:, :3, 3]) - centres
    for vectors in (centres, ways):
        if len(vectors):
            within_range(np.abs(vectors).max(axis=0), "the point of a motion")
    return made_pieces(starts, ways, axes, angles, centres, times)


def rigid_or_identity(pose: ArrayLike | None, what: str = "") -> NDArray[np.float64]:
    """Return a rigid 4×4 pose, the identity for None; `what` precedes the message of an error."""
    try:
        matrix = as_rigid(pose)
    except PoseError as error:
        raise PoseError(f"{what}{error}") from error
    return np.eye(4) if matrix is None else matrix


def finite_number(value: Any, what: str) -> float:
    """Return one finite number, or refuse what is none."""
    try:
        raw = real_array(value, what, PoseError, "a number")
    except PoseError:
        raw = np.empty(2)
    if raw.shape != () or not np.isfinite(raw):
        raise PoseError(f"{what} must be one finite number, not {value!r}")
    return float(raw)


def checked_angle(angle: Any) -> float:
    """Return the angle of a motion, or refuse one of too many turns."""
    turn = finite_number(angle, "the angle of a motion")
    if not abs(turn) <= MOST_TURNS:
        turns = round(MOST_TURNS / (2.0 * np.pi))
        raise PoseError(
            f"the angle of a motion may be of {turns} turns at most; found {angle!r} rad: make a path of it"
        )
    return turn


def within_range(vector: NDArray[np.float64], what: str) -> NDArray[np.float64]:
    """Return a vector, or refuse one that is too long."""
    if np.abs(vector).max() > MAX_COORDINATE:
        raise PoseError(f"{what} of the motion is beyond the supported ±{MAX_COORDINATE:g}: {vector.tolist()}")
    return vector


def checked_times(times: ArrayLike | None, count: int) -> NDArray[np.float64]:
    """Return the times of a path of so many poses, at equal intervals unless given."""
    if times is None:
        return np.arange(count) / max(count - 1, 1)
    raw = real_array(times, "the times of a path", PoseError, "an (n,) array")
    if raw.shape != (count,):
        raise PoseError(f"a path of {count} poses needs {count} times; found shape {raw.shape}")
    moments: NDArray[np.float64] = plain_copy(raw)
    if not np.isfinite(moments).all():
        k = int(np.flatnonzero(~np.isfinite(moments))[0])
        raise PoseError(f"times[{k}] is {moments[k]}; every time must be finite")
    if count > 1 and (moments[0] != 0.0 or moments[-1] != 1.0):
        raise PoseError(f"the times of a path must go from 0 to 1; found {moments[0]} to {moments[-1]}")
    late = np.flatnonzero(~(np.diff(moments) >= SHORTEST))
    if len(late):
        k = int(late[0])
        found = f"times[{k}] is {moments[k]} and times[{k + 1}] is {moments[k + 1]}"
        raise PoseError(f"times must increase, by 2⁻⁴⁰ at least: {found}")
    return moments
