"""Two triangles against two: which of the four pairs may be nearer than a limit? Lower bounds, pair by pair in lanes.

Lanes are those of `four_pairs`. The gap between two triangles along any unit vector is at most their distance. Tried
first is the direction in which the nearest pair so far lies: near the nearest points that parts most pairs. For what is
left, each pair looks for a better direction of its own, by steps of Gilbert's algorithm on the differences of points:

    y = the difference of the two corners that are nearest to each other along the first direction
    twice: measure the gap along y; then y = the point nearest to the origin between y and the new nearest corners

(E. G. Gilbert, "An iterative procedure for computing the minimum of a quadratic form on a convex set", 1966.) Gaps are
computed from posed corners within 16 u of the largest coordinate, and unit vectors are longer than 1 by 4 u at most:
the limit must contain that much. What is not a number parts nothing.
"""

from collections.abc import Sequence
from functools import reduce

from numba import types
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import INT64, int64_at
from tumble.core.simd.vectors import FOUR_DOUBLES, VECTOR_BYTES, Lanes, Triple, Vector, dot, largest, minus
from tumble.hierarchy.packed.header import FACES, VERTICES
from tumble.narrow.triangles.adjacent import corner
from tumble.narrow.triangles.four_pairs import FIRST_LEAF, SECOND_LEAF, points_of, posed_corners

# What is kept of the first leaf: the nine coordinates of its triangles, in lanes, and then
SIZE = 9  # the largest component of the two edges from the first corner
KEPT_WORDS = 10 * VECTOR_BYTES // 8
POSED_WORDS = 9 * VECTOR_BYTES // 8
# For coordinates of sizes between these: squares of others may leave float64's exponents.
SMALLEST_SIZE = 1e-60
LARGEST_SIZE = 1e60
GAPS_WORDS = VECTOR_BYTES // 8
STEPS = 2
"""more find little more: see docs/distance.md"""

# The word of `near_pairs`: four bits, one for each pair, of each of these; first those that may be nearer.
LARGER = 4  # the second triangle is the larger one
ALIKE = 8  # both have the same size
PAIRS = 15


def _size(points: Sequence[Triple]) -> Vector:
    return largest([*minus(points[1], points[0]), *minus(points[2], points[0])])


def _farthest(lanes: Lanes, along: Triple, points: Sequence[Triple], sign: int) -> tuple[Vector, Triple]:
    """Return the largest value along a vector and its point, or the smallest, with sign -1."""
    value, point = dot(along, points[0]), points[0]
    for other in points[1:]:
        that = dot(along, other)
        farther = that > value if sign > 0 else that < value
        value, point = (
            lanes.choose(farther, that, value),
            [lanes.choose(farther, other[k], point[k]) for k in range(3)],
        )
    return value, point


@intrinsic
def keep_near_leaf(typing_context, vertices, pose, a, b, c, d, e, f, place):
    """Pose the two triangles (a, b, c) and (d, e, f) and write them, in lanes and with their sizes, to `place`."""

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        coordinates = posed_corners(lanes, arguments[0], arguments[1], arguments[2:8], FIRST_LEAF)
        for k, vector in enumerate([*coordinates, _size(points_of(coordinates))]):
            lanes.store(vector, arguments[8], k)
        return context.get_dummy_value()

    return types.void(*9 * (types.int64,)), generate


@intrinsic
def open_within(typing_context, vertices, pose, a, b, c, d, e, f, kept, place, direction, limit):
    """Pose the two triangles of a second leaf, write them to `place`, and return which pairs may be within a limit.

    `direction` is the address of a unit vector, or of zeros. The answer is the lowest four bits of a word that also
    tells which triangle of each pair is larger.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        kept, direction, limit = arguments[8], arguments[10], lanes.spread(arguments[11])
        theirs = posed_corners(lanes, arguments[0], arguments[1], arguments[2:8], SECOND_LEAF)
        for k, vector in enumerate(theirs):
            lanes.store(vector, arguments[9], k)
        first, second = points_of([lanes.load(kept, k) for k in range(9)]), points_of(theirs)
        along = [lanes.spread(lanes.scalar(direction, k)) for k in range(3)]
        near = reduce(Vector.or_smaller, [dot(along, point) for point in second])
        far = reduce(Vector.or_larger, [dot(along, point) for point in first])
        word = lanes.bits(builder.not_(near - far > limit))
        ours, size = lanes.load(kept, SIZE), _size(second)
        alike = builder.fcmp_ordered("==", size.value, ours.value)
        for shift, answers in ((LARGER, size > ours), (ALIKE, alike)):
            word = builder.or_(word, builder.shl(lanes.bits(answers), INT64(shift)))
        return word

    return types.int64(*11 * (types.int64,), types.float64), generate


@intrinsic
def still_within(typing_context, kept, place, direction, limit, gaps):
    """Return which pairs may be within a limit along directions of their own, four bits; write their largest gaps."""

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        first, second = (points_of([lanes.load(address, k) for k in range(9)]) for address in arguments[:2])
        along: Triple = [lanes.spread(lanes.scalar(arguments[2], k)) for k in range(3)]
        limit, zero, one = lanes.spread(arguments[3]), lanes.constant(0.0), lanes.constant(1.0)
        y = minus(_farthest(lanes, along, second, -1)[1], _farthest(lanes, along, first, 1)[1])
        gap = lanes.constant(float("-inf"))
        for step in range(STEPS):
            length = lanes.call("sqrt", dot(y, y))
            along = [component / length for component in y]
            near, their_corner = _farthest(lanes, along, second, -1)
            far, our_corner = _farthest(lanes, along, first, 1)
            gap = (near - far).or_larger(gap)  # what is not a number is not larger
            if step < STEPS - 1:
                back = minus(y, minus(their_corner, our_corner))
                share = dot(y, back) / dot(back, back)
                share = lanes.choose(share > zero, lanes.choose(share > one, one, share), zero)
                y = [y[k] - share * back[k] for k in range(3)]
        lanes.store(gap, arguments[4], 0)
        return lanes.bits(builder.not_(gap > limit))

    return types.int64(*3 * (types.int64,), types.float64, types.int64), generate


@inlined_kernel
def keep_near(tree, pose, one, two, place):
    """Pose the triangles of a leaf and keep them for `near_pairs`; `two` may be negative: there is no second one."""
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    two = one if two < 0 else two
    keep_near_leaf(
        vertices, pose,
        corner(faces, one, 0), corner(faces, one, 1), corner(faces, one, 2),
        corner(faces, two, 0), corner(faces, two, 1), corner(faces, two, 2), place,
    )  # fmt: skip


@inlined_kernel
def near_pairs(tree, pose, one, two, kept, place, direction, limit, gaps):
    """Compare a kept leaf with this one: the word of `open_within`, without the pairs that `still_within` parts.

    Where pairs are left, a lower bound of each distance is written to `gaps`, four numbers.
    """
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    two = one if two < 0 else two
    word = open_within(
        vertices, pose,
        corner(faces, one, 0), corner(faces, one, 1), corner(faces, one, 2),
        corner(faces, two, 0), corner(faces, two, 1), corner(faces, two, 2), kept, place, direction, limit,
    )  # fmt: skip
    if word & PAIRS != 0:
        word &= still_within(kept, place, direction, limit, gaps) | ~PAIRS
    return word
