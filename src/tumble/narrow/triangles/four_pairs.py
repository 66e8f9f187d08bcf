"""Two triangles against two: four pairs at once, filtered by the triangles' planes before any closer test.

Leaves of the packed tree have two triangles at most, so a pair of leaves is four pairs of triangles: as many as there
are float64 lanes. Lane k stands for triangle k & 1 of the first leaf and triangle k >> 1 of the second. A pair is
separated when all of one triangle lies strictly on one side of the other's plane; the bounds on the rounding are those
of `filter`, with one simplification: the distance of any two vertices is at most that from a vertex plus an edge.

Vertices are posed here too, four lanes at a time, by the same operations in the same order as everywhere.
"""

from collections.abc import Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import INT64, int64_at
from tumble.core.simd.vectors import FOUR_DOUBLES, VECTOR_BYTES, Lanes, Vector, cross, dot, largest, minus, posed
from tumble.hierarchy.packed.header import FACES, VERTICES
from tumble.narrow.triangles.adjacent import corner
from tumble.narrow.triangles.filter import CERTAIN, ERROR, SAFE_BOUND, SAFE_PRODUCT

# What is kept of the first leaf: the nine coordinates of its triangles, in lanes, and then
NORMAL = 9
ERRORS = 12  # the rounding error of a plane's distance, for a difference of one
EDGE = 13  # the largest component of an edge
KEPT_VECTORS = 14
KEPT_WORDS = KEPT_VECTORS * VECTOR_BYTES // 8
POSED_WORDS = 9 * VECTOR_BYTES // 8

FIRST_LEAF = (0, 1, 0, 1)
SECOND_LEAF = (0, 0, 1, 1)


def posed_corners(
    lanes: Lanes, vertices: Any, pose: Any, corners: Sequence[Any], pattern: Sequence[int]
) -> list[Vector]:
    """Return nine coordinates of two triangles, posed; corners are six numbers of vertices."""
    builder = lanes.builder
    matrix = [lanes.spread(lanes.scalar(pose, k)) for k in range(12)]
    coordinates: list[Vector] = []
    for first in range(3):
        places = [builder.add(vertices, builder.mul(corners[first + 3 * k], INT64(24))) for k in range(2)]
        x, y, z = (lanes.arrange([lanes.scalar(place, k) for place in places], pattern) for k in range(3))
        coordinates += posed(matrix, x, y, z)
    return coordinates


def points_of(coordinates: Sequence[Vector]) -> list[Sequence[Vector]]:
    """Return nine coordinates as three points."""
    return [coordinates[3 * k : 3 * k + 3] for k in range(3)]


def _plane(points: list[Sequence[Vector]]) -> tuple[list[Vector], Vector, Vector]:
    """Return the normal, the product of the edges' largest components, and the largest of them."""
    e, f = minus(points[1], points[0]), minus(points[2], points[0])
    size_e, size_f = largest(e), largest(f)
    return cross(e, f), size_e * size_f, size_e.or_larger(size_f)


def _errors(lanes: Lanes, product: Vector) -> Vector:
    """Return the error for a difference of one: infinite where products may underflow, so that nothing is separated."""
    infinite = lanes.constant(float("inf"))
    safe = product > lanes.constant(SAFE_PRODUCT)
    errors = product * lanes.constant(ERROR)
    return lanes.choose(safe, errors, infinite)


class _Sides:
    """On which sides of a plane three vertices are, lane by lane."""

    def __init__(self, lanes: Lanes, distances: list[Vector], bound: Vector) -> None:
        builder, negative = lanes.builder, -bound
        trusted = bound > lanes.constant(SAFE_BOUND)
        self.above = [distance > bound for distance in distances]
        below = [distance < negative for distance in distances]
        one_side = builder.or_(lanes.all_of(self.above), lanes.all_of(below))
        self.separated = builder.and_(one_side, trusted)
        known = [builder.or_(above, under) for above, under in zip(self.above, below, strict=True)]
        self.certain = builder.and_(lanes.all_of(known), trusted)


