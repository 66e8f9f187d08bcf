"""Leaves that `walk` found close to others: their triangles, kept while they wait, and posed where that is needed."""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import float32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND
from tumble.narrow.triangles.certain_pairs import KEPT_WORDS, keep_in_frame
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import POSED_WORDS, keep_leaf, meeting_pairs
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
# What is remembered: which leaf is posed; and, for long thin triangles, which was kept last, in which slot, and
# whether it waits.
POSED, KEPT, SLOT, WAITS = 0, 1, 2, 3
MEMORY_WORDS = 4
# Slots in which leaves are kept while they wait. Behind what is kept of a leaf: its triangles, their parts of keys, the
# tree that it is from, its name, and which lanes of `four_pairs` it has with another leaf of two triangles.
SLOTS = 24
ONE, TWO, OUR_KEYS, SIDE, LEAF, OUR_LANES = (KEPT_WORDS + k for k in (0, 1, 2, 4, 5, 6))
SLOT_WORDS = KEPT_WORDS + 8
SLOT_BYTES = 8 * SLOT_WORDS


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
    kept: int  # memory for singles that are leaves, a slot for each
    memory: int  # of leaves that were kept or posed last
    posed: int  # memory for a leaf, posed, where float32 cannot tell
    tight: int  # memory for its extents; 0: not needed
    elongated: int  # a bit for each tree


@inlined_kernel
def pair_of(walk, waiting):
    """Return what a word on the stack names: side, single's block, lane, and the other block."""
    side, number, node = waiting & 1, waiting >> 1 & BLOCK_MASK, waiting >> NODE_SHIFT
    ours, theirs = (walk.blocks_a, walk.blocks_b) if side == 0 else (walk.blocks_b, walk.blocks_a)
    return side, ours + (node >> 3) * BLOCK_BYTES, node & 7, theirs + number * BLOCK_BYTES


@inlined_kernel
def name_of(waiting):
    """Return a name of the single that waits: nodes of both trees have the same numbers, so the side is part of it."""
    return waiting >> NODE_SHIFT << 1 | waiting & 1


@external(int64(*12 * (int64,)))
def pairs_by_posing(leaf, tree, pose, one, two, other_tree, other_pose, three, four, pairs, memory, posed):
    """Return which of the pairs of two leaves' triangles touch, lanes of `four_pairs`, in the low bits of a number.

    The bits above them say which pairs got past the planes. The first leaf, called `leaf`, stays posed until another
    one is.
    """
    place = scratch(POSED_WORDS)
    if int64_at(memory, POSED) != leaf:
        set_int64(memory, POSED, leaf)
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
def keep_single(walk, waiting, slot):
    """Keep the triangles of a single that is a leaf in the frame of the block that waits with it."""
    side, single, lane, _ = pair_of(walk, waiting)
    tree, other = (walk.tree_a, walk.tree_b) if side == 0 else (walk.tree_b, walk.tree_a)
    one, two = -1 - link(single, CHILD, lane), link(single, SECOND, lane)
    keep_in_frame(tree, one, two, other, walk.frames + side * FRAME_BYTES, slot)
    set_int64(slot, ONE, one)
    set_int64(slot, TWO, two)
    set_int64(slot, OUR_KEYS, one << 32 * (1 - side))
    set_int64(slot, OUR_KEYS + 1, two << 32 * (1 - side))
    set_int64(slot, SIDE, side)
    set_int64(slot, LEAF, name_of(waiting))
    set_int64(slot, OUR_LANES, 0b0001 if two < 0 else 0b0011)


@inlined_kernel
def keep_once(walk, waiting):
    """Keep a leaf, and how far its triangles reach, unless it is the last one that was kept.

    Slots are used in turn: those that waiting leaves are in stay as they are.
    """
    leaf, slot = name_of(waiting), int64_at(walk.memory, SLOT)
    if leaf != int64_at(walk.memory, KEPT):
        if int64_at(walk.memory, WAITS) != 0:
            slot += SLOT_BYTES
            slot = walk.kept if slot == walk.kept + SLOTS * SLOT_BYTES else slot
            set_int64(walk.memory, SLOT, slot)
            set_int64(walk.memory, WAITS, 0)
        set_int64(walk.memory, KEPT, leaf)
        keep_single(walk, waiting, slot)
        tighten(slot, float32_at(walk.relations + (waiting & 1) * RELATION_BYTES, MARGIN), walk.tight)
