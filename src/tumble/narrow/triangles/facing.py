"""Along which edges two solids face each other, so that next to such an edge they have nothing in common: exact.

Let x be a triangle of one solid X, with an edge u v from which the corner w is opposite, and y a triangle of the other
solid Y in the same plane that looks the other way; the edge shares a segment with y. Seen along the edge, every
triangle through a piece of that segment is one half-plane, or two. Angles are counted from the one of x, into what is
behind x:

         y, x ________ 0, 2π          The half-planes of X are at angles up to `last`, those of Y from `first` on, one
              |╲    behind x          in the direction of x counting as 2π for Y.
              | ╲
         Y   first  last   X

Where last <= first, X is between 0 and `last`: what is in front of x is outside of X, and no wall of X is between there
and `last`. Y alike is between `first` and 2π: in front of y is the angle 0, or y is at π, and nothing of Y comes before
it. So around each piece are points of X alone, points of Y alone, and none of both. This holds for each piece, although
half-planes of all pieces are looked at together: leaving some out makes `last` smaller and `first` larger, and x and y
go along all of them.

Angles are compared by `orient3d` of the edge and two corners, so all of this is decided by the vertices alone.
"""

from tumble.core.jit import kernel
from tumble.core.linear import row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.predicates.orientation import orient2d, orient3d
from tumble.narrow.triangles.coplanar import project, projecting_axis
from tumble.narrow.triangles.sides import overlaps

START, UNDER, BACK, OVER, END = 0, 1, 2, 3, 4
"""angles: 0, below π, π, above π, 2π"""
NOT_KNOWN, ALONG_PART, ALONG_ALL = 0, 1, 2
"""answers: whether solids face each other along what an edge shares with a triangle, and whether that is all of it"""


@kernel
def quarter_of(u, v, w, axis, side, z):
    """Return where the half-plane from the line u v to a point is, or -1 for a point on the line."""
    above = orient3d(u, v, w, z)
    if above != 0:
        return UNDER if above > 0 else OVER
    turn = orient2d(project(u, axis), project(v, axis), project(z, axis))
    return -1 if turn == 0 else START if turn == side else BACK


@kernel
def later(u, v, quarter, z, other_quarter, other):
    """Tell whether the half-plane to z is at a larger angle than another one."""
    if quarter != other_quarter:
        return quarter > other_quarter
    return quarter in (UNDER, OVER) and orient3d(u, v, other, z) > 0


@kernel
def goes_along(u, v, p, q, r):
    """Tell whether a proper triangle shares more than a point with the segment u v."""
    return orient3d(p, q, r, u) == 0 and orient3d(p, q, r, v) == 0 and overlaps(u, v, p, q, r)


@kernel
def contains(axis, side, p, q, r, z):
    """Tell whether a triangle, which turns to a side as seen along an axis, contains a point of its plane."""
    p, q, r, z = project(p, axis), project(q, axis), project(r, axis), project(z, axis)
    return orient2d(p, q, z) * side >= 0 and orient2d(q, r, z) * side >= 0 and orient2d(r, p, z) * side >= 0


@kernel
def write_facing(points_x, faces_x, points_y, faces_y, edges, near_x, starts_x, near_y, starts_y, facing):
    """Write for each edge of a triangle of X in the plane of one of Y what is known of the solids along it.

    edges      (n, 3) the triangle of X, which of its edges, the triangle of Y; each edge shares a segment with that
    near_x     triangles of X, near_x[starts_x[i, 0] : starts_x[i, 1]] touch the triangle of Y of row i
    near_y     triangles of Y that touch the triangle of X, alike
    """
    for i in range(len(edges)):
        if i & OFTEN == 0 and poll(0) != GO_ON:
            break
        facing[i] = NOT_KNOWN
        x, k, y = edges[i, 0], edges[i, 1], edges[i, 2]
        u, v = row(points_x, faces_x[x, k]), row(points_x, faces_x[x, (k + 1) % 3])
        w = row(points_x, faces_x[x, (k + 2) % 3])
        axis = projecting_axis(u, v, w)
        side = orient2d(project(u, axis), project(v, axis), project(w, axis))
        p, q, r = row(points_y, faces_y[y, 0]), row(points_y, faces_y[y, 1]), row(points_y, faces_y[y, 2])
        if orient2d(project(p, axis), project(q, axis), project(r, axis)) != -side:
            continue
        whole = contains(axis, -side, p, q, r, u) and contains(axis, -side, p, q, r, v)
        last, at_last = START, w
        for j in range(starts_x[i, 0], starts_x[i, 1]):
            face = near_x[j]
            p, q, r = row(points_x, faces_x[face, 0]), row(points_x, faces_x[face, 1]), row(points_x, faces_x[face, 2])
            if face == x or not goes_along(u, v, p, q, r):
                continue
            for z in (p, q, r):
                quarter = quarter_of(u, v, w, axis, side, z)
                if quarter >= 0 and later(u, v, quarter, z, last, at_last):
                    last, at_last = quarter, z
        first, at_first = END, w
        ahead = False  # whether y is in the direction of x
        for j in range(starts_y[i, 0], starts_y[i, 1]):
            face = near_y[j]
            p, q, r = row(points_y, faces_y[face, 0]), row(points_y, faces_y[face, 1]), row(points_y, faces_y[face, 2])
            if not goes_along(u, v, p, q, r):
                continue
            for z in (p, q, r):
                quarter = quarter_of(u, v, w, axis, side, z)
                if quarter == START:
                    ahead = ahead or face == y
                elif quarter > START and later(u, v, first, at_first, quarter, z):
                    first, at_first = quarter, z
        if (first == BACK or ahead) and not later(u, v, last, at_last, first, at_first):
            facing[i] = ALONG_ALL if whole else ALONG_PART
