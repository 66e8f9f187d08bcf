"""Entry points of the walk of boxtrees: one query by addresses, many in one kernel, and a call from Python.

A query is a number: how many pairs were found, or a negative code, which `count_of` turns into an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import boolean, float64, int64
from numpy.typing import NDArray

from tumble.core.interrupts import COUNTED, NO_MEMORY, REFUSED
from tumble.core.jit import external, fixed_kernel, inlined_kernel
from tumble.core.limits import check_pairs
from tumble.core.simd.memory import address_of, int64_at, set_int64
from tumble.core.simd.stack_memory import from_heap, scratch, to_heap
from tumble.errors import OptionError
from tumble.hierarchy.boxtree.header import NODE_COUNT
from tumble.mesh.rigid import as_rigid
from tumble.mesh.rigid_kernel import POSE_WORDS, own_pose
from tumble.query.answer import NOTHING, Collision, Stats
from tumble.query.run import pairs_in_buffer
from tumble.traversal.boxtree.axes import TABLE_WORDS, describe
from tumble.traversal.boxtree.intervals import SETUP_WORDS
from tumble.traversal.boxtree.overlaps import (
    DEFAULT_OVERLAP,
    LOOKUP,
    PLAIN,
    TEST_BITS,
    TWO_PLANES,
    WHOLE,
    overlap_number,
)
from tumble.traversal.boxtree.relation import RELATION_WORDS, connect
from tumble.traversal.boxtree.two_planes import TwoPlanes
from tumble.traversal.boxtree.walk import stack_words, walk_boxtrees
from tumble.traversal.boxtree.whole_offsets import WholeOffsets
from tumble.traversal.packed.each import QUERIES, ask, may_repeat, query_each
from tumble.traversal.packed.query import write_pairs

if TYPE_CHECKING:
    from tumble.hierarchy.boxtree import BoxTree

FIRST_CAPACITY = 1 << 14
LARGEST_KEPT = 1 << 20
IDENTITY = np.eye(4)
# Buffers for pairs, as in `tumble.api.collide`: new memory for each query would cost a microsecond.
_spare: list[NDArray[np.int64]] = []
POSE = float64[:, ::1]


@external(int64(int64, int64, int64, int64, float64, int64, int64, float64, int64, int64, int64, int64))
def boxtree_query(
    overlap, pre_transformed, tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity, counts
):
    """Find the touching triangles of two boxtrees under two checked poses; the twin of `traversal.packed.query`."""
    relation, setup = scratch(RELATION_WORDS), scratch(SETUP_WORDS)
    if int64_at(tree_a, NODE_COUNT) == 0 or int64_at(tree_b, NODE_COUNT) == 0:
        return 0
    if not connect(tree_a, pose_a, tree_b, pose_b, deviation_a + deviation_b, relation):
        return 0
    flags, number = overlap & ~TEST_BITS, overlap & TEST_BITS
    words = stack_words(number)
    frames = from_heap(words + (TABLE_WORDS if number == LOOKUP else 0))
    if frames == 0:
        return NO_MEMORY
    table = frames + 8 * words
    describe(number, tree_a, tree_b, relation, setup, table)
    found = walk_boxtrees(
        number, flags, pre_transformed, frames, setup, table,
        tree_a, pose_a, tree_b, pose_b, first, keys, capacity, counts,
    )  # fmt: skip
    to_heap(frames)
    return found


@inlined_kernel
def own_array(pose, place):
    """Copy an array, whatever its shape, and check the copy."""
    return own_pose(address_of(pose), place) if pose.shape[0] == 4 and pose.shape[1] == 4 else float(REFUSED)


@fixed_kernel(int64(int64, int64, POSE, POSE, int64, int64[::1], int64[::1]))
def describe_test(tree_a, tree_b, pose_a, pose_b, overlap, setup, table):
    """Write what a query's walk starts from: `setup`, and `table` if the test is lookup; for tests and counts.

    Returns 1, or 0 when the balls about the meshes are apart, or REFUSED.
    """
    a, b, relation = scratch(POSE_WORDS), scratch(POSE_WORDS), scratch(RELATION_WORDS)
    deviation_a, deviation_b = own_array(pose_a, a), own_array(pose_b, b)
    if deviation_a < 0.0 or deviation_b < 0.0 or setup.size < SETUP_WORDS or table.size < TABLE_WORDS:
        return REFUSED
    if not connect(tree_a, a, tree_b, b, deviation_a + deviation_b, relation):
        return 0
    describe(overlap, tree_a, tree_b, relation, address_of(setup), address_of(table))
    return 1


@fixed_kernel(int64(int64, int64, POSE, POSE, boolean, int64, boolean, int64[::1]))
def all_hits(tree_a, tree_b, pose_a, pose_b, first, overlap, pre_transformed, keys):
    """Return the number of touching pairs, or REFUSED.

    The first `COUNTED` words of `keys` get what the traversal did, the others the pairs, as far as they fit.
    """
    address = address_of(keys)
    for k in range(COUNTED):
        set_int64(address, k, 0)
    a, b = scratch(POSE_WORDS), scratch(POSE_WORDS)
    deviation_a, deviation_b = own_array(pose_a, a), own_array(pose_b, b)
    if tree_a == 0 or tree_b == 0 or deviation_a < 0.0 or deviation_b < 0.0:
        return REFUSED
    return boxtree_query(
        overlap, 1 if pre_transformed else 0, tree_a, a, deviation_a, tree_b, b, deviation_b,
        1 if first else 0, address + 8 * COUNTED, keys.size - COUNTED, address,
    )  # fmt: skip


class BoxtreeEngine(NamedTuple):
    """The walk of boxtrees: the number of its overlap test, and whether states are computed ahead of the pairs."""

    overlap: int
    pre_transformed: int


@ask.register(BoxtreeEngine)
def _ask(engine, tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity):
    return boxtree_query(
        engine.overlap, engine.pre_transformed,
        tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity, 0,
    )  # fmt: skip


@may_repeat.register(BoxtreeEngine)
def _may_repeat(engine, tree_a, tree_b):
    return False


@fixed_kernel(int64(int64, int64, *QUERIES))
def query_boxtrees(
    overlap, pre_transformed,
    trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys,
):  # fmt: skip
    """Ask as `query_each` does."""
    return query_each(
        BoxtreeEngine(overlap, pre_transformed),
        trees_a, poses_a, deviations_a, trees_b, poses_b, deviations_b, pairs, start, stop, first, counts, keys,
    )  # fmt: skip


def boxtree_collide(
    tree_a: BoxTree | TwoPlanes,
    tree_b: BoxTree | WholeOffsets | TwoPlanes,
    pose_a: NDArray[np.float64] | None = None,
    pose_b: NDArray[np.float64] | None = None,
    first: bool = False,
    overlap: str = DEFAULT_OVERLAP,
    pre_transformed: bool = True,
    stats: bool = False,
    plain: bool = False,
) -> Collision:
    """Return the touching triangles of two boxtrees under 4×4 poses, plain and writable arrays of this call alone.

    The kernel checks that they are rigid, and may run twice: what it reads must not change in between.

    overlap  the test of two nodes: axis, lookup, sat, sat-lite
    pre_transformed    compute the children's intervals once for all their pairs (Section 3.2.5), or once for each pair
    plain    end by end instead of by vectors: slower, and does the same

    Only the test lookup can walk a tree b of whole offsets; trees of two planes are walked end by end.
    """
    number = overlap_number(overlap) | form_of(tree_a, tree_b)
    if plain:
        number |= PLAIN
    if number & WHOLE and number & TEST_BITS != LOOKUP:
        raise OptionError(f"whole offsets are numbers of table entries, which the overlap test {overlap!r} has not")
    at_a, at_b = IDENTITY if pose_a is None else pose_a, IDENTITY if pose_b is None else pose_b
    arguments = (tree_a.address, tree_b.address, at_a, at_b, bool(first), number, bool(pre_transformed))
    try:
        buffer = _spare.pop()
    except IndexError:
        buffer = np.empty(FIRST_CAPACITY, np.int64)
    found = all_hits(*arguments, buffer)
    if not 0 <= found <= len(buffer) - COUNTED:
        buffer, found = pairs_in_buffer(
            lambda buffer: all_hits(*arguments, buffer), FIRST_CAPACITY, lambda: (as_rigid(pose_a), as_rigid(pose_b))
        )
    if found == 0 and not stats:
        _spare.append(buffer)
        return NOTHING
    check_pairs(found)  # a spare buffer may be larger than the current limit
    pairs = np.empty((found, 2), np.int64)
    write_pairs(buffer, pairs)
    pairs.flags.writeable = False
    collision = Collision(pairs, stats_of_walk(buffer, found) if stats else None)
    if len(buffer) <= LARGEST_KEPT:
        _spare.append(buffer)
    return collision


def form_of(tree_a: object, tree_b: object) -> int:
    """Return the flags that say how two trees keep their planes."""
    two = isinstance(tree_a, TwoPlanes) + isinstance(tree_b, TwoPlanes)
    if two == 1 or isinstance(tree_a, WholeOffsets):
        raise OptionError(
            "either both trees of a query have two planes in a node or neither, and a has no table entries"
        )
    return TWO_PLANES | PLAIN if two else WHOLE if isinstance(tree_b, WholeOffsets) else 0


def stats_of_walk(buffer: NDArray[np.int64], hits: int) -> Stats:
    """Return what the walk did, as a record: a turn opens one pair of nodes and tests up to four."""
    opened, overlaps, leaf_overlaps, triangle_tests, tests = buffer[:COUNTED].tolist()
    return Stats(opened, tests, overlaps, leaf_overlaps, hits, 0, triangle_tests)
