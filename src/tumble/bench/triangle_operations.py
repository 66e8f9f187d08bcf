"""Floating-point operations per triangle pair, for each triangle test, over the pairs that a query really meets.

What is counted: bringing vertices from their meshes' frames to where they are compared (`moving`), and the comparison.
The matrices of the unit-triangle test are there beforehand; the planes of the others are computed for each pair.

    for row in triangle_operations(mesh_a, mesh_b, None, pose_b): print(row.name, row.mean, row.divisions)

Four tests are written here as papers state them, in plain Python and without care for rounding: `unit_triangle` is
Section 3.3 of paper `chip`, the others are what it compares with. It names two tests by number, and the text at hand
lacks its list of references; it says that others compute barycentric coordinates or 4 × 4 determinants. So there are

    intervals       T. Möller, "A fast triangle–triangle intersection test", 1997
    barycentric     T. Möller and B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997, for each edge
    determinants    signed volumes of tetrahedra, for each edge

Points are tuples of three numbers of any kind; of coplanar triangles the tests say False.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.collide import collide
from tumble.bench.operations import Counting, CountingRows, NotCounted, Operations, PairCount, Tally, counted
from tumble.core import linear
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
    from tumble.traversal.every import prepare

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
        self.posed = counted(linear.posed, self.moving)

    def tests(self) -> dict[str, Callable[[int, int], PairCount]]:
        """Return the tests by name; each gives what was moved, what was done, and whether it was decided."""
        return {
            "unit triangle, as published": self._published,
            "unit triangle, with bounds": self._bounded,
            "exact, its float64 stage": self._exact,
            "intervals (Möller 1997)": partial(self._in_frame_of_b, intervals),
            "barycentric (Möller, Trumbore 1997)": partial(self._in_frame_of_b, barycentric),
            "determinants (signed volumes)": partial(self._in_frame_of_b, determinants),
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

    def _in_frame_of_b(self, test: Callable[[Any, Any], bool], i: int, j: int) -> PairCount:
        """Move triangle i into the frame of j, where a test of two triangles compares them."""
        way = CountingRows(np.column_stack([self.frames.a_in_b[:9].reshape(3, 3), self.frames.a_in_b[9:]]), self.moving)
        a = [_numbers(self.posed(way, np.array([vertex]), 0), self.tally) for vertex in self._triangle(0, i)]
        b = [_numbers(vertex, self.tally) for vertex in self._triangle(1, j)]
        test(a, b)
        return self._taken(True)


# The sources of kernels, which take numbers of any kind.
_minus, _dot, _cross = linear.minus.py_func, linear.dot.py_func, linear.cross.py_func
Point = Sequence[Any]
Triangle = Sequence[Point]


def _pierces(p: Point, q: Point) -> bool:
    """Tell whether an edge passes through the unit triangle: Equation 4, which turns round for an edge that falls."""
    if (p[2] >= 0 and q[2] >= 0) or (p[2] <= 0 and q[2] <= 0):
        return False
    x = p[0] * q[2] - q[0] * p[2]
    y = p[1] * q[2] - q[1] * p[2]
    rise = q[2] - p[2]
    if rise > 0:
        return bool(x >= 0 and y >= 0 and x + y <= rise)
    return bool(x <= 0 and y <= 0 and x + y >= rise)


def _edges_pierce(triangle: Triangle, way: Sequence[Any], matrix: Sequence[Any]) -> bool:
    """Carry a triangle into the other's frame by rotation and translation, then by the other's 3×4 matrix."""

    def carried(vertex: Point) -> Point:
        moved = tuple(_dot(way[3 * k : 3 * k + 3], vertex) + way[9 + k] for k in range(3))
        return tuple(_dot(matrix[4 * k : 4 * k + 3], moved) + matrix[4 * k + 3] for k in range(3))

    p, q, r = map(carried, triangle)
    return _pierces(p, q) or _pierces(q, r) or _pierces(r, p)


def unit_triangle(
    a: Triangle,
    matrix_a: Sequence[Any],
    b: Triangle,
    matrix_b: Sequence[Any],
    a_in_b: Sequence[Any],
    b_in_a: Sequence[Any],
) -> bool:
    """Tell whether an edge of a passes through b, or one of b through a; triangles are in their own frames."""
    return _edges_pierce(a, a_in_b, matrix_b) or _edges_pierce(b, b_in_a, matrix_a)


def _plane(triangle: Triangle) -> tuple[Point, Any]:
    normal = _cross(_minus(triangle[1], triangle[0]), _minus(triangle[2], triangle[0]))
    return normal, -_dot(normal, triangle[0])


def _one_side(d: Point) -> bool:
    """Tell whether three distances have one sign, by two products."""
    return bool(d[0] * d[1] > 0 and d[0] * d[2] > 0)


def _interval(at: Point, d: Point) -> tuple[Any, Any]:
    """Return where a triangle with distances d cuts the line on which its vertices project to `at`."""
    if d[0] * d[1] > 0:
        lone, one, other = 2, 0, 1
    elif d[0] * d[2] > 0:
        lone, one, other = 1, 0, 2
    else:
        lone, one, other = 0, 1, 2
    ends = [at[k] + (at[lone] - at[k]) * (d[k] / (d[k] - d[lone])) for k in (one, other)]
    return (ends[0], ends[1]) if ends[0] <= ends[1] else (ends[1], ends[0])


def intervals(a: Triangle, b: Triangle) -> bool:
    """Tell whether two triangles in one frame cut overlapping intervals out of the line of their planes."""
    normal_b, shift_b = _plane(b)
    distances_a = tuple(_dot(normal_b, vertex) + shift_b for vertex in a)
    if _one_side(distances_a):
        return False
    normal_a, shift_a = _plane(a)
    distances_b = tuple(_dot(normal_a, vertex) + shift_a for vertex in b)
    if _one_side(distances_b):
        return False
    line = _cross(normal_a, normal_b)
    axis = 0
    for k in (1, 2):
        if abs(line[k]) > abs(line[axis]):
            axis = k
    if line[axis] == 0:
        return False
    low_a, high_a = _interval(tuple(vertex[axis] for vertex in a), distances_a)
    low_b, high_b = _interval(tuple(vertex[axis] for vertex in b), distances_b)
    return bool(low_a <= high_b and low_b <= high_a)


def _any_edge(meets: Callable[[Point, Point, Triangle], bool], a: Triangle, b: Triangle) -> bool:
    """Tell whether an edge of either triangle meets the other one."""
    return any(meets(p[k], p[(k + 1) % 3], q) for p, q in ((a, b), (b, a)) for k in range(3))


def barycentric(a: Triangle, b: Triangle) -> bool:
    """Tell whether an edge of one triangle passes through the other, by barycentric coordinates."""
    return _any_edge(_edge_by_coordinates, a, b)


def _edge_by_coordinates(p: Point, q: Point, triangle: Triangle) -> bool:
    """Solve p + t (q − p) = a + u (b − a) + v (c − a) by Cramer's rule: t, u and v within their bounds."""
    along, u_edge, v_edge = _minus(q, p), _minus(triangle[1], triangle[0]), _minus(triangle[2], triangle[0])
    normal = _cross(along, v_edge)
    determinant = _dot(u_edge, normal)
    if determinant == 0:
        return False
    inverse = 1 / determinant
    start = _minus(p, triangle[0])
    u = _dot(start, normal) * inverse
    if u < 0 or u > 1:
        return False
    turned = _cross(start, u_edge)
    v = _dot(along, turned) * inverse
    if v < 0 or u + v > 1:
        return False
    t = _dot(v_edge, turned) * inverse
    return bool(t >= 0 and t <= 1)


def determinants(a: Triangle, b: Triangle) -> bool:
    """Tell whether an edge of one triangle passes through the other, by signs of 4 × 4 determinants."""
    return _any_edge(_edge_by_volumes, a, b)


def _volume(p: Point, q: Point, r: Point, s: Point) -> Any:
    """Six times the volume of a tetrahedron: the determinant of four points with a column of ones."""
    return _dot(_minus(p, s), _cross(_minus(q, s), _minus(r, s)))


def _edge_by_volumes(p: Point, q: Point, triangle: Triangle) -> bool:
    """Ends on two sides of the plane, and the three edges all on one side of the line through the ends."""
    a, b, c = triangle
    above, below = _volume(p, a, b, c), _volume(q, a, b, c)
    if (above >= 0 and below >= 0) or (above <= 0 and below <= 0):
        return False
    first, second = _volume(p, q, a, b), _volume(p, q, b, c)
    if (first > 0 and second < 0) or (first < 0 and second > 0):
        return False
    third = _volume(p, q, c, a)
    return bool((first >= 0 and second >= 0 and third >= 0) or (first <= 0 and second <= 0 and third <= 0))
