"""Random pairs of solids that touch in awkward ways, with their relation by `solid_oracle`."""

from __future__ import annotations

import numpy as np

from solid_oracle import (
    Block,
    block_mesh,
    cells_mesh,
    grid_of_blocks,
    grid_of_cells,
    grid_relation,
    hull_mesh,
    hull_relation,
    random_map,
)

GRID = 4
CELLS = 3
KINDS = ("blocks", "cells", "hulls", "nested")


def random_case(kind, rng):
    """Two meshes, each (vertices, faces), and their relation; many of them touch in awkward ways."""
    one, other, expected = _CASES[kind](rng)
    matrix = random_map(rng) if rng.random() < 0.5 else np.eye(3, dtype=int)
    shift = rng.integers(-5, 6, 3) * (rng.random() < 0.5)
    factor = float(rng.choice([1.0, 0.5, 2.0**-30, 2.0**40]))
    # everything is a small whole number times a power of two, so nothing is rounded
    moved = [((points @ matrix.T + shift) * factor, faces) for points, faces in (one, other)]
    return moved[0], moved[1], expected


def random_blocks(rng, signs):
    blocks = []
    for _ in range(int(rng.integers(1, 4))):
        low = rng.integers(0, GRID, 3)
        high = [int(rng.integers(place + 1, GRID + 1)) for place in low]
        blocks.append(Block(tuple(low.tolist()), tuple(high), -1 if signs and rng.random() < 0.4 else 1))
    return blocks


def _blocks_case(rng):
    a, b = random_blocks(rng, True), random_blocks(rng, rng.random() < 0.5)
    if rng.random() < 0.15:
        b = a
    meshes = (block_mesh(blocks, rng, rng.random() < 0.5) for blocks in (a, b))
    return *meshes, grid_relation(grid_of_blocks(a, GRID), grid_of_blocks(b, GRID))


def _nested_case(rng):
    """Blocks of one solid inside another, which lies inside a larger block of the first: what is a void there?"""
    outer = Block((0, 0, 0), (GRID + 4,) * 3, int(rng.choice([1, -1])))
    within = [
        Block(*(tuple(k + 2 for k in corner) for corner in block[:2]), block[2]) for block in random_blocks(rng, True)
    ]
    b = [Block((1, 1, 1), (GRID + 3,) * 3)]
    a = [outer, *within]
    meshes = (block_mesh(blocks, rng, rng.random() < 0.5) for blocks in (a, b))
    size = GRID + 4
    return *meshes, grid_relation(grid_of_blocks(a, size), grid_of_blocks(b, size))


def _cells_case(rng):
    while True:
        a, b = (rng.random((CELLS,) * 3) < rng.choice([0.1, 0.3, 0.6]) for _ in range(2))
        if rng.random() < 0.2:
            b = a | b if rng.random() < 0.5 else a.copy()
        if a.any() and b.any():
            break
    return cells_mesh(a, rng), cells_mesh(b, rng), grid_relation(grid_of_cells(a, CELLS), grid_of_cells(b, CELLS))


def _hulls_case(rng):
    size, found = int(rng.integers(2, 5)), []
    while len(found) < 2:
        points = rng.integers(0, size + 1, (int(rng.integers(4, 8)), 3)) + rng.integers(-1, 2, 3) * rng.integers(2)
        hull = hull_mesh(points)
        if hull is not None:
            found.append(hull)
    return found[0][:2], found[1][:2], hull_relation(*found)


_CASES = {"blocks": _blocks_case, "cells": _cells_case, "hulls": _hulls_case, "nested": _nested_case}
