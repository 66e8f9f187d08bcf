"""Paper `chip`, Section 3.3: do two triangles touch? Without a division, by matrices made beforehand.

Each triangle W1 W2 W3 has a 3×4 matrix M (`unit_matrix`) that carries its corners to (0, 0, 0), (1, 0, 0), (0, 1, 0).
Carry the other triangle by it, look where its edges PQ pass z = 0, and where that is in the unit triangle. Equation 4,
for an edge that rises (for one that falls, every comparison turns round):

    Px Qz ≥ Qx Pz   and   Py Qz ≥ Qy Pz   and   (Px Qz - Qx Pz) + (Py Qz - Qy Pz) ≤ Qz - Pz

`against` does this for the edges of one triangle, `judge` for A against B and then B against A. It is a filter: HIT and
MISS are certain, and where rounding could have turned a comparison it says UNSURE and somebody exact must be asked.

    plane     all of the other certainly on one side of z = 0                 → MISS
    edges     an edge certainly pierces the inside of the unit triangle       → HIT
              all edges certainly miss it, and so do those of the other half  → MISS

Nothing here depends on float64: numbers of any one type go through, and `Bounds` knows their unit roundoff u. With
float32 arrays and float32 bounds every operation is one of float32 (see `unit_frames`).

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
   triangle. Where z is certain to differ from 0 for a vertex, H is no projection into z = 0, hence one to one.
   Let P, Q be on different sides, both by more than 2.5 nz φ, R = |Pz| + |Qz|. Then the differences of Equation 4 are
   off by s φ R + 2 nz φ (1 + L) and 2 s nz φ² ≤ 0.4 s φ R; their rounding by u (4 L + 2) R, which is below 1.1 s φ R
   since L ≤ s (r + o) and 1 ≤ 2.1 nx o. All is less than 2.5 φ (s R + nz (1 + L)).
5. Triangles that share a point and are no points or segments share one that is on an edge of either: where the
   edges of both miss the other, nothing is shared.

An eighth is added for the rounding of the bounds themselves. Underflow: where nz times the bound exceeds `least`, all
that products may lose is nothing beside that eighth. Overflow: bounds contain u times what they bound, so where they
are below `most` nothing has overflowed. Undefined numbers, of discarded matrices, pass no comparison: UNSURE.
"""

from typing import NamedTuple

from tumble.jit import inlined_kernel

MISS = 0
HIT = 1
UNSURE = 2
MISSED = 3
"""of one half: all edges miss, which is a MISS if those of the other half do too"""

LARGEST_SHARE = 0.25
"""of 2.5 s φ; beyond, step 4 does not hold, and nothing could be certain anyway"""


class Bounds(NamedTuple):
    """How far computed numbers may be off, for one half; made by `bounds_of`."""

    plane: float
    """for the sides of a plane, times nz"""
    base: float
    slope: float
    """for edges: base + slope L, times nz or s"""
    least: float
    most: float
    """bounds between these are free of underflow and overflow"""


@inlined_kernel
def coordinate(matrices, j, first, p):
    """Return a coordinate of a point after matrix j; `first` is 0 for x, 4 for y, 8 for z."""
    return (
        (matrices[j, first] * p[0] + matrices[j, first + 1] * p[1]) + matrices[j, first + 2] * p[2]
    ) + matrices[j, first + 3]  # fmt: skip


@inlined_kernel
def row_size(matrices, j, first):
    """Return by how much a row of matrix j can enlarge what a component is off."""
    return (abs(matrices[j, first]) + abs(matrices[j, first + 1])) + abs(matrices[j, first + 2])


@inlined_kernel
def side(z, error):
    """Return 1 above, -1 below, 0 when that is not certain."""
    if z > error:
        return 1
    return -1 if z < -error else 0


@inlined_kernel
def edge(px, py, pz, p_side, qx, qy, qz, q_side, slant, lift):
    """Compare an edge with the unit triangle: HIT, MISSED or UNSURE."""
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
    if dx < -error or dy < -error or rest < -error:
        return MISSED
    return HIT if dx > error and dy > error and rest > error else UNSURE


@inlined_kernel
def against(p, q, r, matrices, j, bounds):
    """Compare the triangle p, q, r, in own's frame, with own, that is row j of matrices: one half of the test.

    The answer is HIT, MISS, MISSED (no edge of the other touches own) or UNSURE.
    """
    size_z = row_size(matrices, j, 8)
    pz, qz, rz = coordinate(matrices, j, 8, p), coordinate(matrices, j, 8, q), coordinate(matrices, j, 8, r)
    error = size_z * bounds.plane
    if not (error > bounds.least and error < bounds.most):
        return UNSURE
    if pz > error and qz > error and rz > error:
        return MISS
    if pz < -error and qz < -error and rz < -error:
        return MISS

    px, qx, rx = coordinate(matrices, j, 0, p), coordinate(matrices, j, 0, q), coordinate(matrices, j, 0, r)
    py, qy, ry = coordinate(matrices, j, 4, p), coordinate(matrices, j, 4, q), coordinate(matrices, j, 4, r)
    far = max(max(abs(px) + abs(py), abs(qx) + abs(qy)), abs(rx) + abs(ry))
    factor = bounds.base + bounds.slope * far
    error = size_z * factor
    slant = (row_size(matrices, j, 0) + row_size(matrices, j, 4)) * factor
    lift = error + error * far
    if not (slant < LARGEST_SHARE and lift < bounds.most):
        return UNSURE
    p_side, q_side, r_side = side(pz, error), side(qz, error), side(rz, error)
    first = edge(px, py, pz, p_side, qx, qy, qz, q_side, slant, lift)
    if first == HIT:
        return HIT
    second = edge(qx, qy, qz, q_side, rx, ry, rz, r_side, slant, lift)
    if second == HIT:
        return HIT
    third = edge(rx, ry, rz, r_side, px, py, pz, p_side, slant, lift)
    if third == HIT:
        return HIT
    return MISSED if first == MISSED and second == MISSED and third == MISSED else UNSURE


@inlined_kernel
def moved(relative, p):
    """Return a point in the other mesh's frame; relative holds a rotation by rows, then a translation."""
    return (
        ((relative[0] * p[0] + relative[1] * p[1]) + relative[2] * p[2]) + relative[9],
        ((relative[3] * p[0] + relative[4] * p[1]) + relative[5] * p[2]) + relative[10],
        ((relative[6] * p[0] + relative[7] * p[1]) + relative[8] * p[2]) + relative[11],
    )


@inlined_kernel
def judge(p, q, r, matrices_a, i, x, y, z, matrices_b, j, frames):
    """Tell whether triangle p, q, r of a, with row i, and x, y, z of b, with row j, touch: HIT, MISS or UNSURE.

    Vertices are in their own mesh's frame, tuples of three numbers; `frames` comes from `unit_frames`.
    """
    first = against(
        moved(frames.a_in_b, p), moved(frames.a_in_b, q), moved(frames.a_in_b, r), matrices_b, j, frames.bounds_b
    )
    if first < UNSURE:
        return first
    second = against(
        moved(frames.b_in_a, x), moved(frames.b_in_a, y), moved(frames.b_in_a, z), matrices_a, i, frames.bounds_a
    )
    if second < UNSURE:
        return second
    return MISS if first == MISSED and second == MISSED else UNSURE
