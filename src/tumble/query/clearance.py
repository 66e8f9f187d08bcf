"""The answer of a question about clearances, and what every call about them shares.

A pair of triangles counts when its exact distance is less than the clearance, or zero: then it touches. So clearance 0
asks for touching triangles, and a pair exactly as far apart as the clearance respects it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces
from tumble.core.records import FrozenArrays
from tumble.errors import OptionError
from tumble.mesh.arrays import plain_copy, real_array
from tumble.query.answer import PairDistances, PairTable, Stats
from tumble.query.bodies import Bodies

PIECE = 2048
"""pairs whose distances one kernel call computes"""


@dataclass(frozen=True, eq=False)
class Clearance(FrozenArrays):
    """The triangles of two meshes that are nearer to each other than a clearance, or touch; true when there are any."""

    pairs: NDArray[np.int64]
    """(k, 2): triangle of a and triangle of b, sorted, each pair once"""
    distances: NDArray[np.float64]
    """(k,): how far each pair is apart, below the clearance; 0 exactly where it touches"""
    points: NDArray[np.float64]
    """(k, 2, 3): the nearest point of each, in the world; one point twice where they touch"""
    clearance: float
    """what was asked for"""
    stats: Stats | None = None
    """what the traversal did; None unless asked for"""

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return len(self.pairs) > 0

    def __repr__(self) -> str:
        nearest = f", the nearest at {float(self.distances.min())!r}" if self else ""
        return f"<Clearance {self.clearance!r}: {len(self.pairs)} triangle pairs are nearer{nearest}>"


def clearance_of_table(table: PairTable, clearance: float) -> Clearance:
    """Return the answer of the only query of a table."""
    assert table.distances is not None
    return Clearance(table.triangles, table.distances.distances, table.distances.points, clearance, table.stats)


def nothing_near(clearance: float) -> Clearance:
    """Return the answer for meshes that keep their clearance."""
    return Clearance(*_NOTHING, clearance, None)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


_NOTHING = _read_only(np.empty((0, 2), np.int64)), _read_only(np.empty(0)), _read_only(np.empty((0, 2, 3)))


def checked_clearance(clearance: Any, what: str = "clearance") -> float:
    """Return a clearance as a number, or refuse what is none, is negative, infinite or not a number."""
    try:
        if isinstance(clearance, bool | str | bytes) or np.ndim(clearance) != 0:
            raise TypeError("not one number")
        number = float(clearance)
    except (TypeError, ValueError, OverflowError) as error:
        raise OptionError(f"{what} must be a finite number from 0, not {clearance!r}") from error
    if not 0.0 <= number < np.inf:
        raise OptionError(f"{what} must be a finite number from 0, not {clearance!r}")
    return number + 0.0  # -0.0 is 0.0


def checked_clearances(clearance: Any, count: int) -> NDArray[np.float64]:
    """Return the clearance of each query, (count,), from one number or as many."""
    if isinstance(clearance, Number | str | bytes):
        return np.full(count, checked_clearance(clearance))
    numbers = plain_copy(real_array(clearance, "clearance", OptionError))
    if numbers.ndim == 0:
        return np.full(count, checked_clearance(numbers.item()))
    if numbers.shape != (count,):
        raise OptionError(f"clearance must be one number or one for each of {count} poses; found {numbers.shape}")
    wrong = np.flatnonzero(~((numbers >= 0.0) & (numbers < np.inf)))
    if len(wrong):
        raise OptionError(f"clearance[{wrong[0]}] must be a finite number from 0, not {float(numbers[wrong[0]])!r}")
    return numbers + 0.0


def with_distances(
    table: PairTable, a: Bodies, b: Bodies, pairs: NDArray[np.int64], clearances: NDArray[np.float64], threads: int
) -> PairTable:
    """Return a table with how far its triangles are apart; `pairs` are the bodies that each query was about."""
    from tumble.narrow.gaps import write_gaps

    count = len(table.triangles)
    distances, points = np.empty(count), np.empty((count, 6))
    pieces = [
        (query, start, min(start + PIECE, rows.stop))
        for query, rows in ((query, table.rows(query)) for query in np.flatnonzero(table.counts).tolist())
        for start in range(rows.start, rows.stop, PIECE)
    ]

    def write(number: int) -> None:
        query, start, stop = pieces[number]
        i, j = pairs[query].tolist()
        one, other = a.mesh(i), b.mesh(j)
        write_gaps(
            one.vertices, one.faces, a.poses[i], other.vertices, other.faces, b.poses[j],
            table.triangles[start:stop], float(clearances[query]), distances[start:stop], points[start:stop],
        )  # fmt: skip

    run_pieces(write, len(pieces), threads)
    distances.flags.writeable = points.flags.writeable = False
    nearest = points.reshape(-1, 2, 3)
    nearest.flags.writeable = False
    return replace(table, distances=PairDistances(distances, nearest))
