"""A ball against eight boxes: the lanes of a block of the packed tree that the ball may reach, all lanes at once."""

from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector, dot


def _square(lanes: Lanes, block: Any, point: Any) -> Vector:
    """Return the squares of the distances of a point from eight boxes."""
    zero, gaps = lanes.constant(0.0), []
    for axis in range(3):
        away = (lanes.load(block, axis) - lanes.spread(point[axis])).magnitude() - lanes.load(block, 3 + axis)
        gaps.append(zero.or_larger(away))
    return dot(gaps, gaps)


@intrinsic
def lanes_near(typing_context, block, x, y, z, square):
    """Return a bit for each lane of the block at an address whose box is no farther from a point than a root.

    What is not a number counts as near.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = Lanes(builder, EIGHT_FLOATS)
        block, *point, square = arguments
        return lanes.bits(builder.not_(_square(lanes, block, point) > lanes.spread(square)))

    return types.int64(types.int64, *4 * (types.float32,)), generate


@intrinsic
def write_squares(typing_context, block, x, y, z, place):
    """Write the squares of the distances of a point from the eight boxes of a block to an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = Lanes(builder, EIGHT_FLOATS)
        block, *point, place = arguments
        lanes.store(_square(lanes, block, point), place, 0)
        return context.get_dummy_value()

    return types.void(types.int64, *3 * (types.float32,), types.int64), generate
