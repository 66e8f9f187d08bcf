"""One ray down a boxtree: a node is one plane, and cuts one end off the interval of the ray in its parent's box.

G. Zachmann, "Minimal hierarchical collision detection", 2002, says that the tree suits rays; this is why: a node costs
one subtraction and one product. The nearer child is followed at once, the other waits with its box and its interval.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import float64_at, int32_at, int64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.boxtree.header import BOX, NODE_COUNT, NODES, ORDER
from tumble.hierarchy.boxtree.layout import AXIS_BITS, COUNT_SHIFT, HIGH, LOW, MAX_DEPTH, MOST_IN_LEAF, SIDE_BIT
from tumble.hierarchy.boxtree.nodes import kind_of, link_of, offset_of, rebuild
from tumble.traversal.rays.prepare import INVERSE, MARGIN, POINT, reach
from tumble.traversal.rays.triangles import NO_TRIANGLE, nearer

# A node that waits: its box, where the ray enters and leaves that, its number.
NEAR, FAR, NODE = 6, 7, 8
WAITING_WORDS = 9
WAITING_BYTES = 8 * WAITING_WORDS
STACK_WORDS = MAX_DEPTH * WAITING_WORDS
BOX_WORDS = 6
LISTED = MOST_IN_LEAF + 1


@inlined_kernel
def cut(ray, axis, upper, place, near, far):
    """Return what is left of an interval of the ray before an upper or behind a lower side of a box, generously."""
    inverse = float64_at(ray, INVERSE + axis)
    margin = float64_at(ray, MARGIN)
    s = (place + (margin if upper else -margin) - float64_at(ray, POINT + axis)) * inverse
    leaves = upper == (inverse > 0.0)
    later, sooner = max(near, s), min(far, s)
    return near if leaves else later, sooner if leaves else far  # chosen without a branch


@inlined_kernel
def cut_by_node(ray, box, nodes, node, near, far):
    """Return what is left of an interval of the ray in the box of a child; `box` is the parent's."""
    kind, offset = kind_of(nodes, node), offset_of(nodes, node)
    axis, upper = kind & AXIS_BITS, kind & SIDE_BIT == 0
    side = float64_at(box, (HIGH if upper else LOW) + axis)
    return cut(ray, axis, upper, side + (-offset if upper else offset), near, far)


@inlined_kernel
def copy_box(source, target):
    """Copy six numbers."""
    for k in range(6):
        set_float64(target, k, float64_at(source, k))


@external(int64(*5 * (int64,)))
def nearest_in_boxtree(tree, pose, ray, any_hit, distance_at):
    """Return the triangle that a prepared ray hits, or NO_TRIANGLE; see `nearest_in_packed`."""
    stack, box, listed, place_of_distances = scratch(STACK_WORDS), scratch(BOX_WORDS), scratch(LISTED), scratch(4)
    nodes, order = int64_at(tree, NODES), int64_at(tree, ORDER)
    distance, triangle = float64_at(distance_at, 0), np.int64(NO_TRIANGLE)
    if int64_at(tree, NODE_COUNT) == 0:
        return triangle
    copy_box(tree + 8 * BOX, box)
    limit = reach(ray, distance)
    near, far, node, waiting = 0.0, limit, np.int64(0), 0
    for axis in range(3):
        near, far = cut(ray, axis, False, float64_at(box, LOW + axis), near, far)
        near, far = cut(ray, axis, True, float64_at(box, HIGH + axis), near, far)
    while True:
        if near <= far:
            link, kind = link_of(nodes, node), kind_of(nodes, node)
            count = kind >> COUNT_SHIFT
            # a chain: one more plane of the same box
            if count == 0 and link < 0:
                node = ~link
                near, far = cut_by_node(ray, box, nodes, node, near, far)
                rebuild(box, offset_of(nodes, node), kind_of(nodes, node))
                continue
            if count == 0:
                first, second = link, link + 1
                near1, far1 = cut_by_node(ray, box, nodes, first, near, far)
                near2, far2 = cut_by_node(ray, box, nodes, second, near, far)
                # the one that begins first, or ends first when both begin at once; never one that is missed
                if near1 > far1 or (near2 <= far2 and (near2 < near1 or (near2 == near1 and far2 < far1))):
                    first, near1, far1, second, near2, far2 = second, near2, far2, first, near1, far1
                if near2 <= far2:
                    place = stack + waiting * WAITING_BYTES
                    copy_box(box, place)
                    rebuild(place, offset_of(nodes, second), kind_of(nodes, second))
                    set_float64(place, NEAR, near2)
                    set_float64(place, FAR, far2)
                    set_int64(place, NODE, second)
                    waiting += 1
                rebuild(box, offset_of(nodes, first), kind_of(nodes, first))
                node, near, far = first, near1, far1
                continue
            for k in range(count):
                set_int64(listed, k, int32_at(order, link + k))
            before = triangle
            distance, triangle = nearer(tree, pose, ray, listed, count, distance, triangle, place_of_distances)
            if triangle != before:
                if any_hit != 0:
                    break
                limit = reach(ray, distance)
        if waiting == 0:
            break
        waiting -= 1
        place = stack + waiting * WAITING_BYTES
        copy_box(place, box)
        near, far, node = float64_at(place, NEAR), min(float64_at(place, FAR), limit), int64_at(place, NODE)
    set_float64(distance_at, 0, distance)
    return triangle
