"""Paper `chip`, Section 3.3: do two triangles touch? Without a division, by matrices made beforehand.

Each triangle W1 W2 W3 has a 3×4 matrix M (`unit_matrix`) that carries its corners to (0, 0, 0), (1, 0, 0), (0, 1, 0).
Carry the other triangle by it, look where its edges PQ pass z = 0, and where that is in the unit triangle. Equation 4,
for an edge that rises (for one that falls, every comparison turns round):

    Px Qz ≥ Qx Pz   and   Py Qz ≥ Qy Pz   and   (Px Qz - Qx Pz) + (Py Qz - Qy Pz) ≤ Qz - Pz

`against` does this for the edges of one triangle, `verdict_of` for A against B and B against A. It is a filter: HIT and
MISS are certain; where rounding could have changed a comparison the verdict is UNSURE, and the exact test decides.

    plane     all of the other certainly on one side of z = 0                 → MISS
    edges     an edge certainly pierces the inside of the unit triangle       → HIT
              all edges certainly miss it, and so do those of the other half  → MISS

Nothing here depends on float64: numbers of any one type go through, and `Bounds` knows their unit roundoff u. With
float32 vertices, matrices (`unit_matrix.single_matrices`) and frames, every operation is one of float32.

Why it is never wrong. Take one half. "Own" is the triangle with the matrix, its mesh reaches out to o; the other's
vertices stand in own's frame at V with components up to r. Both are known within e, a component: there is an affine map
that carries the real triangles to places V*, W* with |V* - V|, |W* - W| ≤ e. Affine maps keep what touches, so we may
talk of V* and W*. Let G be M as it is stored, n = |m0| + |m1| + |m2| for each of its rows, and s = nx + ny.

1. The vertex that is computed is G(V*) within n α a component, α = e + 8u (r + o): V is off by e, four rounded
   operations give 4u (n r + |t|), and |t| ≤ n o. The other half of the 8 is used in 4.
2. G(W*) is the unit triangle within n β, β = e + 16u o: `unit_matrix` discards a matrix that carries its own
   corners further than 16u o n from the unit triangle.
3. If all z are above nz (α + β), z of G keeps the triangles apart. No more is needed for the plane.
4. For the edges, let H = N G with N the affine map, the identity on z's axis, that carries G(W*) to the unit triangle.
   With x, y a vertex of G(V*) and s β ≤ 1/10, N moves it by n β (1.5 + 2.5 (|x| + |y|)) at most, so all that is
   computed is H(V*) within n φ, φ = α + β (1.5 + 2.5 L), L the largest |x| + |y|, and H carries W* to the unit
   triangle. Where z is certain to differ from 0 for a vertex, H is not a projection into z = 0, hence one to one.
   Let P, Q be on different sides, both by more than 2.5 nz φ, R = |Pz| + |Qz|. Then the differences of Equation 4 are
   off by s φ R + 2 nz φ (1 + L) and 2 s nz φ² ≤ 0.4 s φ R; their rounding by u (4 L + 2) R, which is below 1.1 s φ R
   since L ≤ s (r + o) and 1 ≤ 2.1 nx o. All is less than 2.5 φ (s R + nz (1 + L)).
5. Triangles that share a point and are not points or segments share one that is on an edge of either: where the
   edges of both miss the other, nothing is shared.

An eighth is added for the rounding of the bounds themselves. Underflow: where nz times the bound exceeds `least`, all
that products may lose is nothing beside that eighth. Overflow: bounds contain u times what they bound, so where they
are below `most` nothing has overflowed. Undefined numbers, of discarded matrices, pass no comparison: UNSURE.
"""

from typing import NamedTuple

from tumble.core.jit import inlined_kernel

MISS = 0
HIT = 1
UNSURE = 2
MISSED = 3  # of one half: all edges miss, which is a MISS if those of the other half do too

LARGEST_SHARE = 0.25  # of 2.5 s φ; beyond, step 4 does not hold, and nothing could be certain anyway


class Bounds(NamedTuple):
    """How far computed numbers may be off, for one half; made by `bounds_of`."""

    plane: float  # for the sides of a plane, times nz
    base: float
    slope: float  # for edges: base + slope L, times nz or s
    least: float
    most: float  # bounds between these are free of underflow and overflow


@inlined_kernel
def coordinate(a, b, c, d, p):
    """Return a coordinate of a point after a matrix with the row a, b, c, d."""
    return ((a * p[0] + b * p[1]) + c * p[2]) + d


@inlined_kernel
def side(z, error):
    """Return 1 above, -1 below, 0 when that is not certain."""
    if z > error:
        return 1
    return -1 if z < -error else 0


@inlined_kernel
def edge(px, py, pz, p_side, qx, qy, qz, q_side, slant, lift):
    """Compare an edge with the unit triangle: HIT, MISSED or UNSURE."""
    # an end within rounding of the plane: the edge may pass or not
    if p_side == 0 or q_side == 0:
        return UNSURE
    if p_side == q_side:
        return MISSED
    dx = px * qz - qx * pz
    dy = py * qz - qy * pz
    rise = qz - pz
    rest = rise - (dx + dy)
    if p_side > 0:  # it falls
        dx, dy, rise, rest = -dx, -dy, -rise, -rest
    error = slant * rise + lift
    # outside of one edge of the unit triangle for certain: a miss, whatever the others say
    if dx < -error or dy < -error or rest < -error:
        return MISSED
    return HIT if dx > error and dy > error and rest > error else UNSURE