@intrinsic
def keep_first_leaf(typing_context, vertices, pose, a, b, c, d, e, f, place):
    """Pose the two triangles (a, b, c) and (d, e, f) and write them, in lanes and with their planes, to `place`."""

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        coordinates = posed_corners(lanes, arguments[0], arguments[1], arguments[2:8], FIRST_LEAF)
        normal, product, edge = _plane(points_of(coordinates))
        for k, vector in enumerate([*coordinates, *normal, _errors(lanes, product), edge]):
            lanes.store(vector, arguments[8], k)
        return context.get_dummy_value()

    return types.void(*9 * (types.int64,)), generate


@intrinsic
def open_pairs(typing_context, vertices, pose, a, b, c, d, e, f, kept, place):
    """Pose the two triangles of a second leaf, write them to `place`, and return which pairs are not separated.

    The answer is the lowest four bits of a word that also contains what `filter` needs.
    """

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        kept = arguments[8]
        theirs = posed_corners(lanes, arguments[0], arguments[1], arguments[2:8], SECOND_LEAF)
        # in memory for `filter`, which reads one lane at a time
        for k, vector in enumerate(theirs):
            lanes.store(vector, arguments[9], k)
        first, second = points_of([lanes.load(kept, k) for k in range(9)]), points_of(theirs)
        # the largest of these differences, plus the longest edge, bounds those for the other plane too: nine
        # comparisons less
        apart = [minus(point, first[0]) for point in second]
        far = largest([component for difference in apart for component in difference])
        normal = [lanes.load(kept, NORMAL + k) for k in range(3)]
        distances = [dot(normal, difference) for difference in apart]
        of_second = _Sides(lanes, distances, lanes.load(kept, ERRORS) * far)

        # the plane of the second leaf is used once, so it is not kept; the first leaf's is, as it meets many
        normal, product, _ = _plane(second)
        distances = [dot(normal, minus(point, second[0])) for point in first]
        of_first = _Sides(lanes, distances, _errors(lanes, product) * (far + lanes.load(kept, EDGE)))
        # all answers in one word: it stays in a register while the pairs are visited one by one
        word = lanes.bits(builder.not_(builder.or_(of_first.separated, of_second.separated)))
        fields = [builder.and_(of_first.certain, of_second.certain), *of_second.above, *of_first.above]
        for k, answers in enumerate(fields):
            word = builder.or_(word, builder.shl(lanes.bits(answers), INT64(CERTAIN + 4 * k)))
        return word

    return types.int64(*10 * (types.int64,)), generate


@inlined_kernel
def keep_leaf(tree, pose, one, two, place):
    """Pose the triangles of a leaf and keep them for `meeting_pairs`; `two` may be negative: there is no second one."""
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    # lanes without a second triangle repeat the first: no branch, and `present_pairs` drops them
    two = one if two < 0 else two
    keep_first_leaf(
        vertices, pose,
        corner(faces, one, 0), corner(faces, one, 1), corner(faces, one, 2),
        corner(faces, two, 0), corner(faces, two, 1), corner(faces, two, 2), place,
    )  # fmt: skip


@inlined_kernel
def meeting_pairs(tree, pose, one, two, kept, place):
    """Compare a kept leaf with this one: the word of `open_pairs`."""
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    two = one if two < 0 else two
    return open_pairs(
        vertices, pose,
        corner(faces, one, 0), corner(faces, one, 1), corner(faces, one, 2),
        corner(faces, two, 0), corner(faces, two, 1), corner(faces, two, 2), kept, place,
    )  # fmt: skip


@inlined_kernel
def present_pairs(second, other_second):
    """Return the lanes that stand for a pair of their own, when leaves may have no second triangle."""
    if second < 0:
        return 0b0001 if other_second < 0 else 0b0101
    return 0b0011 if other_second < 0 else 0b1111
