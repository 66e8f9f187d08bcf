"""Which way to turn a box: by covariance, or the best of several candidates.

`covariance_axes` is the paper's and everybody's choice. It is quick, and it is fooled by whatever lies inside: the
principal directions of a square in space are arbitrary. `tight_axes` compares boxes: straight, by covariance, and
along the edges of a large triangle between extreme points (after Larsson and Källberg 2011), then turns the best one
by smaller and smaller angles as long as it shrinks. What it makes small is the surface, which also tells flat boxes
apart.
"""

from math import cos, sin

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import minus, plus, row, scaled
from tumble.volume.obb.axes import STRAIGHT, farthest_along, farthest_from_line, frame, surface_axes, unit
from tumble.volume.obb.box import half_difference, half_sum, reach

FIRST_ANGLE = 0.3
LAST_ANGLE = 0.02
SHRUNK = 0.999  # a turn by a small angle must pay this much: without it, rounding alone could go on turning
EXTREMES = (*STRAIGHT, (1.0, 1.0, 1.0), (1.0, 1.0, -1.0), (1.0, -1.0, 1.0), (1.0, -1.0, -1.0))
"""directions along which extreme points are looked for"""


@kernel
def covariance_axes(vertices, faces, order, start, stop):
    """Return the principal directions of the triangles' surface, straight ones for a point."""
    low, high = reach(STRAIGHT, vertices, faces, order, start, stop)
    size = max(half_difference(low, high))
    if size < 1e-290:
        return STRAIGHT
    return surface_axes(vertices, faces, order, start, stop, half_sum(low, high), size)


@kernel
def surface(axes, vertices, faces, order, start, stop):
    """Return an eighth of the surface of the box with these directions."""
    low, high = reach(axes, vertices, faces, order, start, stop)
    x, y, z = half_difference(low, high)
    return x * y + y * z + z * x


@kernel
def longest_extreme(vertices, faces, order, start, stop):
    """Return the two vertices that are farthest apart among the extremes along seven directions."""
    best, first, second = -1.0, 0, 0
    for direction in EXTREMES:
        v, w = farthest_along(vertices, faces, order, start, stop, direction)
        length = unit(minus(row(vertices, w), row(vertices, v)))[1]
        if length > best:
            best, first, second = length, v, w
    return first, second


@inlined_kernel
def nudge(axes, around, angle):
    """Turn directions about one of them."""
    p, q, r = axes
    if around == 0:
        p, q = q, r
    elif around == 1:
        p, q = r, p
    c, s = cos(angle), sin(angle)
    return frame(plus(scaled(p, c), s, q), plus(scaled(q, c), -s, p))


@kernel
def tight_axes(vertices, faces, order, start, stop):
    """Return the directions of the smallest box found."""
    best = STRAIGHT
    least = surface(best, vertices, faces, order, start, stop)
    axes = covariance_axes(vertices, faces, order, start, stop)
    found = surface(axes, vertices, faces, order, start, stop)
    if found < least:
        best, least = axes, found
    u, v = longest_extreme(vertices, faces, order, start, stop)
    e = minus(row(vertices, v), row(vertices, u))
    direction, length = unit(e)
    if length > 0.0:
        w = farthest_from_line(vertices, faces, order, start, stop, u, direction)
        f, g = minus(row(vertices, w), row(vertices, v)), minus(row(vertices, u), row(vertices, w))
        for axes in (frame(e, f), frame(f, g), frame(g, e)):
            found = surface(axes, vertices, faces, order, start, stop)
            if found < least:
                best, least = axes, found
    # coarse turns first: each angle is used as long as it shrinks the box, and only then a smaller one
    angle = FIRST_ANGLE
    while angle > LAST_ANGLE:
        shrunk = False
        for around in range(3):
            for sign in range(-1, 2, 2):
                axes = nudge(best, around, sign * angle)
                found = surface(axes, vertices, faces, order, start, stop)
                if found < SHRUNK * least:
                    best, least, shrunk = axes, found, True
        if not shrunk:
            angle *= 0.4
    return best
