"""One box against eight: the overlap test of the packed tree, all lanes at once.

A box of one tree, the single, is moved into the frame of the other tree and compared with a block of eight boxes there,
on the three axes of the block's frame and the three of the single's own (the nine edge-edge axes do not pay, see
docs/fast-path.md). There are no early exits: eight tests cost as much as one and a half with branches.

What is not a number, or infinite on both sides, counts as overlapping: where float32 ends, nothing is lost.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, dot

# Places in the float32 array that says how the single's frame lies in the block's; there is one for either direction.
AXES = 0  # the single's axes in the block's frame, one after the other: nine numbers
MAGNITUDES = 9  # their absolute values
MATRIX = 18  # what turns and scales the single's coordinates into the block's, by rows
SHIFT = 27  # where the single's origin is
MARGIN = 30
RATIO = 31  # a length of one in the single's frame, measured in the block's
FLOATS = 32


def _separations(lanes: Lanes, block: Any, relation: Any, scalars: Any) -> Any:
    """Yield, axis by axis, the lanes whose box is separated from the single there."""
    middle = [lanes.load(block, axis) for axis in range(3)]
    half = [lanes.load(block, 3 + axis) for axis in range(3)]
    place, reach, size = ([lanes.spread(scalars[3 * group + axis]) for axis in range(3)] for group in range(3))
    apart = [middle[axis] - place[axis] for axis in range(3)]
    for axis in range(3):
        yield apart[axis].magnitude() - half[axis] > reach[axis]
    for axis in range(3):
        turned = [lanes.spread(lanes.scalar(relation, AXES + 3 * axis + k)) for k in range(3)]
        weights = [lanes.spread(lanes.scalar(relation, MAGNITUDES + 3 * axis + k)) for k in range(3)]
        yield dot(turned, apart).magnitude() > dot(weights, half) + size[axis]


@intrinsic
def boxes_meeting(typing_context, block, relation, px, py, pz, rx, ry, rz, hx, hy, hz):
    """Return a bit for each lane of the block at an address whose box may overlap the single.

    p is where the middle of the single is in the block's frame, r how far it reaches along the block's axes, h its half
    sizes in the block's unit; r and h with the margin.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, EIGHT_FLOATS)
        separated = lanes.any_of(list(_separations(lanes, arguments[0], arguments[1], arguments[2:])))
        return lanes.bits(builder.not_(separated))

    return types.int64(types.int64, types.int64, *9 * (types.float32,)), generate
