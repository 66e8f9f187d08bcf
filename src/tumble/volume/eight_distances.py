"""How far one box is from eight, at least: lower bounds for the packed tree, all lanes at once.

The single and the lanes are those of `eight_boxes`; a node lies in what its box and its slab
(`tumble.hierarchy.packed.slabs`) have in common. The largest of these is the bound, in the unit of the block's frame:

    boxes    the gaps along the three axes of the block's frame as the sides of a box, and its diagonal; the same along
             the axes of the single's
    way      the gap along the way u from the middle of the single's box to that of the lane's
    slabs    the gaps along the directions of both slabs

Along a vector u, a slab of direction m bounds what u has along m, and the box the rest:

    u = c m + t,  c = u · m        u · (x - middle)  is within  c offset ± (|c| thickness + |t| · half sizes)

Any c will do, as t is what it leaves: so no rounding of c and m matters. A piece of a surface is thin, and on the way
across the gap between two surfaces t is short. Without slabs a search looks at many times as many pairs of nodes
(docs/distance.md).

Bounds may be negative, the more so the deeper nodes overlap: that still tells which to visit first. What is not a
number does not exclude a lane, nor does a diagonal whose squares may have overflowed.
"""

from collections.abc import Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Triple, Vector, dot
from tumble.volume.eight_boxes import AXES, MAGNITUDES

# Places in the float32 array that says where the single is in the block's frame; sizes are in the block's unit.
PLACE = 0  # the middle of its box
REACH = 3  # how far the box reaches along the block's axes
SIZES = 6  # its half sizes along its own axes
DIRECTION = 9  # of its slab
OFFSET = 12
THICKNESS = 13
SINGLE_FLOATS = 14

LARGEST = 1e18  # the squares of larger gaps may overflow


def _length_along(vector: Triple, sizes: Sequence[Vector]) -> Vector:
    """How far a box of these half sizes reaches along a vector, times its length."""
    return dot([component.magnitude() for component in vector], sizes)


def _squared_diagonal(lanes: Lanes, gaps: Sequence[Vector]) -> Vector:
    """The sum of the squares of gaps that are positive."""
    positive = [gap.or_larger(lanes.constant(0.0)) for gap in gaps]
    return dot(positive, positive)


def _less(vector: Triple, factor: Vector, direction: Triple) -> list[Vector]:
    """A vector less a direction times a factor."""
    negative = -factor
    return [negative.times_plus(direction[k], vector[k]) for k in range(3)]


class BoxPair:
    """The single and eight lanes of a block."""

    def __init__(self, lanes: Lanes, block: Any, slabs: Any, relation: Any, single: Any, margin: Any) -> None:
        self.lanes = lanes
        self.margin = lanes.spread(margin)
        numbers = [lanes.spread(lanes.scalar(single, k)) for k in range(SINGLE_FLOATS)]
        self.reach, self.sizes, self.direction = (numbers[first : first + 3] for first in (REACH, SIZES, DIRECTION))
        self.offset, self.thickness = numbers[OFFSET], numbers[THICKNESS]
        self.half = [lanes.load(block, 3 + axis) for axis in range(3)]
        self.way = [lanes.load(block, axis) - numbers[PLACE + axis] for axis in range(3)]
        self.their_direction = [lanes.load(slabs, axis) for axis in range(3)]
        self.their_offset, self.their_thickness = lanes.load(slabs, 3), lanes.load(slabs, 4)
        self.axes = [[lanes.spread(lanes.scalar(relation, AXES + 3 * i + k)) for k in range(3)] for i in range(3)]
        self.weights = [
            [lanes.spread(lanes.scalar(relation, MAGNITUDES + 3 * i + k)) for k in range(3)] for i in range(3)
        ]

    def block_gaps(self) -> list[Vector]:
        """The gaps along the axes of the block's frame."""
        return [self.way[k].magnitude() - self.half[k] - (self.reach[k] + self.margin) for k in range(3)]

    def single_gaps(self) -> list[tuple[Vector, Vector]]:
        """The gap along each axis of the single's frame, and how far the way goes along it."""
        gaps = []
        for axis in range(3):
            size = dot(self.weights[axis], self.half) + (self.sizes[axis] + self.margin)
            along = dot(self.axes[axis], self.way)
            gaps.append((along.magnitude() - size, along))
        return gaps

    def of_boxes(self) -> Vector:
        """Along the axes of both frames."""
        gaps, turned = self.block_gaps(), [gap for gap, _ in self.single_gaps()]
        square = _squared_diagonal(self.lanes, gaps).or_larger(_squared_diagonal(self.lanes, turned))
        return self.lanes.call("sqrt", square)

    def along_way(self) -> Vector:
        """Along the way from middle to middle."""
        return self.way_gap()[0]

    def way_gap(self) -> tuple[Vector, Vector]:
        """The gap along the way from middle to middle, and the length of that."""
        way, square = self.way, dot(self.way, self.way)
        theirs, ours = dot(way, self.their_direction), dot(way, self.direction)
        rest, own_rest = _less(way, theirs, self.their_direction), _less(way, ours, self.direction)
        gap = square + theirs * self.their_offset - ours * self.offset
        gap = gap - theirs.magnitude() * self.their_thickness - _length_along(rest, self.half)
        turned = [dot(self.axes[axis], own_rest) for axis in range(3)]
        gap = gap - ours.magnitude() * self.thickness - _length_along(turned, self.sizes)
        length = self.lanes.call("sqrt", square)
        return gap / length - self.margin, length

    def across_slabs(self) -> Vector:
        """Along the directions of both slabs."""
        (gap, _), (other, _) = self.slab_gaps()
        return gap.or_larger(other) - self.margin

    def slab_gaps(self) -> list[tuple[Vector, Vector]]:
        """The gaps along the directions of the single's slab and of the lanes', with no margin; and their sides."""
        ours, theirs = self.direction, self.their_direction
        cosine = dot(ours, theirs)
        size = cosine.magnitude()
        rest = _less(ours, cosine, theirs)
        between = dot(ours, self.way) + cosine * self.their_offset - self.offset
        gap = between.magnitude() - size * self.their_thickness - _length_along(rest, self.half) - self.thickness
        rest = _less(theirs, cosine, ours)
        beyond = dot(theirs, self.way) + self.their_offset - cosine * self.offset
        other = beyond.magnitude() - size * self.thickness - _length_along(rest, self.reach) - self.their_thickness
        return [(gap, between), (other, beyond)]


@intrinsic
def boxes_within(typing_context, block, slabs, relation, single, margin, limit, bounds):
    """Write how far each lane is from the single at least, and return a bit for each that is not beyond the limit.

    block, slabs, relation, single (see above) and bounds are addresses; the margin covers all rounding.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, EIGHT_FLOATS)
        pair = BoxPair(lanes, *arguments[:5])
        boxes, zero = pair.of_boxes(), lanes.constant(0.0)
        bound = pair.along_way().or_larger(pair.across_slabs())
        usable = [boxes > zero, boxes > bound, boxes < lanes.constant(LARGEST)]
        bound = lanes.choose(lanes.all_of(usable), boxes, bound)
        lanes.store(bound, arguments[6], 0)
        return lanes.bits(builder.not_(bound > lanes.spread(arguments[5])))

    return types.int64(*4 * (types.int64,), *2 * (types.float32,), types.int64), generate
