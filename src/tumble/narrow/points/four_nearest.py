"""One point against four triangles: how far each is, and the point of it that is nearest; float64.

The nearest point of a triangle is on one of its edges, or straight below the point on its face. All three edges and the
face are computed, the face as in `contact.nearest`, and the least distance counts: no case is told from another by a
sign that rounding could turn. Segments and points are triangles whose edges say it all.

The error. With the point as the origin, each triangle is brought to a size S in [1, 2) by an exact power of two: S is
the largest difference of a coordinate between the point and a corner. With u = 2**-53, each candidate is a point within
a few u S of the triangle, also where the triangle is a needle (`narrow.distance` has the argument), so that no distance
is too small by more; and one of them is the nearest within as much. |result - distance| <= TOLERANCE S; the largest
error that tests have found is below 3 u S. A corner that is the nearest point is taken as it is, so that the distance
to it is that of two float64 points, and zero exactly on a corner.

One power of two for all triangles of a point would save a twelfth of the time, and be wrong: a mesh of size 1e-300 may
stand at y = 2 in all its vertices, where coordinates say nothing about differences. Nothing is fused, so the result is
the same number on every machine.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import INT64
from tumble.core.simd.vectors import FOUR_DOUBLES, Lanes, Triple, Vector, dot_unfused, largest, minus
from tumble.narrow.contact.nearest import FLAT
from tumble.narrow.rays.ray_triangle import corners_in_lanes

TOLERANCE = 2.0**-48
"""how far a distance is off at most, relative to the size of the pair"""
SMALLEST_SIZE = 2.0**-1000
"""pairs smaller than this are brought to less than 1: denormal numbers have room all the same"""
FOUR_INTS = ir.VectorType(INT64, 4)
EXPONENT = ir.Constant(FOUR_INTS, [0x7FF << 52] * 4)
OPPOSITE = ir.Constant(FOUR_INTS, [0x7FE << 52] * 4)  # minus the bits of a power of two: those of its inverse
# What is written: four distances, then the nearest points, as seen from the given one, x, y, z of all four.
WRITTEN_WORDS = 16


class _Edge:
    """An edge from p to q of four triangles, and the point of its line that is nearest to the origin."""

    def __init__(self, lanes: Lanes, p: Triple, q: Triple) -> None:
        self.p, self.q = p, q
        self.way = minus(q, p)
        self.inverse = lanes.constant(1.0) / dot_unfused(self.way, self.way)
        """of the squared length"""
        self.t = -dot_unfused(p, self.way) * self.inverse
        self.foot = [p[k] + self.way[k] * self.t for k in range(3)]

    def nearest(self, lanes: Lanes) -> list[Vector]:
        """Return the nearest point of the edge itself."""
        # the ends are taken as they are: neighbours that share one give the same distance; an edge without length has t
        # that is not a number, and p
        before_q = _choose(lanes, self.t >= lanes.constant(1.0), self.q, self.foot)
        return _choose(lanes, self.t > lanes.constant(0.0), before_q, self.p)


def _choose(lanes: Lanes, answers: Any, yes: Triple, no: Triple) -> list[Vector]:
    return [lanes.choose(answers, *each) for each in zip(yes, no, strict=True)]


def _longest(lanes: Lanes, edges: Sequence[_Edge]) -> tuple[list[Vector], list[Vector], list[Vector], Vector, Vector]:
    """Return way, back, foot, t and inverse of the longest edge; back is the way from the third corner to its start."""
    first, second, third = (edge.inverse for edge in edges)
    is_second = lanes.all_of([first > second, third >= second])
    is_third = first.or_smaller(second) > third
    rows = [[*edge.way, *edges[k - 1].way, *edge.foot, edge.t, edge.inverse] for k, edge in enumerate(edges)]
    chosen = _choose(lanes, is_third, rows[2], _choose(lanes, is_second, rows[1], rows[0]))
    return chosen[:3], chosen[3:6], chosen[6:9], chosen[9], chosen[10]


def _on_face(lanes: Lanes, edges: Sequence[_Edge]) -> tuple[Any, list[Vector]]:
    """Return whether the origin is above or below a triangle, and the nearest point of its plane."""
    zero, one = lanes.constant(0.0), lanes.constant(1.0)
    way, back, foot, s, inverse = _longest(lanes, edges)
    lean = -dot_unfused(back, way) * inverse
    height = [-(back[k] + lean * way[k]) for k in range(3)]
    square = dot_unfused(height, height)
    t = -dot_unfused(foot, height) / square
    # at height t the other two edges are at t lean and 1 + t (lean - 1): they meet in the third corner, at t = 1
    inside = [t >= zero, one >= t, s >= t * lean, one + t * (lean - one) >= s]
    over = lanes.all_of([*inside, square * inverse > lanes.constant(FLAT)])
    return over, [foot[k] + t * height[k] for k in range(3)]


def _nearest(lanes: Lanes, a: Triple, b: Triple, c: Triple) -> tuple[Vector, list[Vector]]:
    """Return the squares of the distances of four triangles from the origin, and their nearest points."""
    edges = _Edge(lanes, a, b), _Edge(lanes, b, c), _Edge(lanes, c, a)
    point, second, third = (edge.nearest(lanes) for edge in edges)
    best = dot_unfused(point, point)
    over, foot = _on_face(lanes, edges)
    for candidate, allowed in ((second, []), (third, []), (foot, [over])):
        square = dot_unfused(candidate, candidate)
        nearer = lanes.all_of([square < best, *allowed])
        best, point = lanes.choose(nearer, square, best), _choose(lanes, nearer, candidate, point)
    return best, point


def _scales(lanes: Lanes, size: Vector) -> tuple[Vector, Vector]:
    """Return the inverses of the largest powers of two that are not above some sizes, and the powers."""
    builder = lanes.builder
    power = builder.and_(builder.bitcast(size.value, FOUR_INTS), EXPONENT)
    up, down = (builder.bitcast(bits, FOUR_DOUBLES.type) for bits in (builder.sub(OPPOSITE, power), power))
    return Vector(lanes, up), Vector(lanes, down)


@intrinsic
def four_nearest(typing_context, vertices, faces, point, i, j, k, l, distance, place, pose):
    """Write how far triangles i, j, k, l are from a point, and their nearest points as seen from it, to `place`.

    Return a bit for each that is not farther away than `distance`. `point` is the address of three numbers; the
    vertices are posed unless the pose is None.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        vertices, faces, at_point, *triangles, distance, place, at_pose = arguments
        origin = [lanes.spread(lanes.scalar(at_point, k)) for k in range(3)]
        corners = corners_in_lanes(lanes, vertices, faces, triangles, None if pose == types.none else at_pose)
        seen = [minus(corner, origin) for corner in corners]
        size = largest([x for corner in seen for x in corner])
        up, down = _scales(lanes, size.or_larger(lanes.constant(SMALLEST_SIZE)))
        square, nearest = _nearest(lanes, *([x * up for x in corner] for corner in seen))
        found = lanes.call("sqrt", square) * down
        lanes.store(found, place, 0)
        for k in range(3):
            lanes.store(nearest[k] * down, place, 1 + k)
        return lanes.bits(lanes.spread(distance) >= found)

    return types.int64(*7 * (types.int64,), types.float64, types.int64, pose), generate
