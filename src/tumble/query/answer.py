"""The answer of a query, the same from every engine: one table of pairs with columns, and views of it.

PairTable         the touching triangles of n queries, one query after the other, with contacts and counters
Collision         one query: `tumble.collide`, `tumble.self_collide`
Collisions        n poses of the same two meshes: `tumble.collide_many`
MeshCollisions    the pairs of meshes that touch: `tumble.collide_all`
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import pairs_of_keys
from tumble.core.records import FrozenArrays, frozen_record

CURVE_NUMBERS = 13
"""of a row of `PairTable.curves`: both ends, directed along normal a × normal b; both normals; the edges of the ends as
`tumble.narrow.contact.segment` numbers them, the second one times eight"""


@dataclass(frozen=True)
class Stats:
    """What a traversal did, in the columns of papers `stackless` and `chip`."""

    iterations: int
    """turns of the traversal's loop"""
    tests: int
    """overlap tests of two bounding volumes"""
    overlaps: int
    """of those, how many overlapped"""
    leaf_overlaps: int
    """of those, how many were two leaves"""
    hits: int
    """touching triangle pairs found"""
    moves: int = 0
    """volumes of one mesh moved into the other's frame: one for each test, unless the method keeps them; 0 for
    boxtrees, whose boxes are computed from their parents' on the way down"""
    triangle_tests: int = 0
    """triangle pairs tested; on the fast path, those that their planes do not keep apart"""


@dataclass(frozen=True, eq=False)
class PairContacts(FrozenArrays):
    """Where touching triangles meet and how they separate, in the world, one row per pair: docs/contacts.md."""

    segments: NDArray[np.float64]
    """(k, 2, 3): the two ends of the intersection; equal where triangles touch in a point"""
    points: NDArray[np.float64]
    """(k, 3): the middles of the segments"""
    normals: NDArray[np.float64]
    """(k, 3): unit, from b's side to a's: the direction in which a's triangle separates from b's"""
    depths: NDArray[np.float64]
    """(k,): how far it has to move, 0 or more"""

    def __len__(self) -> int:
        return len(self.depths)

    def __getitem__(self, rows: slice) -> PairContacts:
        return PairContacts(self.segments[rows], self.points[rows], self.normals[rows], self.depths[rows])

    def __repr__(self) -> str:
        return f"<PairContacts of {len(self)} triangle pairs>"


@dataclass(frozen=True, eq=False)
class Collision(FrozenArrays):
    """The touching triangles of two meshes; true when there are any."""

    pairs: NDArray[np.int64]
    """(k, 2): triangle of a and triangle of b, sorted, each pair once"""
    stats: Stats | None = None
    """what the traversal did; None unless asked for"""
    contacts: PairContacts | None = None
    """where each pair meets, in the order of `pairs`; None unless asked for"""

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return len(self.pairs) > 0

    def __repr__(self) -> str:
        return f"<Collision of {len(self.pairs)} triangle pairs>"


@dataclass(frozen=True, eq=False)
class PairDistances(FrozenArrays):
    """How far the triangles of each pair are apart, and their nearest points, in the world."""

    distances: NDArray[np.float64]
    """(k,): 0 exactly where they touch"""
    points: NDArray[np.float64]
    """(k, 2, 3): the nearest point of each; one point twice where they touch"""

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        return f"<PairDistances of {len(self)} triangle pairs>"


@dataclass(frozen=True, eq=False)
class PairImpacts(FrozenArrays):
    """When the triangles of each pair touch first, and across which plane."""

    times: NDArray[np.float64]
    """(k,): from 0 to 1"""
    normals: NDArray[np.float64]
    """(k, 3): unit, from a's side to b's; zero where they touch at time 0"""

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return f"<PairImpacts of {len(self)} triangle pairs>"


