"""The slow judge of triangles that share vertices: do they have a point beyond what they share?

The points of two triangles' intersection are those with weights w >= 0 such that

    w0 + w1 + w2 = 1,  w3 + w4 + w5 = 1,  w0 a0 + w1 a1 + w2 a2 = w3 b0 + w4 b1 + w5 b2

and it is spanned by the points of basic solutions: those in which the columns of the positive weights are independent.
All 63 sets of columns are tried, in rational arithmetic. What is shared is convex, so the intersection lies in it
exactly when each of these points does. Nothing here knows of signs, planes or degenerate cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from oracle import triangles_touch

Point = tuple[Fraction, ...]


def solve(columns: Sequence[Sequence[Fraction]], goal: Sequence[Fraction]) -> list[Fraction] | None:
    """The weights of the columns that add up to the goal; None if there are none, or more than one solution."""
    rows = [[*row, right] for row, right in zip(zip(*columns, strict=True), goal, strict=True)]
    count = len(columns)
    for k in range(count):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(len(rows)):
            if r != k and rows[r][k] != 0:
                factor = rows[r][k]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[k], strict=True)]
    if any(row[-1] != 0 for row in rows[count:]):
        return None
    return [rows[k][-1] for k in range(count)]


def spanning_points(a: Sequence[Point], b: Sequence[Point]) -> Iterator[Point]:
    """Points whose convex hull is the intersection of the hulls of a and of b."""
    one, zero = Fraction(1), Fraction(0)
    columns = [(*p, one, zero) for p in a] + [(*(-x for x in p), zero, one) for p in b]
    goal = [zero, zero, zero, one, one]
    for size in range(2, 6):
        for chosen in combinations(range(6), size):
            weights = solve([columns[k] for k in chosen], goal)
            if weights is not None and min(weights) >= 0:
                level = dict(zip(chosen, weights, strict=True))
                yield tuple(sum((level.get(k, zero) * a[k][axis] for k in range(3)), zero) for axis in range(3))


def in_hull(point: Point, corners: Sequence[Point]) -> bool:
    """Whether a point is in the hull of one or two corners, or of three, by weights again."""
    columns = [(*corner, Fraction(1)) for corner in corners]
    goal = [*point, Fraction(1)]
    for size in range(1, len(corners) + 1):
        for chosen in combinations(columns, size):
            weights = solve(chosen, goal)
            if weights is not None and min(weights) >= 0:
                return True
    return False


def meet_in_mesh(vertices: np.ndarray, faces: np.ndarray, i: int, j: int) -> bool:
    """Whether triangles i and j of a mesh meet beyond the vertices that they share by index; all three: always."""
    first, second = faces[i].tolist(), faces[j].tolist()
    shared = set(first) & set(second)
    if len(shared) == 3:
        return True
    if not shared:
        return triangles_touch(vertices[first], vertices[second])
    exact = {v: tuple(Fraction(float(x)) for x in vertices[v]) for v in {*first, *second}}
    feature = [exact[v] for v in shared]
    found = spanning_points([exact[v] for v in first], [exact[v] for v in second])
    return not all(in_hull(point, feature) for point in found)


def meeting_pairs(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """All pairs i < j of triangles of a mesh that meet, by brute force over those whose boxes do."""
    triangles = np.asarray(vertices, float)[faces]
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    hits = []
    for i in range(len(faces)):
        near = (low[i] <= high[i + 1 :]) & (low[i + 1 :] <= high[i])
        hits += [
            (i, j) for j in (i + 1 + np.flatnonzero(near.all(axis=1))).tolist() if meet_in_mesh(vertices, faces, i, j)
        ]
    return np.array(hits, np.int64).reshape(-1, 2)
