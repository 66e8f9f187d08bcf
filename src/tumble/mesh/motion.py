"""Rigid motions over the time from 0 to 1: screws, and paths of them from pose to pose.

A piece of a motion moves a centre c along a straight line and turns the body about an axis k through it, both at a
constant rate. With s from 0 to 1 within the piece, and the pose (R | T) at its beginning,

    R(s) = R + sin(θ s) [k]× R + (1 - cos(θ s)) [k]×² R
    T(s) = T + s v + sin(θ s) [k]× (T - c) + (1 - cos(θ s)) [k]×² (T - c)

so that a piece begins with the bits of its pose. Every operation is rounded in this order, here and in kernels
(`tumble.mesh.motion_kernel`): `at` returns the poses that queries see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.elementary import sines_cosines
from tumble.errors import PoseError
from tumble.mesh.arrays import frozen, plain_copy, three_numbers
from tumble.mesh.motion_checks import (
    checked_angle,
    checked_times,
    finite_number,
    pieces_between,
    rigid_or_identity,
    within_range,
)
from tumble.mesh.motion_pieces import (
    ANGLE,
    END,
    POSE,
    SINE,
    START,
    VERSINE,
    WAY,
    made_pieces,
    straightened,
)
from tumble.mesh.pose import unit_axis
from tumble.mesh.rigid import as_poses


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
        poses = np.stack([rigid_or_identity(pose) for pose in (start, end)])
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
        start = straightened(rigid_or_identity(pose)[None])
        turn = checked_angle(angle)
        way = within_range(three_numbers(translation, "the translation of a motion", PoseError), "the translation")
        middle = start[0, :3, 3] if centre is None else three_numbers(centre, "the centre of a motion", PoseError)
        middle = within_range(middle, "the centre")
        within_range(start[0, :3, 3] + way, "the end")
        return cls(made_pieces(start, way[None], np.array([unit_axis(axis)]), np.array([turn]), middle[None]))

    @classmethod
    def path(cls, poses: ArrayLike, times: ArrayLike | None = None, *, point: ArrayLike = (0.0, 0.0, 0.0)) -> Motion:
        """Return the motion along a path of poses, from each to the next as `between` goes.

        poses   (n, 4, 4): rigid poses; one alone is at rest
        times   (n,): when each is reached, increasing from 0 to 1; None: at equal intervals
        point   see `between`
        """
        raw = as_poses(poses, "the poses of a path")
        if len(raw) == 0:
            raise PoseError("a path needs at least one pose; found none")
        matrices = np.stack([rigid_or_identity(pose, f"pose {k} of the path: ") for k, pose in enumerate(raw)])
        moments = checked_times(times, len(matrices))
        if len(matrices) == 1:
            matrices, moments = np.repeat(matrices, 2, axis=0), np.array([0.0, 1.0])
        body = three_numbers(point, "the point of a motion", PoseError)
        return cls(pieces_between(matrices[:-1], matrices[1:], body, moments))

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", frozen(self.pieces))

    def __len__(self) -> int:
        """How many pieces it has."""
        return len(self.pieces)

    def __reduce__(self) -> tuple[Any, ...]:
        return Motion, (plain_copy(self.pieces),)

    def at(self, time: float) -> NDArray[np.float64]:
        """Return the 4×4 pose at a time from 0 to 1."""
        moment = finite_number(time, "the time")
        if not 0.0 <= moment <= 1.0:
            raise PoseError(f"the time must be from 0 to 1, not {time!r}")
        k = int(np.searchsorted(self.pieces[:, START], moment, side="right")) - 1
        piece = self.pieces[k]
        return pose_at(piece, (moment - piece[START]) / (piece[END] - piece[START]))

    @property
    def addresses(self) -> NDArray[np.int64]:
        """(1, 2): where kernels find the pieces, and how many."""
        return np.array([[self.pieces.ctypes.data, len(self.pieces)]])

    @property
    def times(self) -> NDArray[np.float64]:
        """When pieces begin, and the end of the last: 1."""
        return np.append(self.pieces[:, START], self.pieces[-1, END])

    def __repr__(self) -> str:
        return f"<Motion of {len(self)} piece{'s' if len(self) > 1 else ''}>"


def as_motion(given: Any, what: str = "the motion") -> Motion:
    """Return a motion as it is; None and a 4×4 pose as a body at rest."""
    if isinstance(given, Motion):
        return given
    given = np.asarray(given) if hasattr(given, "__array__") and not isinstance(given, np.ndarray) else given
    if given is not None and np.ndim(given) == 3:
        raise PoseError(f"{what} has shape {np.shape(given)}: for a path of poses write tumble.Motion.path(poses)")
    if given is None and _at_rest:
        return _at_rest[0]
    start = straightened(rigid_or_identity(given, f"{what}: ")[None])
    return Motion(made_pieces(start, np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]), np.zeros(1), start[:, :3, 3]))


_at_rest: list[Motion] = []


def pose_at(piece: NDArray[np.float64], s: float) -> NDArray[np.float64]:
    """Return the pose at a share s of a piece, to the bits of `tumble.mesh.motion_kernel.write_pose`."""
    sine, cosine = sines_cosines(piece[ANGLE] * s)
    pose = np.eye(4)
    way = np.zeros((3, 4))
    way[:, 3] = piece[WAY : WAY + 3] * s
    turned = sine * piece[SINE : SINE + 12] + (1.0 - cosine) * piece[VERSINE : VERSINE + 12]
    pose[:3] = (piece[POSE : POSE + 12].reshape(3, 4) + way) + turned.reshape(3, 4)
    return pose


_at_rest.append(as_motion(None))
