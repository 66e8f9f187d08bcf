"""Down a tree with a frustum: what lies outside of a plane is left out, what lies inside of all is taken whole.

In local coordinates (see `hierarchy.packed.layout`) a plane is n · p + d with the largest component of n equal to 1.
The corners of a box that lie farthest on either side of a plane are |n| · half size away from the middle, along n; so a
box lies outside when n · middle + d < -(|n| · half + margin), and inside when the same is larger than the positive.

The margin covers float32, less than 32 * 2**-24 (1 + |d|), and the rounding of mesh, pose and plane in float64. A plane
for which that is not small cuts all boxes, and then triangles alone decide, exactly.
"""

import numpy as np
from numba import int64, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import INT64, float32_at, float64_at, int32_at, int64_at, lowest_bit, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, dot
from tumble.hierarchy.boxtree import nodes as boxtree
from tumble.hierarchy.boxtree.header import BOX, NODE_COUNT, NODES, ORDER
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT
from tumble.hierarchy.boxtree.layout import MAX_DEPTH as BOXTREE_DEPTH
from tumble.hierarchy.packed.header import BLOCKS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, HALF, LANES, MAX_DEPTH, MIDDLE, SECOND
from tumble.narrow.predicates.plane_side import strictly_below
from tumble.traversal.rays.boxtree_walk import copy_box
from tumble.traversal.rays.triangles import posed_corners, vector_at

# A plane: four float64 numbers as given, then these as float32.
NORMAL = 0
OFFSET = 3
SIZES = 4  # the absolute values of the normal
MARGIN = 7
SINGLE_NUMBERS = 8

ALL_LANES = (1 << LANES) - 1
PLANE_BYTES = 4 * SINGLE_NUMBERS
STACK_WORDS = MAX_DEPTH * (LANES - 1) + LANES

BOX_WORDS, NODE_WORD, WHOLE_WORD = 6, 6, 7
WAITING_BYTES = 8 * 8
BOXTREE_STACK_WORDS = 8 * (BOXTREE_DEPTH + 2)
_SIGNATURE = int64(*7 * (int64,))

SINGLE_ROUNDING = 64 * 2.0**-24
ROUNDING = 2.0**-44

# How boxes lie to all planes.
CUT = LANES  # the place of the first of eight bits for boxes that some plane cuts; below are those outside of one


def local_planes(
    planes: NDArray[np.float64],
    rows: NDArray[np.float64],
    origin: NDArray[np.float64],
    scale: float,
    extent: float,
) -> NDArray[np.float32]:
    """Return (k, 8) float32 numbers for (k, 4) planes, a pose's (3, 4) rows, and the frame of a tree."""
    rotation, shift = rows[:, :3], rows[:, 3]
    with np.errstate(all="ignore"):
        turned = planes[:, :3] @ rotation
        normals = turned / scale
        offsets = turned @ origin + planes[:, :3] @ shift + planes[:, 3]
        sizes = np.abs(normals).max(axis=1)
        largest = 3 * np.abs(planes[:, :3]).max(axis=1) * (extent + np.abs(shift).max()) + np.abs(planes[:, 3])
        margins = SINGLE_ROUNDING * (1 + np.abs(offsets) / sizes) + ROUNDING * (largest / sizes)
        local = np.empty((len(planes), SINGLE_NUMBERS), np.float32)
        local[:, NORMAL:OFFSET] = normals / sizes[:, None]
        local[:, OFFSET] = offsets / sizes
        local[:, SIZES:MARGIN] = np.abs(local[:, NORMAL:OFFSET])
        local[:, MARGIN] = margins
    # a plane that float32 cannot hold cuts every box, and triangles decide: nothing visible is lost
    local[~np.isfinite(local).all(axis=1)] = [0, 0, 0, 0, 0, 0, 0, np.inf]
    return local


@intrinsic
def sides_of_eight(typing_context, block, plane):
    """Return which boxes of a block lie outside of a local plane, and which are cut by it: see CUT."""

    def generate(context, builder, signature, arguments):
        block, plane = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        middle, half = ([lanes.load(block, row + axis) for axis in range(3)] for row in (MIDDLE, HALF))
        numbers = [lanes.spread(lanes.scalar(plane, k)) for k in range(SINGLE_NUMBERS)]
        place = dot(numbers[NORMAL:OFFSET], middle) + numbers[OFFSET]
        size = dot(numbers[SIZES:MARGIN], half) + numbers[MARGIN]
        outside = lanes.bits(place < -size)
        cut = builder.xor(lanes.bits(place.magnitude() > size), INT64((1 << LANES) - 1))
        return builder.or_(outside, builder.shl(cut, INT64(CUT)))

    return types.int64(types.int64, types.int64), generate


