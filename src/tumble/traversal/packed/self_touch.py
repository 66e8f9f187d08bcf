"""The triangles of one mesh that meet: the leaves' triangles, four pairs at a time, neighbours by their own test."""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.simd.memory import int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, FACES, VERTICES
from tumble.narrow.triangles.adjacent import are_neighbours, meet_in_mesh, neighbours_meet
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import KEPT_WORDS, POSED_WORDS
from tumble.traversal.packed.aligned import compare
from tumble.traversal.packed.leaves import keep_leaf, meeting_pairs, present_pairs
from tumble.traversal.packed.self_walk import compare_within, walk_blocks

NO_LEAF = -1


class MeetInMesh(NamedTuple):
    """Addresses: what is compared, the memory for it, and the keys that are found."""

    tree: int
    pose: int
    """the identity"""
    kept: int
    """the first leaf, posed"""
    kept_leaf: int
    """one word: which leaf that is"""
    place: int
    """the second leaf, posed"""
    keys: int
    capacity: int


@inlined_kernel
def keep_key(step, i, j, found):
    """Write a pair as one number, the smaller triangle in the upper half, while it fits; count it anyway."""
    if found < step.capacity:
        set_int64(step.keys, found, i << 32 | j if i < j else j << 32 | i)
    return found + 1


@compare.register(MeetInMesh)
def _compare(step, node, one, two, three, four, found):
    # consecutive comparisons often have the same first leaf: pose it once
    if int64_at(step.kept_leaf, 0) != node:
        set_int64(step.kept_leaf, 0, node)
        keep_leaf(step.tree, step.pose, one, two, step.kept)
    word = meeting_pairs(step.tree, step.pose, three, four, step.kept, step.place)
    pairs = present_pairs(two, four) & word
    vertices, faces = int64_at(step.tree, VERTICES), int64_at(step.tree, FACES)
    while pairs != 0:
        pair = lowest_bit(pairs)
        pairs &= pairs - 1
        our, their = (two if pair & 1 else one), (four if pair & 2 else three)
        if our == their:  # two slabs of one triangle
            continue
        # neighbours always touch: they need a test of their own, which leaves out what they share
        if are_neighbours(faces, our, their):
            meet = neighbours_meet(vertices, faces, our, their) != 0
        else:
            meet = open_pair_touch(word, pair, step.kept, step.place)
        if meet:
            found = keep_key(step, our, their, found)
    return found


@compare_within.register(MeetInMesh)
def _compare_within(step, one, two, found):
    if meet_in_mesh(int64_at(step.tree, VERTICES), int64_at(step.tree, FACES), one, two):
        found = keep_key(step, one, two, found)
    return found


@fixed_kernel(int64(*8 * (int64,)))
def meeting_in_blocks(tree, pose, start, stop, keys, capacity, limit, count):
    """Write the meeting triangles of some blocks as keys, and return how far that went; see `walk_blocks`.

    All but block numbers and counts are addresses; `limit` is the capacity, or 0 to stop at the first pair.
    """
    kept_leaf = scratch(1)
    set_int64(kept_leaf, 0, NO_LEAF)
    step = MeetInMesh(tree, pose, scratch(KEPT_WORDS), kept_leaf, scratch(POSED_WORDS), keys, capacity)
    return walk_blocks(step, int64_at(tree, BLOCKS), start, stop, limit, count)
