"""A time before which a moving polygon does not contain the origin: conservative advancement along directions.

Along a fixed direction n the height n · x(t) of each corner is linear in t. While the heights of all corners are
positive, n separates the polygon from the origin; the first root among them, found by one division each, is a time
before which there is no contact:

    t = the latest such time among the three axes, from t = 0     # separates most pairs that boxes of both ends do not
    repeat: n = direction towards the polygon at t                # a normal, or the nearest point
            t' = the first time from t at which a corner has height 0 along n
            t' beyond the end: they never meet; t' - t <= tolerance: they may meet at t; else t = t'

Additive CCD (M. Li, D. Kaufman, C. Jiang 2021) divides the gap by a bound on the speed in any direction, and creeps
where elements slide along each other; here only what closes the gap counts. Every t is proven, so that the loop can
end at any turn: after `MOST_TURNS` they "may meet" at the t that was reached.

What a step smaller than the tolerance means: the gap at t, seen along n, is closed by one corner within a tolerance of
the step, so it is at most tolerance times the way of that corner relative to the other element.

Rounding: corners are scaled to at most 1. With u = 2**-53, a corner has an error of 3 u (difference, reciprocal,
product), a height one of 3 (3 u + 3 u) = 18 u, for |n| <= 1 in each coordinate; the computed root times the speed of a
height, at most 6, 18 u more. Heights are therefore asked to stay above `MARGIN` = 64 u, in the place of 0; a separation
d is asked for as d |n|, rounded up.
"""

import math

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import dot, largest, scaled
from tumble.narrow.ccd.corners import MAGNIFIED, TINY, at_time, size_of, times_all
from tumble.narrow.ccd.crossing import proven_until
from tumble.narrow.ccd.directions import towards

MARGIN = 64 * 2.0**-53
ROUNDED_UP = 1.0 + 1e-14
LEAST = 4e-323
"""added where numbers may be so small that a relative margin vanishes"""
MOST_TURNS = 200

MISS, HIT, UNSURE = 0, 1, 2
"""what is known: no contact until the horizon; a contact, proven; none until a time, at which there may be one"""


@inlined_kernel
def root_of_height(t, start, end, limit):
    """Return when a height that is linear in time, above the limit at t, comes down to it; t where it is not above."""
    now = (1.0 - t) * start + t * end
    if not now > limit:  # nor a number
        return t
    if end >= limit:
        return np.inf
    # `end` is below the limit, so the root lies between t and 1, and the difference cannot vanish
    return max((start - limit) / (start - end), t)


@inlined_kernel
def first_root(starts, ends, n, t, limit):
    """Return the first time from t on at which a corner comes down to the limit along a direction."""
    found = np.inf
    for i in range(4):
        found = min(found, root_of_height(t, dot(starts[i], n), dot(ends[i], n), limit))
    return found


@inlined_kernel
def root_along_axis(starts, ends, axis, separation):
    """Return until when the corners stay on one side of the origin along an axis: 0 if they do not begin so."""
    low = min(min(starts[0][axis], starts[1][axis]), min(starts[2][axis], starts[3][axis]))
    high = max(max(starts[0][axis], starts[1][axis]), max(starts[2][axis], starts[3][axis]))
    if low <= separation and high >= -separation:
        return 0.0
    sign = 1.0 if low > 0.0 else -1.0
    found = np.inf
    for i in range(4):
        start, end = sign * starts[i][axis], sign * ends[i][axis]
        limit = separation * ROUNDED_UP + max(abs(start), abs(end)) * MARGIN + LEAST
        found = min(found, root_of_height(0.0, start, end, limit))
    return found


@inlined_kernel
def along_axes(starts, ends, separation, horizon):
    """Return the latest root along the three axes, or the first that lies beyond the horizon."""
    found = 0.0
    for axis in range(3):
        found = max(found, root_along_axis(starts, ends, axis, separation))
        if found > horizon:
            break
    return found


@inlined_kernel
def of_size_one(starts, ends, separation):
    """Return the corners divided by their largest coordinate, and the separation divided likewise and rounded up."""
    size = max(size_of(starts), size_of(ends))
    if size < TINY:
        starts, ends, separation = times_all(starts, MAGNIFIED), times_all(ends, MAGNIFIED), separation * MAGNIFIED
        size *= MAGNIFIED
    factor = 1.0 / size if size > 0.0 else 1.0
    return times_all(starts, factor), times_all(ends, factor), separation * factor * ROUNDED_UP


@kernel
def advance(starts, ends, edges, separation, tolerance, horizon):
    """Return what is known of a moving polygon, a time before which it does not contain the origin, and the time until
    which a contact is proven to have come, or infinity.

    horizon   contacts after this time are of no interest: MISS
    """
    t = along_axes(starts, ends, separation, horizon)
    if t > horizon:
        return MISS, np.inf, np.inf
    starts, ends, separation = of_size_one(starts, ends, separation)
    for _ in range(MOST_TURNS):
        n = towards(at_time(starts, ends, t), edges)
        size = largest(n)
        if not size > 0.0:  # the origin is in the polygon, as far as float64 can tell
            break
        n = scaled(n, 1.0 / size)
        limit = MARGIN if separation == 0.0 else MARGIN + separation * math.sqrt(dot(n, n)) * ROUNDED_UP
        later = first_root(starts, ends, n, t, limit)
        if later > horizon:
            return MISS, np.inf, np.inf
        step, t = later - t, later
        if not step > tolerance:
            break
    latest = proven_until(starts, ends, edges, t) if separation == 0.0 else np.inf
    return HIT if latest <= 1.0 else UNSURE, t, latest
