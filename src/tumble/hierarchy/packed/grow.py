"""Grow a tree of blocks over a range of boxes, from the top down.

    waiting: the whole range
    while ranges wait:
        take the last
        at most BOTTOM triangles: its block gets leaves only
        otherwise: cut it, then the part with the largest surface, until there are eight parts or none above BOTTOM;
            small parts become leaves in the lanes that are left, the smallest first: each of them spares a block
            the others wait, with a block each

A part that fits into one block is not cut for the sake of its surface: one full block is smaller than two that are half
empty, and it is passed no more often.

The trunk of a large tree is grown first: ranges of at most `limit` boxes then do not wait but become branches, which
are grown apart, by several threads, each in blocks of its own. At the end all blocks are copied behind the root's.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import poll
from tumble.core.simd.eight import all_lanes, load, store
from tumble.core.simd.memory import atomic_add, int32_at, int64_at, set_float32, set_int32, set_int64
from tumble.hierarchy.packed.boxes import half_area
from tumble.hierarchy.packed.cut import cut_range
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, LEAF_SIZE, ROWS, SECOND, SIZE
from tumble.hierarchy.packed.pair import NONE, write_box, write_leaf, write_leaves
from tumble.hierarchy.packed.scratch import (
    BOTTOM,
    PART_BOXES,
    PART_CENTRES,
    PART_LANES,
    PART_STARTS,
    PART_STOPS,
    WAITING,
    WAITING_BOXES,
    WAITING_FIELDS,
)

FEW_RANGES = 31
"""bits of a count of ranges that are zero where the loop calls `poll`"""

HALVING_DEPTH = 40
"""below, ranges are halved by count: 2**30 triangles then end within 10 more levels, as the eight parts are equal"""

ROOT = np.int64(0)
"""its block and its lane"""

# A branch, in int32: its range, the place of the link that must lead to it, its depth, and from number 8 on, as
# float32, the box about its boxes and that about their centres.
BRANCH_START, BRANCH_STOP, BRANCH_LINK, BRANCH_DEPTH, BRANCH_BOUNDS = 0, 1, 2, 3, 8
BRANCH_NUMBERS = 24
BRANCH_BYTES = 4 * BRANCH_NUMBERS


@inlined_kernel
def part_to_cut(parts, by_count, scratch):
    """Return the part above BOTTOM triangles with the largest surface (or the most triangles), or NONE.

    Of equal surfaces the one with more triangles is taken, so that the tree stays flat where all triangles are equal.
    """
    # by the surface-area heuristic the largest box is entered most often, and gains most by being cut
    chosen, largest, most = NONE, np.float32(-1.0), np.int64(0)
    for p in range(parts):
        count = int32_at(scratch, PART_STOPS + p) - int32_at(scratch, PART_STARTS + p)
        if count > BOTTOM:
            size = np.float32(0.0) if by_count else half_area(load(scratch, PART_BOXES + p))
            if size > largest or (size == largest and count > most):
                chosen, largest, most = p, size, count
    return chosen


@inlined_kernel
def cut_into_parts(boxes, total, start, stop, by_count, scratch):
    """Cut the range of part 0 into at most eight parts; return their number."""
    set_int32(scratch, PART_STARTS, start)
    set_int32(scratch, PART_STOPS, stop)
    parts = np.int64(1)
    while parts < LANES:
        p = part_to_cut(parts, by_count, scratch)
        if p == NONE:
            break
        begin, end = int32_at(scratch, PART_STARTS + p), int32_at(scratch, PART_STOPS + p)
        middle = cut_range(boxes, total, begin, end, by_count, scratch, parts * LANES + p)
        # the parts may have moved to the other half of the array
        shift = (total if middle >= total else 0) - (total if begin >= total else 0)
        set_int32(scratch, PART_STARTS + p, begin + shift)
        set_int32(scratch, PART_STOPS + p, middle)
        set_int32(scratch, PART_STARTS + parts, middle)
        set_int32(scratch, PART_STOPS + parts, end + shift)
        parts += 1
    return parts


@inlined_kernel
def share_lanes(parts, scratch):
    """Give each part a lane, and the smallest parts as many as they need to become leaves, while there are enough."""
    for p in range(parts):
        set_int32(scratch, PART_LANES + p, np.int64(1))
    free = LANES - parts
    while free > 0:
        chosen, need = NONE, free + 1
        for p in range(parts):
            count = int32_at(scratch, PART_STOPS + p) - int32_at(scratch, PART_STARTS + p)
            if count > LEAF_SIZE and int32_at(scratch, PART_LANES + p) == 1 and (count - 1) // 2 < need:
                chosen, need = p, (count - 1) // 2
        if chosen == NONE:
            break
        # n triangles in leaves of two take (n - 1) // 2 lanes beside the one that each part has, and save a block
        set_int32(scratch, PART_LANES + chosen, need + 1)
        free -= need


@inlined_kernel
def push(scratch, top, start, stop, block, depth, box, centres):
    """Let a range wait."""
    entry = WAITING + WAITING_FIELDS * top
    set_int32(scratch, entry, start)
    set_int32(scratch, entry + 1, stop)
    set_int32(scratch, entry + 2, block)
    set_int32(scratch, entry + 3, depth)
    store(scratch, WAITING_BOXES + 2 * top, box)
    store(scratch, WAITING_BOXES + 2 * top + 1, centres)


@inlined_kernel
def note_branch(branch, start, stop, link, depth, box, centres):
    """Write down what is to be grown later."""
    set_int32(branch, BRANCH_START, start)
    set_int32(branch, BRANCH_STOP, stop)
    set_int32(branch, BRANCH_LINK, link)
    set_int32(branch, BRANCH_DEPTH, depth)
    store(branch, BRANCH_BOUNDS // 8, box)
    store(branch, BRANCH_BOUNDS // 8 + 1, centres)


@kernel
def grow(boxes, total, branch, blocks, limit, branches, scratch):
    """Grow the branch at an address into blocks from the first on; return the numbers of blocks and of new branches.

    `boxes` has twice `total` places. `limit` is 0 to grow everything. The scratch memory comes from outside,
    because so large an array on the kernel's own stack makes compiling four times slower.
    """
    nothing = all_lanes(np.float32(0.0))
    zero = np.int64(0)
    start, stop = int32_at(branch, BRANCH_START), int32_at(branch, BRANCH_STOP)
    box, centres = load(branch, BRANCH_BOUNDS // 8), load(branch, BRANCH_BOUNDS // 8 + 1)
    push(scratch, zero, start, stop, zero, int32_at(branch, BRANCH_DEPTH), box, centres)
    top, used, found = np.int64(1), np.int64(1), np.int64(0)
    steps = 0
    while top > 0:
        steps += 1
        if steps & FEW_RANGES == 0 and poll(0) != 0:
            break
        # the last first: then each level leaves at most seven siblings waiting, and their memory has a fixed size
        top -= 1
        entry = WAITING + WAITING_FIELDS * top
        start, stop = int32_at(scratch, entry), int32_at(scratch, entry + 1)
        block, depth = int32_at(scratch, entry + 2), int32_at(scratch, entry + 3)
        # lanes that stay empty must read as empty
        for row in range(ROWS):
            store(blocks, block * ROWS + row, nothing)
        if stop - start <= BOTTOM:
            write_leaves(boxes, start, stop - start, blocks, block, zero, LANES, scratch)
            continue
        store(scratch, PART_BOXES, load(scratch, WAITING_BOXES + 2 * top))
        store(scratch, PART_CENTRES, load(scratch, WAITING_BOXES + 2 * top + 1))
        parts = cut_into_parts(boxes, total, start, stop, np.int64(depth >= HALVING_DEPTH), scratch)
        share_lanes(parts, scratch)
        place = np.int64(0)
        # backwards: queries take the last lane first, and on average find a first hit sooner in the parts cut first
        for p in range(parts - 1, -1, -1):
            start, stop = int32_at(scratch, PART_STARTS + p), int32_at(scratch, PART_STOPS + p)
            lanes, count = int32_at(scratch, PART_LANES + p), stop - start
            if lanes > 1:
                place = write_leaves(boxes, start, count, blocks, block, place, lanes, scratch)
                continue
            if count <= LEAF_SIZE:
                write_leaf(boxes, start, start + 1 if count == 2 else NONE, blocks, block, place)
                place += 1
                continue
            box, centres = load(scratch, PART_BOXES + p), load(scratch, PART_CENTRES + p)
            set_float32(blocks, (block * ROWS + SIZE) * LANES + place, write_box(blocks, block, place, box))
            # where the number of the child's block goes: at once, or for a branch when all have been gathered
            link = (block * ROWS + CHILD) * LANES + place
            if count <= limit:
                note_branch(branches + 4 * BRANCH_NUMBERS * found, start, stop, link, depth + 1, box, centres)
                found += 1
            else:
                set_int32(blocks, link, used)
                push(scratch, top, start, stop, used, depth + 1, box, centres)
                used += 1
                top += 1
            place += 1
    return used, found


@kernel
def write_root(blocks, whole, triangles):
    """Write the root's block, which is empty so far: a leaf, or a link to the block behind it."""
    size = write_box(blocks, ROOT, ROOT, load(whole, BRANCH_BOUNDS // 8))
    if triangles <= LEAF_SIZE:
        set_int32(blocks, CHILD * LANES, -1)
        set_int32(blocks, SECOND * LANES, 1 if triangles == 2 else -1)
    else:
        set_int32(blocks, CHILD * LANES, 1)
        set_float32(blocks, SIZE * LANES, size)


@kernel
def copy_blocks(source, count, target, first):
    """Copy blocks to where `first` says; links among them follow."""
    for block in range(count):
        for row in range(ROWS):
            store(target, (first + block) * ROWS + row, load(source, block * ROWS + row))
        links = ((first + block) * ROWS + CHILD) * LANES
        for lane in range(LANES):
            # leaves, which are negative, and empty lanes, which are 0, lead nowhere
            child = int32_at(target, links + lane)
            set_int32(target, links + lane, child + first if child > 0 else child)


@kernel
def grow_branches(boxes, total, branches, found, blocks, firsts, used, scratch, taken):
    """Grow branches, which threads that share `taken`, a number that is zero at first, take in turn.

    All but the two counts are addresses. Branch k gets the blocks from number firsts[k] on, and used[k] says how many
    it took of them.
    """
    while True:
        k = atomic_add(taken, 0, 1)
        if k >= found or poll(0) != 0:
            return
        own = blocks + int64_at(firsts, k) * BLOCK_BYTES
        count, _ = grow(boxes, total, branches + k * BRANCH_BYTES, own, np.int64(0), branches, scratch)
        set_int64(used, k, count)


@kernel
def copy_branches(blocks, firsts, used, count, target, places, taken):
    """Copy the blocks of all branches to where `places` says, as `grow_branches` shares them out."""
    while True:
        k = atomic_add(taken, 0, 1)
        if k >= count:
            return
        copy_blocks(blocks + int64_at(firsts, k) * BLOCK_BYTES, int64_at(used, k), target, int64_at(places, k))