@inlined_kernel
def kept(tree, pose, planes, count, contained, triangle):
    """Tell whether no plane has all vertices of a triangle outside; with `contained`, whether none has any."""
    a, b, c = posed_corners(tree, pose, triangle)
    for k in range(count):
        x, y, z = vector_at(planes, 4 * k)
        d = float64_at(planes, 4 * k + 3)
        first = strictly_below(x, y, z, d, a[0], a[1], a[2])
        if contained != 0:
            if first or strictly_below(x, y, z, d, b[0], b[1], b[2]) or strictly_below(x, y, z, d, c[0], c[1], c[2]):
                return False
        elif first and strictly_below(x, y, z, d, b[0], b[1], b[2]) and strictly_below(x, y, z, d, c[0], c[1], c[2]):
            return False
    return True


@inlined_kernel
def sides_of_block(block, locals_, count):
    """Return which boxes of a block lie outside of some plane, and which are cut by some."""
    sides = np.int64(0)
    for k in range(count):
        sides |= sides_of_eight(block, locals_ + k * PLANE_BYTES)
        # all eight boxes are outside of some plane: the other planes do not matter
        if sides & ALL_LANES == ALL_LANES:
            break
    return sides


@fixed_kernel(_SIGNATURE)
def frustum_in_packed(tree, pose, planes, locals_, count, contained, target):
    """Write the triangles that are kept to `target`, in any order; return how many."""
    stack = scratch(STACK_WORDS)
    blocks, found, top = int64_at(tree, BLOCKS), 0, 1
    set_int64(stack, 0, 0)
    steps = 0
    while top > 0:
        steps += 1
        if steps & OFTEN == 0 and poll(0) != 0:
            break
        top -= 1
        word = int64_at(stack, top)
        whole, block = word & 1, blocks + (word >> 1) * BLOCK_BYTES
        sides = np.int64(0) if whole else sides_of_block(block, locals_, count)
        mask = ~sides & ALL_LANES
        while mask != 0:
            lane = lowest_bit(mask)
            mask &= mask - 1
            # inside of all planes: everything below is taken without further tests
            inside = 1 - (sides >> (CUT + lane) & 1)
            child = int32_at(block, LANES * CHILD + lane)
            if child > 0:
                set_int64(stack, top, child << 1 | inside)
                top += 1
            elif child < 0:
                # triangles are decided exactly, and only in boxes that some plane cuts
                second = int32_at(block, LANES * SECOND + lane)
                if inside or kept(tree, pose, planes, count, contained, -1 - child):
                    set_int64(target, found, -1 - child)
                    found += 1
                if second >= 0 and (inside or kept(tree, pose, planes, count, contained, second)):
                    set_int64(target, found, second)
                    found += 1
    return found


@inlined_kernel
def side_of_all(box, locals_, count):
    """Return -1 for a box, six float64 numbers, outside of some plane, 1 for one inside of all, else 0."""
    # the same comparison as `sides_of_eight`, with boxes as low and high in float64
    inside = 1
    for k in range(count):
        plane = locals_ + k * PLANE_BYTES
        place, size = np.float64(float32_at(plane, OFFSET)), np.float64(float32_at(plane, MARGIN))
        for axis in range(3):
            low, high = float64_at(box, axis), float64_at(box, 3 + axis)
            place += float32_at(plane, NORMAL + axis) * (0.5 * (low + high))
            size += float32_at(plane, SIZES + axis) * (0.5 * (high - low))
        if place < -size:
            return -1
        inside &= 1 if place > size else 0
    return inside


@fixed_kernel(_SIGNATURE)
def frustum_in_boxtree(tree, pose, planes, locals_, count, contained, target):
    """Do the same with a boxtree."""
    stack, box = scratch(BOXTREE_STACK_WORDS), scratch(BOX_WORDS)
    nodes, order, found, top = int64_at(tree, NODES), int64_at(tree, ORDER), 0, 0
    if int64_at(tree, NODE_COUNT) > 0:
        copy_box(tree + 8 * BOX, stack)
        set_int64(stack, NODE_WORD, 0)
        set_int64(stack, WHOLE_WORD, 0)
        top = 1
    steps = 0
    while top > 0:
        steps += 1
        if steps & OFTEN == 0 and poll(0) != 0:
            break
        top -= 1
        place = stack + top * WAITING_BYTES
        copy_box(place, box)
        node, inside = int64_at(place, NODE_WORD), int64_at(place, WHOLE_WORD)
        if not inside:
            side = side_of_all(box, locals_, count)
            if side < 0:
                continue
            inside = np.int64(side)
        link, triangles = boxtree.link_of(nodes, node), boxtree.kind_of(nodes, node) >> COUNT_SHIFT
        for k in range(triangles):
            triangle = int32_at(order, link + k)
            if inside or kept(tree, pose, planes, count, contained, triangle):
                set_int64(target, found, triangle)
                found += 1
        if triangles == 0:
            for child in range(link, link + 2):
                place = stack + top * WAITING_BYTES
                # boxes are not stored: each waits with its node, rebuilt from its parent's by the planes of its chain
                copy_box(box, place)
                set_int64(place, NODE_WORD, boxtree.rebuild_chain(place, nodes, child))
                set_int64(place, WHOLE_WORD, inside)
                top += 1
    return found
