"""Two triangles of one mesh that share vertices, by index: do they meet beyond what they share? Exact, by signs alone.

What is shared is a vertex or an edge, and does not count as a hit; any further common point does.

One vertex v, triangles (v, a, b) and (v, c, d). Near v a triangle is a cone, so they meet beyond v exactly when the
cones share a direction. With v as the origin and A = det(a, c, d), B = det(b, c, d), C = det(a, b, c) and
D = det(a, b, d), any four vectors obey B a - A b + D c - C d = 0. If A >= 0 >= B, the first triangle leaves v along the
other's plane in the direction A b - B a = D c - C d, which lies in the second cone exactly when D >= 0 >= C; with all
signs turned round, the same. So four orientations decide, unless two are zero that belong together: then the triangles
share a plane or one is degenerate, and their edges from v are compared as rays.

Two vertices u, v, triangles (u, v, a) and (u, v, b): unless all four are in one plane, the line u v is all that the
planes share. In one plane the triangles overlap when a and b lie on the same side.

Three vertices: the triangles lie on each other, which counts as a hit.

Degenerate triangles need no exception: a segment or a point is a cone as well.
"""

import numpy as np
from numba import int32, int64

from tumble.core.jit import external, inlined_kernel, kernel
from tumble.core.simd.memory import float64_at, int32_at
from tumble.narrow.predicates.orientation import orient2d, orient3d
from tumble.narrow.triangles.coplanar import lexicographic, project, projecting_axis
from tumble.narrow.triangles.exact import corners_touch


@kernel
def same_point(p, q):
    """Tell whether two points are equal."""
    return p[0] == q[0] and p[1] == q[1] and p[2] == q[2]


@kernel
def same_ray(v, a, b):
    """Tell whether the rays from v through a and through b are the same; there is none where a point is v itself."""
    if same_point(v, a) or same_point(v, b) or lexicographic(v, a) != lexicographic(v, b):
        return False
    return projecting_axis(v, a, b) < 0


@kernel
def within_angle(v, a, c, d):
    """Tell, in the plane, whether a, which is not v, lies between the rays from v through c and d, or on one."""
    side = orient2d(v, c, d)
    return orient2d(v, c, a) * side >= 0 and orient2d(v, a, d) * side >= 0


@kernel
def ray_runs_in(v, a, c, d, axis):
    """Tell whether the ray from v through a begins in the triangle v c d, which projects along an axis, or is flat."""
    if axis < 0:
        return same_ray(v, a, c) or same_ray(v, a, d)
    if same_point(v, a) or orient3d(v, c, d, a) != 0:
        return False
    return within_angle(project(v, axis), project(a, axis), project(c, axis), project(d, axis))


@kernel
def special_meet_beyond_vertex(v, a, b, c, d):
    """Decide `meet_beyond_vertex` for triangles of one plane and for degenerate ones, by their edges from v."""
    axis1, axis2 = projecting_axis(v, a, b), projecting_axis(v, c, d)
    if ray_runs_in(v, a, c, d, axis2) or ray_runs_in(v, b, c, d, axis2):
        return True
    return ray_runs_in(v, c, a, b, axis1) or ray_runs_in(v, d, a, b, axis1)


@kernel
def meet_beyond_vertex(v, a, b, c, d):
    """Tell whether the triangles v a b and v c d share more than v."""
    # strictly on one side of the other plane: no common direction. On convex surfaces neighbours end here, after two
    # determinants of four
    sa, sb = orient3d(v, c, d, a), orient3d(v, c, d, b)
    if sa * sb > 0:
        return False
    sc, sd = orient3d(v, a, b, c), orient3d(v, a, b, d)
    if sc * sd > 0:
        return False
    if (sa == 0 and sb == 0) or (sc == 0 and sd == 0):
        return special_meet_beyond_vertex(v, a, b, c, d)
    return (sa <= 0 and sb >= 0 and sc >= 0 and sd <= 0) or (sa >= 0 and sb <= 0 and sc <= 0 and sd >= 0)


