"""Random pairs of solids with what they have in common, by `overlap_oracle`: many share planes, edges and faces."""

from __future__ import annotations

import numpy as np

from overlap_oracle import common_cells, random_hull, shared_cells, shared_hulls, square_of_depth
from solid_cases import CELLS, GRID, random_blocks
from solid_oracle import block_mesh, cells_mesh, random_map

KINDS = ("blocks", "cells")


def random_case(kind, rng):
    """Two meshes, each (vertices, faces), and what they share: None for nothing."""
    a, b, meshes, size = _CASES[kind](rng)
    matrix = random_map(rng) if rng.random() < 0.5 else np.eye(3, dtype=int)
    shift = rng.integers(-5, 6, 3) * (rng.random() < 0.5)
    factor = float(rng.choice([1.0, 0.5, 2.0**-30, 2.0**40]))
    moved = [((points @ matrix.T + shift) * factor, faces) for points, faces in meshes]
    return *moved, shared_cells(common_cells(kind, a, b, size), matrix, shift, factor)


def _blocks(rng):
    a, b = random_blocks(rng, True), random_blocks(rng, rng.random() < 0.5)
    if rng.random() < 0.15:
        b = a
    return a, b, [block_mesh(blocks, rng, rng.random() < 0.5) for blocks in (a, b)], GRID


def _cells(rng):
    while True:
        a, b = (rng.random((CELLS,) * 3) < rng.choice([0.1, 0.3, 0.6]) for _ in range(2))
        if rng.random() < 0.2:
            b = a | b if rng.random() < 0.5 else a.copy()
        if a.any() and b.any():
            return a, b, [cells_mesh(a, rng), cells_mesh(b, rng)], CELLS


_CASES = {"blocks": _blocks, "cells": _cells}


def random_hulls(rng):
    """Two hulls as meshes, what they share, and the square of the smallest shift that parts them (None: no volume)."""
    one, other = random_hull(rng, 3), random_hull(rng, 3)
    shared = shared_hulls(one, other)
    return one[:2], other[:2], shared, None if shared is None else square_of_depth(one, other)
