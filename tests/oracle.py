"""The slow judge of what touches: plain, exact, and sharing neither code nor method with the kernels.

Two closed triangles touch when some point is a convex combination of the vertices of both. That is a linear
programme with six weights, and nothing in it cares whether a triangle is flat, a segment or a point:

    find w >= 0 with  w0 + w1 + w2 = 1,  w3 + w4 + w5 = 1,  w0 a0 + w1 a1 + w2 a2 = w3 b0 + w4 b1 + w5 b2

The simplex method solves it on Python's unbounded integers (a float64 is an integer times a power of two, and
stretching an axis by a power of two, for both triangles alike, changes no answer). It ends with a proof: the
weights of a common point, or an axis on which the two projections leave a gap. The proof, not the search, is
what the judge trusts: it is checked every time.

`integer_triangles_touch` is a second judge, by separating axes, for many triangles on a small integer grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Point = Sequence[int]

# Rows: three coordinates of the common point, then the two sums of weights.
ROWS, WEIGHTS = 5, 6

# For the integer judge: its longest product, corner . ((edge x edge) x edge), then stays below 2**56.
GRID_LIMIT = 4096


def triangles_touch(t1: Any, t2: Any) -> bool:
    """Whether two closed triangles, 3 x 3 finite floats each, share at least one point."""
    numbers = [float(x) for triangle in (t1, t2) for vertex in triangle for x in vertex]
    points = _scaled_points(numbers)
    if len(points) != 6:
        raise ValueError(f"two triangles have 18 coordinates, got {len(numbers)}")
    return _integer_points_touch(points[:3], points[3:])


def pose_points(points: Any, pose: Any = None) -> np.ndarray:
    """Every point as float64 x' = ((R00*x + R01*y) + R02*z) + t0 and so on; pose is 4 x 4, 3 x 4 or None."""
    rows = [[float(x) for x in point] for point in points]
    if pose is not None:
        matrix = [[float(x) for x in row] for row in pose][:3]
        rows = [[((r[0] * x + r[1] * y) + r[2] * z) + r[3] for r in matrix] for x, y, z in rows]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def touching_pairs(
    vertices_a: Any, faces_a: Any, vertices_b: Any, faces_b: Any, pose_a: Any = None, pose_b: Any = None
) -> np.ndarray:
    """All pairs (triangle of a, triangle of b) that touch once posed, as sorted (k, 2) int64."""
    posed_a, posed_b = pose_points(vertices_a, pose_a), pose_points(vertices_b, pose_b)
    faces_a, faces_b = (np.asarray(f, dtype=np.int64).reshape(-1, 3) for f in (faces_a, faces_b))
    points = _scaled_points([*posed_a.ravel().tolist(), *posed_b.ravel().tolist()])
    points_a, points_b = points[: len(posed_a)], points[len(posed_a) :]
    hits = [
        (i, j)
        for i, j in _box_pairs(posed_a[faces_a], posed_b[faces_b])
        if _integer_points_touch([points_a[v] for v in faces_a[i]], [points_b[v] for v in faces_b[j]])
    ]
    return np.array(hits, dtype=np.int64).reshape(-1, 2)


