"""Cut a range by the surface-area heuristic, as `tumble.hierarchy.packed.cut` does, but with the box
that the node of a part will have.

A node of a boxtree has its parent's box, cut by one plane. Its surface is the parent's less the largest of six
products: what lies between the parent's side and the part's tight box, times a factor of the axis. With rows of eight
that is a difference, a product and a minimum: `best_border` there does it.
"""

import numpy as np
from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.eight import all_lanes, lane, load, store
from tumble.core.simd.memory import float64_at, set_float32
from tumble.hierarchy.boxtree.scratch import FACTORS, PARENT
from tumble.hierarchy.packed.boxes import per_span
from tumble.hierarchy.packed.cut import BINS_TO_FILL, NARROW, SAMPLE, best_border, bound, divide, fill_bins
from tumble.hierarchy.packed.scratch import PART_CENTRES

TIGHT, FREE, COPLANAR = 0, 1, 2
"""boxes of parts: tight ones, cut by the best of six planes, or cut by planes on the axis of the cut"""
NO_AXIS = 3
"""in the answer of a cut: the range was halved"""


@inlined_kernel
def describe_parent(rebuilt, model, scratch):
    """Write the rebuilt box of a range, six float64, as a row, and the factors of its sides."""
    sizes = (
        float64_at(rebuilt, 3) - float64_at(rebuilt, 0),
        float64_at(rebuilt, 4) - float64_at(rebuilt, 1),
        float64_at(rebuilt, 5) - float64_at(rebuilt, 2),
    )
    nothing = all_lanes(np.float32(0.0))
    store(scratch, PARENT, nothing)
    for cut_axis in range(3):
        store(scratch, FACTORS + cut_axis, nothing)
    for axis in range(3):
        set_float32(scratch, 8 * PARENT + axis, np.float32(float64_at(rebuilt, axis)))
        set_float32(scratch, 8 * PARENT + 4 + axis, np.float32(-float64_at(rebuilt, 3 + axis)))
        # surface lost per unit of length cut off this side
        factor = np.float32(sizes[(axis + 1) % 3] + sizes[(axis + 2) % 3])
        for cut_axis in range(3):
            if model == FREE or cut_axis == axis:
                set_float32(scratch, 8 * (FACTORS + cut_axis) + axis, factor)
                set_float32(scratch, 8 * (FACTORS + cut_axis) + 4 + axis, factor)


@inlined_kernel
def best_of_model(model, scratch):
    """Return the best border for the boxes that parts will have."""
    # two copies of the code, so that neither asks for each border which it is
    parent = load(scratch, PARENT)
    if model == TIGHT:
        return best_border(True, parent, FACTORS, scratch)
    return best_border(False, parent, FACTORS, scratch)


@inlined_kernel
def halve_as_they_lie(boxes, start, stop, scratch):
    """Make two halves of a range without moving anything; return the answer of a cut."""
    middle = start + (stop - start) // 2
    bound(boxes, start, middle, scratch, 0)
    bound(boxes, middle, stop, scratch, 1)
    return middle << 2 | NO_AXIS


@inlined_kernel
def other_half(start, total):
    """Return the same place in the other half of the array."""
    return start + total if start < total else start - total


@external(int64(*7 * (int64,)))
def cut_by_surface(boxes, total, start, stop, rebuilt, model, scratch):
    """Cut a range into parts 0 and 1 of scratch memory; return where the second begins, times four, plus the axis."""
    count = stop - start
    centres = load(scratch, PART_CENTRES)
    factors = per_span(BINS_TO_FILL, centres, NARROW)
    # bins and borders are those of packed trees; only what a part's surface is taken to be differs
    describe_parent(rebuilt, model, scratch)
    fill_bins(boxes, start, stop, 1 + count // SAMPLE, centres, factors, scratch)
    axis, border = best_of_model(model, scratch)
    if border == 0:
        return halve_as_they_lie(boxes, start, stop, scratch)
    target = other_half(start, total)
    low, factor = lane(centres, axis), lane(factors, axis)
    return divide(boxes, start, stop, target, axis, low, factor, np.float32(border), scratch, 0, 1) << 2 | axis
