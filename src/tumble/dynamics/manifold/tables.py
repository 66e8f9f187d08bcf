"""What kernels of this folder do with their memory: a hash table with open addressing, rows of vectors."""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.workspace import EMPTY, SIDE_A, SIDE_B


@inlined_kernel
def mixed(x, y):
    """Return a hash of two numbers that is not negative: EMPTY, −1, is never a key."""
    # The hash stands for the numbers themselves: of 10⁵ keys two are the same by chance once in 10⁹ body pairs.
    h = (np.int64(x) + 0x2545F491) * np.int64(-7046029254386353131) + np.int64(y)
    h = (h ^ (h >> 32)) * np.int64(-4658895280553007687)
    h = (h ^ (h >> 29)) * np.int64(-7723592293110705685)
    return (h ^ (h >> 32)) & 0x7FFFFFFFFFFFFFFF


@kernel
def mask_for(pairs):
    """Return a mask for a table of eight keys per pair that stays at most half full, so that probes are short."""
    size = 16
    while size < 16 * pairs:
        size *= 2
    return size - 1


@inlined_kernel
def slot_of(entries, mask, key):
    """Return where a key is in the first mask + 1 places of a table, or the empty place where it would be."""
    slot = key & mask
    while entries[slot, col.KEY] != key and entries[slot, col.KEY] != EMPTY:
        slot = (slot + 1) & mask
    return slot


@inlined_kernel
def insert(joints, slot, key, value, count):
    """Put a key with a value in an empty place; return the new number of keys."""
    joints.entries[slot, col.KEY], joints.entries[slot, col.VALUE] = key, value
    joints.used[count] = slot
    return count + 1


@kernel
def clear(work, pair):
    """Empty the table and the indices of a body pair, entry by entry."""
    joints, nodes, faces, counts = work.joints, work.nodes, work.faces, work.counts
    for k in range(counts[col.JOINTS]):
        joints.entries[joints.used[k], col.KEY] = EMPTY
    for node in range(counts[col.NODES]):
        nodes.of_vertex[nodes.facts[node, col.SIDE], nodes.facts[node, col.VERTEX]] = EMPTY
    for k in range(pair.triangles.shape[0]):
        faces.state[SIDE_A, pair.first_a + pair.triangles[k, 0]] = EMPTY
        faces.state[SIDE_B, pair.first_b + pair.triangles[k, 1]] = EMPTY
    for k in range(counts[col.FLOODED]):
        faces.state[faces.flooded[k, col.FLOODED_SIDE], faces.flooded[k, col.FLOODED_FACE]] = EMPTY


@inlined_kernel
def triple(array, k, column):
    """Return three neighbouring numbers of a row."""
    return array[k, column], array[k, column + 1], array[k, column + 2]


@inlined_kernel
def put_triple(array, k, column, values):
    """Write three neighbouring numbers of a row."""
    array[k, column], array[k, column + 1], array[k, column + 2] = values
