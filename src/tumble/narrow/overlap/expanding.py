"""How deep two convex hulls are in each other: the shortest shift of b that parts them, between two bounds.

G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001. Shifts after which
hulls of a and b still meet are the differences of their points, a - b, a convex set that contains 0. Its nearest
boundary point is the shift that is looked for. A polytope inside of it, of points of its boundary, is grown:

    the nearest facet of the polytope, at distance d, has the unit normal n
    the farthest difference along n is at s = max n·a - min n·b ≥ d: a shift by s along n parts the hulls
    s = d: done. Otherwise that difference becomes a corner, in place of all facets that it sees.

The least s so far is an upper bound that is known to part the hulls, and the least d a lower one, as the polytope is
inside. The origin need not be in the first polytope: a facet that has it on its outer side has d < 0, and is nearest.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.linear import cross, dot, is_zero, minus, row, scaled, set_row, unit
from tumble.core.poll import GO_ON, poll

MOST_CORNERS = 4096
MOST_FACETS = 3 * MOST_CORNERS
SEEN = 2.0**-50
"""a facet is seen from corners that are farther in front of it than this part of the size"""
DONE = 2.0**-47
"""the part of the size by which the bounds may differ at the end"""
FEW_TURNS = 15


class Polytope(NamedTuple):
    """Memory for the polytope."""

    corners: NDArray[np.float64]
    facets: NDArray[np.int64]
    """(MOST_FACETS, 3) corners, counter-clockwise from outside; the first is -1 for a facet that is gone"""
    planes: NDArray[np.float64]
    """(MOST_FACETS, 4) unit normals and distances"""
    rim: NDArray[np.int64]
    """(MOST_FACETS, 2) edges between facets that are seen and others"""


def new_polytope() -> Polytope:
    """Return memory for a polytope."""
    corners, planes = np.empty((MOST_CORNERS, 3)), np.empty((MOST_FACETS, 4))
    return Polytope(corners, np.empty((MOST_FACETS, 3), np.int64), planes, np.empty((MOST_FACETS, 2), np.int64))


@kernel
def farthest(points, n):
    """Return the number of the point that is farthest along a direction."""
    best, found = -math.inf, 0
    for i in range(len(points)):
        height = points[i, 0] * n[0] + points[i, 1] * n[1] + points[i, 2] * n[2]
        if height > best:
            best, found = height, i
    return found


@kernel
def difference(points_a, points_b, n):
    """Return the difference a - b that is farthest along n."""
    return minus(row(points_a, farthest(points_a, n)), row(points_b, farthest(points_b, scaled(n, -1.0))))


@kernel
def add_facet(polytope, place, i, j, k):
    """Write a facet; one without area has no normal, and never is the nearest."""
    p, q, r = row(polytope.corners, i), row(polytope.corners, j), row(polytope.corners, k)
    n = unit(cross(minus(q, p), minus(r, p)))
    polytope.facets[place, 0], polytope.facets[place, 1], polytope.facets[place, 2] = i, j, k
    distance = math.inf if is_zero(n) else max(dot(n, p), dot(n, q), dot(n, r))
    polytope.planes[place, 0], polytope.planes[place, 1], polytope.planes[place, 2] = n
    polytope.planes[place, 3] = distance


@kernel
def begin(points_a, points_b, polytope, size):
    """Write a first tetrahedron of differences; return False where all of them lie in a plane."""
    corners = polytope.corners
    set_row(corners, 0, difference(points_a, points_b, (1.0, 0.0, 0.0)))
    set_row(corners, 1, difference(points_a, points_b, (-1.0, 0.0, 0.0)))
    edge = minus(row(corners, 1), row(corners, 0))
    across = unit(cross(edge, (0.0, 1.0, 0.0) if abs(edge[1]) <= abs(edge[2]) else (0.0, 0.0, 1.0)))
    third = difference(points_a, points_b, across)
    if abs(dot(across, minus(third, row(corners, 0)))) <= SEEN * size:
        third = difference(points_a, points_b, scaled(across, -1.0))
    set_row(corners, 2, third)
    n = unit(cross(edge, minus(third, row(corners, 0))))
    fourth = difference(points_a, points_b, n)
    if abs(dot(n, minus(fourth, row(corners, 0)))) <= SEEN * size:
        fourth = difference(points_a, points_b, scaled(n, -1.0))
    set_row(corners, 3, fourth)
    height = dot(n, minus(fourth, row(corners, 0)))
    if not abs(height) > SEEN * size:
        return False
    i, j = (1, 2) if height < 0.0 else (2, 1)
    add_facet(polytope, 0, 0, i, j)
    add_facet(polytope, 1, 0, 3, i)
    add_facet(polytope, 2, i, 3, j)
    add_facet(polytope, 3, j, 3, 0)
    return True


@kernel
def nearest_facet(polytope, count):
    """Return the facet that is nearest to the origin, negative distances being nearer."""
    best, found = math.inf, -1
    for k in range(count):
        if polytope.facets[k, 0] >= 0 and polytope.planes[k, 3] < best:
            best, found = polytope.planes[k, 3], k
    return found


@kernel
def cross_out(rim, edges, u, v):
    """Put an edge into a list, or take its other direction out; return how many edges there are."""
    for k in range(edges):
        if rim[k, 0] == v and rim[k, 1] == u:
            rim[k, 0], rim[k, 1] = rim[edges - 1, 0], rim[edges - 1, 1]
            return edges - 1
    rim[edges, 0], rim[edges, 1] = u, v
    return edges + 1


@kernel
def grow(polytope, count, corner, tolerance):
    """Replace all facets that a corner sees; return how many places of facets are used, -1 when there are no more."""
    p, edges = row(polytope.corners, corner), 0
    for k in range(count):
        if polytope.facets[k, 0] < 0 or polytope.planes[k, 3] == math.inf:
            continue
        n = polytope.planes[k, 0], polytope.planes[k, 1], polytope.planes[k, 2]
        if dot(n, p) - polytope.planes[k, 3] > tolerance:
            i, j, m = polytope.facets[k, 0], polytope.facets[k, 1], polytope.facets[k, 2]
            if edges + 3 > len(polytope.rim):
                return -1
            edges = cross_out(polytope.rim, edges, i, j)
            edges = cross_out(polytope.rim, edges, j, m)
            edges = cross_out(polytope.rim, edges, m, i)
            polytope.facets[k, 0] = -1
    free = 0
    for e in range(edges):
        while free < count and polytope.facets[free, 0] >= 0:
            free += 1
        if free >= len(polytope.facets):
            return -1
        add_facet(polytope, free, polytope.rim[e, 0], polytope.rim[e, 1], corner)
        count = max(count, free + 1)
    return count


@kernel
def is_corner_of(polytope, facet, p):
    """Tell whether a point is a corner of a facet."""
    for k in range(3):
        q = row(polytope.corners, polytope.facets[facet, k])
        if p[0] == q[0] and p[1] == q[1] and p[2] == q[2]:
            return True
    return False


@kernel
def shortest_shift(points_a, points_b, size, polytope, found):
    """Write the shift's unit direction, its length, and a lower bound of the shortest; return whether there is one.

    The points are near the origin and not larger than `size`. Without one, the differences lie in a plane.
    """
    if not begin(points_a, points_b, polytope, size):
        return False
    best, lower, settled = math.inf, -math.inf, math.inf
    direction = 0.0, 0.0, 1.0
    corners, count = 4, 4
    while True:
        if corners & FEW_TURNS == 0 and poll(0) != GO_ON:
            break
        facet = nearest_facet(polytope, count)
        if facet < 0:
            lower = settled
            break
        n = polytope.planes[facet, 0], polytope.planes[facet, 1], polytope.planes[facet, 2]
        lower = min(settled, polytope.planes[facet, 3])
        p = difference(points_a, points_b, n)
        height = dot(n, p)
        if height < best:
            best, direction = height, n
        if best - lower <= DONE * size or settled <= polytope.planes[facet, 3]:
            break
        if height - polytope.planes[facet, 3] <= SEEN * size or is_corner_of(polytope, facet, p):
            # nothing is beyond this facet: it is one of the whole set, known as well as numbers can tell
            settled = min(settled, polytope.planes[facet, 3])
            polytope.planes[facet, 3] = math.inf
            continue
        if corners == len(polytope.corners):
            break
        set_row(polytope.corners, corners, p)
        count = grow(polytope, count, corners, 0.5 * SEEN * size)
        corners += 1
        if count < 0:
            break
    found[0], found[1], found[2] = direction
    found[3], found[4] = best, max(min(lower, best), 0.0)
    return True
