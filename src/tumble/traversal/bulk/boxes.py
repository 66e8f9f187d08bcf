"""One box against eight that lie side by side in an array of implicit trees: plain comparisons, all lanes at once."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import INT64
from tumble.core.simd.vector import EIGHT_FLOATS, Lanes, Vector

FLOAT_BYTES = 4


def _load(lanes: Lanes, address: Any) -> Vector:
    """Read eight numbers from any multiple of four bytes."""
    builder = lanes.builder
    value = builder.load(builder.inttoptr(address, lanes.kind.type.as_pointer()))
    value.align = FLOAT_BYTES
    return Vector(lanes, value)


def _test(name: str, apart: Any) -> Any:
    """Make a test of one box against eight from a comparison that tells when one ends before the other begins."""

    @intrinsic
    def test(typing_context, boxes, stride, node, lx, ly, lz, hx, hy, hz):
        def generate(context, builder, signature, arguments):
            boxes, stride, node, *box = arguments
            lanes = Lanes(builder, EIGHT_FLOATS)
            bytes_of = ir.Constant(INT64, FLOAT_BYTES)
            separated = None
            for axis in range(3):
                low, high = (_load(lanes, _field(builder, boxes, stride, node, k, bytes_of)) for k in (axis, 3 + axis))
                for answers in (apart(low, lanes.spread(box[3 + axis])), apart(lanes.spread(box[axis]), high)):
                    separated = answers if separated is None else builder.or_(separated, answers)
            return lanes.bits(builder.not_(separated))

        return types.int64(*3 * (types.int64,), *6 * (types.float32,)), generate

    test.__name__ = name
    return test


def _field(builder: Any, boxes: Any, stride: Any, node: Any, field: int, bytes_of: Any) -> Any:
    place = builder.add(builder.mul(stride, ir.Constant(INT64, field)), node)
    return builder.add(boxes, builder.mul(place, bytes_of))


def _not_less(one: Vector, other: Vector) -> Any:
    return one.lanes.builder.fcmp_ordered(">=", one.value, other.value)


# Both take the address of the boxes, how many there are in each of the six rows, the first node of the eight, and the
# box: lowest x, y, z, highest x, y, z. They return a bit for each of the eight.
boxes_meeting = _test("boxes_meeting", lambda one, other: one > other)
"""which boxes share a point with this one"""
boxes_crossing = _test("boxes_crossing", _not_less)
"""which boxes share more than their surfaces with this one"""
