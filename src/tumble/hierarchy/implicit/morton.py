"""The order of leaves: triangles along a Morton curve through the box of their mesh.

A key contains the 30 bits of the curve, ten for each axis, above the number of the triangle: sorting keys sorts
triangles, and triangles of one cell keep the order of the mesh.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.parallel import run_pieces
from tumble.hierarchy.implicit.joined import JoinedMeshes, PlacedMeshes, run_blocks, span_blocks

CELLS = 1024


def morton_order(bodies: JoinedMeshes, world: PlacedMeshes, threads: int) -> NDArray[np.int32]:
    """Return the triangles of all bodies, those of each in the order of its curve."""
    keys = np.empty(len(bodies.faces), np.int64)
    grids = curve_grids(world)
    run_blocks(write_keys, span_blocks(bodies.first_face), threads, world.local, bodies.faces, grids, keys)
    firsts = bodies.first_face.tolist()

    def sort(tree: int) -> None:
        keys[firsts[tree] : firsts[tree + 1]].sort()

    run_pieces(sort, len(firsts) - 1, threads)
    return (keys & LOWER_HALF).astype(np.int32)


def curve_grids(world: PlacedMeshes) -> NDArray[np.float32]:
    """Return (t, 6): where the grid of each mesh begins, and cells for a unit of twice the coordinates' sum."""
    low, high = ((world.bounds[:, k : k + 3] - world.frame[:3]) * world.frame[3] for k in (0, 3))
    size = 2.0 * (high - low)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # a mesh that is flat along an axis has one layer of cells there
        cells = np.where(size > 0.0, CELLS / size, 0.0)
        grids = np.concatenate([2.0 * low, np.minimum(cells, np.finfo(np.float32).max)], axis=1)
    return np.nan_to_num(grids, nan=0.0, posinf=0.0, neginf=0.0).astype(np.float32)


@inlined_kernel
def spread(x):
    """Put two zero bits between the ten bits of a number."""
    x = (x | x << 16) & 0x030000FF
    x = (x | x << 8) & 0x0300F00F
    x = (x | x << 4) & 0x030C30C3
    return (x | x << 2) & 0x09249249


@kernel
def write_keys(blocks, start, stop, local, faces, grids, keys):
    """Write the keys of the triangles of some blocks: the cell of the middle of a triangle's box, and its number."""
    upper = local.shape[1] - 3  # vertices are points, or boxes
    for k in range(start, stop):
        tree = blocks[k, 0]
        for i in range(blocks[k, 1], blocks[k, 2]):
            p, q, r = faces[i, 0], faces[i, 1], faces[i, 2]
            code = np.int64(0)
            for axis in range(3):
                low, high = local[p, axis], local[p, upper + axis]
                low, high = min(low, local[q, axis]), max(high, local[q, upper + axis])
                low, high = min(low, local[r, axis]), max(high, local[r, upper + axis])
                doubled = low + high
                cell = np.int64((doubled - grids[tree, axis]) * grids[tree, 3 + axis])
                code |= spread(min(max(cell, 0), CELLS - 1)) << axis
            # the number below the code makes all keys different: the order is the same for every sort
            keys[i] = code << 32 | i
