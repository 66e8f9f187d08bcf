"""Whether and when a moving vertex and triangle, or two moving edges, touch within [0, 1]: exactly, in integers.

All coordinates are integers times one power of two. As in `corners`, elements touch when a moving triangle A, B, C
contains the origin; the parallelogram of two edges is two triangles. At a contact the origin is in the plane of the
triangle, so the first contact is

    a root of det(A, B, C), a cubic in t;
    where that is zero at all times: t = 0, or a root of a coordinate of A, B, C or of A × B, B × C, C × A, because
    what follows is decided by their signs, and the times of contact are a closed set.

At such a time, with the origin in the plane (or all three on a line with it):

    1. along an axis on which not all of A × B, B × C, C × A are zero, the triangle contains the origin unless two of
       them have opposite signs. They are multiples of the normal, so their signs are those of the plane; two zeros
       mean that the origin is a corner, one that it is on an edge.
    2. if all are zero on all axes, A, B, C are on a line with the origin, which is between them unless they are all
       positive or all negative along an axis.

No case is left out: faces that are segments or points, edges that are points, parallel edges, no motion at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf, nextafter

from tumble.narrow.ccd.polynomials import Polynomial, Root, plus, roots_in_unit_interval, times, trimmed

Vector = tuple[Polynomial, Polynomial, Polynomial]
Triangle = tuple[Vector, Vector, Vector]

DIGITS = 60
"""binary places to which the time of a contact is found"""


def first_contact(
    starts: Sequence[Sequence[float]], ends: Sequence[Sequence[float]], edges: bool
) -> tuple[float, float] | None:
    """Return times between which the first contact is, or None when there is no contact.

    starts, ends   four points: a vertex and the corners of a face, or the ends of one edge and of another
    """
    triangles = _triangles(_integers(starts, ends), edges)
    found: list[tuple[float, float]] = []
    for roots in _possible_times(triangles):
        # the roots of one polynomial are in order
        root = next((root for root in roots if any(_contains_origin(each, root) for each in triangles)), None)
        if root is not None:
            found.append(_bounds(root))
            if found[-1][1] == 0.0:
                break
    return (min(low for low, _ in found), min(high for _, high in found)) if found else None


def _integers(starts: Sequence[Sequence[float]], ends: Sequence[Sequence[float]]) -> list[Vector]:
    """Return the four moving points times a common power of two."""
    ratios = [[float(x).as_integer_ratio() for x in point] for point in (*starts, *ends)]
    scale = max(below for point in ratios for _, below in point)
    whole = [[above * (scale // below) for above, below in point] for point in ratios]
    return [
        tuple(trimmed([x, y - x]) for x, y in zip(whole[k], whole[4 + k], strict=True))  # type: ignore[misc]
        for k in range(4)
    ]


def _minus(p: Vector, q: Vector) -> Vector:
    return plus(p[0], q[0], -1), plus(p[1], q[1], -1), plus(p[2], q[2], -1)


def _cross(p: Vector, q: Vector) -> Vector:
    def minor(i: int, j: int) -> Polynomial:
        return plus(times(p[i], q[j]), times(p[j], q[i]), -1)

    return minor(1, 2), minor(2, 0), minor(0, 1)


def _triangles(points: list[Vector], edges: bool) -> list[Triangle]:
    """Return the triangles of differences, of which one contains the origin when the elements touch."""
    p, q, r, s = points
    if not edges:
        return [(_minus(q, p), _minus(r, p), _minus(s, p))]
    a, b, c, d = _minus(p, r), _minus(q, r), _minus(q, s), _minus(p, s)
    return [(a, b, c), (a, c, d)]


def _possible_times(triangles: list[Triangle]) -> Iterable[list[Root]]:
    """Return the times among which the first contact is, polynomial by polynomial."""
    a, b, c = triangles[0]  # both triangles of a parallelogram are in one plane: one determinant will do
    normal = _cross(a, b)
    volume = plus(plus(times(normal[0], c[0]), times(normal[1], c[1])), times(normal[2], c[2]))
    if volume:
        yield roots_in_unit_interval(volume)
        return
    yield [Root((0, 1), 0, 0, 0)]
    for triangle in triangles:
        for vector in (*triangle, *map(_cross, triangle, (*triangle[1:], triangle[0]))):
            yield from (roots_in_unit_interval(polynomial) for polynomial in vector if polynomial)


def _contains_origin(triangle: Triangle, root: Root) -> bool:
    """Tell whether a triangle in one plane with the origin contains it."""
    corners = (*triangle, triangle[0])
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        minors = [plus(times(p[i], q[j]), times(p[j], q[i]), -1) for p, q in pairwise(corners)]
        signs = {root.sign_of(minor) for minor in minors}
        if signs != {0}:
            return not {-1, 1} <= signs
    sides = ({root.sign_of(corner[axis]) for corner in triangle} for axis in range(3))
    return all(side not in ({1}, {-1}) for side in sides)


def _bounds(root: Root) -> tuple[float, float]:
    """Return float64 numbers below and above a root, or equal to it."""
    while not root.exact and root.high - root.low << DIGITS > 1 << root.k:
        root.refine()
    return max(_rounded(root.low, root.k, -inf), 0.0), min(_rounded(root.high, root.k, inf), 1.0)


def _rounded(n: int, k: int, way: float) -> float:
    """Return n / 2**k, rounded down or up."""
    nearest = n / (1 << k)  # correctly rounded, as all quotients of integers
    above, below = nearest.as_integer_ratio()
    error = (above << k) - n * below
    return nextafter(nearest, way) if (error > 0 if way < 0.0 else error < 0) else nearest
