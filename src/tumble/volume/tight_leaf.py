"""The triangles of a leaf against eight boxes: tighter than the leaf's own box, above all when they are long and thin.

A leaf's box is aligned with its mesh, and turned into the other's frame it only grows. Where a leaf is the single, its
triangles are therefore moved into the block's frame themselves. They are compared with the boxes along the block's
axes, and each along two directions of its own: its normal, and across its longest edge.

Any direction may separate, so those need not be exact: a direction is rounded to float32 and then taken as it is, and
the triangle's extent along it is computed for these very numbers. What rounding is left is far below the margin that
the extents get, which is that of `eight_boxes`.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import DOUBLE, FLOAT, INT32, INT64, place_of
from tumble.core.simd.vectors import EIGHT_FLOATS, FOUR_DOUBLES, Lanes, Triple, Vector, cross, dot, largest, minus

# What is kept of a leaf: float32 vectors of four lanes, of which lanes 0 and 1 contain the two triangles. First where
# the box around both is along the block's axes and how far it reaches; then, for two directions, three components and
# where the triangle is along it and how far it reaches.
PLACE = 0
REACH = 3
DIRECTIONS = 6
ALONG = 3
REACH_ALONG = 4
DIRECTION_VECTORS = 5
TIGHT_VECTORS = DIRECTIONS + 2 * DIRECTION_VECTORS
TIGHT_WORDS = 2 * TIGHT_VECTORS

# Coordinates in the block's unit stay below a million times this margin, and directions, products of three of them,
# within float32.
LARGEST_MARGIN = 1e4
SHORTEST = 1e-20

SWAPPED = (1, 0, 3, 2)  # the two triangles in each other's lane


def _squared(vector: Triple) -> Vector:
    return dot(vector, vector)


def _chosen(lanes: Lanes, answers: Any, yes: Triple, no: Triple) -> list[Vector]:
    return [lanes.choose(answers, yes[k], no[k]) for k in range(3)]


def _longest_edge(lanes: Lanes, points: Sequence[Triple]) -> list[Vector]:
    e, f, g = minus(points[1], points[0]), minus(points[2], points[0]), minus(points[2], points[1])
    longer = _chosen(lanes, _squared(e) > _squared(f), e, f)
    return _chosen(lanes, _squared(longer) > _squared(g), longer, g)


def _rounded(lanes: Lanes, vector: Triple) -> list[Vector]:
    """Round to float32, and widen again; a direction so short that products might underflow becomes zero."""
    builder, kind, zero = lanes.builder, ir.VectorType(FLOAT, FOUR_DOUBLES.width), lanes.constant(0.0)
    long_enough = largest(vector) > lanes.constant(SHORTEST)
    rounded = [Vector(lanes, builder.fpext(builder.fptrunc(x.value, kind), FOUR_DOUBLES.type)) for x in vector]
    return _chosen(lanes, long_enough, rounded, [zero] * 3)


def _extent(values: Sequence[Vector]) -> tuple[Vector, Vector]:
    """Return the middle of several values and how far they reach from it."""
    lanes = values[0].lanes
    high, negative_low = values[0], -values[0]
    for value in values[1:]:
        high, negative_low = high.or_larger(value), negative_low.or_larger(-value)
    low, half = -negative_low, lanes.constant(0.5)
    return (high + low) * half, (high - low) * half


def _write(lanes: Lanes, place: Any, index: int, vector: Vector) -> None:
    """Write a vector as float32 numbers."""
    builder, kind = lanes.builder, ir.VectorType(FLOAT, FOUR_DOUBLES.width)
    builder.store(builder.fptrunc(vector.value, kind), place_of(builder, place, INT64(index), kind)).align = 16


@intrinsic
def tighten(typing_context, corners, margin, place):
    """Write what `tight_lanes` needs of two triangles in a block's frame, given by their corners, both in turn."""

    def generate(context, builder, signature, arguments):
        corners, margin, place = arguments
        lanes = Lanes(builder, FOUR_DOUBLES)
        margin = lanes.spread(builder.fpext(margin, DOUBLE))
        rows = [lanes.load(corners, k).value for k in range(6)]
        points = []
        for one, two in zip(rows[::2], rows[1::2], strict=True):
            orders = (ir.Constant(ir.VectorType(INT32, 4), 2 * [k, 4 + k]) for k in range(3))
            points.append([Vector(lanes, builder.shuffle_vector(one, two, order)) for order in orders])
        for axis in range(3):
            coordinates = [point[axis] for point in points]
            along, reach = _extent([*coordinates, *(value.shuffled(SWAPPED) for value in coordinates)])
            _write(lanes, place, PLACE + axis, along)
            _write(lanes, place, REACH + axis, reach + margin)
        normal = cross(minus(points[1], points[0]), minus(points[2], points[0]))
        for number, direction in enumerate((normal, cross(normal, _longest_edge(lanes, points)))):
            direction = _rounded(lanes, direction)
            along, reach = _extent([dot(direction, point) for point in points])
            sizes = [component.magnitude() for component in direction]
            reach = reach + margin * (sizes[0] + sizes[1] + sizes[2])
            for k, vector in enumerate((*direction, along, reach)):
                _write(lanes, place, DIRECTIONS + DIRECTION_VECTORS * number + k, vector)
        return context.get_dummy_value()

    return types.void(types.int64, types.float32, types.int64), generate


@intrinsic
def tight_lanes(typing_context, block, tight):
    """Return a bit for each lane of the block at an address whose box may meet one of the leaf's triangles."""

    def generate(context, builder, signature, arguments):
        block, tight = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        middle = [lanes.load(block, axis) for axis in range(3)]
        half = [lanes.load(block, 3 + axis) for axis in range(3)]

        def kept(index: int, triangle: int = 0) -> Vector:
            return lanes.spread(lanes.scalar(tight, FOUR_DOUBLES.width * index + triangle))

        separated = []
        for axis in range(3):
            separated.append((middle[axis] - kept(PLACE + axis)).magnitude() - half[axis] > kept(REACH + axis))
        by_triangle = []
        for triangle in range(2):
            answers = []
            for first in (DIRECTIONS, DIRECTIONS + DIRECTION_VECTORS):
                direction = [kept(first + k, triangle) for k in range(3)]
                distance = (dot(direction, middle) - kept(first + ALONG, triangle)).magnitude()
                size = dot([component.magnitude() for component in direction], half)
                answers.append(distance > size + kept(first + REACH_ALONG, triangle))
            by_triangle.append(lanes.any_of(answers))
        # one direction parts a triangle from a box; the leaf is parted when both of its triangles are
        separated.append(lanes.all_of(by_triangle))
        return lanes.bits(builder.not_(lanes.any_of(separated)))

    return types.int64(types.int64, types.int64), generate