def _scaled_points(numbers: list[float]) -> list[list[int]]:
    """The same points, each axis stretched by the smallest power of two that makes it integer."""
    axes = []
    for k in range(3):
        ratios = [x.as_integer_ratio() for x in numbers[k::3]]
        scale = max((d for _, d in ratios), default=1)
        axes.append([n * (scale // d) for n, d in ratios])
    return [list(point) for point in zip(*axes, strict=True)]


def _box_pairs(a: np.ndarray, b: np.ndarray) -> Iterator[tuple[int, int]]:
    """Pairs whose axis-aligned boxes share a point, in order; comparisons only, so nothing is rounded."""
    order = np.argsort(b[:, :, 0].min(axis=1), kind="stable")
    low_b, high_b = b.min(axis=1)[order], b.max(axis=1)[order]
    # A box that meets [low, high] starts at most one width before it; two widths leave room for rounding.
    width = 2 * (high_b - low_b)[:, 0].max(initial=0.0)
    low_a, high_a = a.min(axis=1), a.max(axis=1)
    starts = np.searchsorted(low_b[:, 0], low_a[:, 0] - width, side="left")
    stops = np.searchsorted(low_b[:, 0], high_a[:, 0], side="right")
    for i, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        near = (low_a[i] <= high_b[start:stop]) & (low_b[start:stop] <= high_a[i])
        for j in np.sort(order[start:stop][near.all(axis=1)]).tolist():
            yield i, j


def _integer_points_touch(a: Sequence[Point], b: Sequence[Point]) -> bool:
    for k in range(3):
        p, q = [v[k] for v in a], [v[k] for v in b]
        if max(p) < min(q) or max(q) < min(p):
            return False
    touch, proof = find_proof(a, b)
    assert proves_contact(a, b, proof) if touch else proves_gap(a, b, proof), (a, b, touch, proof)
    return touch


def proves_contact(a: Sequence[Point], b: Sequence[Point], weights: Sequence[int]) -> bool:
    """Whether the six weights, none negative, name the same point of both hulls (sums equal and positive)."""
    u, v = weights[:3], weights[3:]
    same = all(
        sum(w * p[k] for w, p in zip(u, a, strict=True)) == sum(w * p[k] for w, p in zip(v, b, strict=True))
        for k in range(3)
    )
    return same and min(weights) >= 0 and sum(u) == sum(v) > 0


def proves_gap(a: Sequence[Point], b: Sequence[Point], axis: Sequence[int]) -> bool:
    """Whether the projections of the two triangles on the axis are apart."""
    x, y, z = axis
    heights_a = [x * p[0] + y * p[1] + z * p[2] for p in a]
    heights_b = [x * p[0] + y * p[1] + z * p[2] for p in b]
    return max(heights_a) < min(heights_b) or max(heights_b) < min(heights_a)


def find_proof(a: Sequence[Point], b: Sequence[Point]) -> tuple[bool, list[int]]:
    """True and the weights of a common point, or False and an axis with a gap, by the simplex method.

    Columns are the six weights, then one artificial variable per row, then the right-hand side. The tableau
    holds integers over one common denominator, the last pivot, so every division is exact.
    """
    table = [[p[k] for p in a] + [-p[k] for p in b] for k in range(3)] + [
        [1, 1, 1, 0, 0, 0],
        [0, 0, 0, 1, 1, 1],
    ]
    goal = [sum(column) for column in zip(*table, strict=True)] + [0] * ROWS + [2]
    for i, row in enumerate(table):
        row += [int(i == k) for k in range(ROWS)] + [int(i >= 3)]
    basis, denominator = list(range(WEIGHTS, WEIGHTS + ROWS)), 1
    # Bland's rule, the first column that helps and the first basic variable among equals, never cycles.
    while (column := next((j for j in range(WEIGHTS) if goal[j] > 0), None)) is not None:
        leaving = _leaving_row(table, basis, column)
        pivot_row, pivot = table[leaving], table[leaving][column]
        for row in (*table, goal):
            if row is not pivot_row:
                factor = row[column]
                row[:] = [(pivot * x - factor * y) // denominator for x, y in zip(row, pivot_row, strict=True)]
        basis[leaving], denominator = column, pivot
    if goal[-1] > 0:
        return False, [goal[WEIGHTS + k] + denominator for k in range(3)]
    level = dict(zip(basis, (row[-1] for row in table), strict=True))
    return True, [level.get(j, 0) for j in range(WEIGHTS)]


def _leaving_row(table: list[list[int]], basis: list[int], column: int) -> int:
    """The row with the smallest ratio of right-hand side to positive entry; of equals, the first variable."""
    best = -1
    for i, row in enumerate(table):
        if row[column] > 0:
            left, right = (row[-1] * table[best][column], table[best][-1] * row[column]) if best >= 0 else (0, 1)
            if left < right or (left == right and basis[i] < basis[best]):
                best = i
    return best


def integer_triangles_touch(a: np.ndarray, b: np.ndarray, chunk: int = 1 << 15) -> np.ndarray:
    """Whether a[i] and b[i] touch, for (n, 3, 3) integer triangles with coordinates up to GRID_LIMIT in size.

    They touch unless their projections on some axis leave a gap, and `_axes` lists enough axes.
    """
    a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    for name, triangles in (("a", a), ("b", b)):
        if triangles.size and np.abs(triangles).max() > GRID_LIMIT:
            raise ValueError(f"coordinates of {name} must lie within ±{GRID_LIMIT}")
    touch = np.ones(len(a), dtype=bool)
    for start in range(0, len(a), chunk):
        part = slice(start, start + chunk)
        # Coordinate first and pair last, so that every operation runs along the memory.
        touch[part] = _no_gap(np.moveaxis(a[part], 0, -1).copy(), np.moveaxis(b[part], 0, -1).copy())
    return touch


def _no_gap(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    together = np.ones(a.shape[-1], dtype=bool)
    for axis in _axes(a, b):
        p = (a * axis).sum(axis=1)
        q = (b * axis).sum(axis=1)
        together &= (p.max(axis=0) >= q.min(axis=0)) & (q.max(axis=0) >= p.min(axis=0))
    return together


def _axes(a: np.ndarray, b: np.ndarray) -> Iterator[np.ndarray]:
    """Axes of which at least one shows a gap when there is one, for triangles, segments and points alike.

    Let D be the hull of all a_i - b_j. The triangles touch exactly when D contains 0; otherwise there is a
    gap on one of these axes, by the dimension of D:
    3  0 is strictly outside of some facet of D. A facet is a face of a minus a face of b and spans two
       directions: its normal is that of a, that of b, or the cross product of an edge of each.
    2  All edges lie in one plane of directions, whose normal n is a cross product of two edges. Either n
       itself shows the gap, or 0 is in the plane of D, beyond a side of D, which runs along an edge e: n x e.
    1  All edges run along one direction e. Either 0 is off the line of D, and one of e x (coordinate axis)
       shows it, for these span all that is across e; or 0 is on that line, and e shows the gap.
    0  Two points, which differ in a coordinate.
    An axis too many does no harm, for a gap on any axis is a gap: no pair needs to know its dimension.
    """
    units = [np.array(unit).reshape(3, 1) for unit in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    edges_a, edges_b = ([t[i] - t[i - 1] for i in range(3)] for t in (a, b))
    edges = edges_a + edges_b
    yield from units
    yield from edges
    yield from (_cross(e, unit) for e in edges for unit in units)
    normals = [_cross(*edges_a[:2]), _cross(*edges_b[:2])] + [_cross(e, f) for e in edges_a for f in edges_b]
    yield from normals
    plane = normals[0]
    for normal in normals[1:]:
        plane = np.where(plane.any(axis=0), plane, normal)
    yield from (_cross(plane, e) for e in edges)


def _cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])
