"""Does a ray along an axis, from a point, cross a triangle, and from which side? Decided exactly, without a gap.

A point is inside a closed mesh or outside by the triangles that a ray from it crosses. The ray may pass through a
vertex or along a face; so the point is moved, in thought, by infinitely little: with coordinates 0 along the ray and
1, 2 across it, by (0, e, e²) with e smaller than any positive number. A point that is not on the surface stays where it
is by that, inside or outside, and no ray of such points meets an edge. What it crosses follows from signs at the point
itself:

    an edge u v, seen along the ray, has the point on the side that orient2d(u, v, p) says; where that is zero, its
    change with e decides, u2 - v2, and where that is zero too, its change with e², v1 - u1: two comparisons.
    All zero: the edge is parallel to the ray, and the triangle, seen along the ray, without area.

The ray crosses the triangle when all three edges have the point on the same side, 1 or -1, which is also the side of
the triangle that faces the ray's end; and when the plane is ahead, which orient3d says. This rule (simulation of
simplicity, H. Edelsbrunner and E. Mücke 1990) makes the sum over all triangles of a closed mesh that is consistently
oriented its winding number about the point, for rays in all directions.

A point of the closed triangle is *on the surface*. Seen along the ray it then lies in the closed triangle: either that
is crossed and orient3d is zero, or one of the three orient2d is zero, and then the exact test of two triangles decides,
one of which is the point.
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.narrow.predicates.orientation import orient2d, orient3d
from tumble.narrow.triangles.exact import corners_touch

ON_SURFACE = 2
"""what `crossing` returns for a point of the triangle, in place of 1, 0 or -1"""


@inlined_kernel
def sign_of_difference(x, y):
    """Return the sign of x - y, exactly."""
    return (x > y) - (x < y)


@kernel
def moved_side(side, u, v):
    """Return on which side of edge u v, seen along coordinate 0, a moved point is; `side` is that of the point."""
    if side != 0:
        return side
    side = sign_of_difference(u[2], v[2])
    return side if side != 0 else sign_of_difference(v[1], u[1])


@kernel
def crossing(a, b, c, p, way):
    """Return 1 when a ray from p leaves a solid through the triangle, -1 when it enters, 0 when they do not meet.

    The ray goes along coordinate 0, up or down as `way` is 1 or -1. ON_SURFACE when p is a point of the triangle.
    """
    # comparisons first: they are exact and nearly free
    if max(a[1], b[1], c[1]) < p[1] or min(a[1], b[1], c[1]) > p[1]:
        return 0
    if max(a[2], b[2], c[2]) < p[2] or min(a[2], b[2], c[2]) > p[2]:
        return 0
    below, above = max(a[0], b[0], c[0]) < p[0], min(a[0], b[0], c[0]) > p[0]
    if below if way > 0 else above:
        return 0
    x, y, z, o = (a[1], a[2]), (b[1], b[2]), (c[1], c[2]), (p[1], p[2])
    first, second, third = orient2d(x, y, o), orient2d(y, z, o), orient2d(z, x, o)
    side = moved_side(first, a, b)
    crossed = side != 0 and side == moved_side(second, b, c) and side == moved_side(third, c, a)
    if below or above:
        return way * side if crossed else 0
    if not crossed and first != 0 and second != 0 and third != 0:
        return 0
    volume = orient3d(a, b, c, p)
    if volume == 0:
        return ON_SURFACE if crossed or corners_touch(a, b, c, p, p, p) else 0
    return way * side if crossed and volume * side == way else 0
