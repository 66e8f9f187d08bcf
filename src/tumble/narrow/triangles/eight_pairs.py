"""Two triangles against four: eight pairs at once, in float32 with bounds on everything that is rounded.

What is certain here is certain for the posed float64 vertices too; only the other pairs go on to `four_pairs`. The
kept leaf is moved into the frame of the other tree, so that triangles of that tree are not posed at all: they are read,
moved so that a corner of the kept leaf is the origin, scaled, and rounded to float32. Lane k stands for triangle k & 1
of the kept leaf and triangle k >> 1 of the other four, which are two leaves: lanes 0 to 3 and 4 to 7 are those of
`four_pairs`.

Signs. A map from the world into the other tree's frame that is affine and keeps orientations does not change the sign
of a determinant of four points' differences. So it is enough to know the images of the posed vertices, rounded as they
are, up to some error: `kept_frame` says that float64 gets coordinates that are off by at most `ROUNDING`.

Bounds, with u = 2**-24, D at least the sum of the largest coordinates in both triangles, and three differences of
vertices with components up to E, F and D. Float32 rounds each coordinate by u times its size, and the difference of two
of them by u times its own, so each component of a difference is off by

    h = 4 u D + 2 ROUNDING

at most. A determinant is six products of three such components, and so by the errors of its entries off by at most

    6 ((E + h) (F + h) (D + h) - E F D) = 6 h ((E + h) (F + h) + D (E + F + h))

and by its own rounding by 48 u E F D (see `filter`, where this includes what the differences are rounded by). The
factors in `crossing.Bounds` are larger, for the rounding of the bounds and of the sizes in them. Below 1e-30 (a bound)
products may have lost bits to underflow, and above 1e9 (D) such bits may have been multiplied to something larger. What
is not a number, or infinite, fails all comparisons that make something certain.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import DOUBLE, FLOAT, INT32, INT64, float64_at, int64_at, place_of, pointer_to
from tumble.core.simd.vectors import EIGHT_FLOATS, FOUR_DOUBLES, VECTOR_BYTES, Lanes, Triple, Vector, minus
from tumble.hierarchy.packed.header import FACES, SCALE, VERTICES
from tumble.narrow.triangles.crossing import Bounds, Sides, cross_fused, crossing_sign, largest_of
from tumble.narrow.triangles.four_pairs import points_of
from tumble.narrow.triangles.kept_frame import MATRIX, ORIGIN, ROUNDING

# What is kept of a leaf. In float64: its corners in the other tree's frame, first, second and third of both triangles,
# a vector each, the last lane of which means nothing; and what takes scaled vertices of the other tree to the new
# origin.
PLACES = 0
BASE = 6
# In float32, eight lanes: nine coordinates, from the new origin on; the normal; the largest component of an edge.
POINTS = 7
NORMAL = 16
EDGE = 19
SIZE = 20  # the largest coordinate
KEPT_VECTORS = 21
KEPT_WORDS = KEPT_VECTORS * VECTOR_BYTES // 8

OTHER_LANES = (0, 0, 1, 1, 2, 2, 3, 3)
# Fields of eight bits in the word that `eight_pairs` returns.
UNSURE = 8
OPEN = 16

LARGEST_SIZE = 1e9


def _point_at(builder: Any, vertices: Any, corner: Any) -> Any:
    """Read a vertex as a vector of four, the last lane of which means nothing."""
    place = builder.add(vertices, builder.mul(corner, INT64(24)))
    three = ir.VectorType(DOUBLE, 3)
    value = builder.load(pointer_to(builder, place, three))
    value.align = 8
    order = ir.Constant(ir.VectorType(INT32, 4), [0, 1, 2, 3])
    return builder.shuffle_vector(value, ir.Constant(three, ir.Undefined), order)


def _shuffled(builder: Any, a: Any, b: Any, order: Sequence[int]) -> Any:
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(INT32, len(order)), list(order)))


def _columns(builder: Any, rows: Sequence[Any]) -> list[Any]:
    """Turn four points of four numbers into x, y and z of all four."""
    low, high = (_shuffled(builder, rows[k], rows[k + 1], (0, 4, 1, 5)) for k in (0, 2))
    x, y = _shuffled(builder, low, high, (0, 1, 4, 5)), _shuffled(builder, low, high, (2, 3, 6, 7))
    low, high = (_shuffled(builder, rows[k], rows[k + 1], (2, 6, 2, 6)) for k in (0, 2))
    return [x, y, _shuffled(builder, low, high, (0, 1, 4, 5))]


def _corner(builder: Any, faces: Any, triangle: Any, k: int) -> Any:
    number = builder.add(builder.mul(triangle, INT64(3)), INT64(k))
    return builder.sext(builder.load(place_of(builder, faces, number, INT32)), INT64)


def _rounded(lanes: Lanes, vector: Any) -> Any:
    return lanes.builder.fptrunc(vector, ir.VectorType(FLOAT, 4))


def _normal(points: Sequence[Triple]) -> tuple[list[Vector], Vector]:
    """Return the normal of a triangle, and the largest component of the edges that it is the product of."""
    e, f = minus(points[1], points[0]), minus(points[2], points[0])
    return cross_fused(e, f), largest_of([*e, *f])


@intrinsic
def keep_places(typing_context, vertices, faces, one, two, frame, kept):
    """Write the triangles one and two of a leaf in the frame of the other tree, in float64 and as float32 lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vertices, faces, one, two, frame, kept = arguments
        doubles, floats = Lanes(builder, FOUR_DOUBLES), Lanes(builder, EIGHT_FLOATS)
        *columns, shift = (doubles.load(frame, MATRIX // 4 + k) for k in range(4))
        places: list[Vector] = []
        for k in range(3):
            for triangle in (one, two):
                spot = builder.add(vertices, builder.mul(_corner(builder, faces, triangle, k), INT64(24)))
                place = shift
                for i, column in enumerate(columns):
                    place = column.times_plus(doubles.spread(doubles.scalar(spot, i)), place)
                places.append(place)
        for k, place in enumerate(places):
            doubles.store(place, kept, PLACES + k)
        doubles.store(-places[0] - doubles.load(frame, ORIGIN // 4), kept, BASE)
        points: list[Vector] = []
        for k in range(0, 6, 2):
            one, two = (_rounded(doubles, (place - places[0]).value) for place in places[k : k + 2])
            points += [Vector(floats, _shuffled(builder, one, two, 4 * (i, 4 + i))) for i in range(3)]
        normal, edge = _normal(points_of(points))
        # not a number if any of them is infinite or none: comparisons with least and greatest numbers may drop those
        size = reduce(Vector.__add__, points) * floats.constant(0.0) + largest_of(points)
        for k, vector in enumerate([*points, *normal, edge, size]):
            floats.store(vector, kept, POINTS + k)
        return context.get_dummy_value()

    return types.void(*6 * (types.int64,)), generate


def _their_points(
    lanes: Lanes, mesh: Sequence[Any], triangles: Sequence[Any], base: Vector, scale: Any
) -> list[Triple]:
    """Read four triangles of a mesh, two lanes for each, from the new origin on."""
    (vertices, faces), builder, doubles = mesh, lanes.builder, base.lanes
    factor = doubles.spread(scale)
    points: list[Triple] = []
    for k in range(3):
        rows = []
        for triangle in triangles:
            point = Vector(doubles, _point_at(builder, vertices, _corner(builder, faces, triangle, k)))
            # the scale is a power of two: the product is exact, fused with the sum or not
            rows.append(_rounded(doubles, point.times_plus(factor, base).value))
        columns = _columns(builder, rows)
        points.append([Vector(lanes, _shuffled(builder, column, column, OTHER_LANES)) for column in columns])
    return points


@intrinsic
def eight_pairs(typing_context, vertices, faces, scale, a, b, c, d, frame, kept):
    """Compare the kept leaf with the triangles a, b, c and d of the other tree.

    Return a word: the lanes that are certain to touch, those that are not certain, and those that planes do not part.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vertices, faces, scale, *triangles, frame, kept = arguments
        doubles, lanes = Lanes(builder, FOUR_DOUBLES), Lanes(builder, EIGHT_FLOATS)
        second = _their_points(lanes, (vertices, faces), triangles, doubles.load(kept, BASE), scale)
        first = points_of([lanes.load(kept, POINTS + k) for k in range(9)])
        distance = largest_of([component for point in second for component in point]) + lanes.load(kept, SIZE)
        rounding = lanes.spread(lanes.scalar(frame, ROUNDING))
        normal, edge = _normal(second)
        bounds = Bounds(lanes, distance, rounding, lanes.load(kept, EDGE), edge)
        own_normal = [lanes.load(kept, NORMAL + k) for k in range(3)]
        of_second = Sides(lanes, own_normal, first[0], second, bounds.first_plane)
        of_first = Sides(lanes, normal, second[0], first, bounds.second_plane)
        usable = lanes.constant(LARGEST_SIZE) > distance
        parted = builder.or_(
            builder.and_(of_first.known, builder.not_(of_first.crossing)),
            builder.and_(of_second.known, builder.not_(of_second.crossing)),
        )
        open_lanes = builder.not_(builder.and_(parted, usable))
        sign = crossing_sign(lanes, of_first, of_second)
        known = lanes.all_of([of_first.known, of_second.known, usable, sign.magnitude() > bounds.edges])
        touching = lanes.all_of([open_lanes, known, sign > lanes.constant(0.0)])
        unsure = lanes.bits(builder.and_(open_lanes, builder.not_(known)))
        word = builder.or_(lanes.bits(touching), builder.shl(unsure, INT64(UNSURE)))
        return builder.or_(word, builder.shl(lanes.bits(open_lanes), INT64(OPEN)))

    return types.int64(types.int64, types.int64, types.float64, *6 * (types.int64,)), generate


@inlined_kernel
def keep_in_frame(tree, one, two, frame, kept):
    """Keep the triangles of a leaf for `certain_pairs`; `two` may be negative: there is no second one."""
    keep_places(int64_at(tree, VERTICES), int64_at(tree, FACES), one, one if two < 0 else two, frame, kept)


@inlined_kernel
def certain_pairs(tree, three, four, five, six, frame, kept):
    """Compare the kept leaf with two leaves of the other tree: the word of `eight_pairs`.

    `four` and `six` may be negative: there is no second triangle.
    """
    four, six = three if four < 0 else four, five if six < 0 else six
    return eight_pairs(
        int64_at(tree, VERTICES), int64_at(tree, FACES), float64_at(tree, SCALE), three, four, five, six, frame, kept
    )
