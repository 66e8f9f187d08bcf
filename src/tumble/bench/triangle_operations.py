"""Floating-point operations per triangle pair, for each triangle test, over the pairs that a query really meets.

What is counted: bringing vertices from their meshes' frames to where they are compared (`moving`), and the comparison.
The matrices of the unit-triangle test are there beforehand; the planes of the others are computed for each pair.

    for row in triangle_operations(mesh_a, mesh_b, None, pose_b): print(row.name, row.mean, row.divisions)
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.collide import collide
from tumble.bench.operations import Counting, CountingRows, NotCounted, Operations, PairCount, Tally, counted
from tumble.bench.plain_triangle_tests import intervals, unit_triangle
from tumble.core.linear import posed
from tumble.mesh import Mesh, as_pose
from tumble.narrow.touch import touch
from tumble.narrow.triangles.exact import points_touch
from tumble.narrow.triangles.unit_frames import UnitFrames, unit_frames
from tumble.narrow.triangles.unit_matrix import unit_matrices
from tumble.narrow.triangles.unit_triangle import UNSURE, verdict_of

MOST_PAIRS = 2000
"""pairs that are counted, spread over all; Python takes its time"""


class AskedPairs(NamedTuple):
    """A triangle test that writes down what it is asked and finds nothing."""

    asked: NDArray[np.int64]
    pairs: NDArray[np.int64]


@touch.register(AskedPairs)
def _touch(test, a, i, b, j, poses):  # type: ignore[no-untyped-def]
    k = test.asked[0]
    if k < test.pairs.shape[0]:
        test.pairs[k, 0] = i
        test.pairs[k, 1] = j
    test.asked[0] = k + 1
    return False


def asked_pairs(
    a: Mesh, b: Mesh, pose_a: ArrayLike | None = None, pose_b: ArrayLike | None = None, method: str = "stack"
) -> NDArray[np.int64]:
    """Return the (n, 2) triangle pairs that a query compares, on boxes with one triangle per leaf, in its order."""
    from tumble.traversal import prepare

    query = prepare(a, b, pose_a, pose_b, method=method, tree="aabb")
    if query is None:
        return np.empty((0, 2), np.int64)
    room = 0
    while True:
        test = AskedPairs(np.zeros(1, np.int64), np.empty((room, 2), np.int64))
        query.narrow = test
        query.count()
        if test.asked[0] <= room:
            return test.pairs
        room = int(test.asked[0])


def triangle_operations(
    a: Mesh,
    b: Mesh,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    most: int = MOST_PAIRS,
    touching: bool = False,
) -> list[Operations]:
    """Count each test over the triangle pairs of a query, or over those that touch; at most so many of them."""
    pairs = collide(a, b, pose_a, pose_b).pairs if touching else asked_pairs(a, b, pose_a, pose_b)
    pairs = pairs[np.linspace(0, len(pairs) - 1, min(most, len(pairs))).astype(np.int64)]
    bench = _Bench(a, b, pose_a, pose_b)
    return [Operations.over([test(i, j) for i, j in pairs.tolist()], name) for name, test in bench.tests().items()]


def _numbers(values: Iterable[Any], tally: Tally) -> tuple[Counting, ...]:
    """The same numbers, which count in a tally of their own from here on."""
    return tuple(Counting(float(value), tally) for value in values)


class _Bench:
    """Two meshes, their poses, and what the tests need of them."""

    def __init__(self, a: Mesh, b: Mesh, pose_a: ArrayLike | None, pose_b: ArrayLike | None) -> None:
        self.meshes = a, b
        poses = as_pose(pose_a), as_pose(pose_b)
        self.poses = [np.eye(4)[:3] if pose is None else pose for pose in poses]
        self.frames = unit_frames(*poses, a.extent, b.extent)
        self.matrices = unit_matrices(a), unit_matrices(b)
        self.moving, self.tally = Tally(), Tally()
        self.ways = [_numbers(way, self.moving) for way in (self.frames.a_in_b, self.frames.b_in_a)]
        self.verdict_of, self.exact = counted(verdict_of, self.tally), counted(points_touch, self.tally)
        self.posed = counted(posed, self.moving)

    def tests(self) -> dict[str, Callable[[int, int], PairCount]]:
        """Return the tests by name; each gives what was moved, what was done, and whether it was decided."""
        return {
            "unit triangle, as published": self._published,
            "unit triangle, with bounds": self._bounded,
            "exact, its float64 stage": self._exact,
            "intervals (Möller 1997)": self._intervals,
        }

    def _triangle(self, side: int, i: int) -> list[tuple[float, ...]]:
        mesh = self.meshes[side]
        return [tuple(vertex) for vertex in mesh.vertices[mesh.faces[i]].tolist()]

    def _matrix(self, side: int, i: int) -> tuple[Counting, ...]:
        return _numbers(self.matrices[side][i], self.tally)

    def _taken(self, decided: bool) -> PairCount:
        return PairCount(self.tally.taken(), moving=self.moving.taken(), decided=decided)

    def _published(self, i: int, j: int) -> PairCount:
        unit_triangle(self._triangle(0, i), self._matrix(0, i), self._triangle(1, j), self._matrix(1, j), *self.ways)
        return self._taken(True)

    def _bounded(self, i: int, j: int) -> PairCount:
        frames = UnitFrames(self.ways[0], self.ways[1], self.frames.bounds_a, self.frames.bounds_b)
        verdict = self.verdict_of(
            *self._triangle(0, i), self._matrix(0, i), *self._triangle(1, j), self._matrix(1, j), frames
        )
        return self._taken(verdict != UNSURE)

    def _placed(self, side: int, i: int) -> Iterator[tuple[Counting, ...]]:
        """Pose a triangle as the exact test does; what follows counts as comparing."""
        mesh, pose = self.meshes[side], CountingRows(self.poses[side], self.moving)
        for vertex in mesh.faces[i].tolist():
            yield _numbers(self.posed(pose, mesh.vertices, vertex), self.tally)

    def _exact(self, i: int, j: int) -> PairCount:
        try:
            self.exact(*self._placed(0, i), *self._placed(1, j))
        except NotCounted:
            return self._taken(False)
        return self._taken(True)

    def _intervals(self, i: int, j: int) -> PairCount:
        way = CountingRows(np.column_stack([self.frames.a_in_b[:9].reshape(3, 3), self.frames.a_in_b[9:]]), self.moving)
        a = [_numbers(self.posed(way, np.array([vertex]), 0), self.tally) for vertex in self._triangle(0, i)]
        b = [_numbers(vertex, self.tally) for vertex in self._triangle(1, j)]
        intervals(a, b)
        return self._taken(True)
