"""Leaves that `walk` found close to others: their triangles, kept while they wait, and posed where that is needed."""

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import float32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, SECOND
from tumble.narrow.triangles.certain_pairs import KEPT_WORDS, keep_in_frame
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import POSED_WORDS, keep_leaf, meeting_pairs
from tumble.traversal.packed.nodes import BLOCK_MASK, NODE_SHIFT, RELATION_BYTES, link
from tumble.traversal.packed.search import FRAME_BYTES, FRAMES, LAST_KEPT, LAST_POSED, LAST_SLOT, LAST_WAITS
from tumble.volume.eight_boxes import MARGIN
from tumble.volume.tight_leaf import tighten

# Slots in which leaves are kept while they wait. Behind what is kept of a leaf: its triangles, their parts of keys, the
# tree that it is from, its name, and which lanes of `four_pairs` it has with another leaf of two triangles.
SLOTS = 24
ONE, TWO, OUR_KEYS, SIDE, LEAF, OUR_LANES = (KEPT_WORDS + k for k in (0, 1, 2, 4, 5, 6))
SLOT_WORDS = KEPT_WORDS + 8
SLOT_BYTES = 8 * SLOT_WORDS


@inlined_kernel
def pair_of(search, waiting):
    """Return what a word on the stack names: side, single's block, lane, and the other block."""
    side, number, node = waiting & 1, waiting >> 1 & BLOCK_MASK, waiting >> NODE_SHIFT
    ours, theirs = (search.blocks_a, search.blocks_b) if side == 0 else (search.blocks_b, search.blocks_a)
    return side, ours + (node >> 3) * BLOCK_BYTES, node & 7, theirs + number * BLOCK_BYTES


@inlined_kernel
def name_of(waiting):
    """Return a name of the single that waits: nodes of both trees have the same numbers, so the side is part of it."""
    return waiting >> NODE_SHIFT << 1 | waiting & 1


@external(int64(*12 * (int64,)))
def pairs_by_posing(search, leaf, tree, pose, one, two, other_tree, other_pose, three, four, pairs, posed):
    """Return which of the pairs of two leaves' triangles touch, lanes of `four_pairs`, in the low bits of a number.

    The bits above them say which pairs got past the planes. The first leaf, called `leaf`, stays posed until another
    one is, which the memory of the search says.
    """
    place = scratch(POSED_WORDS)
    if int64_at(search, LAST_POSED) != leaf:
        set_int64(search, LAST_POSED, leaf)
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
def keep_single(search, waiting, slot):
    """Keep the triangles of a single that is a leaf in the frame of the block that waits with it."""
    side, single, lane, _ = pair_of(search, waiting)
    tree, other = (search.tree_a, search.tree_b) if side == 0 else (search.tree_b, search.tree_a)
    one, two = -1 - link(single, CHILD, lane), link(single, SECOND, lane)
    keep_in_frame(tree, one, two, other, search.relations + FRAMES + side * FRAME_BYTES, slot)
    set_int64(slot, ONE, one)
    set_int64(slot, TWO, two)
    set_int64(slot, OUR_KEYS, one << 32 * (1 - side))
    set_int64(slot, OUR_KEYS + 1, two << 32 * (1 - side))
    set_int64(slot, SIDE, side)
    set_int64(slot, LEAF, name_of(waiting))
    set_int64(slot, OUR_LANES, 0b0001 if two < 0 else 0b0011)


@inlined_kernel
def keep_once(search, waiting):
    """Keep a leaf, and how far its triangles reach, unless it is the last one that was kept; return its slot.

    Slots are used in turn: those that waiting leaves are in stay as they are.
    """
    leaf, slot = name_of(waiting), int64_at(search.place, LAST_SLOT)
    if leaf != int64_at(search.place, LAST_KEPT):
        if int64_at(search.place, LAST_WAITS) != 0:
            slot = search.slots if slot + SLOT_BYTES == search.slots_end else slot + SLOT_BYTES
            set_int64(search.place, LAST_SLOT, slot)
            set_int64(search.place, LAST_WAITS, 0)
        set_int64(search.place, LAST_KEPT, leaf)
        keep_single(search, waiting, slot)
        tighten(slot, float32_at(search.relations + (waiting & 1) * RELATION_BYTES, MARGIN), search.tight)
    return slot
