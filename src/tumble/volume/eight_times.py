"""How long one box stays apart from eight, at least: lower bounds of a time of impact, all lanes at once.

The single and the lanes are those of `eight_distances`, as they are now; both move. Along a unit vector u that stays as
it is, with a gap g between the two, the rate v at which the gap closes now, and at most the acceleration b of that,

    v t + b t² / 2 <= g     for all t up to     t = 2 / (p + √(p² + 2 q)),   p = v / g,   q = b / g

so nothing of one touches anything of the other before. The largest of these times over nine directions is the bound:
the axes of both frames, the way from middle to middle, and the directions of both slabs.

With the angular velocity w, a point at r from the middle of its node moves along u by u · (w × r) = (u × w) · r faster
than the middle does, at most |u × w| times the radius of the node; and a body that turns at the speed s about its axis
accelerates along u by at most |u × w| s. So what slides along a face that it turns about does not approach it.
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
SQUARE = 6  # of its length
OWN_TURNING = 7  # the angular velocity of the single's body
OWN_SQUARE = 10
RADIUS = 11  # of the single
SLACK = 12  # what rounding may add to a speed
SPEED = 13  # no point of the block's body turns faster about its axis
OWN_SPEED = 14  # nor any of the single, about that of its body
MOVING_FLOATS = 16

ROUNDING = 2.0**-20
"""of what cancels out where a gap opens, or of a square: many times as much as it can be off"""


class _Moving(BoxPair):
    """The single and eight lanes of a block, and how fast they approach each other."""

    def __init__(self, lanes: Lanes, moving: Any, block: Any, *others: Any) -> None:
        super().__init__(lanes, block, *others)
        numbers = [lanes.spread(lanes.scalar(moving, k)) for k in range(MOVING_FLOATS)]
        self.numbers = numbers
        self.turning, self.own_turning = (numbers[first : first + 3] for first in (TURNING, OWN_TURNING))
        turned = cross(self.turning, [lanes.load(block, axis) for axis in range(3)])
        self.velocity = [numbers[VELOCITY + k] - turned[k] for k in range(3)]
        self.radius = lanes.call("sqrt", dot(self.half, self.half))
        self.gap = lanes.constant(0.0)
        self.haste = lanes.constant(float("inf"))

    def across(self, square: Vector, along: Vector) -> Vector:
        """The length of what an angular velocity has across a direction, from its own and what it has along it."""
        least = square * self.lanes.constant(ROUNDING)
        return self.lanes.call("sqrt", (square - along * along).or_larger(least) + least)

    def see(self, gap: Vector, speed: Vector, along: Vector, own_along: Vector) -> None:
        """Take a direction into account: two over the time is p + √(p² + 2 q), and the least of these counts.

        `along` and `own_along` are what the angular velocities have along it.
        """
        lanes, numbers = self.lanes, self.numbers
        theirs, ours = self.across(numbers[SQUARE], along), self.across(numbers[OWN_SQUARE], own_along)
        spread = theirs.times_plus(self.radius, ours.times_plus(numbers[RADIUS], numbers[SLACK]))
        bend = theirs.times_plus(numbers[SPEED], ours * numbers[OWN_SPEED])
        self.gap = gap.or_larger(self.gap)
        share = lanes.constant(1.0) / gap
        p = (speed + spread) * share
        root = lanes.call("sqrt", p.times_plus(p, (bend + bend) * share))
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
            self.see(gap, self.towards(self.way[k], velocity[k]), self.turning[k], self.own_turning[k])
        for k, (gap, side) in enumerate(self.single_gaps()):
            self.see_along(gap, side, self.axes[k])
        gap, length = self.way_gap()
        speed, along, own_along = (dot(self.way, each) / length for each in (velocity, self.turning, self.own_turning))
        self.see(gap, speed, along, own_along)
        for (gap, side), direction in zip(self.slab_gaps(), (self.direction, self.their_direction), strict=True):
            self.see_along(gap - self.margin, side, direction)

    def see_along(self, gap: Vector, side: Vector, direction: Triple) -> None:
        """Take a unit vector into account."""
        speed = self.towards(side, dot(direction, self.velocity))
        self.see(gap, speed, dot(direction, self.turning), dot(direction, self.own_turning))


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
        lanes.store(pair.gap / (pair.radius + pair.numbers[RADIUS]), arguments[7], 1)
        return lanes.bits(builder.not_(bound > lanes.spread(arguments[6])))

    return types.int64(*4 * (types.int64,), types.float32, types.int64, types.float32, types.int64), generate
