"""The points where edges of one mesh pierce faces of the other, in float64, along an edge from its lower vertex."""

from tumble.core.jit import kernel
from tumble.core.linear import along, cross, divided, dot, largest, minus, row, set_row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.predicates.orientation import orient3d


@kernel
def share_of(low, high):
    """Return which part of an edge is before the plane, from the heights of its ends."""
    low, high = abs(low), abs(high)
    return low / (low + high) if low + high > 0.0 else 0.5


@kernel
def pierced_at(u, v, p, q, r):
    """Return where the edge u v pierces the plane of a triangle: 0 at u, 1 at v, exactly so where that is true."""
    if orient3d(p, q, r, u) == 0:
        return 0.0
    if orient3d(p, q, r, v) == 0:
        return 1.0
    e, f = minus(q, p), minus(r, p)
    # of a size whose products neither overflow nor underflow
    normal = cross(divided(e, largest(e)), divided(f, largest(f)))
    return share_of(dot(normal, minus(u, p)), dot(normal, minus(v, p)))


@kernel
def write_places(points, ends, other_points, corners, places, shares):
    """Write the points where edges pierce the faces of the other mesh, and how far along the edge they are, 0 to 1."""
    for k in range(len(ends)):
        if k & OFTEN == 0 and poll(0) != GO_ON:
            break
        u, v = row(points, ends[k, 0]), row(points, ends[k, 1])
        p, q, r = row(other_points, corners[k, 0]), row(other_points, corners[k, 1]), row(other_points, corners[k, 2])
        share = pierced_at(u, v, p, q, r)
        shares[k] = share
        # from the nearer end: so a place next to a vertex keeps its digits
        set_row(places, k, along(u, v, share) if share <= 0.5 else along(v, u, 1.0 - share))
