"""From leaf pairs to touching triangles, exactly: the triangle test of the fast path, and that of neighbours."""

import numpy as np
from numba import int64
from numpy.typing import NDArray

from tumble.core.jit import fixed_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.parallel import run_pieces
from tumble.core.simd.memory import int64_at
from tumble.hierarchy.implicit.posed import Posed
from tumble.hierarchy.packed.header import FACES, VERTICES, WORDS
from tumble.narrow.triangles.adjacent import are_neighbours, neighbours_meet
from tumble.query.bodies import IDENTITY
from tumble.traversal.bulk.sort import sort_keys
from tumble.traversal.packed.query import still_touch

PIECE = 1 << 13


@fixed_kernel(int64(int64, int64, int64[::1], int64, int64))
def keep_touching(world, pose, keys, start, stop):
    """Move the keys of triangles that touch to the front of keys[start:stop]; return how many there are.

    Triangles that share a vertex are of one mesh, and touch if they meet beyond what they share.
    """
    vertices, faces = int64_at(world, VERTICES), int64_at(world, FACES)
    kept = start
    for k in range(start, stop):
        key = keys[k]
        i, j = key >> 32, key & LOWER_HALF
        # vertices of all meshes are numbered through, so neighbours are of one mesh
        if are_neighbours(faces, i, j):
            touch = neighbours_meet(vertices, faces, i, j) != 0
        else:
            touch = still_touch(world, pose, world, pose, key) != 0
        if touch:
            keys[kept] = key
            kept += 1
    return kept - start


def touching(
    posed: Posed, keys: NDArray[np.int64], threads: int, hits: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return the keys of triangles that touch, sorted, and `hits`, of which that is known; `keys` is used up."""
    header = np.zeros(WORDS, np.int64)
    header[VERTICES], header[FACES] = posed.world.vertices.ctypes.data, posed.bodies.faces.ctypes.data

    def run(piece: int) -> NDArray[np.int64]:
        # the identity: vertices are posed already
        start = piece * PIECE
        count = keep_touching(header.ctypes.data, IDENTITY.ctypes.data, keys, start, min(start + PIECE, len(keys)))
        return keys[start : start + count]

    found = run_pieces(run, -(-len(keys) // PIECE), threads)
    kept = np.concatenate([np.empty(0, np.int64) if hits is None else hits, *found])
    sort_keys(kept, threads)
    return kept
