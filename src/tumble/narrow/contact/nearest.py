"""The nearest points of two triangles: where they meet when the numbers are too close to say it otherwise.

Two triangles apart are nearest at two edges, or at a corner of one and the face of the other; so are triangles that
touch in their boundaries, at distance zero or what rounding makes of it. (One that pierces the other deep inside would
not be found so; such pairs have an intersection segment and never come here.)
"""

import math

from tumble.core.jit import kernel
from tumble.core.linear import along, cross, dot, is_zero, minus


@kernel
def clamped(t):
    """Return the nearest number to t from 0 to 1; 0 for what is not a number."""
    return min(t, 1.0) if t > 0.0 else 0.0


@kernel
def nearest_of_segments(p, q, r, s):
    """Return the nearest points of the segments p q and r s, each of which may be a point."""
    u, v, w = minus(q, p), minus(s, r), minus(p, r)
    uu, vv, uv = dot(u, u), dot(v, v), dot(u, v)
    wu, wv = dot(w, u), dot(w, v)
    # zero for parallel segments and for points: then any t is as good, and the two clamps below find the rest
    determinant = uu * vv - uv * uv
    t = clamped((uv * wv - vv * wu) / determinant) if determinant > 0.0 else 0.0
    m = clamped((uv * t + wv) / vv) if vv > 0.0 else 0.0
    t = clamped((uv * m - wu) / uu) if uu > 0.0 else 0.0
    return along(p, q, t), along(r, s, m)


@kernel
def is_over(x, p, q, r, normal):
    """Tell whether a point is straight above or below a triangle."""
    return (
        dot(cross(normal, minus(q, p)), minus(x, p)) >= 0.0
        and dot(cross(normal, minus(r, q)), minus(x, q)) >= 0.0
        and dot(cross(normal, minus(p, r)), minus(x, r)) >= 0.0
    )


@kernel
def nearest_to_face(best, x, p, q, r, normal):
    """Return a point of the face nearer to x than `best`, with its distance squared, or `best` again."""
    if not is_zero(normal) and is_over(x, p, q, r, normal):
        height = dot(normal, minus(x, p))
        if height * height < best[0]:
            foot = x[0] - height * normal[0], x[1] - height * normal[1], x[2] - height * normal[2]
            return height * height, along(x, foot, 0.5)
    return best


@kernel
def nearest_to_edges(best, p, q, p2, q2, r2):
    """Return the middle between segment p q and the nearest edge of a triangle, if it is better than `best`."""
    for edge in range(3):
        r, s = (p2, q2) if edge == 0 else ((q2, r2) if edge == 1 else (r2, p2))
        x, y = nearest_of_segments(p, q, r, s)
        gap = minus(x, y)
        square = dot(gap, gap)
        if square < best[0]:
            best = square, along(x, y, 0.5)
    return best


@kernel
def nearest_point(p1, q1, r1, n1, p2, q2, r2, n2):
    """Return the point in the middle between the nearest points of two triangles with unit normals n1 and n2."""
    # nine pairs of edges, then six corners over faces: what is equal is found first at edges
    best = math.inf, p1
    best = nearest_to_edges(best, p1, q1, p2, q2, r2)
    best = nearest_to_edges(best, q1, r1, p2, q2, r2)
    best = nearest_to_edges(best, r1, p1, p2, q2, r2)
    best = nearest_to_face(best, p1, p2, q2, r2, n2)
    best = nearest_to_face(best, q1, p2, q2, r2, n2)
    best = nearest_to_face(best, r1, p2, q2, r2, n2)
    best = nearest_to_face(best, p2, p1, q1, r1, n1)
    best = nearest_to_face(best, q2, p1, q1, r1, n1)
    best = nearest_to_face(best, r2, p1, q1, r1, n1)
    return best[1]
