"""The distance of two triangles that do not touch, by vectors: `contact.nearest`, to the same bits.

Two triangles have nine pairs of edges, three in each of three vectors: lane k has edge k of the first triangle, and
edge k + t of the second in the t-th vector. Then come the three corners of each against the face of the other. The
fourth lane repeats the first. Every operation is the one of `tumble.narrow.distance` and is rounded like it, the exact
power of two by which a pair is scaled included, with branches turned into choices between lanes. What it does not tell
is not a number, or zero: of a pair whose size is denormal, or whose distance is too small for squares.
"""

from typing import Any

from llvmlite import ir
from numba import int64, types, void
from numba.extending import intrinsic

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import DOUBLE, INT64, call_symbol, place_of
from tumble.core.simd.vectors import FOUR_DOUBLES, Lanes, Triple, Vector, cross, dot_unfused, largest, minus
from tumble.narrow.contact.nearest import FLAT
from tumble.narrow.triangles.filter import vertex
from tumble.narrow.triangles.four_gaps import ALIKE, LARGER

# What is written: the distance, and the way from the nearest point of the kept triangle to that of the other.
WAY = 1
FOUND_WORDS = 4

CORNERS, NEXT = (0, 1, 2, 0), (1, 2, 0, 1)
LANES = 3  # that count
EXPONENT = 0x7FF << 52  # the bits of a float64 that are its exponent

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


def _edges(points: Triple) -> Edge:
    ways = minus([component.shuffled(NEXT) for component in points], points)
    return points, ways, dot_unfused(ways, ways)


def _turned(edges: Edge, times: int) -> Edge:
    """The same edges, each in the lane of the one before it, so many times."""
    order = [(lane + times) % LANES for lane in CORNERS]
    begin, way, square = edges
    return [x.shuffled(order) for x in begin], [x.shuffled(order) for x in way], square.shuffled(order)


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
    """The shortest of the ways seen so far in each lane, and its square."""

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

    def __init__(self, lanes: Lanes, corners: Triple, squares: Vector) -> None:
        builder = lanes.builder
        self.lanes = lanes
        first, second, third = (squares.shuffled((k,) * 4) for k in range(LANES))
        points = [[component.shuffled((k,) * 4) for component in corners] for k in range(LANES)]
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


def _nearest_ways(lanes: Lanes, first: Triple, second: Triple) -> _Shortest:
    """`nearest_of_boundaries`: the ways from the second triangle to the first."""
    edges, others = _edges(first), _edges(second)
    shortest = _Shortest(lanes)
    for times in range(LANES):
        shortest.see(_edges_apart(lanes, edges, _turned(others, times)))
    shortest.see(*_Face(lanes, second, others[2]).way_to(first))
    way, over = _Face(lanes, first, edges[2]).way_to(second)
    shortest.see([-component for component in way], over)
    return shortest


def _power_below(lanes: Lanes, sizes: Vector) -> Vector:
    """The largest power of two that is not above the largest of the sizes in all lanes; 0 for denormal ones."""
    builder = lanes.builder
    for order in ((1, 2, 0, 1), (2, 0, 1, 2)):
        sizes = sizes.or_larger(sizes.shuffled(order))
    bits = builder.bitcast(sizes.value, ir.VectorType(INT64, lanes.kind.width))
    exponents = builder.and_(bits, ir.Constant(bits.type, [EXPONENT] * lanes.kind.width))
    return Vector(lanes, builder.bitcast(exponents, lanes.kind.type))


def _corners(lanes: Lanes, address: Any, lane: Any) -> list[Vector]:
    """The corners of the triangle in a lane of what `four_gaps` wrote, a corner in each lane."""
    builder = lanes.builder
    place = builder.add(address, builder.shl(lane, INT64(3)))
    numbers = [lanes.scalar(place, FOUR_DOUBLES.width * k) for k in range(9)]
    return [lanes.arrange([numbers[3 * corner + axis] for corner in range(3)], CORNERS) for axis in range(3)]


@intrinsic
def write_distance(typing_context, first, second, lane, sign, found):
    """Write the distance of the triangles in a lane, and the way from the first to the second, times a sign."""

    def generate(context, builder, signature, arguments):
        lanes = Lanes(builder, FOUR_DOUBLES)
        one, other = (_corners(lanes, address, arguments[2]) for address in arguments[:2])
        origin = [component.shuffled((0,) * 4) for component in other]
        one, other = minus(one, origin), minus(other, origin)
        power = _power_below(lanes, largest([*one, *other]))
        factor = lanes.constant(1.0) / power  # infinite for a denormal size: what comes of it is not a number
        one, other = ([component * factor for component in corners] for corners in (one, other))
        shortest = _nearest_ways(lanes, one, other)
        numbers = [vector.lane(0) for vector in (shortest.square, *shortest.way)]
        for k in range(1, LANES):
            others = [vector.lane(k) for vector in (shortest.square, *shortest.way)]
            shorter = builder.fcmp_ordered("<", others[0], numbers[0])
            pairs = zip(others, numbers, strict=True)
            numbers = [builder.select(shorter, those, these) for those, these in pairs]
        # the ways seen lead to the first triangle
        turn = builder.fmul(builder.fneg(arguments[3]), power.lane(0))
        numbers[1:] = [builder.fmul(component, turn) for component in numbers[1:]]
        numbers[0] = builder.fmul(call_symbol(builder, "llvm.sqrt.f64", DOUBLE, [numbers[0]]), power.lane(0))
        for k, number in enumerate(numbers):
            builder.store(number, place_of(builder, arguments[4], INT64(k), DOUBLE))
        return context.get_dummy_value()

    return types.void(*3 * (types.int64,), types.float64, types.int64), generate


@inlined_kernel
def comes_later(kept, place, lane):
    """Tell whether the second triangle of a pair of equal sizes comes first, compared number by number."""
    for k in range(3):
        x, y = vertex(kept, lane, k), vertex(place, lane, k)
        for axis in range(3):
            if x[axis] != y[axis]:
                return x[axis] > y[axis]
    return False


@external(void(*5 * (int64,)))
def apart_distance(word, kept, place, lane, found):
    """Write the distance and the way of a lane's triangles, which do not touch; all but `found` is from `four_gaps`."""
    turned = word >> (LARGER + lane) & 1 != 0
    if word >> (ALIKE + lane) & 1 != 0:
        turned = comes_later(kept, place, lane)
    # a fixed order of the two, that of `contact.comes_first`, makes the answer symmetric to the last bit
    if turned:
        write_distance(place, kept, lane, -1.0, found)
    else:
        write_distance(kept, place, lane, 1.0, found)
