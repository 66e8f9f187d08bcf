"""The answer of a question about times of impact.

Impact         one query: `tumble.time_of_impact`
Impacts        many motions of the same two meshes: `tumble.time_of_impact_many`
BodiesImpact   two bodies of a scene, by name: `tumble.Scene.time_of_impact`
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import FrozenArrays
from tumble.errors import OptionError
from tumble.query.answer import PairTable, Stats

NO_TRIANGLE = -1
TOLERANCE = 2.0**-20
"""of the larger mesh's radius: how near counts as touching, unless said otherwise"""


@dataclass(frozen=True, eq=False)
class Impact(FrozenArrays):
    """The first contact of two bodies that move; true when there is one. `float(impact)` is the time."""

    time: float
    """from 0 to 1, never later than the first contact; infinite where there is none"""
    pair: tuple[int, int] | None = None
    """a triangle of a and one of b that are within the tolerance at that time; None without a contact"""
    points: NDArray[np.float64] | None = None
    """(2, 3): the nearest point of each triangle at that time, in the world"""
    normal: NDArray[np.float64] | None = None
    """(3,): unit, from a to b; zeros where they touch at time 0"""
    distance: float = math.inf
    """of the two triangles at that time; 0 only where they touch at time 0"""
    stats: Stats | None = None
    """what the search did; None unless asked for"""

    @property
    def point(self) -> NDArray[np.float64] | None:
        """(3,): the middle of the two points."""
        return None if self.points is None else 0.5 * self.points[0] + 0.5 * self.points[1]

    def __bool__(self) -> bool:
        return self.pair is not None

    def __float__(self) -> float:
        return self.time

    def __repr__(self) -> str:
        return f"<Impact at {self.time!r}, triangles {self.pair}>" if self else "<Impact: none>"


@dataclass(frozen=True, eq=False)
class BodiesImpact(Impact):
    """The first contact of two bodies of a scene; true when there is one."""

    a: str | None = None
    """a body's name; None without a contact"""
    b: str | None = None
    """a body's name; None without a contact"""

    def __repr__(self) -> str:
        return f"<BodiesImpact of {self.a!r} and {self.b!r} at {self.time!r}>" if self else "<BodiesImpact: none>"


@dataclass(frozen=True, eq=False)
class Impacts(FrozenArrays):
    """The first contacts of two bodies in many motions."""

    times: NDArray[np.float64]
    """(n,): from 0 to 1; infinite where there is no contact"""
    pairs: NDArray[np.int64]
    """(n, 2): a triangle of a and one of b; -1 without a contact"""
    points: NDArray[np.float64]
    """(n, 2, 3): the nearest points, in the world; NaN without a contact"""
    normals: NDArray[np.float64]
    """(n, 3): unit, from a to b; zeros where they touch at time 0, NaN without a contact"""
    distances: NDArray[np.float64]
    """(n,): of the two triangles; infinite without a contact"""
    stats: Stats | None = None
    """what the searches did together; None unless asked for"""

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(n,): whether there is a contact"""
        return self.pairs[:, 0] != NO_TRIANGLE

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return f"<Impacts of {len(self)} motions, {int(self.hit.sum())} with a contact>"


def impact_of_numbers(numbers: NDArray[np.float64]) -> Impact:
    """Return what a kernel wrote, as `tumble.traversal.packed.impact_query` lays it out."""
    time, distance = numbers[:2].tolist()
    if not time < math.inf:
        return Impact(math.inf)
    i, j = numbers[11:13].view(np.int64).tolist()
    points, normal = numbers[2:8].reshape(2, 3), numbers[8:11]
    points.flags.writeable = normal.flags.writeable = False
    return Impact(time, (i, j), points, normal, distance)


def impact_of_row(table: PairTable, row: int) -> tuple[Any, ...]:
    """Return what an `Impact` begins with for one of the pairs of a table."""
    assert table.distances is not None
    assert table.impacts is not None
    i, j = table.triangles[row].tolist()
    points, normal = table.distances.points[row].copy(), table.impacts.normals[row].copy()
    points.flags.writeable = normal.flags.writeable = False
    distance = float(table.distances.distances[row])
    return float(table.impacts.times[row]), (i, j), points, normal, distance, table.stats


def impacts_of(table: PairTable) -> Impacts:
    """Return the answers of all queries of a table."""
    count, hit = len(table), table.hit
    times, distances = np.full(count, math.inf), np.full(count, math.inf)
    points, normals = np.full((count, 2, 3), math.nan), np.full((count, 3), math.nan)
    pairs = np.full((count, 2), NO_TRIANGLE, np.int64)
    if table.distances is not None and table.impacts is not None:
        times[hit], normals[hit], pairs[hit] = table.impacts.times, table.impacts.normals, table.triangles
        distances[hit], points[hit] = table.distances.distances, table.distances.points
    for array in (times, pairs, points, normals, distances):
        array.flags.writeable = False
    return Impacts(times, pairs, points, normals, distances, table.stats)


def checked_tolerance(tolerance: Any) -> float | None:
    """Return a tolerance as a number, None as it is; or refuse what is none, is negative or not finite."""
    if tolerance is None:
        return None
    try:
        number = float(tolerance)
    except (TypeError, ValueError) as error:
        raise OptionError(f"tolerance must be a number from 0, or None, not {tolerance!r}") from error
    if isinstance(tolerance, bool | str) or np.ndim(tolerance) or not 0.0 <= number < math.inf:
        raise OptionError(f"tolerance must be a finite number from 0, or None, not {tolerance!r}")
    return number