@kernel
def beyond_end(end, other, p):
    """Tell whether p lies beyond an end of a segment, all three on one line."""
    return not same_point(end, p) and lexicographic(other, end) == lexicographic(end, p)


@kernel
def meet_beyond_edge(u, v, a, b):
    """Tell whether the triangles u v a and u v b share more than the edge u v."""
    if orient3d(u, v, a, b) != 0:
        return False
    axis = projecting_axis(u, v, a)
    if axis >= 0:  # one plane; b on the line u v turns neither way
        p, q = project(u, axis), project(v, axis)
        return orient2d(p, q, project(a, axis)) == orient2d(p, q, project(b, axis))
    if projecting_axis(u, v, b) >= 0:  # and a is on the line u v, where the other triangle has nothing but the edge
        return False
    if same_point(u, v):
        return same_ray(u, a, b)
    return (beyond_end(u, v, a) and beyond_end(u, v, b)) or (beyond_end(v, u, a) and beyond_end(v, u, b))


@inlined_kernel
def corner(faces, triangle, k):
    """Return the number of vertex k of a triangle."""
    return int32_at(faces, 3 * triangle + k)


@inlined_kernel
def place_in(faces, triangle, vertex):
    """Return which corner of a triangle a vertex is, or -1."""
    for k in range(3):
        if corner(faces, triangle, k) == vertex:
            return k
    return -1


@inlined_kernel
def are_neighbours(faces, i, j):
    """Tell whether two triangles share a vertex, by index."""
    return (
        place_in(faces, j, corner(faces, i, 0)) >= 0
        or place_in(faces, j, corner(faces, i, 1)) >= 0
        or place_in(faces, j, corner(faces, i, 2)) >= 0
    )


@inlined_kernel
def point(vertices, faces, triangle, k):
    """Return corner k of a triangle."""
    v = 3 * corner(faces, triangle, k)
    return float64_at(vertices, v), float64_at(vertices, v + 1), float64_at(vertices, v + 2)


@inlined_kernel
def points(vertices, faces, triangle):
    """Return all corners of a triangle."""
    return point(vertices, faces, triangle, 0), point(vertices, faces, triangle, 1), point(vertices, faces, triangle, 2)


@external(int32(int64, int64, int64, int64))
def neighbours_meet(vertices, faces, i, j):
    """Return 1 when two triangles that share vertices meet beyond those, else 0; arrays are given by addresses."""
    k, m = np.int64(-1), np.int64(-1)  # the corners of i that are shared: one, and one more with another vertex
    # a triangle may name one vertex twice, so shared corners are compared by vertex, not by position
    for n in range(3):
        if place_in(faces, j, corner(faces, i, n)) < 0:
            continue
        if k < 0:
            k = n
        elif corner(faces, i, n) != corner(faces, i, k):
            if m >= 0 and corner(faces, i, n) != corner(faces, i, m):
                return 1
            m = n
    k2 = place_in(faces, j, corner(faces, i, k))
    v = point(vertices, faces, i, k)
    if m < 0:
        return meet_beyond_vertex(
            v,
            point(vertices, faces, i, (k + 1) % 3), point(vertices, faces, i, (k + 2) % 3),
            point(vertices, faces, j, (k2 + 1) % 3), point(vertices, faces, j, (k2 + 2) % 3),
        )  # fmt: skip
    m2 = place_in(faces, j, corner(faces, i, m))
    third, third2 = point(vertices, faces, i, 3 - k - m), point(vertices, faces, j, 3 - k2 - m2)
    return meet_beyond_edge(v, point(vertices, faces, i, m), third, third2)


@inlined_kernel
def meet_in_mesh(vertices, faces, i, j):
    """Tell whether two different triangles of one mesh meet, beyond what they share."""
    if are_neighbours(faces, i, j):
        return neighbours_meet(vertices, faces, i, j) != 0
    p, q, r = points(vertices, faces, i)
    x, y, z = points(vertices, faces, j)
    return corners_touch(p, q, r, x, y, z)
