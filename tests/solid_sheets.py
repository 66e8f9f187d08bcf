"""Random open surfaces on a grid, and how they lie to solids and to each other, counted unit face by unit face."""

from __future__ import annotations

import numpy as np

from solid_cases import CELLS, GRID, random_blocks
from solid_oracle import (
    APART,
    CROSSING,
    EQUAL,
    TOUCHING,
    Block,
    block_mesh,
    cells_mesh,
    grid_of_blocks,
    grid_of_cells,
    grid_relation,
    random_map,
)

NOTHING = np.zeros((GRID + 2,) * 3, bool)


def random_sheet(rng):
    """A few unit faces of the grid: (vertices, faces) with random diagonals, and the unit faces of each axis."""
    faces = [np.zeros((GRID + 3,) * 3, bool) for _ in range(3)]
    triangles = []
    for _ in range(int(rng.integers(1, 10))):
        axis, low, size = int(rng.integers(3)), rng.integers(0, GRID, 3), rng.integers(1, 4, 3)
        across = [(axis + 1) % 3, (axis + 2) % 3]
        where = [slice(int(low[k]) + 1, min(int(low[k] + size[k]), GRID) + 1) for k in range(3)]
        where[axis] = slice(int(low[axis]) + 1, int(low[axis]) + 2)
        new = np.zeros_like(faces[axis])
        new[tuple(where)] = True
        new &= ~faces[axis]  # each unit face once
        faces[axis] |= new
        for index in np.argwhere(new):
            base, u, v = index - 1, *np.eye(3, dtype=int)[across]
            quad = np.roll([base, base + u, base + u + v, base + v], int(rng.integers(4)), axis=0)
            triangles += [quad[[0, 1, 2]], quad[[0, 2, 3]]]
    points = np.array(triangles, float).reshape(-1, 3)
    if rng.random() < 0.7:
        points, numbers = np.unique(points, axis=0, return_inverse=True)
    else:
        numbers = np.arange(len(points))
    order = rng.permutation(len(triangles))
    return (points, numbers.reshape(-1, 3)[order]), (NOTHING, faces)


def random_solid(rng):
    if rng.random() < 0.5:
        cells = rng.random((CELLS,) * 3) < 0.5
        cells[0, 0, 0] = True
        return cells_mesh(cells, rng), grid_of_cells(cells, GRID)
    whole = Block((0, 0, 0), (GRID,) * 3)
    blocks = [whole] if rng.random() < 0.3 else random_blocks(rng, True)
    return block_mesh(blocks, rng, rng.random() < 0.5), grid_of_blocks(blocks, GRID)


def sheet_relation(one, other):
    """The relation of two surfaces: they cross where one goes on at both sides of a piece of the other's plane."""
    plain = grid_relation(one, other)
    if plain in (APART, EQUAL):
        return plain
    assert plain == TOUCHING
    a, b = one[1], other[1]
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        step_u, step_v = np.eye(3, dtype=int)[u], np.eye(3, dtype=int)[v]
        for edge in np.ndindex(*(np.array(a[0].shape) - 1)):
            if min(edge[u], edge[v]) < 1:
                continue
            # the unit faces that start in this edge: along +u and -u (normal v), along +v and -v (normal u)
            places = [(v, edge), (v, tuple(edge - step_u)), (u, edge), (u, tuple(edge - step_v))]
            has_a, has_b = ([bool(faces[k][tuple(place)]) for k, place in places] for faces in (a, b))
            for first, second in ((has_a, has_b), (has_b, has_a)):
                for wall, rest in (((0, 1), (2, 3)), ((2, 3), (0, 1))):
                    if all(first[k] for k in wall) and all(second[k] and not first[k] for k in rest):
                        return CROSSING
    return plain


def moved_alike(rng, *meshes):
    """Meshes under one map that rounds nothing and changes no relation."""
    matrix = random_map(rng) if rng.random() < 0.5 else np.eye(3, dtype=int)
    factor = float(rng.choice([1.0, 0.5, 2.0**-30]))
    return [((points @ matrix.T) * factor, faces) for points, faces in meshes]
