"""A node of one packed tree as the search for the nearest sees it from the frame of the other tree."""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float32_at, set_float32
from tumble.hierarchy.packed.layout import HALF, MIDDLE
from tumble.hierarchy.packed.slabs import DIRECTION, OFFSET, THICKNESS
from tumble.traversal.packed.nodes import field
from tumble.volume import eight_distances as eight
from tumble.volume.eight_boxes import AXES, MAGNITUDES, MATRIX, RATIO, SHIFT


@inlined_kernel
def describe_single(block, slabs, lane, r, single):
    """Write where a node is in the frame of the other tree, as `eight_distances` takes it."""
    x, y, z = field(block, MIDDLE, lane), field(block, MIDDLE + 1, lane), field(block, MIDDLE + 2, lane)
    u, v, w = field(slabs, DIRECTION, lane), field(slabs, DIRECTION + 1, lane), field(slabs, DIRECTION + 2, lane)
    ratio = float32_at(r, RATIO)
    hx, hy, hz = field(block, HALF, lane), field(block, HALF + 1, lane), field(block, HALF + 2, lane)
    hx, hy, hz = ratio * hx, ratio * hy, ratio * hz
    for k in range(3):
        row = MATRIX + k
        place = float32_at(r, row) * x + float32_at(r, row + 3) * y + float32_at(r, row + 6) * z
        set_float32(single, eight.PLACE + k, place + float32_at(r, SHIFT + k))
        m, a = MAGNITUDES + k, AXES + k
        reach = float32_at(r, m) * hx + float32_at(r, m + 3) * hy + float32_at(r, m + 6) * hz
        set_float32(single, eight.REACH + k, reach)
        turned = float32_at(r, a) * u + float32_at(r, a + 3) * v + float32_at(r, a + 6) * w
        set_float32(single, eight.DIRECTION + k, turned)
    set_float32(single, eight.SIZES, hx)
    set_float32(single, eight.SIZES + 1, hy)
    set_float32(single, eight.SIZES + 2, hz)
    set_float32(single, eight.OFFSET, ratio * field(slabs, OFFSET, lane))
    set_float32(single, eight.THICKNESS, ratio * field(slabs, THICKNESS, lane))
