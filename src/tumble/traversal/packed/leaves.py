"""Leaves that `walk` found close to each other: their triangles, kept, compared and written.

Float32 tells nearly all pairs of triangles, eight at a time; the others are posed, and decided as everywhere.
"""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import bit_count, float32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND
from tumble.narrow.triangles.eight_pairs import OPEN, UNSURE, certain_pairs, keep_in_frame
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import POSED_WORDS, keep_leaf, meeting_pairs, present_pairs
from tumble.narrow.triangles.kept_frame import FRAME_WORDS
from tumble.traversal.packed.nodes import BLOCK_MASK, NODE_SHIFT, RELATION_BYTES, link
from tumble.volume.eight_boxes import MARGIN
from tumble.volume.tight_leaf import tighten

# Behind the two relations lie the two frames, and a bit for each tree whose leaves may be compared with boxes by their
# triangles: all, unless the boxes of the other one are in a frame in which its triangles are not.
FRAMES = 2 * RELATION_BYTES
FRAME_BYTES = 8 * FRAME_WORDS
TIGHT = FRAMES + 2 * FRAME_BYTES
RELATIONS_WORDS = TIGHT // 8 + 1
TIGHT_A, TIGHT_B = 1, 2
LEAF_PAIRS = 0b1111
KEPT, POSED = 0, 1


class Walk(NamedTuple):
    """What stays the same throughout a walk: addresses, and numbers of the query."""

    tree_a: int
    pose_a: int
    tree_b: int
    pose_b: int
    blocks_a: int
    blocks_b: int
    relations: int
    frames: int
    first: int  # not 0: end the search at the first pair
    keys: int
    capacity: int
    kept: int  # memory for the single's leaf
    leaf: int  # which leaf that is, and which is posed
    posed: int  # memory for the single's leaf, posed, where float32 cannot tell
    tight: int  # memory for its extents; 0: not needed
    elongated: int  # a bit for each tree


@inlined_kernel
def pair_of(walk, waiting):
    """Return what a word on the stack names: side, single's block, lane, and the other block."""
    side, number, node = waiting & 1, waiting >> 1 & BLOCK_MASK, waiting >> NODE_SHIFT
    ours, theirs = (walk.blocks_a, walk.blocks_b) if side == 0 else (walk.blocks_b, walk.blocks_a)
    return side, ours + (node >> 3) * BLOCK_BYTES, node & 7, theirs + number * BLOCK_BYTES


@external(int64(*11 * (int64,)))
def pairs_by_posing(tree, pose, one, two, other_tree, other_pose, three, four, pairs, leaf, posed):
    """Return which of the pairs of two leaves' triangles touch, lanes of `four_pairs`, in the low bits of a number.

    The bits above them say which pairs got past the planes. The first leaf stays posed while it is the one kept.
    """
    place = scratch(POSED_WORDS)
    if int64_at(leaf, POSED) != int64_at(leaf, KEPT):
        set_int64(leaf, POSED, int64_at(leaf, KEPT))
        keep_leaf(tree, pose, one, two, posed)
    word = meeting_pairs(other_tree, other_pose, three, four, posed, place)
    pairs &= word
    touching = pairs << LANES
    while pairs != 0:
        pair = lowest_bit(pairs)
        pairs &= pairs - 1
        if open_pair_touch(word, pair, posed, place):
            touching |= 1 << pair
    return touching


@inlined_kernel
def keep_single(walk, side, one, two):
    """Keep the triangles of the single's leaf in the block's frame; they stay while the leaf is the same."""
    keep_in_frame(
        walk.tree_a if side == 0 else walk.tree_b, one, two, walk.frames + side * FRAME_BYTES, walk.kept
    )  # fmt: skip


@inlined_kernel
def touching_lanes(walk, side, one, two, three, four, five, six, present):
    """Test the kept leaf's triangles, one and two, against those of two leaves of the other tree.

    Return the lanes of `eight_pairs` that touch, and how many triangle pairs got past the planes.
    """
    tree, other = (walk.tree_a, walk.tree_b) if side == 0 else (walk.tree_b, walk.tree_a)
    word = certain_pairs(other, three, four, five, six, walk.frames + side * FRAME_BYTES, walk.kept)
    touching, unsure = word & present, word >> UNSURE & present
    tests = bit_count((word >> OPEN & present) ^ unsure)
    # all before any is written: which pairs float32 can tell depends on the machine, the order of pairs must not
    if unsure != 0:
        pose, other_pose = (walk.pose_a, walk.pose_b) if side == 0 else (walk.pose_b, walk.pose_a)
        for second in range(2):
            pairs = unsure >> 4 * second & LEAF_PAIRS
            if pairs != 0:
                x, y = (five, six) if second else (three, four)
                more = pairs_by_posing(
                    tree, pose, one, two, other, other_pose, x, y, pairs, walk.leaf, walk.posed
                )  # fmt: skip
                touching |= (more & LEAF_PAIRS) << 4 * second
                tests += bit_count(more >> LANES)
    return touching, tests


@inlined_kernel
def write_lanes(walk, side, one, two, three, four, five, six, touching, found):
    """Write the pairs of these lanes; return how many are found by now."""
    ours, theirs = 32 * (1 - side), 32 * side
    first, second = one << ours, two << ours
    others = three << theirs, four << theirs, five << theirs, six << theirs
    if walk.first == 0 and found + LANES <= walk.capacity:
        # which lanes touch cannot be predicted: as in `descend`, the next one is written over those that do not
        for lane in range(LANES):
            set_int64(walk.keys, found, (second if lane & 1 else first) | others[lane >> 1])
            found += touching >> lane & 1
        return found
    for lane in range(LANES):
        if touching >> lane & 1 == 0:
            continue
        # a full buffer goes on counting: the caller then knows how large the next one must be
        if found < walk.capacity:
            set_int64(walk.keys, found, (second if lane & 1 else first) | others[lane >> 1])
        found += 1
        if walk.first != 0:
            break
    return found


@inlined_kernel
def keep_once(walk, waiting, side, single, lane):
    """Keep the single's leaf, unless it is kept already; return its triangles."""
    # nodes of both trees have the same numbers, so the side is part of a leaf's name
    leaf = waiting >> NODE_SHIFT << 1 | side
    one, two = -1 - link(single, CHILD, lane), link(single, SECOND, lane)
    if leaf != int64_at(walk.leaf, KEPT):
        set_int64(walk.leaf, KEPT, leaf)
        keep_single(walk, side, one, two)
        if walk.tight != 0:
            tighten(walk.kept, float32_at(walk.relations + side * RELATION_BYTES, MARGIN), walk.tight)
    return one, two


@inlined_kernel
def compare_waiting(walk, waiting, leaves, found):
    """Compare a single that is a leaf with some lanes of a block that are; return how many pairs are found by now."""
    side, single, lane, block = pair_of(walk, waiting)
    one, two = keep_once(walk, waiting, side, single, lane)
    tests = 0
    while leaves != 0:
        other = lowest_bit(leaves)
        leaves &= leaves - 1
        three, four = -1 - link(block, CHILD, other), link(block, SECOND, other)
        five, six, present = three, four, present_pairs(two, four)
        if leaves != 0:
            other = lowest_bit(leaves)
            leaves &= leaves - 1
            five, six = -1 - link(block, CHILD, other), link(block, SECOND, other)
            present |= present_pairs(two, six) << LANES // 2
        touching, more = touching_lanes(walk, side, one, two, three, four, five, six, present)
        tests += more
        found = write_lanes(walk, side, one, two, three, four, five, six, touching, found)
        if walk.first != 0 and found != 0:
            break
    return found, tests
