"""The triangles of one mesh that meet, and those whose boxes do: what is compared at the leaves of `self_walk`.

Triangles that meet are found four pairs at a time, neighbours by their own test. For boxes, those of the tree are
float32 and contain two triangles; the triangles' own boxes in float64 decide, by comparisons alone. So the pairs are
those of brute force.
"""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.simd.memory import float64_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, FACES, VERTICES
from tumble.hierarchy.packed.over_boxes import BOX_NUMBERS
from tumble.narrow.triangles.adjacent import are_neighbours, meet_in_mesh, neighbours_meet
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import KEPT_WORDS, POSED_WORDS, keep_leaf, meeting_pairs, present_pairs
from tumble.traversal.packed.self_walk import compare, compare_within, walk_blocks

NO_LEAF = -1


class MeetInMesh(NamedTuple):
    """Addresses: what is compared, the memory for it, and the keys that are found."""

    tree: int
    pose: int  # the identity
    kept: int  # the first leaf, posed
    kept_leaf: int  # one word: which leaf that is
    place: int  # the second leaf, posed
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


class BoxPairs(NamedTuple):
    """Addresses: boxes of the triangles, and the keys that are found."""

    boxes: int
    keys: int
    capacity: int


@inlined_kernel
def boxes_meet(boxes, i, j):
    """Tell whether two closed boxes share a point."""
    p, q = BOX_NUMBERS * i, BOX_NUMBERS * j
    return (
        (float64_at(boxes, p) <= float64_at(boxes, q + 3))
        & (float64_at(boxes, q) <= float64_at(boxes, p + 3))
        & (float64_at(boxes, p + 1) <= float64_at(boxes, q + 4))
        & (float64_at(boxes, q + 1) <= float64_at(boxes, p + 4))
        & (float64_at(boxes, p + 2) <= float64_at(boxes, q + 5))
        & (float64_at(boxes, q + 2) <= float64_at(boxes, p + 5))
    )


@inlined_kernel
def keep_if_boxes_meet(step, i, j, found):
    """Keep a pair of triangles if their boxes meet; each pair comes once, in the order in which the walk meets it."""
    return keep_key(step, i, j, found) if boxes_meet(step.boxes, i, j) else found


@compare.register(BoxPairs)
def _compare_boxes(step, node, one, two, three, four, found):
    found = keep_if_boxes_meet(step, one, three, found)
    if two >= 0:
        found = keep_if_boxes_meet(step, two, three, found)
    if four >= 0:
        found = keep_if_boxes_meet(step, one, four, found)
        if two >= 0:
            found = keep_if_boxes_meet(step, two, four, found)
    return found


@compare_within.register(BoxPairs)
def _compare_boxes_within(step, one, two, found):
    return keep_if_boxes_meet(step, one, two, found)


@fixed_kernel(int64(*8 * (int64,)))
def box_pairs_in_blocks(blocks, boxes, start, stop, keys, capacity, limit, count):
    """Write pairs of triangles of one tree whose lowest common block is among these; see `walk_blocks`."""
    return walk_blocks(BoxPairs(boxes, keys, capacity), blocks, start, stop, limit, count)
