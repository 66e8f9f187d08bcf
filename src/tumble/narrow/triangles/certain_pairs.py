"""Pairs of leaves, two triangles in each: many pairs of triangles at once, in float32 with bounds on all rounding.

What is certain here is certain for the posed float64 vertices too; only the other pairs go on to `four_pairs`. One
leaf of each pair is kept: moved into the frame of the other one's tree, so that triangles of that tree are not posed at
all. They are read, moved so that a corner of the kept leaf is the origin, scaled, and rounded to float32. Lanes 0 to 3
are the first pair of leaves, 4 to 7 the second, each as in `four_pairs`: lane k stands for triangle k & 1 of the kept
leaf and triangle k >> 1 & 1 of the other. The pairs of leaves need have nothing in common. There are two of them, or
four where vectors are long enough.

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
from numba.core import cgutils

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import (
    DOUBLE,
    FLOAT,
    INT32,
    INT64,
    float64_at,
    instruction,
    int64_at,
    place_of,
    pointer_to,
    set_float64,
    set_int64,
)
from tumble.core.simd.processor import has_long_vectors
from tumble.core.simd.vectors import (
    EIGHT_FLOATS,
    FOUR_DOUBLES,
    FOUR_FLOATS,
    SIXTEEN_FLOATS,
    Lanes,
    Triple,
    Vector,
    minus,
)
from tumble.hierarchy.packed.header import FACES, SCALE, VERTICES
from tumble.narrow.triangles.crossing import Bounds, Sides, cross_fused, crossing_sign, largest_of
from tumble.narrow.triangles.four_pairs import points_of
from tumble.narrow.triangles.kept_frame import MATRIX, ORIGIN, ROUNDING

# What is kept of a leaf. In float64: its corners in the other tree's frame, first, second and third of both triangles,
# a vector each, the last lane of which means nothing; and what takes scaled vertices of the other tree to the new
# origin.
PLACES = 0
BASE = 6
# In 64-bit words: where the other tree's vertices and faces are, and its scale; in float32, the rounding of the frame.
VERTICES_AT, FACES_AT, SCALE_AT, ROUNDING_AT = 28, 29, 30, 62
# In float32, four lanes: nine coordinates, from the new origin on; the normal; the largest component of an edge.
POINTS = 16
NORMAL = 25
EDGE = 28
SIZE = 29  # the largest coordinate
KEPT_WORDS = 60

# A pair of leaves is given by where the first is kept and the triangles of the second, in 64-bit words; twice the
# same triangle where there is one only. Other words are the caller's.
KEPT_AT, TRIANGLE, SECOND_TRIANGLE = 0, 1, 2
PAIR_WORDS = 7
TRIANGLE_PAIRS = 4  # of two leaves

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


@instruction(types.void(*8 * (types.int64,)))
def keep_places(builder, vertices, faces, one, two, frame, other_vertices, other_faces, kept):
    """Write the triangles one and two of a leaf in the frame of the other tree, in float64 and as float32 lanes."""
    doubles, floats = Lanes(builder, FOUR_DOUBLES), Lanes(builder, FOUR_FLOATS)
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
    for word, value in ((VERTICES_AT, other_vertices), (FACES_AT, other_faces)):
        builder.store(value, place_of(builder, kept, INT64(word), INT64))
    builder.store(floats.scalar(frame, ROUNDING), place_of(builder, kept, INT64(ROUNDING_AT), FLOAT))
    points: list[Vector] = []
    for k in range(0, 6, 2):
        one, two = (_rounded(doubles, (place - places[0]).value) for place in places[k : k + 2])
        points += [Vector(floats, _shuffled(builder, one, two, 2 * (i, 4 + i))) for i in range(3)]
    normal, edge = _normal(points_of(points))
    # not a number if any of them is infinite or none: comparisons with least and greatest numbers may drop those
    size = reduce(Vector.__add__, points) * floats.constant(0.0) + largest_of(points)
    for k, vector in enumerate([*points, *normal, edge, size]):
        floats.store(vector, kept, POINTS + k, align=16)


class _LeafPair:
    """A pair of leaves at one position of the code."""

    def __init__(self, builder: Any, place: Any) -> None:
        self.builder = builder
        words = (builder.load(place_of(builder, place, INT64(k), INT64)) for k in range(3))
        self.kept, *self.triangles = words
        at = (builder.load(place_of(builder, self.kept, INT64(k), INT64)) for k in (VERTICES_AT, FACES_AT))
        self.vertices, self.faces = at

    def corners(self, k: int) -> list[Any]:
        """Return corner k of both triangles of the second leaf, from the new origin on, as float32."""
        doubles = Lanes(self.builder, FOUR_DOUBLES)
        scale, base = doubles.spread(doubles.scalar(self.kept, SCALE_AT)), doubles.load(self.kept, BASE)
        numbers = [_corner(self.builder, self.faces, triangle, k) for triangle in self.triangles]
        points = [Vector(doubles, _point_at(self.builder, self.vertices, number)) for number in numbers]
        # the scale is a power of two: the product is exact, fused with the sum or not
        return [_rounded(doubles, point.times_plus(scale, base).value) for point in points]


def _joined(builder: Any, parts: Sequence[Any]) -> Any:
    """Return vectors one after the other as one."""
    while len(parts) > 1:
        order = range(2 * parts[0].type.count)
        parts = [_shuffled(builder, one, other, order) for one, other in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def _their_points(lanes: Lanes, pairs: Sequence[_LeafPair]) -> list[Triple]:
    """Return the corners of the second leaves' triangles, each in the two lanes that it is compared in."""
    builder = lanes.builder
    points: list[Triple] = []
    for k in range(3):
        rows = [corner for pair in pairs for corner in pair.corners(k)]
        columns = [_columns(builder, rows[j : j + 4]) for j in range(0, len(rows), 4)]
        twice = [lane // 2 for lane in range(lanes.kind.width)]
        components = (_joined(builder, component) for component in zip(*columns, strict=True))
        points.append([Vector(lanes, _shuffled(builder, each, each, twice)) for each in components])
    return points


@instruction(types.UniTuple(types.int64, 3)(types.int64))
def certain_pairs(builder, pairs):
    """Compare the leaves of as many pairs, from an address on, as there are lanes for: see `float32_lanes`.

    Return the lanes that are certain to touch, those that are not certain, and those that planes do not part.
    """
    lanes = Lanes(builder, SIXTEEN_FLOATS if has_long_vectors() else EIGHT_FLOATS)
    floats = Lanes(builder, FOUR_FLOATS)
    places = range(0, 8 * PAIR_WORDS * (lanes.kind.width // TRIANGLE_PAIRS), 8 * PAIR_WORDS)
    there = [_LeafPair(builder, builder.add(pairs, INT64(place))) for place in places]

    def of_all(index: int) -> Vector:
        return Vector(lanes, _joined(builder, [floats.load(pair.kept, index, align=16).value for pair in there]))

    second = _their_points(lanes, there)
    first = points_of([of_all(POINTS + k) for k in range(9)])
    distance = largest_of([component for point in second for component in point]) + of_all(SIZE)
    order = [lane // TRIANGLE_PAIRS for lane in range(lanes.kind.width)]
    rounding = lanes.arrange([lanes.scalar(pair.kept, ROUNDING_AT) for pair in there], order)
    normal, edge = _normal(second)
    bounds = Bounds(lanes, distance, rounding, of_all(EDGE), edge)
    of_second = Sides(lanes, [of_all(NORMAL + k) for k in range(3)], first[0], second, bounds.first_plane)
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
    unsure = builder.and_(open_lanes, builder.not_(known))
    return cgutils.pack_array(builder, [lanes.bits(answers) for answers in (touching, unsure, open_lanes)])


@inlined_kernel
def keep_in_frame(tree, one, two, other, frame, kept):
    """Keep the triangles of a leaf to compare them with the other tree's; `two` may be negative: there is none."""
    keep_places(
        int64_at(tree, VERTICES), int64_at(tree, FACES), one, one if two < 0 else two, frame,
        int64_at(other, VERTICES), int64_at(other, FACES), kept,
    )  # fmt: skip
    set_float64(kept, SCALE_AT, float64_at(other, SCALE))


@inlined_kernel
def list_pair(pair, kept, one, two):
    """Write a pair of leaves for `certain_pairs`; `two` may be negative: there is none."""
    set_int64(pair, KEPT_AT, kept)
    set_int64(pair, TRIANGLE, one)
    set_int64(pair, SECOND_TRIANGLE, one if two < 0 else two)
