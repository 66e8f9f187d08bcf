"""Slow judges of how two solids lie to each other, which share neither code nor method with `tumble.relation`.

Blocks: unions of boxes with whole-number corners, each with a sign. The winding number of a unit cell is the sum of the
signs of the boxes that have it, and everything is counted cell by cell and unit face by unit face. A linear map of
whole numbers makes slanted planes of the grid and changes no relation.

Hulls: convex polyhedra with whole-number corners. A - B is a convex polyhedron whose facets have normals of facets of A
or B, or cross products of their edges; the origin is outside of it, on its surface or inside.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import numpy as np

APART, TOUCHING, CROSSING = "apart", "touching", "crossing"
A_IN_B, B_IN_A, EQUAL = "a_inside_b", "b_inside_a", "equal"
MIRRORED = {A_IN_B: B_IN_A, B_IN_A: A_IN_B}


class Block(NamedTuple):
    """A box [low, high] that counts +1 or -1."""

    low: tuple[int, int, int]
    high: tuple[int, int, int]
    sign: int = 1


def mirrored(relation: str) -> str:
    return MIRRORED.get(relation, relation)


def relation_of_flags(meet: bool, out_a: bool, out_b: bool, touch: bool) -> str:
    if not out_a and not out_b:
        return EQUAL
    if not meet:
        return TOUCHING if touch else APART
    if out_a:
        return CROSSING if out_b else B_IN_A
    return A_IN_B


# Blocks

SIDES = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [2, 3, 7, 6], [1, 2, 6, 5], [0, 4, 7, 3]])
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])


def block_mesh(blocks, rng, merge=False):
    """Vertices and faces of boxes, with random diagonals, in random order; some faces are cut finer."""
    points, triangles = [], []
    for block in blocks:
        low, high = np.array(block.low), np.array(block.high)
        corners = low + CORNERS * (high - low)
        for side in SIDES:
            quad = corners[side]
            if rng.random() < 0.3:  # cut into four about the middle, in halves of the grid
                middle = quad.sum(axis=0) / 4
                found = [[quad[k], quad[(k + 1) % 4], middle] for k in range(4)]
            elif rng.random() < 0.5:
                found = [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
            else:
                found = [[quad[1], quad[2], quad[3]], [quad[1], quad[3], quad[0]]]
            for triangle in found:
                turn = int(rng.integers(3))
                triangle = [*triangle[turn:], *triangle[:turn]]
                triangles.append(triangle if block.sign > 0 else triangle[::-1])
    points = np.array(triangles, float).reshape(-1, 3)
    faces = np.arange(len(points)).reshape(-1, 3)
    if merge:
        points, numbers = np.unique(points, axis=0, return_inverse=True)
        faces = numbers.reshape(-1, 3)
    return points, faces[rng.permutation(len(faces))]


def cells_mesh(cells, rng):
    """The surface of a union of unit cells, (n, n, n) bool, as one mesh: merged vertices, random diagonals."""
    filled = np.pad(cells, 1)
    triangles = []
    for axis in range(3):
        for index in np.argwhere(np.diff(filled.astype(int), axis=axis)):
            outward = filled[tuple(index)]  # the cell before the face is the filled one
            base = index.copy()
            base[axis] += 1
            u, v = np.eye(3, dtype=int)[(axis + 1) % 3], np.eye(3, dtype=int)[(axis + 2) % 3]
            quad = [base, base + u, base + u + v, base + v]
            if not outward:
                quad = quad[::-1]
            start = int(rng.integers(2))
            quad = [*quad[start:], *quad[:start]]
            triangles += [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
    points = np.array(triangles, float).reshape(-1, 3) - 1
    points, numbers = np.unique(points, axis=0, return_inverse=True)
    faces = numbers.reshape(-1, 3)
    return points, faces[rng.permutation(len(faces))]


def grid_of_blocks(blocks, size):
    """Winding numbers of cells, and for each axis which unit faces the surface has; both with room all around."""
    winding = np.zeros((size + 2,) * 3, int)
    faces = [np.zeros((size + 3,) * 3, bool) for _ in range(3)]
    for low, high, sign in blocks:
        low, high = np.array(low) + 1, np.array(high) + 1
        winding[low[0] : high[0], low[1] : high[1], low[2] : high[2]] += sign
        for axis in range(3):
            for place in (low[axis], high[axis]):
                where = [slice(low[k], high[k]) for k in range(3)]
                where[axis] = place
                faces[axis][tuple(where)] = True
    return winding != 0, faces


def grid_of_cells(cells, size):
    inside = np.zeros((size + 2,) * 3, bool)
    n = cells.shape[0]
    inside[1 : n + 1, 1 : n + 1, 1 : n + 1] = cells
    faces = [np.zeros((size + 3,) * 3, bool) for _ in range(3)]
    for axis in range(3):
        for index in np.argwhere(np.diff(inside.astype(int), axis=axis)):
            index[axis] += 1
            faces[axis][tuple(index)] = True
    return inside, faces


def grid_relation(one, other):
    """The relation of two solids on one grid."""
    (in_a, faces_a), (in_b, faces_b) = one, other
    meet, out_a, out_b = bool((in_a & in_b).any()), bool((in_a & ~in_b).any()), bool((in_b & ~in_a).any())
    grid_points: list[set] = [set(), set()]
    for axis in range(3):
        for which, faces in enumerate((faces_a, faces_b)):
            for index in np.argwhere(faces[axis]):
                for step in product((0, 1), repeat=3):
                    if step[axis] == 0:
                        grid_points[which].add(tuple((index + step).tolist()))
                foreign, cells = (faces_b, in_b) if which == 0 else (faces_a, in_a)
                if foreign[axis][tuple(index)]:
                    continue
                inside = bool(cells[tuple(index)])  # off the other surface, so both cells at the face agree
                meet |= inside
                if which == 0:
                    out_a |= not inside
                else:
                    out_b |= not inside
    return relation_of_flags(meet, out_a, out_b, bool(grid_points[0] & grid_points[1]))


def random_map(rng):
    """A linear map of whole numbers that is not singular."""
    while True:
        matrix = rng.integers(-2, 3, (3, 3))
        if round(np.linalg.det(matrix)):
            return matrix


# Hulls


def hull_mesh(points):
    """Corners and facets of the convex hull of whole-number points, each facet cut into triangles; None if flat."""
    points = np.unique(np.asarray(points, dtype=np.int64), axis=0)
    planes = {}
    for i, j, k in combinations(range(len(points)), 3):
        normal = np.cross(points[j] - points[i], points[k] - points[i])
        heights = (points - points[i]) @ normal
        if not normal.any() or not heights.any():
            continue
        if (heights >= 0).all():
            normal, heights = -normal, -heights
        if (heights <= 0).all():
            members = tuple(np.flatnonzero(heights == 0).tolist())
            planes.setdefault(members, normal)
    if not planes:
        return None
    faces = []
    for members, normal in planes.items():
        ring = _ring(points[list(members)], normal)
        numbers = [members[k] for k in ring]
        faces += [[numbers[0], numbers[k], numbers[k + 1]] for k in range(1, len(numbers) - 1)]
    return points.astype(float), np.array(faces), list(planes.values())


def _ring(points, normal):
    """The corners of a convex polygon in order, without points in the middle of its edges."""
    start = int(np.lexsort(points.T)[0])
    ring, current = [start], start
    while True:
        best = None
        for k in range(len(points)):
            if (points[k] == points[current]).all():
                continue
            if best is None:
                best = k
                continue
            turn = np.cross(points[best] - points[current], points[k] - points[current]) @ normal
            farther = np.abs(points[k] - points[current]).sum() > np.abs(points[best] - points[current]).sum()
            if turn < 0 or (turn == 0 and farther):
                best = k
        if best == start:
            return ring
        ring.append(best)
        current = best


def hull_relation(one, other):
    """The relation of two hulls as `hull_mesh` returns them."""
    (points_a, faces_a, normals_a), (points_b, faces_b, normals_b) = one, other
    a, b = points_a.astype(np.int64), points_b.astype(np.int64)
    axes = [*normals_a, *normals_b]
    edges = [
        {tuple(points[j] - points[i]) for face in faces for i, j in combinations(face.tolist(), 2)}
        for points, faces in ((a, faces_a), (b, faces_b))
    ]
    axes += [np.cross(u, v) for u in edges[0] for v in edges[1]]
    touch = meet = True
    for axis in axes:
        if not np.any(axis):
            continue
        low, high = a @ axis, b @ axis
        gap = max(low.min() - high.max(), high.min() - low.max())
        touch &= gap <= 0
        meet &= gap < 0
    if not meet:
        return TOUCHING if touch else APART
    out_a, out_b = (
        any(((points @ normal) > (own @ normal).max()).any() for normal in normals)
        for points, own, normals in ((a, b, normals_b), (b, a, normals_a))
    )
    return relation_of_flags(True, out_a, out_b, True)
