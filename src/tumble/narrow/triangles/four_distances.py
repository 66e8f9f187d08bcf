"""The distances of four pairs of triangles at once: `contact.nearest`, lane by lane and to the same bits.

Every operation is the one of `nearest_of_boundaries` and is rounded like it, with branches turned into choices between
lanes. Only the exact powers of two by which `tumble.narrow.distance` scales a pair are left out, which change no bit
unless numbers leave float64's exponents: so this is for coordinates between SMALLEST_SIZE and LARGEST_SIZE, and for
triangles that are known not to touch.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import int64, types, void
from numba.extending import intrinsic

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import lowest_bit
from tumble.core.simd.vectors import FOUR_DOUBLES, Lanes, Triple, Vector, cross, dot_unfused, minus
from tumble.narrow.contact.nearest import FLAT
from tumble.narrow.triangles.filter import vertex
from tumble.narrow.triangles.four_gaps import ALIKE, LARGER
from tumble.narrow.triangles.four_pairs import points_of

SMALLEST_SIZE = 1e-60
LARGEST_SIZE = 1e60
# What is written of four pairs: their distances, and the ways from the nearest point of the first leaf's triangle to
# that of the second's, by components.
WAYS = 4
FOUND_WORDS = 16

Edge = tuple[Triple, Triple, Vector]
"""where it begins, the way to its end, and the square of its length"""


def _from(point: Triple, factor: Vector, way: Triple) -> list[Vector]:
    return [point[k] + factor * way[k] for k in range(3)]


def _share(lanes: Lanes, numerator: Vector, denominator: Vector) -> Vector:
    """Return a quotient as a number from 0 to 1; 0 where it is not a number, or the denominator is not positive."""
    zero, one = lanes.constant(0.0), lanes.constant(1.0)
    quotient = numerator / denominator
    usable = lanes.all_of([quotient > zero, denominator > zero])
    return lanes.choose(usable, lanes.choose(one < quotient, one, quotient), zero)


def _edges(points: Sequence[Triple]) -> list[Edge]:
    ways = [minus(points[(k + 1) % 3], points[k]) for k in range(3)]
    return [(points[k], ways[k], dot_unfused(ways[k], ways[k])) for k in range(3)]


def _nearest_on(lanes: Lanes, point: Triple, edge: Edge) -> list[Vector]:
    """`nearest_on_segment`."""
    begin, way, square = edge
    return _from(begin, _share(lanes, dot_unfused(minus(point, begin), way), square), way)


def _edges_apart(lanes: Lanes, one: Edge, other: Edge) -> list[Vector]:
    """The way between the points of `nearest_of_two_segments`, from the second to the first."""
    normal = cross(one[1], other[1])
    square = dot_unfused(normal, normal)
    share = _share(lanes, dot_unfused(cross(minus(other[0], one[0]), other[1]), normal), square)
    y = _nearest_on(lanes, _from(one[0], share, one[1]), other)
    return minus(_nearest_on(lanes, y, one), y)


class _Shortest:
    """The shortest of the ways seen so far, and its square."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.square = lanes.constant(float("inf"))
        self.way: Triple = [lanes.constant(0.0)] * 3

    def see(self, way: Triple, valid: Any = None) -> None:
        """`nearer`."""
        square = dot_unfused(way, way)
        shorter = square < self.square
        if valid is not None:
            shorter = self.lanes.builder.and_(valid, shorter)
        self.square = self.lanes.choose(shorter, square, self.square)
        self.way = [self.lanes.choose(shorter, way[k], self.way[k]) for k in range(3)]


