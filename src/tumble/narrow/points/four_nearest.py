"""One point against four triangles: how far each is, and the point of it that is nearest; float64.

The nearest point of a triangle is on one of its edges, or straight below the point on its face. All three edges and the
face are computed, the face as in `contact.nearest`, and the least distance counts: no case is told from another by a
sign that rounding could turn. Segments and points are triangles whose edges say it all.

The error. With the point as the origin, each triangle is brought to a size S in [1, 2) by an exact power of two: S is
the largest difference of a coordinate between the point and a corner. With u = 2**-53, each candidate is a point within
a few u S of the triangle, also where the triangle is a needle (`narrow.distance` has the argument), so that no distance
is too small by more; and one of them is the nearest within as much. |result - distance| <= TOLERANCE S; the largest
error that tests have found is below 2 u S. A corner that is the nearest point is taken as it is, so that the distance
to it is that of two float64 points, and zero exactly on a corner.

Nothing is fused, so all this is the same number on every machine.
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


def _scales(lanes: Lanes, size: Vector) -> tuple[Vector, Vector]:
    """Return the largest powers of two that are not above some sizes, and their inverses."""
    builder = lanes.builder
    power = builder.and_(builder.bitcast(size.value, FOUR_INTS), EXPONENT)
    inverse = builder.sub(OPPOSITE, power)
    down, up = (Vector(lanes, builder.bitcast(bits, FOUR_DOUBLES.type)) for bits in (power, inverse))
    return down, up


def _choose(lanes: Lanes, answers: Any, yes: Triple, no: Triple) -> list[Vector]:
    return [lanes.choose(answers, yes[k], no[k]) for k in range(3)]


def _times(point: Triple, factor: Vector) -> list[Vector]:
    return [component * factor for component in point]


def _on_segment(lanes: Lanes, p: Triple, q: Triple, edge: Triple, square: Vector) -> list[Vector]:
    """Return the point of a segment that is nearest to the origin; `edge` is q - p."""
    t = -dot_unfused(p, edge) / square
    between = [p[k] + edge[k] * t for k in range(3)]
    # the ends are taken as they are: neighbours that share one give the same distance; a segment without length gives
    # t that is not a number, and p
    between = _choose(lanes, t >= lanes.constant(1.0), q, between)
    return _choose(lanes, t > lanes.constant(0.0), between, p)


def _on_face(lanes: Lanes, p: Triple, r: Triple, edge: Triple, square: Vector) -> tuple[Any, list[Vector]]:
    """Return whether the origin is above or below a triangle, and the nearest point of its plane.

    The triangle is p, p + edge, r, and the edge is the longest one.
    """
    one, side = lanes.constant(1.0), minus(r, p)
    lean = dot_unfused(side, edge) / square
    height = [side[k] - lean * edge[k] for k in range(3)]
    height_square = dot_unfused(height, height)
    s = -dot_unfused(p, edge) / square
    rest = [p[k] + s * edge[k] for k in range(3)]
    t = -dot_unfused(rest, height) / height_square
    foot = [rest[k] + t * height[k] for k in range(3)]
    over = [t >= lanes.constant(0.0), one >= t, s >= t * lean, one + t * (lean - one) >= s]
    return lanes.all_of([*over, height_square > square * lanes.constant(FLAT)]), foot


def _nearest(lanes: Lanes, a: Triple, b: Triple, c: Triple) -> tuple[Vector, list[Vector]]:
    """Return the squares of the distances of four triangles from the origin, and their nearest points."""
    edges = minus(b, a), minus(c, b), minus(a, c)
    squares = [dot_unfused(edge, edge) for edge in edges]
    point = _on_segment(lanes, a, b, edges[0], squares[0])
    best = dot_unfused(point, point)
    over, foot = _on_face(lanes, *_longest_first(lanes, (a, b, c), edges, squares))
    candidates = [
        (None, _on_segment(lanes, b, c, edges[1], squares[1])),
        (None, _on_segment(lanes, c, a, edges[2], squares[2])),
        (over, foot),
    ]
    for allowed, candidate in candidates:
        square = dot_unfused(candidate, candidate)
        nearer = square < best
        if allowed is not None:
            nearer = lanes.all_of([nearer, allowed])
        best, point = lanes.choose(nearer, square, best), _choose(lanes, nearer, candidate, point)
    return best, point


def _longest_first(
    lanes: Lanes, corners: Sequence[Triple], edges: Sequence[Triple], squares: Sequence[Vector]
) -> tuple[list[Vector], list[Vector], list[Vector], Vector]:
    """Return the first end of the longest edge, the corner opposite to it, the edge, and its square."""
    (a, b, c), (first, second, third) = corners, squares
    is_second = lanes.all_of([second > first, second >= third])
    is_third = third > first.or_larger(second)

    def chosen(one: Triple, two: Triple, three: Triple) -> list[Vector]:
        return _choose(lanes, is_third, three, _choose(lanes, is_second, two, one))

    (square, _, _) = chosen((first,) * 3, (second,) * 3, (third,) * 3)
    return chosen(a, b, c), chosen(c, a, b), chosen(*edges), square


@intrinsic
def four_nearest(typing_context, vertices, faces, point, i, j, k, l, place, pose):
    """Write how far triangles i, j, k, l are from a point, and their nearest points as seen from it, to `place`.

    `point` is the address of three numbers; the vertices are posed unless the pose is None.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        vertices, faces, at_point, *triangles, place, at_pose = arguments
        origin = [lanes.spread(lanes.scalar(at_point, k)) for k in range(3)]
        corners = corners_in_lanes(lanes, vertices, faces, triangles, None if pose == types.none else at_pose)
        seen = [minus(corner, origin) for corner in corners]
        size = largest([component for corner in seen for component in corner])
        down, up = _scales(lanes, size.or_larger(lanes.constant(SMALLEST_SIZE)))
        square, nearest = _nearest(lanes, *(_times(corner, up) for corner in seen))
        lanes.store(lanes.call("sqrt", square) * down, place, 0)
        for k in range(3):
            lanes.store(nearest[k] * down, place, 1 + k)
        return context.get_dummy_value()

    return types.void(*8 * (types.int64,), pose), generate
