"""The split rules and the choices of planes by name, and the one call that cuts a range by any of them."""

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.hierarchy.boxtree.halves import cut_in_halves
from tumble.hierarchy.boxtree.surface import COPLANAR, FREE, TIGHT, cut_by_surface
from tumble.hierarchy.boxtree.volume import NONE, cut_by_volume

SAH, LEAST_VOLUME, LONGEST_AXIS, MEDIAN, MIDDLE = 0, 1, 2, 3, 4
SPLIT_CODES = {
    "sah": SAH,
    "least-volume": LEAST_VOLUME,
    "longest-axis": LONGEST_AXIS,
    "median": MEDIAN,
    "middle": MIDDLE,
}
CHAINED = TIGHT
"""nodes with as many planes as pay: their boxes are nearly tight, and the cost of parts is computed as if they were"""
PLANE_CODES = {"coplanar": COPLANAR, "free": FREE, "chained": CHAINED}


@inlined_kernel
def cut_range(split, planes, boxes, total, start, stop, rebuilt, scratch):
    """Cut a range into parts 0 and 1 of scratch memory; return where the second begins, times four, plus the axis."""
    if split == SAH:
        return cut_by_surface(boxes, total, start, stop, rebuilt, planes, scratch)
    if split in (LEAST_VOLUME, LONGEST_AXIS):
        answer = cut_by_volume(boxes, total, start, stop, rebuilt, np.int64(split == LONGEST_AXIS), scratch)
        if answer != NONE:
            return answer
    return cut_in_halves(boxes, total, start, stop, np.int64(split == MIDDLE), scratch)
