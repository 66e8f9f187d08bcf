"""Where the links of a robot are, for many configurations at once.

A configuration is one row of numbers q, one for each joint that can be driven; Q has a row per configuration. A link is
carried by one joint, which turns it about an axis, slides it along one, or holds it:

    value = factor · q[column] + offset            offset alone where nothing drives the joint
    pose  = pose of the parent · origin · motion(axis, value)

The root link stands at the origin. Joints of more freedom become several, one after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.elementary import ACCURATE
from tumble.core.memory import check_memory
from tumble.core.records import frozen
from tumble.errors import InputError
from tumble.mesh.arrays import plain_copy, real_array

FIXED, TURNS, SLIDES = 0, 1, 2
"""kinds of joints"""
NONE = -1
"""the parent of the root, and the column of a joint that nothing drives"""
MOST_ANGLE = ACCURATE
"""radians that a joint may be turned by"""
MOST_SLIDE = 1e9
"""how far a joint may slide"""
BLOCK = 4096
"""configurations that are checked at a time"""


class Kinematics(NamedTuple):
    """The links of a robot as arrays, parents first; a kernel takes it as it is."""

    parents: NDArray[np.int64]
    """(links,) the link that carries each, NONE for the root"""
    kinds: NDArray[np.int64]
    """(links,) of the joint that carries the link: FIXED, TURNS or SLIDES"""
    columns: NDArray[np.int64]
    """(links,) the column of Q that drives the joint, or NONE"""
    factors: NDArray[np.float64]
    """(links,) what the column is multiplied by: 1, but for joints that follow others"""
    offsets: NDArray[np.float64]
    """(links,) what is added to it"""
    origins: NDArray[np.float64]
    """(links, 4, 4) from the frame of the joint to that of the parent link"""
    axes: NDArray[np.float64]
    """(links, 3) of the joint, in its frame, of length 1"""

    @classmethod
    def of(cls, **columns: Any) -> Kinematics:
        """Return read-only arrays of the right types; what they hold is taken to be right."""
        whole = ("parents", "kinds", "columns")
        types = {name: np.int64 if name in whole else np.float64 for name in cls._fields}
        return cls(**{name: frozen(np.array(columns[name], kind, order="C")) for name, kind in types.items()})

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, tuple(self)


def _unpickled(*columns: NDArray[Any]) -> Kinematics:
    """Return read-only arrays again: out of a pickle they come writable, for which kernels would be compiled anew."""
    return Kinematics.of(**dict(zip(Kinematics._fields, columns, strict=True)))


def reaches(kinematics: Kinematics, columns: int) -> NDArray[np.float64]:
    """Return (columns,) the largest absolute value that each column may have; below 0 where it may have none."""
    most = np.full(columns, MOST_SLIDE)
    sizes = np.where(kinematics.kinds == TURNS, MOST_ANGLE, MOST_SLIDE) - np.abs(kinematics.offsets)
    rows = zip(kinematics.columns.tolist(), np.abs(kinematics.factors).tolist(), sizes.tolist(), strict=True)
    for column, factor, size in rows:
        if column != NONE and (factor != 0.0 or size < 0.0):  # too far by its offset alone, whatever the factor
            most[column] = min(most[column], size / factor if factor != 0.0 else size)
    return most


def checked_configurations(Q: ArrayLike, most: NDArray[np.float64], what: str = "Q") -> NDArray[np.float64]:
    """Return configurations as a new (n, joints) array, or name the number at fault; `most` is that of `reaches`."""
    raw = real_array(Q, what, InputError, f"an (n, {len(most)}) array")
    if raw.shape == (0,):
        raw = raw.reshape(0, len(most))
    if raw.ndim != 2 or raw.shape[1] != len(most):
        hint = f"; for one configuration write {what}[None]" if raw.shape == (len(most),) else ""
        raise InputError(
            f"{what} must have shape (n, {len(most)}), one number for each joint; found shape {raw.shape}{hint}"
        )
    check_memory(8 * raw.size, f"{len(raw):,} configurations")
    own = np.empty(raw.shape)
    for start in range(0, len(raw), BLOCK):  # blocks stay in the cache, and between two of them signals are heard
        own[start : start + BLOCK] = plain_copy(raw[start : start + BLOCK])
        _check_rows(own[start : start + BLOCK], most, what, start)
    return own


def _check_rows(rows: NDArray[np.float64], most: NDArray[np.float64], what: str, start: int) -> None:
    """Name the number at fault in some rows of all, if there is one."""
    wrong = ~(np.abs(rows) <= most)
    if wrong.any():
        row, column = np.argwhere(wrong)[0].tolist()
        value = rows[row, column]
        why = f"beyond the supported ±{most[column]:g}" if np.isfinite(value) else "not finite"
        raise InputError(f"{what}[{start + row}][{column}] is {value}: {why}")
