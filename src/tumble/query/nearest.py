"""The answer of a question about distances, the same from every engine.

Nearest         one query: `tumble.distance`
NearestMany     n poses of the same two meshes: `tumble.distance_many`
BodiesNearest   two bodies of a scene, by name: `tumble.Scene.distance`, `tumble.Scene.nearest`
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import FrozenArrays
from tumble.errors import OptionError
from tumble.query.answer import PairTable, Stats

NO_TRIANGLE = -1
POINTS, PAIR, NUMBERS = slice(1, 7), slice(7, 9), 14
"""where the numbers of an answer are, and how many: those of `tumble.traversal.packed.nearest_query`"""
_set = object.__setattr__


class Nearest:
    """Where two meshes are nearest; `float(nearest)` is the distance. Immutable.

    distance   0 exactly where they touch; infinite where one is empty, or nothing is within the upper bound
    pair       a triangle of a and one of b; of equally near ones the first, of touching ones any; None at infinity
    points     (2, 3): the point of each, in the world; one point twice where they touch; None at infinity
    stats      what the traversal did; None unless asked for
    """

    # Many are asked for the distance alone: pair and points are made of the numbers of the kernel when they are read.
    __slots__ = ("_numbers", "_pair", "_points", "_stats", "distance")
    distance: float
    _stats: Stats | None
    _numbers: NDArray[np.float64] | None
    _pair: tuple[int, int] | None
    _points: NDArray[np.float64] | None

    def __init__(
        self,
        distance: float,
        pair: tuple[int, int] | None = None,
        points: NDArray[np.float64] | None = None,
        stats: Stats | None = None,
    ) -> None:
        _set(self, "distance", distance)
        _set(self, "_stats", stats)
        _set(self, "_numbers", None)
        _set(self, "_pair", pair)
        _set(self, "_points", points)

    @property
    def stats(self) -> Stats | None:
        """What the traversal did; None unless asked for."""
        return self._stats if self._numbers is None else None

    @property
    def pair(self) -> tuple[int, int] | None:
        """A triangle of a and one of b."""
        if self._numbers is None:
            return self._pair
        i, j = self._numbers[PAIR].view(np.int64).tolist()
        return i, j

    @property
    def points(self) -> NDArray[np.float64] | None:
        """The (2, 3) point of each."""
        if self._numbers is None:
            return self._points
        points = self._numbers[POINTS].reshape(2, 3)
        points.flags.writeable = False
        return points

    def __float__(self) -> float:
        return self.distance

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Nearest is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Nearest is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Nearest, (self.distance, self.pair, self.points, self.stats)

    def __repr__(self) -> str:
        return f"<Nearest: {self.distance!r}, triangles {self.pair}>"


# Those of the slots: `object.__setattr__` would look them up by name.
_make: Callable[[type[Nearest]], Nearest] = object.__new__
_set_distance, _set_numbers = (getattr(Nearest, name).__set__ for name in ("distance", "_numbers"))


def nearest_of_numbers(numbers: NDArray[np.float64]) -> Nearest:
    """Return what a kernel wrote: the distance, six numbers of points and two whole ones of the pair."""
    made = _make(Nearest)
    _set_distance(made, numbers.item(0))
    _set_numbers(made, numbers)
    return made


@dataclass(frozen=True, eq=False)
class NearestMany(FrozenArrays):
    """Where two meshes are nearest under many poses."""

    distances: NDArray[np.float64]
    """(n,): 0 exactly where they touch; infinite where one is empty, or nothing is within the upper bound"""
    pairs: NDArray[np.int64]
    """(n, 2): a triangle of a and one of b; -1 at infinity"""
    points: NDArray[np.float64]
    """(n, 2, 3): the point of each, in the world; NaN at infinity"""
    stats: Stats | None = None
    """what the traversals did together; None unless asked for"""

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        return f"<NearestMany of {len(self)} queries>"


@dataclass(frozen=True, eq=False)
class BodiesNearest(FrozenArrays):
    """Where two bodies are nearest; `float(nearest)` is the distance."""

    distance: float
    """0 exactly where they touch; infinite where no two bodies are within the upper bound"""
    a: str | None = None
    """a body's name; None for a mesh that is not a body of the scene, and at infinity"""
    b: str | None = None
    """a body's name; None at infinity"""
    pair: tuple[int, int] | None = None
    """a triangle of a and one of b; None at infinity"""
    points: NDArray[np.float64] | None = None
    """(2, 3): the point of each, in the world; one point twice where they touch; None at infinity"""

    def __float__(self) -> float:
        return self.distance

    def __repr__(self) -> str:
        return f"<BodiesNearest: {self.a!r} and {self.b!r}, {self.distance!r}>"


def nearest_of_row(table: PairTable, row: int = 0) -> Nearest:
    """Return one of the pairs of a table that has distances."""
    assert table.distances is not None
    i, j = table.triangles[row].tolist()
    points = table.distances.points[row]
    points.flags.writeable = False
    return Nearest(float(table.distances.distances[row]), (i, j), points, table.stats)


def nearest_many_of(table: PairTable) -> NearestMany:
    """Return the answers of all queries of a table, those without a pair at infinity."""
    count, hit = len(table), table.hit
    distances, points = np.full(count, math.inf), np.full((count, 2, 3), math.nan)
    pairs = np.full((count, 2), NO_TRIANGLE, np.int64)
    if table.distances is not None:
        distances[hit], pairs[hit], points[hit] = table.distances.distances, table.triangles, table.distances.points
    for array in (distances, pairs, points):
        array.flags.writeable = False
    return NearestMany(distances, pairs, points, table.stats)


def checked_bound(upper_bound: Any) -> float:
    """Return an upper bound as a number, or refuse what is none, is negative or not a number."""
    try:
        bound = float(upper_bound)
    except (TypeError, ValueError) as error:
        raise OptionError(f"upper_bound must be a number from 0, not {upper_bound!r}") from error
    if isinstance(upper_bound, bool | str) or not bound >= 0.0:
        raise OptionError(f"upper_bound must be a number from 0, or infinity for none, not {upper_bound!r}")
    return bound
