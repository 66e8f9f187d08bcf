"""How far the hull of one node is from those of eight, at least, along one direction: all lanes at once.

A node is contained in the hull of eight points, widened by a radius (`tumble.hierarchy.packed.hulls`). Along a unit
vector u from the single to a lane, in the block's frame, the gap between the two is

    min over the lane's points of u · p  -  max over the single's points of u · (M q + t)  -  both radii

and no more than their distance. The direction is the way between the nearest points found so far. Near them that parts
more pairs than anything that boxes and slabs tell, and it takes less time.

The points of a node lie side by side, a vector for each component: compared at the end are the least lanes of eight
vectors. The single's points stay where they are: instead, u is turned into their frame.

u may be longer than 1 by some roundings of float32, which the unit of `nearest` allows for. With points below 1,
those of the single below the ratio r, and a shift t, what is compared is off by at most (16 + 24 r + 8 |t|) 2**-24: the
margin has more. What is not a number does not exclude a lane.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import INT32
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Triple, Vector, dot
from tumble.volume.eight_boxes import MATRIX, RATIO, SHIFT

WIDTH = EIGHT_FLOATS.width
RADIUS = 3 * WIDTH  # the row of radii, behind those of the points of eight nodes


def _paired(one: Vector, other: Vector, order: Sequence[int]) -> Vector:
    """Some lanes of two vectors, those of the second counted from eight."""
    lanes = one.lanes
    pattern = ir.Constant(ir.VectorType(INT32, WIDTH), list(order))
    return Vector(lanes, lanes.builder.shuffle_vector(one.value, other.value, pattern))


def _least_of_each(vectors: Sequence[Vector]) -> Vector:
    """The least lane of each of eight vectors, that of the k-th in lane k."""
    for evens, odds in (
        ((0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15)),
        ((0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)),
        ((0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)),
    ):
        pairs = zip(vectors[::2], vectors[1::2], strict=True)
        vectors = [_paired(x, y, evens).or_smaller(_paired(x, y, odds)) for x, y in pairs]
    return vectors[0]


def _largest_of_all(vector: Vector) -> Vector:
    """The largest of all lanes, in all lanes."""
    for distance in (4, 2, 1):
        vector = vector.or_larger(vector.shuffled([k ^ distance for k in range(WIDTH)]))
    return vector


def _values(lanes: Lanes, hull: Any, first: int, u: Triple) -> Vector:
    """The points of one node along a vector."""
    return dot(u, [lanes.load(hull, first + axis) for axis in range(3)])


def _far(lanes: Lanes, hull: Any, relation: Any, u: Triple) -> Vector:
    """How far the points of the single reach along a vector of the block's frame."""
    matrix = [[lanes.spread(lanes.scalar(relation, MATRIX + 3 * j + i)) for j in range(3)] for i in range(3)]
    turned = [dot([matrix[i][j] for i in range(3)], u) for j in range(3)]
    shift = [lanes.spread(lanes.scalar(relation, SHIFT + i)) for i in range(3)]
    return dot(u, shift) + _largest_of_all(_values(lanes, hull, 0, turned))


@intrinsic
def hulls_along(typing_context, hulls, hull, radius, relation, margin, way, limit, gaps):
    """Write the gap of each lane along a way; return a bit for each that is not beyond the limit.

    hulls is the address of those of eight nodes, hull and radius are those of the single's points and of its radius,
    way is that of a unit vector, three float32 numbers.
    """

    def generate(context, builder, signature, arguments):
        hulls, hull, radius, relation, margin, way, limit, gaps = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        u = [lanes.spread(lanes.scalar(way, k)) for k in range(3)]
        near = _least_of_each([_values(lanes, hulls, 3 * k, u) for k in range(WIDTH)])
        own = lanes.spread(builder.fmul(lanes.scalar(relation, RATIO), lanes.scalar(radius, 0)))
        radii = lanes.load(hulls, RADIUS) + own + lanes.spread(margin)
        gap = near - _far(lanes, hull, relation, u) - radii
        lanes.store(gap, gaps, 0)
        return lanes.bits(builder.not_(gap > lanes.spread(limit)))

    addresses = 4 * (types.int64,)
    return types.int64(*addresses, types.float32, types.int64, types.float32, types.int64), generate
