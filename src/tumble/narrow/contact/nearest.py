"""The nearest points of two triangles: what distances are made of, and contacts where numbers are too close for more.

Two triangles apart are nearest at two edges, or at a corner of one and the face of the other; so are triangles that
touch in their boundaries, at distance zero or what rounding makes of it. One that pierces the other deep inside is not
found so: for contacts such pairs have an intersection segment and never come here, and `distance`, which bounds the
rounding of all this, looks at them besides.
"""

import math

from tumble.core.jit import kernel
from tumble.core.linear import along, cross, dot, minus, plus

FLAT = 2.0**-104
"""a triangle whose height is below the rounding of its corners, squared, has no face that its edges do not have"""


@kernel
def clamped(t):
    """Return the nearest number to t from 0 to 1; 0 for what is not a number."""
    return min(t, 1.0) if t > 0.0 else 0.0


@kernel
def nearest_on_segment(x, p, q):
    """Return the point of segment p q that is nearest to x."""
    v = minus(q, p)
    square = dot(v, v)
    return along(p, q, clamped(dot(minus(x, p), v) / square)) if square > 0.0 else p


@kernel
def nearest_of_two_segments(p, q, r, s):
    """Return the nearest points of the segments p q and r s."""
    u, v, w = minus(q, p), minus(s, r), minus(r, p)
    normal = cross(u, v)
    square = dot(normal, normal)
    x = along(p, q, clamped(dot(cross(w, v), normal) / square)) if square > 0.0 else p
    # with one point given, the other follows, and then the first again, in case the other was an end
    y = nearest_on_segment(x, r, s)
    return nearest_on_segment(y, p, q), y


@kernel
def longest_edge_first(p, q, r):
    """Return the corners of a triangle, turned so that p q is its longest edge."""
    e, f, g = minus(q, p), minus(r, q), minus(p, r)
    first, second, third = dot(e, e), dot(f, f), dot(g, g)
    if second > first and second >= third:
        return q, r, p
    if third > first:
        return r, p, q
    return p, q, r


@kernel
def foot_on_face(x, p, q, r):
    """Return whether x is straight above or below a triangle, and the point of the triangle's plane nearest to x."""
    p, q, r = longest_edge_first(p, q, r)
    edge, side = minus(q, p), minus(r, p)
    square = dot(edge, edge)
    if not square > 0.0:
        return False, p
    lean = dot(side, edge) / square
    height = plus(side, -lean, edge)
    height_square = dot(height, height)
    if not height_square > FLAT * square:
        return False, p
    way = minus(x, p)
    s = dot(way, edge) / square
    way = plus(way, -s, edge)
    t = dot(way, height) / height_square
    # at height t the other two edges are at t lean and 1 + t (lean - 1): they meet in the third corner, at t = 1
    over = 0.0 <= t <= 1.0 and t * lean <= s <= 1.0 + t * (lean - 1.0)
    return over, (
        p[0] + (s * edge[0] + t * height[0]),
        p[1] + (s * edge[1] + t * height[1]),
        p[2] + (s * edge[2] + t * height[2]),
    )


@kernel
def nearer(best, x, y):
    """Return the squared distance of x and y with both, or `best` where that is nearer."""
    gap = minus(x, y)
    square = dot(gap, gap)
    return (square, x, y) if square < best[0] else best


@kernel
def nearest_of_edges(best, p, q, u, v, w):
    """Compare segment p q of the first triangle with the edges of the second."""
    for r, s in ((u, v), (v, w), (w, u)):
        x, y = nearest_of_two_segments(p, q, r, s)
        best = nearer(best, x, y)
    return best


@kernel
def nearest_of_corners(best, p, q, r, u, v, w):
    """Compare the corners of each triangle with the face of the other."""
    for x, y in ((p, u), (q, v), (r, w)):
        over, foot = foot_on_face(x, u, v, w)
        if over:
            best = nearer(best, x, foot)
        over, foot = foot_on_face(y, p, q, r)
        if over:
            best = nearer(best, foot, y)
    return best


@kernel
def nearest_of_boundaries(p, q, r, u, v, w):
    """Return the squared distance and the nearest points of two triangles that do not pierce each other."""
    # nine pairs of edges, then six corners over faces: what is equal is found first at edges
    best = math.inf, p, u
    best = nearest_of_edges(best, p, q, u, v, w)
    best = nearest_of_edges(best, q, r, u, v, w)
    best = nearest_of_edges(best, r, p, u, v, w)
    return nearest_of_corners(best, p, q, r, u, v, w)
