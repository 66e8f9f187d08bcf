"""One ray against four triangles: which are hit, and where, in float64 with a bound on its rounding.

T. Möller and B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997. With a the first vertex, e and f the
edges from it, s = o - a, and [x, y, z] the triple product of three vectors:

    D = [e, d, f]      u = [s, d, f]      v = [d, s, e]      w = (D - u) - v      t = [f, s, e] / D

The line passes inside when u, v and w have D's sign, and t is how far. With S, E, F, M the largest components of s, e,
f, d and G the larger of E and F, each triple product is off by at most 64 * 2**-53 times the product of the three (see
`filter`), and w by a quarter more than D, u and v together: all by less than `ERROR` * M G (S + G).

A triangle is *hit* or *missed* for certain, or *open*: then `ray_exact` decides. Open is also what is so flat to the
ray that t would be poor: where |D| > `STEEP` * M G G the error of t is below 2**-28 (S / M + t), and one rounding.
Nothing is fused, so t is the same number on every machine.
"""

from collections.abc import Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.memory import INT32, INT64, place_of
from tumble.core.simd.vectors import FOUR_DOUBLES, Lanes, Vector, cross, dot_unfused, largest, minus, posed
from tumble.narrow.triangles.filter import SAFE_BOUND, SAFE_PRODUCT

ERROR = 192 * 2.0**-53
VOLUME_ERROR = 64 * 2.0**-53
STEEP = 2.0**28 * 64 * 2.0**-53

# The ray: seven float64 numbers.
ORIGIN = 0
DIRECTION = 3
LARGEST = 6  # the largest component of the direction

OPEN = 4  # the place of the first of four bits, one for each open triangle; below are those that are hit


def _corners(lanes: Lanes, faces: Any, triangles: Sequence[Any]) -> list[list[Any]]:
    """Return the places of the vertices of four triangles among all coordinates, in bytes."""
    builder = lanes.builder
    places = []
    for corner in range(3):
        at = [builder.add(builder.mul(triangle, INT64(3)), INT64(corner)) for triangle in triangles]
        numbers = [builder.sext(builder.load(place_of(builder, faces, index, INT32)), INT64) for index in at]
        places.append([builder.mul(number, INT64(24)) for number in numbers])
    return places


def corners_in_lanes(
    lanes: Lanes, vertices: Any, faces: Any, triangles: Sequence[Any], pose: Any
) -> list[list[Vector]]:
    """Return three vertices of four triangles, in lanes, posed as everywhere unless the pose is None."""
    builder = lanes.builder
    points = []
    for places in _corners(lanes, faces, triangles):
        addresses = [builder.add(vertices, place) for place in places]
        x, y, z = (lanes.arrange([lanes.scalar(place, k) for place in addresses], range(4)) for k in range(3))
        if pose is None:
            points.append([x, y, z])
            continue
        points.append(posed([lanes.spread(lanes.scalar(pose, k)) for k in range(12)], x, y, z))
    return points


def _compare(lanes: Lanes, ray: Any, points: list[list[Vector]], place: Any) -> Any:
    """Write the four distances to `place` and return the word of hit and open triangles."""
    builder = lanes.builder
    origin, direction = ([lanes.spread(lanes.scalar(ray, at + k)) for k in range(3)] for at in (ORIGIN, DIRECTION))
    a, b, c = points
    e, f, s = minus(b, a), minus(c, a), minus(origin, a)
    p, q = cross(direction, f), cross(s, e)
    # each cross product serves two dot products, as in the paper; unfused, see above
    determinant, u, v, volume = (dot_unfused(*each) for each in ((e, p), (s, p), (direction, q), (f, q)))
    weights = u, v, (determinant - u) - v
    lanes.store(volume / determinant, place, 0)

    far, edge = largest(s), largest([*e, *f])
    across, square = lanes.spread(lanes.scalar(ray, LARGEST)) * edge, edge * edge
    bound = across * (far + edge) * lanes.constant(ERROR)
    volume_bound = square * far * lanes.constant(VOLUME_ERROR)
    products = square, far * edge, across, across * edge
    safe = [product > lanes.constant(SAFE_PRODUCT) for product in products]
    trusted = lanes.all_of([*safe, bound > lanes.constant(SAFE_BOUND), volume_bound > lanes.constant(SAFE_BOUND)])

    positive, negative = [x > bound for x in weights], [x < -bound for x in weights]
    # front, back: the line certainly passes inside, with D positive or negative
    front, back = lanes.all_of(positive), lanes.all_of(negative)
    above, below = volume > volume_bound, volume < -volume_bound
    ahead = builder.or_(builder.and_(front, above), builder.and_(back, below))
    behind = builder.or_(builder.and_(front, below), builder.and_(back, above))
    # weights certainly of different signs: the line passes beside the triangle, whatever D is
    beside = builder.and_(lanes.any_of(positive), lanes.any_of(negative))
    hit = lanes.all_of([ahead, trusted, determinant.magnitude() > across * edge * lanes.constant(STEEP)])
    known = builder.or_(hit, builder.and_(trusted, builder.or_(beside, behind)))
    return builder.or_(lanes.bits(hit), builder.shl(lanes.bits(builder.not_(known)), INT64(OPEN)))


@intrinsic
def four_triangles(typing_context, vertices, faces, ray, i, j, k, l, place, pose):
    """Compare a ray with triangles i, j, k, l: write distances to `place`, return the word of hit and open ones.

    The vertices are posed unless the pose is None.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        vertices, faces, ray, *triangles, place, at_pose = arguments
        points = corners_in_lanes(lanes, vertices, faces, triangles, None if pose == types.none else at_pose)
        return _compare(lanes, ray, points, place)

    return types.int64(*8 * (types.int64,), pose), generate
