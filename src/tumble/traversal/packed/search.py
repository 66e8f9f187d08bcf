"""What one search of two packed trees knows: where the trees, poses and memory are, in 64-bit words at an address.

In memory, so that many searches may take turns: whoever has the address reads what it needs.
"""

from typing import NamedTuple

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float32_at, float64_at, int64_at, set_int64
from tumble.hierarchy.packed.header import BLOCKS, ELONGATED
from tumble.narrow.triangles.kept_frame import FRAME_WORDS
from tumble.traversal.packed.nodes import NO_LEAF, RELATION_BYTES
from tumble.volume.eight_boxes import MARGIN
from tumble.volume.tight_leaf import LARGEST_MARGIN

# Behind the two relations lie the two frames, and a bit for each tree whose leaves may be compared with boxes by their
# triangles: all, unless the boxes of the other one are in a frame in which its triangles are not.
FRAMES = 2 * RELATION_BYTES
FRAME_BYTES = 8 * FRAME_WORDS
TIGHT = FRAMES + 2 * FRAME_BYTES
RELATIONS_WORDS = TIGHT // 8 + 1
TIGHT_A, TIGHT_B = 1, 2

# Words: those of `Search`; then what is remembered: which leaf is posed; and, for long thin triangles, which was kept
# last, in which slot, and whether it waits.
FIELDS = 12
LAST_POSED, LAST_KEPT, LAST_SLOT, LAST_WAITS = range(FIELDS, FIELDS + 4)
SEARCH_WORDS = FIELDS + 4


class Search(NamedTuple):
    """Addresses, in the order in which they lie in memory; and where that is."""

    tree_a: int
    pose_a: int
    tree_b: int
    pose_b: int
    blocks_a: int
    blocks_b: int
    relations: int
    slots: int  # memory for singles that are leaves, a slot for each
    slots_end: int
    posed: int  # memory for a leaf, posed, where float32 cannot tell
    tight: int  # memory for the extents of a leaf; 0: not needed
    elongated: int  # a bit for each tree
    place: int


@inlined_kernel
def search_at(place):
    """Return what lies at an address; what is not used of it is not read."""
    return Search(
        int64_at(place, 0), int64_at(place, 1), int64_at(place, 2), int64_at(place, 3), int64_at(place, 4),
        int64_at(place, 5), int64_at(place, 6), int64_at(place, 7), int64_at(place, 8), int64_at(place, 9),
        int64_at(place, 10), int64_at(place, 11), place,
    )  # fmt: skip


@inlined_kernel
def elongated_trees(tree_a, tree_b, relations):
    """Return a bit for each tree whose leaves are compared with boxes by their triangles."""
    # meshes so far apart, or so different in size, that products in `tight_leaf` might leave the range of float32
    margins = float32_at(relations, MARGIN), float32_at(relations + RELATION_BYTES, MARGIN)
    if not (margins[0] < LARGEST_MARGIN and margins[1] < LARGEST_MARGIN):
        return np.int64(0)
    bits = np.int64(float64_at(tree_a, ELONGATED) != 0.0) | np.int64(float64_at(tree_b, ELONGATED) != 0.0) << 1
    return bits & int64_at(relations + TIGHT, 0)


@inlined_kernel
def begin_search(place, tree_a, pose_a, tree_b, pose_b, relations, slots, slots_end, posed, tight):
    """Write what a search knows; `relations` has been described by then."""
    elongated = elongated_trees(tree_a, tree_b, relations)
    fields = (
        tree_a, pose_a, tree_b, pose_b, int64_at(tree_a, BLOCKS), int64_at(tree_b, BLOCKS), relations, slots,
        slots_end, posed, tight if elongated != 0 else 0, elongated,
    )  # fmt: skip
    for k in range(FIELDS):
        set_int64(place, k, fields[k])
    set_int64(place, LAST_POSED, NO_LEAF)
    set_int64(place, LAST_KEPT, NO_LEAF)
    set_int64(place, LAST_SLOT, slots)
    set_int64(place, LAST_WAITS, 0)
