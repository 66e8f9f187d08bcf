"""Rigid motions over the time from 0 to 1: screws, and paths of them from pose to pose.

A piece of a motion moves a centre c along a straight line and turns the body about an axis k through it, both at a
constant rate. With s from 0 to 1 within the piece, and the pose (R | T) at its beginning,

    R(s) = R + sin(θ s) [k]× R + (1 - cos(θ s)) [k]×² R
    T(s) = T + s v + sin(θ s) [k]× (T - c) + (1 - cos(θ s)) [k]×² (T - c)

so that a piece begins with the bits of its pose. Every operation is rounded in this order, here and in kernels
(`tumble.mesh.motion_kernel`): `at` returns the poses that queries see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.elementary import sines_cosines
from tumble.core.products import applied
from tumble.errors import PoseError
from tumble.mesh.arrays import MAX_COORDINATE, frozen, plain_copy, real_array, three_numbers
from tumble.mesh.motion_pieces import (
    ANGLE,
    END,
    MOST_TURNS,
    POSE,
    SINE,
    START,
    VERSINE,
    WAY,
    WORDS,
    made_pieces,
    rotations_between,
    straightened,
)
from tumble.mesh.pose import unit_axis
from tumble.mesh.rigid import as_poses, as_rigid

SHORTEST = 2.0**-40
"""the least time from one pose of a path to the next"""


@dataclass(frozen=True, eq=False, repr=False)
class Motion:
    """A rigid motion of a body from time 0 to time 1; immutable.

    Motion.between(start, end)            from one pose to another: a straight line of a point, and one rotation
    Motion.screw(pose, translation, …)    a translation and a rotation about an axis, of any number of turns
    Motion.path(poses, times)             from pose to pose
    motion.at(t)                          the 4×4 pose at a time
    """

    pieces: NDArray[np.float64]
    """one row for each piece: see `tumble.mesh.motion_pieces`"""

    @classmethod
    def between(cls, start: ArrayLike | None, end: ArrayLike | None, point: ArrayLike = (0.0, 0.0, 0.0)) -> Motion:
        """Return the motion from one pose to another, at constant rates.

        point   of the body, in its own coordinates, moves along a straight line; the body turns about it by the
                smallest angle, which is what spherical interpolation does. Default: the origin of the mesh
        """
        poses = np.stack([_rigid_or_identity(pose) for pose in (start, end)])
        return cls.path(poses, point=point)

    @classmethod
    def screw(
        cls,
        pose: ArrayLike | None = None,
        translation: ArrayLike = (0.0, 0.0, 0.0),
        axis: str | ArrayLike = "z",
        angle: float = 0.0,
        centre: ArrayLike | None = None,
    ) -> Motion:
        """Return a translation together with a rotation about an axis, both at constant rates.

        pose          where the body is at time 0; None: where it was drawn
        translation   of the centre, from time 0 to time 1
        axis, angle   as in `tumble.rotation`; the angle may be of many turns
        centre        a point of the axis at time 0, in the world; None: where the pose puts the mesh's origin
        """
        start = straightened(_rigid_or_identity(pose)[None])
        turn = _angle(angle)
        way = _within(three_numbers(translation, "the translation of a motion", PoseError), "the translation")
        middle = start[0, :3, 3] if centre is None else three_numbers(centre, "the centre of a motion", PoseError)
        middle = _within(middle, "the centre")
        _within(start[0, :3, 3] + way, "the end")
        return cls(made_pieces(start, way[None], np.array([unit_axis(axis)]), np.array([turn]), middle[None]))

    @classmethod
    def path(
        cls, poses: ArrayLike, times: ArrayLike | None = None, *, point: ArrayLike = (0.0, 0.0, 0.0)
    ) -> Motion:
        """Return the motion along a path of poses, from each to the next as `between` goes.

        poses   (n, 4, 4): rigid poses; one alone is at rest
        times   (n,): when each is reached, increasing from 0 to 1; None: at equal intervals
        point   see `between`
        """
        raw = as_poses(poses, "the poses of a path")
        if len(raw) == 0:
            raise PoseError("a path needs at least one pose; found none")
        matrices = np.stack([_rigid_or_identity(pose, f"pose {k} of the path: ") for k, pose in enumerate(raw)])
        moments = _times(times, len(matrices))
        if len(matrices) == 1:
            matrices, moments = np.repeat(matrices, 2, axis=0), np.array([0.0, 1.0])
        body = three_numbers(point, "the point of a motion", PoseError)
        return cls(_pieces_between(matrices[:-1], matrices[1:], body, moments))

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", frozen(self.pieces))

    def __len__(self) -> int:
        """How many pieces it has."""
        return len(self.pieces)

    def at(self, time: float) -> NDArray[np.float64]:
        """Return the 4×4 pose at a time from 0 to 1."""
        moment = _number(time, "the time")
        if not 0.0 <= moment <= 1.0:
            raise PoseError(f"the time must be from 0 to 1, not {time!r}")
        k = int(np.searchsorted(self.pieces[:, START], moment, side="right")) - 1
        piece = self.pieces[k]
        return pose_at(piece, (moment - piece[START]) / (piece[END] - piece[START]))

    @property
    def times(self) -> NDArray[np.float64]:
        """When pieces begin, and the end of the last: 1."""
        return np.append(self.pieces[:, START], self.pieces[-1, END])

    def __repr__(self) -> str:
        return f"<Motion of {len(self)} piece{'s' if len(self) > 1 else ''}>"


class Motions:
    """Many motions of one body, for one call: `tumble.time_of_impact_many`; immutable.

    Motions(list_of_motions)         of any kind, also None and 4×4 poses: at rest
    Motions.between(starts, ends)    (n, 4, 4) each: as `Motion.between`, all at once
    """

    __slots__ = ("offsets", "pieces")

    def __init__(self, motions: Sequence[Any]) -> None:
        each = [as_motion(motion, f"motion {k}") for k, motion in enumerate(motions)]
        self._keep(
            np.concatenate([np.empty((0, WORDS)), *(motion.pieces for motion in each)]),
            np.cumsum([0, *map(len, each)]),
        )

    def _keep(self, pieces: NDArray[np.float64], offsets: NDArray[np.int64]) -> None:
        object.__setattr__(self, "pieces", pieces)
        object.__setattr__(self, "offsets", offsets.astype(np.int64))

    pieces: NDArray[np.float64]
    offsets: NDArray[np.int64]

    @classmethod
    def between(cls, starts: ArrayLike, ends: ArrayLike, point: ArrayLike = (0.0, 0.0, 0.0)) -> Motions:
        """Return the motions from each of some poses to each of others: see `Motion.between`."""
        from tumble.mesh.rigid_kernel import check_poses

        both = as_poses(starts, "starts"), as_poses(ends, "ends")
        if len(both[0]) != len(both[1]):
            raise PoseError(f"starts and ends must be as many; found {len(both[0])} and {len(both[1])}")
        for poses, what in zip(both, ("starts", "ends"), strict=True):
            wrong = check_poses(poses, np.empty(len(poses)))
            if wrong >= 0:
                _rigid_or_identity(poses[wrong], f"{what}[{wrong}]: ")
        made = cls.__new__(cls)
        body = three_numbers(point, "the point of a motion", PoseError)
        made._keep(_pieces_between(*both, body, None), np.arange(len(both[0]) + 1))
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Motions are immutable: cannot set {name!r}")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, k: int) -> Motion:
        """Return one of the motions."""
        k = range(len(self))[k]
        return Motion(self.pieces[self.offsets[k] : self.offsets[k + 1]].copy())

    def __repr__(self) -> str:
        return f"<Motions: {len(self)}>"


def as_motion(given: Any, what: str = "the motion") -> Motion:
    """Return a motion as it is; None and a 4×4 pose as a body at rest."""
    if isinstance(given, Motion):
        return given
    if isinstance(given, Motions):
        raise PoseError(f"{what} must be one tumble.Motion, not {given!r}; for many, use time_of_impact_many")
    if given is not None and np.ndim(given) == 3:
        raise PoseError(f"{what} has shape {np.shape(given)}: for a path of poses write tumble.Motion.path(poses)")
    start = straightened(_rigid_or_identity(given, f"{what}: ")[None])
    return Motion(made_pieces(start, np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]), np.zeros(1), start[:, :3, 3]))


def pose_at(piece: NDArray[np.float64], s: float) -> NDArray[np.float64]:
    """Return the pose at a share s of a piece, to the bits of `tumble.mesh.motion_kernel.write_pose`."""
    sine, cosine = sines_cosines(piece[ANGLE] * s)
    pose = np.eye(4)
    way = np.zeros((3, 4))
    way[:, 3] = piece[WAY : WAY + 3] * s
    turned = sine * piece[SINE : SINE + 12] + (1.0 - cosine) * piece[VERSINE : VERSINE + 12]
    pose[:3] = (piece[POSE : POSE + 12].reshape(3, 4) + way) + turned.reshape(3, 4)
    return pose


def _pieces_between(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    point: NDArray[np.float64],
    times: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    starts, ends = straightened(starts), straightened(ends)
    axes, angles = rotations_between(starts[:, :3, :3], ends[:, :3, :3])
    centres = applied(starts[:, :3, :3], point) + starts[:, :3, 3]
    ways = (applied(ends[:, :3, :3], point) + ends[:, :3, 3]) - centres
    for vectors in (centres, ways):
        if len(vectors):
            _within(np.abs(vectors).max(axis=0), "the point of a motion")
    return made_pieces(starts, ways, axes, angles, centres, times)


def _rigid_or_identity(pose: ArrayLike | None, what: str = "") -> NDArray[np.float64]:
    try:
        matrix = as_rigid(pose)
    except PoseError as error:
        raise PoseError(f"{what}{error}") from error
    return np.eye(4) if matrix is None else matrix


def _number(value: Any, what: str) -> float:
    try:
        raw = real_array(value, what, PoseError, "a number")
    except PoseError:
        raw = np.empty(2)
    if raw.shape != () or not np.isfinite(raw):
        raise PoseError(f"{what} must be one finite number, not {value!r}")
    return float(raw)


def _angle(angle: Any) -> float:
    turn = _number(angle, "the angle of a motion")
    if not abs(turn) <= MOST_TURNS:
        turns = round(MOST_TURNS / (2.0 * np.pi))
        raise PoseError(f"the angle of a motion may be of {turns} turns at most; found {angle!r} rad: make a path of it")
    return turn


def _within(vector: NDArray[np.float64], what: str) -> NDArray[np.float64]:
    if np.abs(vector).max() > MAX_COORDINATE:
        raise PoseError(f"{what} of the motion is beyond the supported ±{MAX_COORDINATE:g}: {vector.tolist()}")
    return vector


def _times(times: ArrayLike | None, count: int) -> NDArray[np.float64]:
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
