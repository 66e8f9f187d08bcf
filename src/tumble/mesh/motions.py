"""Many motions of one body, as one record."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import PoseError
from tumble.mesh.arrays import frozen, plain_copy, three_numbers
from tumble.mesh.motion import Motion, as_motion
from tumble.mesh.motion_checks import pieces_between, rigid_or_identity
from tumble.mesh.motion_pieces import POSE, WORDS
from tumble.mesh.rigid import as_poses


class Motions:
    """Many motions of one body, for one call: `tumble.time_of_impact_many`; immutable.

    Motions(list_of_motions)         of any kind, also None and 4×4 poses: at rest
    Motions.between(starts, ends)    (n, 4, 4) each: as `Motion.between`, all at once
    """

    __slots__ = ("addresses", "offsets", "pieces")

    pieces: NDArray[np.float64]
    """those of all motions, one motion after the other"""
    offsets: NDArray[np.int64]
    """(n + 1,): the pieces of motion i are pieces[offsets[i] : offsets[i + 1]]"""
    addresses: NDArray[np.int64]
    """(n, 2): where kernels find the pieces of each motion, and how many"""

    def __init__(self, motions: Sequence[Any]) -> None:
        each = [as_motion(motion, f"motion {k}") for k, motion in enumerate(motions)]
        self._keep(
            np.concatenate([np.empty((0, WORDS)), *(motion.pieces for motion in each)]),
            np.array([0, *accumulate(map(len, each))]),
        )

    def _keep(self, pieces: NDArray[np.float64], offsets: NDArray[np.int64]) -> None:
        counts = np.diff(offsets)
        places = (pieces.ctypes.data + 8 * WORDS * offsets[:-1], counts)
        for name, value in (("pieces", frozen(pieces)), ("offsets", offsets), ("addresses", np.stack(places, axis=1))):
            object.__setattr__(self, name, value)

    @classmethod
    def of_one(cls, motion: Motion) -> Motions:
        """Return a single motion, without a copy."""
        made = cls.__new__(cls)
        made._keep(motion.pieces, np.array([0, len(motion)]))
        return made

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
                rigid_or_identity(poses[wrong], f"{what}[{wrong}]: ")
        made = cls.__new__(cls)
        body = three_numbers(point, "the point of a motion", PoseError)
        made._keep(pieces_between(*both, body, None), np.arange(len(both[0]) + 1))
        return made

    @property
    def starts(self) -> NDArray[np.float64]:
        """(n, 4, 4): where each begins."""
        return self.pieces[self.offsets[:-1], POSE : POSE + 16].reshape(-1, 4, 4)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Motions are immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Motions are immutable: cannot delete {name!r}")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, k: int) -> Motion:
        """Return one of the motions."""
        k = range(len(self))[k]
        return Motion(self.pieces[self.offsets[k] : self.offsets[k + 1]].copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return _motions, (self.pieces, self.offsets)

    def __repr__(self) -> str:
        return f"<Motions: {len(self)}>"


def _motions(pieces: NDArray[np.float64], offsets: NDArray[np.int64]) -> Motions:
    """Return motions that come out of a pickle."""
    made = Motions.__new__(Motions)
    made._keep(plain_copy(pieces), offsets)
    return made


def motions_of_pieces(pieces: NDArray[np.float64]) -> Motions:
    """Return motions of one piece each, rows as `tumble.mesh.motion_pieces.made_pieces` makes them."""
    made = Motions.__new__(Motions)
    made._keep(pieces, np.arange(len(pieces) + 1))
    return made
