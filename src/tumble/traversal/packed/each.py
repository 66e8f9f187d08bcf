"""Many queries in one kernel: body against body, pose after pose, into one buffer of keys; for any engine.

An engine is a NamedTuple that names what finds the touching triangles of two trees, like `PackedEngine`, and an
implementation of `ask` for that type; its trees' headers lead to vertices and faces as `hierarchy.packed.header` says.

Neighbouring poses of a motion touch with the same triangles more often than not. So a search for the first hit begins
with the pair that the query before it found; this costs one triangle test and often saves the whole traversal.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int64

from tumble.core.jit import fixed_kernel, generic, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at
from tumble.hierarchy.packed.header import REPEATS
from tumble.mesh.rigid_kernel import POSE_BYTES
from tumble.traversal.packed.query import query, still_touch
from tumble.traversal.packed.sort import sort_keys, unique_keys

KEY_BYTES = 8
FEW_QUERIES = 255  # bits of a query's number that are zero where the loop looks whether to go on
_SIDE = (int64[::1], float64[:, :, ::1], float64[::1])
QUERIES = (*_SIDE, *_SIDE, int64[:, ::1], int64, int64, int64, int64[::1], int64[::1])
"""the types of what `query_each` takes after the engine"""


@generic
def ask(engine, tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity):
    """Write the touching triangles of two trees as keys and return how many there are."""


@generic
def may_repeat(engine, tree_a, tree_b):
    """Tell whether `ask` may find a pair more than once."""


@inlined_kernel
def query_each(
    engine,
    trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys,
):  # fmt: skip
    """Ask for pairs[start:stop] in turn, their keys into one array, sorted for each; return where it ended.

    That is `stop`, or the number of a pair whose keys did not fit; its count says how many there are,
    keys that repeat included. A negative count is not an answer: see `tumble.core.poll`.
    """
    address_a, address_b, place = address_of(poses_a), address_of(poses_b), address_of(keys)
    witness, tree_a, tree_b, used = np.int64(-1), np.int64(0), np.int64(0), np.int64(0)
    for k in range(start, stop):
        if k & FEW_QUERIES == 0 and poll(0) != 0:
            return k
        i, j = pairs[k, 0], pairs[k, 1]
        if trees_a[i] != tree_a or trees_b[j] != tree_b:
            tree_a, tree_b, witness = trees_a[i], trees_b[j], np.int64(-1)
        pose_a, pose_b = address_a + i * POSE_BYTES, address_b + j * POSE_BYTES
        at, free = place + used * KEY_BYTES, keys.size - used
        if first != 0 and witness >= 0 and free > 0 and still_touch(tree_a, pose_a, tree_b, pose_b, witness) != 0:
            keys[used] = witness
            found = np.int64(1)
        else:
            found = ask(engine, tree_a, pose_a, deviations_a[i], tree_b, pose_b, deviations_b[j], first, at, free)
        counts[k] = found
        if found > free or found < 0:
            return k
        if first != 0 and found > 0:
            witness = keys[used]
        if first == 0:
            sort_keys(at, 0, found)
            if may_repeat(engine, tree_a, tree_b):
                found = unique_keys(at, found)
                counts[k] = found
        used += found
    return stop


class PackedEngine(NamedTuple):
    """The fast path, which has no options."""

    options: int


@ask.register(PackedEngine)
def _ask(engine, tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity):
    return query(tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity, 0)


@may_repeat.register(PackedEngine)
def _may_repeat(engine, tree_a, tree_b):
    return float64_at(tree_a, REPEATS) != 0.0 or float64_at(tree_b, REPEATS) != 0.0


@fixed_kernel(int64(*QUERIES))
def query_many(trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys):
    """Ask as `query_each` does."""
    return query_each(
        PackedEngine(0),
        trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys,
    )  # fmt: skip