class _Face:
    """`foot_on_face`, with what depends on the face alone computed once."""

    def __init__(self, lanes: Lanes, points: Sequence[Triple], edges: Sequence[Edge]) -> None:
        builder = lanes.builder
        self.lanes = lanes
        first, second, third = (edge[2] for edge in edges)
        from_second = builder.and_(second > first, second >= third)
        from_third = builder.and_(third > first, builder.not_(from_second))
        p, q, r = points

        def turned(x: Triple, y: Triple, z: Triple) -> list[Vector]:
            return [lanes.choose(from_second, y[k], lanes.choose(from_third, z[k], x[k])) for k in range(3)]

        p, q, r = turned(p, q, r), turned(q, r, p), turned(r, p, q)
        self.p, self.edge, side = p, minus(q, p), minus(r, p)
        self.square = dot_unfused(self.edge, self.edge)
        self.lean = dot_unfused(side, self.edge) / self.square
        self.height = _from(side, -self.lean, self.edge)
        self.height_square = dot_unfused(self.height, self.height)
        is_segment = builder.not_(self.square > lanes.constant(0.0))
        flat = builder.not_(self.height_square > lanes.constant(FLAT) * self.square)
        self.usable = builder.not_(builder.or_(is_segment, flat))

    def way_to(self, x: Triple) -> tuple[Triple, Any]:
        """Return the way from the foot of a point, and whether that is in the face."""
        lanes = self.lanes
        zero, one = lanes.constant(0.0), lanes.constant(1.0)
        way = minus(x, self.p)
        s = dot_unfused(way, self.edge) / self.square
        way = _from(way, -s, self.edge)
        t = dot_unfused(way, self.height) / self.height_square
        right = one + t * (self.lean - one)
        over = lanes.all_of([self.usable, t >= zero, one >= t, s >= t * self.lean, right >= s])
        foot = [self.p[k] + (s * self.edge[k] + t * self.height[k]) for k in range(3)]
        return minus(x, foot), over


def _nearest_ways(lanes: Lanes, first: Sequence[Triple], second: Sequence[Triple]) -> _Shortest:
    """`nearest_of_boundaries`: the ways from the second triangle to the first."""
    edges, others = _edges(first), _edges(second)
    shortest = _Shortest(lanes)
    for one in edges:
        for other in others:
            shortest.see(_edges_apart(lanes, one, other))
    face, other_face = _Face(lanes, first, edges), _Face(lanes, second, others)
    for k in range(3):
        shortest.see(*other_face.way_to(first[k]))
        way, over = face.way_to(second[k])
        shortest.see([-component for component in way], over)
    return shortest


@intrinsic
def write_four_distances(typing_context, kept, place, turned, found):
    """Write the distances and ways of four pairs that do not touch; a set bit takes its pair in turned order."""

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        mask_type = ir.VectorType(ir.IntType(1), FOUR_DOUBLES.width)
        turned = builder.bitcast(builder.trunc(arguments[2], ir.IntType(FOUR_DOUBLES.width)), mask_type)
        ours, theirs = ([lanes.load(address, k) for k in range(9)] for address in arguments[:2])
        first = points_of([lanes.choose(turned, theirs[k], ours[k]) for k in range(9)])
        second = points_of([lanes.choose(turned, ours[k], theirs[k]) for k in range(9)])
        origin = second[0]
        near, other_near = ([minus(point, origin) for point in points] for points in (first, second))
        shortest = _nearest_ways(lanes, near, other_near)
        lanes.store(lanes.call("sqrt", shortest.square), arguments[3], 0)
        for k, component in enumerate(shortest.way):
            lanes.store(lanes.choose(turned, component, -component), arguments[3], 1 + k)
        return context.get_dummy_value()

    return types.void(*4 * (types.int64,)), generate


@inlined_kernel
def comes_later(kept, place, lane):
    """Tell whether the second triangle of a pair of equal sizes comes first, compared number by number."""
    for k in range(3):
        x, y = vertex(kept, lane, k), vertex(place, lane, k)
        for axis in range(3):
            if x[axis] != y[axis]:
                return x[axis] > y[axis]
    return False


@inlined_kernel
def turned_pairs(word, kept, place):
    """Return the pairs that are taken in turned order, as `contact.comes_first` says; word is `near_pairs`'s."""
    turned = word >> LARGER & 15
    alike = word & word >> ALIKE & 15
    while alike != 0:
        lane = lowest_bit(alike)
        alike &= alike - 1
        if comes_later(kept, place, lane):
            turned |= 1 << lane
    return turned


@external(void(*4 * (int64,)))
def four_distances(word, kept, place, found):
    """Write the distances and ways of four pairs that do not touch; all but `found` comes from `four_gaps`."""
    write_four_distances(kept, place, turned_pairs(word, kept, place), found)
