"""What is left of a pair of triangles after `four_pairs`: do they cut overlapping intervals out of their planes' line?

The second half of `triangles.points_touch`, in plain float64 with bounds on its rounding. On which sides the vertices
are is known, so nothing branches on it: the triangles are turned by looking up where their vertices lie. A pair for
which a sign is not certain goes to the exact test.

Bounds: with u = 2**-53, e and f edges, d a difference of vertices, E, F, D their largest absolute components. Each
component of e, f, d is off by one rounding, of e × f by 4u of the 2EF that it can have, and each of the three products
of (e × f) · d and their sum by 8u in all of 2EFD: 48u EFD together. 64u leaves room for the second order. Below 1e-250
(EF) and 1e-280 (the bound) products may have lost bits to underflow, which the bound does not know.
"""

from tumble.core.jit import inlined_kernel
from tumble.core.linear import cross, dot, largest, minus
from tumble.core.simd.memory import float64_at
from tumble.narrow.triangles.exact import corners_touch

ERROR = 64 * 2.0**-53
SAFE_PRODUCT = 1e-250
SAFE_BOUND = 1e-280

# The word that `open_pairs` returns: four bits, one for each pair, of each of these.
CERTAIN = 4  # all vertices are certain to lie on one side or the other
SIDES_OF_SECOND = 8  # whether vertex 0, 1, 2 of the second triangle is above the plane of the first; four bits each
SIDES_OF_FIRST = 20

# Which of three vertices is alone on its side, and whether that is above: two bits, one bit for each set of sides.
# 0 and 7, all on one side, do not occur: such pairs are separated
LONELY = 1 << 4 | 2 << 6 | 2 << 8 | 1 << 10
LONELY_ABOVE = 0b0001_0110
# The vertices that follow number 0, 1, 2 in turn.
NEXT = 1 | 2 << 2
NEXT_BUT_ONE = 2 | 1 << 4


@inlined_kernel
def sides(word, first_bit, lane):
    """Return on which side three vertices of a lane's triangle are, one bit each."""
    bits = word >> (first_bit + lane)
    return bits & 1 | bits >> 3 & 2 | bits >> 6 & 4


@inlined_kernel
def vertex(place, lane, k):
    """Read vertex k of a lane's triangle."""
    first = 12 * k + lane
    return float64_at(place, first), float64_at(place, first + 4), float64_at(place, first + 8)


@inlined_kernel
def likely_sign(a, b, c, d):
    """Return the sign of det(a - d, b - d, c - d), or 0 when it is not certain."""
    x, y, z = minus(a, d), minus(b, d), minus(c, d)
    determinant = dot(cross(y, z), x)
    # largest components instead of a permanent: a looser bound, but three products instead of nine
    product = largest(y) * largest(z)
    bound = ERROR * product * largest(x)
    if product > SAFE_PRODUCT and bound > SAFE_BOUND:
        if determinant > bound:
            return 1
        if determinant < -bound:
            return -1
    return 0


@inlined_kernel
def spans_apart(first, second, lane, axis):
    """Tell whether two triangles are apart along a coordinate axis: comparisons only, hence exact."""
    k = 4 * axis + lane
    p, q, r = float64_at(first, k), float64_at(first, k + 12), float64_at(first, k + 24)
    x, y, z = float64_at(second, k), float64_at(second, k + 12), float64_at(second, k + 24)
    return max(max(p, q), r) < min(min(x, y), z) or max(max(x, y), z) < min(min(p, q), r)


@inlined_kernel
def exact_touch(first, second, lane):
    """Test a lane's triangles exactly."""
    # Parts with faces in one plane come here with many pairs, most of which are side by side.
    if (
        spans_apart(first, second, lane, 0)
        or spans_apart(first, second, lane, 1)
        or spans_apart(first, second, lane, 2)
    ):
        return False
    p, q, r = vertex(first, lane, 0), vertex(first, lane, 1), vertex(first, lane, 2)
    x, y, z = vertex(second, lane, 0), vertex(second, lane, 1), vertex(second, lane, 2)
    return corners_touch(p, q, r, x, y, z)


@inlined_kernel
def open_pair_touch(word, lane, first, second):
    """Tell whether the triangles of a lane touch, exactly; first and second are where `four_pairs` wrote them."""
    if word >> (CERTAIN + lane) & 1 == 0:
        return exact_touch(first, second, lane)
    sides1, sides2 = sides(word, SIDES_OF_FIRST, lane), sides(word, SIDES_OF_SECOND, lane)
    k1, k2 = LONELY >> 2 * sides1 & 3, LONELY >> 2 * sides2 & 3
    # the vertices after the lonely one, in an order that depends on the side on which the other's lonely one is
    turn1, turn2 = LONELY_ABOVE >> sides2 & 1, LONELY_ABOVE >> sides1 & 1
    q1 = (NEXT_BUT_ONE if turn1 else NEXT) >> 2 * k1 & 3
    q2 = (NEXT_BUT_ONE if turn2 else NEXT) >> 2 * k2 & 3
    apex1, apex2 = vertex(first, lane, k1), vertex(second, lane, k2)
    # either sign alone can tell a miss, so the second determinant is often saved; a hit needs both
    sign = likely_sign(apex1, vertex(first, lane, q1), apex2, vertex(second, lane, q2))
    if sign > 0:
        return False
    other = likely_sign(apex1, vertex(first, lane, 3 - k1 - q1), vertex(second, lane, 3 - k2 - q2), apex2)
    if other > 0:
        return False
    return True if sign < 0 and other < 0 else exact_touch(first, second, lane)
