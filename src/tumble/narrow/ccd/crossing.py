"""A contact proven in float64: the origin passes from one side of a polygon to the other, inside of its border.

Seen along a fixed direction n, the origin is inside the polygon while the cross products of all neighbouring corners,
times n, are positive. Each is quadratic in time, so positive in a span of time when its three Bernstein coefficients
are. If so, and the signed volume of the polygon and the origin is negative at one end of the span and positive at
the other, then the line along n through the origin meets the polygon all the time, before the origin at one end and
behind it at the other: in between they touch.

Corners are at most 1 and have errors of 8 u with u = 2**-53; so cross products times n have errors below 200 u, volumes
below 600 u: `CERTAIN` is more than ten times as much.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, largest, minus, scaled
from tumble.narrow.ccd.corners import at_time

CERTAIN = 1e-12
SPANS = (2.0**-32, 2.0**-24, 2.0**-16)
"""of time in which a contact is looked for"""


@inlined_kernel
def volume(corners, edges):
    """Return the signed volume of the origin and three corners."""
    a = corners[0]
    return dot(a, cross(minus(corners[1], a), minus(corners[3] if edges else corners[2], a)))


@inlined_kernel
def turns(p_start, p_end, q_start, q_end, n):
    """Tell whether p × q stays along n in a span of time."""
    middle = dot(cross(p_start, q_end), n) + dot(cross(p_end, q_start), n)
    return dot(cross(p_start, q_start), n) > CERTAIN and middle > CERTAIN and dot(cross(p_end, q_end), n) > CERTAIN


@inlined_kernel
def stays_inside(starts, ends, edges, n):
    """Tell whether the origin, seen along n, is inside the polygon in a span of time."""
    for i in range(4 if edges else 3):
        j = (i + 1) % (4 if edges else 3)
        if not turns(starts[i], ends[i], starts[j], ends[j], n):
            return False
    return True


@kernel
def passes(starts, ends, edges):
    """Tell whether the origin is certain to touch the polygon between these two places of its corners."""
    before, after = volume(starts, edges), volume(ends, edges)
    if not ((before > CERTAIN and after < -CERTAIN) or (before < -CERTAIN and after > CERTAIN)):
        return False
    a = starts[0]
    n = cross(minus(starts[1], a), minus(starts[3] if edges else starts[2], a))
    n = scaled(n, 1.0 / largest(n))
    return stays_inside(starts, ends, edges, n)


@kernel
def proven_until(starts, ends, edges, t):
    """Return a time until which a contact is proven to come after t, or infinity."""
    now = at_time(starts, ends, t)
    for span in SPANS:
        # a contact may be at t itself: the span begins before it, which proves as much, as none comes before t
        begin, end = max(t - span, 0.0), min(t + span, 1.0)
        if passes(at_time(starts, ends, begin) if begin < t else now, at_time(starts, ends, end), edges):
            return end
    return np.inf