@inlined_kernel
def row_size(a, b, c):
    """Return by how much a row can enlarge what components are off."""
    return (abs(a) + abs(b)) + abs(c)


@inlined_kernel
def heights(p, q, r, m):
    """Return z of three points after the matrix m, a tuple of twelve numbers, by rows."""
    return (
        coordinate(m[8], m[9], m[10], m[11], p),
        coordinate(m[8], m[9], m[10], m[11], q),
        coordinate(m[8], m[9], m[10], m[11], r),
    )


@inlined_kernel
def apart(z, size_z, bounds):
    """Tell whether three heights are certainly on one side of own's plane."""
    error = size_z * bounds.plane
    if not (error > bounds.least and error < bounds.most):
        return False
    if z[0] > error:
        return z[1] > error and z[2] > error
    return z[0] < -error and z[1] < -error and z[2] < -error


@inlined_kernel
def edges(p, q, r, z, m, size_z, bounds):
    """Compare the edges of p, q, r, at heights z, with own: HIT, MISSED (none touches it) or UNSURE."""
    px, py = coordinate(m[0], m[1], m[2], m[3], p), coordinate(m[4], m[5], m[6], m[7], p)
    qx, qy = coordinate(m[0], m[1], m[2], m[3], q), coordinate(m[4], m[5], m[6], m[7], q)
    rx, ry = coordinate(m[0], m[1], m[2], m[3], r), coordinate(m[4], m[5], m[6], m[7], r)
    far = max(max(abs(px) + abs(py), abs(qx) + abs(qy)), abs(rx) + abs(ry))
    factor = bounds.base + bounds.slope * far
    error = size_z * factor
    slant = (row_size(m[0], m[1], m[2]) + row_size(m[4], m[5], m[6])) * factor
    lift = error + error * far
    # written so that what is not a number is UNSURE
    if not (error > bounds.least and lift < bounds.most and slant < LARGEST_SHARE):
        return UNSURE
    p_side, q_side, r_side = side(z[0], error), side(z[1], error), side(z[2], error)
    first = edge(px, py, z[0], p_side, qx, qy, z[1], q_side, slant, lift)
    if first == HIT:
        return HIT
    second = edge(qx, qy, z[1], q_side, rx, ry, z[2], r_side, slant, lift)
    if second == HIT:
        return HIT
    third = edge(rx, ry, z[2], r_side, px, py, z[0], p_side, slant, lift)
    if third == HIT:
        return HIT
    return MISSED if first == MISSED and second == MISSED and third == MISSED else UNSURE


@inlined_kernel
def against(p, q, r, m, bounds):
    """Compare p, q, r, in own's frame, with own, whose matrix is m: one half, in the order of the paper's chip.

    Points are tuples of three numbers. The answer is HIT, MISS, MISSED or UNSURE.
    """
    # heights first: one row of the matrix tells most misses, and the edges need them anyway
    z, size_z = heights(p, q, r, m), row_size(m[8], m[9], m[10])
    return MISS if apart(z, size_z, bounds) else edges(p, q, r, z, m, size_z, bounds)


@inlined_kernel
def transformed(way, p):
    """Return a point in the other mesh's frame; `way` is a rotation by rows, then a translation."""
    return (
        coordinate(way[0], way[1], way[2], way[9], p),
        coordinate(way[3], way[4], way[5], way[10], p),
        coordinate(way[6], way[7], way[8], way[11], p),
    )


@inlined_kernel
def verdict_of(p, q, r, matrix_a, x, y, z, matrix_b, frames):
    """Tell whether triangle p, q, r of a and x, y, z of b touch: HIT, MISS or UNSURE.

    Vertices are in their own mesh's frame; `frames` comes from `unit_frames`. Both planes come before the edges, since
    they decide most pairs; the paper's order, which is `joined` of two times `against`, gives the same verdicts.
    """
    ways, bounds_a, bounds_b = (frames.a_in_b, frames.b_in_a), frames.bounds_a, frames.bounds_b
    p, q, r = transformed(ways[0], p), transformed(ways[0], q), transformed(ways[0], r)
    heights_a, size_b = heights(p, q, r, matrix_b), row_size(matrix_b[8], matrix_b[9], matrix_b[10])
    if apart(heights_a, size_b, bounds_b):
        return MISS
    x, y, z = transformed(ways[1], x), transformed(ways[1], y), transformed(ways[1], z)
    heights_b, size_a = heights(x, y, z, matrix_a), row_size(matrix_a[8], matrix_a[9], matrix_a[10])
    if apart(heights_b, size_a, bounds_a):
        return MISS
    first = edges(p, q, r, heights_a, matrix_b, size_b, bounds_b)
    return first if first == HIT else joined(first, edges(x, y, z, heights_b, matrix_a, size_a, bounds_a))


@inlined_kernel
def joined(first, second):
    """Return the verdict of two halves; the second is not needed when the first says HIT or MISS."""
    if first < UNSURE:
        return first
    if second < UNSURE:
        return second
    return MISS if first == MISSED and second == MISSED else UNSURE
