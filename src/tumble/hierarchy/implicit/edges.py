"""The edges of a mesh, each once."""

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel


def edges_of(faces: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the edges of faces as `tumble.Candidates.edges`; a face that names a vertex twice has one edge."""
    keys = np.empty(3 * len(faces), np.int64)
    write_edge_keys(faces, keys)
    keys.sort()
    edges = np.empty((len(keys), 2), np.int64)
    edges = edges[: write_edges(keys, edges)].copy()
    edges.flags.writeable = False
    return edges


@kernel
def write_edge_keys(faces, keys):
    """Write the three edges of all faces, the larger vertex in the upper half of a number."""
    for i in range(faces.shape[0]):
        p, q, r = np.int64(faces[i, 0]), np.int64(faces[i, 1]), np.int64(faces[i, 2])
        keys[3 * i] = max(p, q) << 32 | min(p, q)
        keys[3 * i + 1] = max(q, r) << 32 | min(q, r)
        keys[3 * i + 2] = max(r, p) << 32 | min(r, p)


@kernel
def write_edges(keys, edges):
    """Write each of the sorted keys once, the smaller vertex first, without those of one vertex; return how many."""
    count, last = 0, np.int64(-1)
    for k in range(keys.shape[0]):
        key = keys[k]
        one, other = key & 0xFFFFFFFF, key >> 32
        if key != last and one != other:
            edges[count, 0], edges[count, 1] = one, other
            count += 1
        last = key
    return count
