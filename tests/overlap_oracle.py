"""Slow judges of what two solids have in common, in whole numbers and fractions; no code of the kernels.

Grids: unions of boxes or cells on a grid, counted cell by cell; a linear map of whole numbers changes volumes by its
determinant. Hulls: the corners of A ∩ B are the points where three planes meet that no plane of either cuts off; cones
over its facets give the volume. The smallest shift that parts two hulls is the nearest facet of A - B, whose normal is
one of a facet of A or B, or a cross product of two edges.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np

from solid_oracle import grid_of_blocks, grid_of_cells, hull_mesh


class Shared(NamedTuple):
    """What two solids have in common: exactly, as fractions."""

    volume: Fraction
    centroid: tuple[Fraction, ...]
    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]


def shared_cells(cells, matrix, shift, factor):
    """What is common, from an array of cells of both, mapped by x → (matrix x + shift) factor; None: nothing."""
    places = np.argwhere(cells)
    if len(places) == 0:
        return None
    corners = np.concatenate([places + step for step in product((0, 1), repeat=3)]) @ matrix.T + shift
    middles = (2 * places + 1).sum(axis=0)  # twice the sum of the middles
    middle = [Fraction(int(n), 2 * len(places)) for n in middles]
    factor = Fraction(factor)
    centroid = tuple((sum(int(matrix[i, k]) * middle[k] for k in range(3)) + int(shift[i])) * factor for i in range(3))
    volume = len(places) * abs(round(np.linalg.det(matrix))) * factor**3
    low, high = (tuple(int(n) * factor for n in getattr(corners, f)(axis=0)) for f in ("min", "max"))
    return Shared(volume, centroid, low, high)


def common_cells(kind, one, other, size):
    """Which cells two unions of blocks, or of cells, both have."""
    grid = {"blocks": grid_of_blocks, "cells": grid_of_cells}[kind]
    (inside_a, _), (inside_b, _) = grid(one, size), grid(other, size)
    return (inside_a & inside_b)[1:-1, 1:-1, 1:-1]


# Hulls


def planes_of(hull):
    """The planes of a hull, as (normal, offset) with normal · x <= offset inside, in whole numbers."""
    points, _, normals = hull
    whole = points.astype(int)
    return [(tuple(map(int, n)), int((whole @ n).max())) for n in normals]


def solve(planes):
    """The point that three planes have in common, or None."""
    rows = [[Fraction(x) for x in normal] + [Fraction(offset)] for normal, offset in planes]
    for k in range(3):
        pivot = next((r for r in range(k, 3) if rows[r][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(3):
            if r != k and rows[r][k] != 0:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
    return tuple(row[3] for row in rows)


def dot(u, v):
    return sum(x * y for x, y in zip(u, v, strict=True))


def cross(u, v):
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def minus(u, v):
    return tuple(x - y for x, y in zip(u, v, strict=True))


def shared_hulls(one, other):
    """What two hulls have in common; None without volume."""
    planes = list(dict.fromkeys(planes_of(one) + planes_of(other)))
    corners = set()
    for three in combinations(planes, 3):
        point = solve(three)
        if point is not None and all(dot(normal, point) <= offset for normal, offset in planes):
            corners.add(point)
    if len(corners) < 4:
        return None
    centre = tuple(sum(p[k] for p in corners) / len(corners) for k in range(3))
    volume, moment, done = Fraction(0), [Fraction(0)] * 3, set()
    for normal, offset in planes:
        face = frozenset(p for p in corners if dot(normal, p) == offset)
        if len(face) < 3 or face in done:
            continue
        done.add(face)
        ring = _ring(list(face), normal)
        for q, r in pairwise(ring[1:]):
            p = ring[0]
            cone = abs(dot(minus(p, centre), cross(minus(q, centre), minus(r, centre))) / 6)
            volume += cone
            for k in range(3):
                moment[k] += cone * (centre[k] + p[k] + q[k] + r[k]) / 4
    if volume == 0:
        return None
    low, high = (tuple(f(p[k] for p in corners) for k in range(3)) for f in (min, max))
    return Shared(volume, tuple(m / volume for m in moment), low, high)


def _ring(points, normal):
    """The corners of a convex polygon in the order of their angles about the first two, by signs of cross products."""
    start = min(points)
    rest = [p for p in points if p != start]
    for i in range(1, len(rest)):
        for j in range(i, 0, -1):
            if dot(cross(minus(rest[j - 1], start), minus(rest[j], start)), normal) < 0:
                rest[j - 1], rest[j] = rest[j], rest[j - 1]
            else:
                break
    return [start, *rest]


def square_of_depth(one, other):
    """The square of the smallest shift that parts two hulls that overlap, as a fraction."""
    (points_a, faces_a, normals_a), (points_b, faces_b, normals_b) = one, other
    a, b = points_a.astype(int), points_b.astype(int)
    edges = [
        {tuple((points[j] - points[i]).tolist()) for face in faces for i, j in combinations(face.tolist(), 2)}
        for points, faces in ((a, faces_a), (b, faces_b))
    ]
    axes = [*normals_a, *(-np.asarray(n) for n in normals_b)]
    axes += [sign * np.cross(u, v) for u in edges[0] for v in edges[1] for sign in (1, -1)]
    best = None
    for axis in axes:
        square = int(axis @ axis)
        if square:
            # a shift of b along the axis by (max a - min b) / |axis|: no b is left below the highest a
            reach = int((a @ axis).max() - (b @ axis).min())
            depth = Fraction(reach * reach, square)
            best = depth if best is None else min(best, depth)
    return best


def random_hull(rng, size):
    while True:
        hull = hull_mesh(rng.integers(0, size + 1, (int(rng.integers(4, 8)), 3)) + rng.integers(-1, 2, 3))
        if hull is not None:
            return hull