@dataclass(frozen=True, eq=False)
class PairTable(FrozenArrays):
    """The touching triangles of many queries, in the order in which they were asked; true when any query hit."""

    counts: NDArray[np.int64]
    """(n,): touching pairs of each query; at most 1 with `first`"""
    triangles: NDArray[np.int64]
    """(k, 2): the pairs of all queries, one query after the other, sorted within each"""
    stats: Stats | None = None
    """what the traversals of all queries did together; None unless asked for"""
    contacts: PairContacts | None = None
    """where each pair meets, in the order of `triangles`; None unless asked for"""
    distances: PairDistances | None = None
    """how far each pair is apart, in the order of `triangles`; only for questions about distances"""
    curves: NDArray[np.float64] | None = None
    """(k, CURVE_NUMBERS): the segment of each pair as `tumble.dynamics.manifold` takes it; only for simulations on a
    device, see `Request.curves`"""
    impacts: PairImpacts | None = None
    """when each pair touches, in the order of `triangles`; only for times of impact"""

    def __post_init__(self) -> None:
        self.counts.flags.writeable = self.triangles.flags.writeable = False

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(n,): whether each query found any"""
        return self.counts > 0

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """(n + 1,): the pairs of query i are triangles[offsets[i] : offsets[i + 1]]"""
        offsets = np.zeros(len(self.counts) + 1, np.int64)
        np.cumsum(self.counts, out=offsets[1:])
        offsets.flags.writeable = False
        return offsets

    def rows(self, i: int) -> slice:
        """Return where the pairs of query i are."""
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} queries, so no number {i}")
        i %= len(self)
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))

    def contacts_of(self, i: int) -> PairContacts | None:
        """Return the contacts of query i; None unless asked for."""
        return None if self.contacts is None else self.contacts[self.rows(i)]

    def distances_of(self, i: int) -> NDArray[np.float64] | None:
        """Return how far the pairs of query i are apart; None unless asked for."""
        return None if self.distances is None else self.distances.distances[self.rows(i)]

    def __len__(self) -> int:
        return len(self.counts)

    def __bool__(self) -> bool:
        return bool(self.counts.any())


@dataclass(frozen=True, eq=False)
class Collisions(PairTable):
    """The touching triangles of one pair of meshes under many poses."""

    buried: NDArray[np.bool_] | None = None
    """(n,): whether one solid is inside the other with no triangles touching; None unless asked for by `solid`"""

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(n,): whether each query found any triangles, or a buried solid"""
        return self.counts > 0 if self.buried is None else (self.counts > 0) | self.buried

    def __bool__(self) -> bool:
        return bool(self.hit.any())

    def pairs(self, i: int) -> NDArray[np.int64]:
        """Return the (counts[i], 2) touching pairs of query i."""
        return self.triangles[self.rows(i)]

    def __repr__(self) -> str:
        hits = int(self.hit.sum())
        return f"<Collisions of {len(self)} queries, {hits} hit, {len(self.triangles)} triangle pairs>"


@dataclass(frozen=True, eq=False)
class MeshCollisions(PairTable):
    """The pairs of meshes that have pairs of triangles, and those; true when there are any."""

    meshes: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))
    """(n, 2): the pairs of meshes, the lower number first, the same number twice for a mesh with itself; sorted"""

    def pairs(self, a: int, b: int) -> NDArray[np.int64]:
        """Return the (k, 2) pairs of triangles of mesh a and mesh b, in this order."""
        if not all(isinstance(each, int | np.integer) and each >= 0 for each in (a, b)):
            raise IndexError(f"meshes are numbered from 0, so there are none with the numbers {a!r} and {b!r}")
        low, high = min(a, b), max(a, b)
        at = np.flatnonzero((self.meshes[:, 0] == low) & (self.meshes[:, 1] == high))
        if len(at) == 0:
            return self.triangles[:0]
        found = self.triangles[self.rows(int(at[0]))]
        if a <= b:
            return found
        swapped = found[np.lexsort((found[:, 0], found[:, 1])), ::-1]
        swapped.flags.writeable = False
        return swapped

    def __repr__(self) -> str:
        return f"<MeshCollisions of {len(self.meshes)} mesh pairs, {len(self.triangles)} triangle pairs>"


def table_of_keys(counts: NDArray[np.int64], keys: NDArray[np.int64], stats: Stats | None = None) -> PairTable:
    """Return the table of pairs as kernels write them: a's triangle in the upper half of a number."""
    return PairTable(counts, pairs_of_keys(keys), stats)


def contacts_of_arrays(
    segments: NDArray[np.float64], normals: NDArray[np.float64], depths: NDArray[np.float64]
) -> PairContacts:
    """Return the column of contacts, read-only; points are the middles of the segments."""
    points = 0.5 * segments[:, 0] + 0.5 * segments[:, 1]
    for array in (segments, points, normals, depths):
        array.flags.writeable = False
    return PairContacts(segments, points, normals, depths)


def joined(tables: list[PairTable]) -> PairTable:
    """Return the table of several lists of queries as that of one list; curves and impacts are left out."""
    if len(tables) == 1:
        return tables[0]
    counts = np.concatenate([np.empty(0, np.int64), *(table.counts for table in tables)])
    triangles = np.concatenate([np.empty((0, 2), np.int64), *(table.triangles for table in tables)])
    columns = total([table.stats for table in tables]), _all_contacts(tables), _all_distances(tables)
    return PairTable(counts, triangles, *columns)


def _all_contacts(tables: list[PairTable]) -> PairContacts | None:
    parts = [table.contacts for table in tables if table.contacts is not None]
    if not parts or len(parts) < len(tables):
        return None
    segments, points = (np.concatenate([getattr(part, name) for part in parts]) for name in ("segments", "points"))
    normals, depths = (np.concatenate([getattr(part, name) for part in parts]) for name in ("normals", "depths"))
    return frozen_record(PairContacts, segments, points, normals, depths)


def _all_distances(tables: list[PairTable]) -> PairDistances | None:
    parts = [table.distances for table in tables if table.distances is not None]
    if not parts:
        return None
    points = np.concatenate([part.points for part in parts])
    return PairDistances(np.concatenate([part.distances for part in parts]), points)


def total(parts: list[Stats | None]) -> Stats | None:
    """Return the sum of counters, or None where something was not counted."""
    counted = [part for part in parts if part is not None]
    if not counted or len(counted) < len(parts):
        return None
    return Stats(*(sum(getattr(part, column.name) for part in counted) for column in fields(Stats)))


NOTHING = Collision(pairs_of_keys(np.empty(0, np.int64)))
"""no pairs, and no stats"""
NO_STATS = Stats(0, 0, 0, 0, 0)
