"""Contact geometry of touching triangle pairs, row by row: segment, normal and depth.

Each pair is computed near the origin and at a size near one, by exact powers of two, so that neither huge nor tiny
meshes overflow. The larger triangle is taken first, and of two that are equally large the one whose corners come first,
compared number by number: so the answer for (b, a) is that for (a, b) with the normal turned round, to the last bit.
The origin is a corner of the smaller one, whose edges are then not rounded away: as seen from a corner of the larger
one they can vanish, and with them the directions in which the two come apart.
"""

import math

from tumble.core.jit import kernel
from tumble.core.linear import minus, normal_of, scaled
from tumble.core.poll import poll
from tumble.narrow.contact.push import shortest_push
from tumble.narrow.contact.segment import meeting_segment, size_of
from tumble.narrow.touch import posed_triangle

FEW_PAIRS = 127  # bits of a pair's number that are zero where the loop calls `poll`


@kernel
def power_below(size):
    """Return the exponent of the largest power of two that is not above a positive size; 0 for zero."""
    return math.frexp(size)[1] - 1 if size > 0.0 else 0


@kernel
def brought_near(point, origin, exponent):
    """Return a point as seen from the origin, divided by a power of two."""
    x, y, z = minus(point, origin)
    return math.ldexp(x, -exponent), math.ldexp(y, -exponent), math.ldexp(z, -exponent)


@kernel
def all_near(p, q, r, origin, exponent):
    """Return the corners of a triangle as seen from the origin, divided by a power of two."""
    return brought_near(p, origin, exponent), brought_near(q, origin, exponent), brought_near(r, origin, exponent)


@kernel
def taken_back(point, origin, exponent):
    """Undo `brought_near`."""
    return (
        math.ldexp(point[0], exponent) + origin[0],
        math.ldexp(point[1], exponent) + origin[1],
        math.ldexp(point[2], exponent) + origin[2],
    )


@kernel
def unit_normal(p, q, r):
    """Return the unit normal of a triangle of any size, zero for a degenerate one."""
    p, q, r = all_near(p, q, r, p, power_below(size_of(p, q, r, p, q, r)))
    return normal_of(p, q, r)


@kernel
def comes_first(p, q, r, u, v, w):
    """Compare two triangles by size, then corner by corner and number by number."""
    size, other = size_of(p, q, r, p, q, r), size_of(u, v, w, u, v, w)
    if size != other:
        return size > other
    for x, y in ((p, u), (q, v), (r, w)):
        for axis in range(3):
            if x[axis] != y[axis]:
                return x[axis] < y[axis]
    return True


@kernel
def contact_of(p1, q1, r1, p2, q2, r2, scratch):
    """Return the ends of the segment, the direction in which triangle 1 gets free of triangle 2, and how far."""
    # a fixed order of the two makes the answer antisymmetric to the last bit
    turned = not comes_first(p1, q1, r1, p2, q2, r2)
    if turned:
        p1, q1, r1, p2, q2, r2 = p2, q2, r2, p1, q1, r1
    n1, n2 = unit_normal(p1, q1, r1), unit_normal(p2, q2, r2)
    # a power of two: scaling by it rounds nothing
    exponent = power_below(size_of(p1, q1, r1, p2, q2, r2))
    origin = p2
    p1, q1, r1 = all_near(p1, q1, r1, origin, exponent)
    p2, q2, r2 = all_near(p2, q2, r2, origin, exponent)
    first, second, _, _ = meeting_segment(p1, q1, r1, n1, p2, q2, r2, n2, scratch)
    depth, normal = shortest_push(p1, q1, r1, n1, p2, q2, r2, n2)
    first, second = taken_back(first, origin, exponent), taken_back(second, origin, exponent)
    return first, second, scaled(normal, -1.0) if turned else normal, math.ldexp(depth, exponent)


@kernel
def write_contacts(vertices_a, faces_a, pose_a, vertices_b, faces_b, pose_b, pairs, segments, normals, depths, scratch):
    """Write the contact geometry of each pair of triangles."""
    for k in range(pairs.shape[0]):
        if k & FEW_PAIRS == 0 and poll(0) != 0:
            break
        i, j = pairs[k, 0], pairs[k, 1]
        p, q, r = posed_triangle(pose_a, vertices_a, faces_a, i)
        u, v, w = posed_triangle(pose_b, vertices_b, faces_b, j)
        first, second, normal, depth = contact_of(p, q, r, u, v, w, scratch)
        for axis in range(3):
            segments[k, 0, axis], segments[k, 1, axis] = first[axis], second[axis]
            normals[k, axis] = normal[axis]
        depths[k] = depth
