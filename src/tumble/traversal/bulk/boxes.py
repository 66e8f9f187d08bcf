"""One box against eight that lie side by side in an array of implicit trees: plain comparisons, all lanes at once."""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import INT64
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector

FLOAT_BYTES = 4


def _test(name: str, apart: Callable[[Vector, Vector], Any]) -> Any:
    """Make a test of one box against eight from a comparison that tells when one ends before the other begins."""

    @intrinsic
    def test(typing_context, boxes, stride, node, lx, ly, lz, hx, hy, hz):
        def generate(context, builder, signature, arguments):
            boxes, stride, node, *box = arguments
            lanes = Lanes(builder, EIGHT_FLOATS)
            separated = []
            for axis in range(3):
                low, high = (_field(lanes, boxes, stride, node, k) for k in (axis, 3 + axis))
                separated += [apart(low, lanes.spread(box[3 + axis])), apart(lanes.spread(box[axis]), high)]
            return lanes.bits(builder.not_(lanes.any_of(separated)))

        return types.int64(*3 * (types.int64,), *6 * (types.float32,)), generate

    test.__name__ = name
    return test


def _field(lanes: Lanes, boxes: Any, stride: Any, node: Any, field: int) -> Vector:
    """Read one of the six fields of eight nodes, which begin at any multiple of four bytes."""
    builder = lanes.builder
    place = builder.add(builder.mul(stride, INT64(field)), node)
    return lanes.load(builder.add(boxes, builder.mul(place, INT64(FLOAT_BYTES))), 0, align=FLOAT_BYTES)


# Both take the address of the boxes, how many there are in each of the six rows, the first node of the eight, and the
# box: lowest x, y, z, highest x, y, z. They return a bit for each of the eight.
boxes_meeting = _test("boxes_meeting", Vector.__gt__)
"""which boxes share a point with this one"""
boxes_crossing = _test("boxes_crossing", Vector.__ge__)
"""which boxes share more than their surfaces with this one"""
