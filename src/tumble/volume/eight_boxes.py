"""One box against eight: the overlap test of the packed tree, all lanes at once.

A box of one tree, the single, is moved into the frame of the other tree and compared with a block of eight boxes there,
on the three axes of the block's frame and the three of the single's own (the nine edge-edge axes do not pay, see
docs/fast-path.md). There are no early exits: eight tests cost as much as one and a half with branches.

What is not a number, or infinite on both sides, counts as overlapping: where float32 ends, nothing is lost.
"""

from collections.abc import Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import FLOAT, INT64, place_of
from tumble.core.simd.vectors import EIGHT_FLOATS, FOUR_FLOATS, Lanes, Triple, dot

# Places in the float32 array that says how the single's frame lies in the block's; there is one for either direction.
AXES = 0  # the single's axes in the block's frame, one after the other: nine numbers
MAGNITUDES = 9  # their absolute values
MATRIX = 18  # what turns and scales the single's coordinates into the block's, by columns
SHIFT = 27  # where the single's origin is
MARGIN = 30
RATIO = 31  # a length of one in the single's frame, measured in the block's
FLOATS = 32

FLOAT_BYTES = 4
# Rows of a block, as `tumble.hierarchy.packed.layout` has them: middles first.
MIDDLE, HALF = 0, 3


def _separations(lanes: Lanes, block: Any, relation: Any, single: Sequence[Sequence[Any]]) -> Any:
    """Yield, axis by axis, the lanes whose box is separated from the single there."""
    middle = [lanes.load(block, MIDDLE + axis) for axis in range(3)]
    half = [lanes.load(block, HALF + axis) for axis in range(3)]
    place, reach, size = ([lanes.spread(number) for number in group] for group in single)
    apart = [middle[axis] - place[axis] for axis in range(3)]
    for axis in range(3):
        yield apart[axis].magnitude() - half[axis] > reach[axis]
    for axis in range(3):
        turned = [lanes.spread(lanes.scalar(relation, AXES + 3 * axis + k)) for k in range(3)]
        weights = [lanes.spread(lanes.scalar(relation, MAGNITUDES + 3 * axis + k)) for k in range(3)]
        yield dot(turned, apart).magnitude() > dot(weights, half) + size[axis]


@intrinsic
def boxes_meeting(typing_context, single, lane, block, relation):
    """Return a bit for each lane of a block whose box may overlap a node, the single, of another block.

    The single is moved, not the block: one box is turned instead of eight, and the eight are read as they are stored.
    """

    def generate(context, builder, signature, arguments):
        single, lane, block, relation = arguments
        four, eight = Lanes(builder, FOUR_FLOATS), Lanes(builder, EIGHT_FLOATS)

        def columns(first: int) -> Triple:
            places = [builder.add(relation, INT64(FLOAT_BYTES * (first + 3 * k))) for k in range(3)]
            return [four.load(place, 0, align=FLOAT_BYTES) for place in places]

        def of_single(row: int) -> list[Any]:
            fields = [builder.add(lane, INT64(EIGHT_FLOATS.width * (row + axis))) for axis in range(3)]
            return [builder.load(place_of(builder, single, field, FLOAT)) for field in fields]

        ratio, margin = eight.scalar(relation, RATIO), eight.scalar(relation, MARGIN)
        half = [builder.fmul(ratio, size) for size in of_single(HALF)]
        place = four.load(builder.add(relation, INT64(FLOAT_BYTES * SHIFT)), 0, align=FLOAT_BYTES)
        # the margin is added to the reach along the block's axes and to the half sizes along the single's own, so that
        # each of the six comparisons has it once
        reach = four.spread(margin)
        for column, number in zip(columns(MATRIX), of_single(MIDDLE), strict=True):
            place = column.times_plus(four.spread(number), place)
        for column, number in zip(columns(MAGNITUDES), half, strict=True):
            reach = column.times_plus(four.spread(number), reach)
        own = [builder.fadd(size, margin) for size in half]
        numbers = [place.lane(k) for k in range(3)], [reach.lane(k) for k in range(3)], own
        separated = eight.any_of(list(_separations(eight, block, relation, numbers)))
        return eight.bits(builder.not_(separated))

    return types.int64(*4 * (types.int64,)), generate
