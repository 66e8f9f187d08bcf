"""How long one box stays apart from eight, at least: lower bounds of a time of impact, all lanes at once.

The single and the lanes are those of `eight_distances`, as they are now; both move. Along a unit vector u that stays as
it is, with a gap g between the two, the rate v at which the gap closes now, and at most the acceleration b of that,

    v t + b t² / 2 <= g     for all t up to     t = 2 / (p + √(p² + 2 q)),   p = v / g,   q = b / g

so nothing of one touches anything of the other before. The largest of these times over nine directions is the bound:
the axes of both frames, the way from middle to middle, and the directions of both slabs.

Of the points of a node those move fastest that are farthest from its middle: with the angular velocity w, by at most
|w| times its radius more than the middle does. Of the acceleration there is one number for all lanes.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Triple, Vector, cross, dot
from tumble.volume.eight_distances import BoxPair

# Places in the float32 array that says how the single and the lanes move, in the block's frame and unit.
VELOCITY = 0  # of the middle of the single, less that of the point of the block's body at the origin
TURNING = 3  # the angular velocity of the block's body
RATE = 6  # its length
SPREAD = 7  # how much faster than its middle a point of the single may be, and what rounding adds
BEND = 8  # the largest acceleration of a point of the one relative to a point of the other
RADIUS = 9  # of the single
MOVING_FLOATS = 10

ROUNDING = 2.0**-20
"""of what cancels out where a gap opens: many times as much as it can be off"""


class _Moving(BoxPair):
    """The single and eight lanes of a block, and how fast they approach each other."""

    def __init__(self, lanes: Lanes, moving: Any, block: Any, *others: Any) -> None:
        super().__init__(lanes, block, *others)
        numbers = [lanes.spread(lanes.scalar(moving, k)) for k in range(MOVING_FLOATS)]
        middle = [lanes.load(block, axis) for axis in range(3)]
        turned = cross(numbers[TURNING : TURNING + 3], middle)
        self.velocity = [numbers[VELOCITY + k] - turned[k] for k in range(3)]
        radius = lanes.call("sqrt", dot(self.half, self.half))
        self.spread = radius.times_plus(numbers[RATE], numbers[SPREAD])
        self.radii = radius + numbers[RADIUS]
        self.gap = lanes.constant(0.0)
        self.bend = numbers[BEND] + numbers[BEND]
        self.haste = lanes.constant(float("inf"))

    def see(self, gap: Vector, speed: Vector) -> None:
        """Take a direction into account: two over the time is p + √(p² + 2 q), and the least of these counts."""
        lanes = self.lanes
        self.gap = gap.or_larger(self.gap)
        share = lanes.constant(1.0) / gap
        p = (speed + self.spread) * share
        root = lanes.call("sqrt", p.times_plus(p, self.bend * share))
        haste = p.magnitude().times_plus(lanes.constant(ROUNDING), p + root)
        # what is not a number is not smaller
        better = lanes.all_of([gap > lanes.constant(0.0), haste < self.haste])
        self.haste = lanes.choose(better, haste, self.haste)

    def towards(self, side: Vector, along: Vector) -> Vector:
        """A speed along a direction, or against it where the lane is on its other side."""
        return self.lanes.choose(side > self.lanes.constant(0.0), along, -along)

    def see_all(self) -> None:
        """Take all nine directions into account."""
        velocity: Triple = self.velocity
        for k, gap in enumerate(self.block_gaps()):
            self.see(gap, self.towards(self.way[k], velocity[k]))
        for k, (gap, side) in enumerate(self.single_gaps()):
            self.see(gap, self.towards(side, dot(self.axes[k], velocity)))
        gap, length = self.way_gap()
        self.see(gap, dot(self.way, velocity) / length)
        for (gap, side), direction in zip(self.slab_gaps(), (self.direction, self.their_direction), strict=True):
            self.see(gap - self.margin, self.towards(side, dot(direction, velocity)))


@intrinsic
def boxes_before(typing_context, block, slabs, relation, single, margin, moving, limit, bounds):
    """Write how long each lane stays apart from the single at least; return a bit for each that may not beyond a limit.

    Behind the times, write how far apart they are at least, in radii of both. All but margin and limit are addresses;
    the margin covers all rounding.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, EIGHT_FLOATS)
        pair = _Moving(lanes, arguments[5], *arguments[:5])
        pair.see_all()
        bound = lanes.constant(2.0) / pair.haste
        lanes.store(bound, arguments[7], 0)
        lanes.store(pair.gap / pair.radii, arguments[7], 1)
        return lanes.bits(builder.not_(bound > lanes.spread(arguments[6])))

    return types.int64(*4 * (types.int64,), types.float32, types.int64, types.float32, types.int64), generate
