"""Which way to turn a box: by covariance, or the best of several candidates.

`covariance_axes` is the paper's and everybody's choice. It is quick, and it is fooled by whatever lies inside: the
principal directions of a square in space are arbitrary. `tight_axes` compares boxes: straight, by covariance, and
along the edges of a large triangle between extreme points (after Larsson and Källberg 2011), then turns the best one
by smaller and smaller angles as long as it shrinks. What it makes small is the surface, which also tells flat boxes
apart.
"""

from math import cos, sin

from tumble.core.jit import kernel
from tumble.volume.obb.axes import STRAIGHT, between, farthest_along, farthest_from_line, frame, surface_axes, unit
from tumble.volume.obb.box import reach
from tumble.volume.protocol import span

FIRST_ANGLE = 0.3
LAST_ANGLE = 0.02


@kernel
def middle_and_size(vertices, faces, order, start, stop):
    """Return the middle of the triangles' straight box and its longest half side."""
    low, high = span(vertices, faces, order, start, stop, 0)
    x, size = 0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low
    low, high = span(vertices, faces, order, start, stop, 1)
    y, size = 0.5 * low + 0.5 * high, max(size, 0.5 * high - 0.5 * low)
    low, high = span(vertices, faces, order, start, stop, 2)
    return x, y, 0.5 * low + 0.5 * high, max(size, 0.5 * high - 0.5 * low)


@kernel
def covariance_axes(vertices, faces, order, start, stop):
    """Return the principal directions of the triangles' surface, straight ones for a point."""
    x, y, z, size = middle_and_size(vertices, faces, order, start, stop)
    if size < 1e-290:
        return STRAIGHT
    return surface_axes(vertices, faces, order, start, stop, x, y, z, size)


@kernel
def surface(axes, vertices, faces, order, start, stop):
    """Return an eighth of the surface of the box with these directions."""
    low0, low1, low2, high0, high1, high2 = reach(axes, vertices, faces, order, start, stop)
    x, y, z = 0.5 * high0 - 0.5 * low0, 0.5 * high1 - 0.5 * low1, 0.5 * high2 - 0.5 * low2
    return x * y + y * z + z * x


@kernel
def longest_extreme(vertices, faces, order, start, stop):
    """Return the two vertices that are farthest apart among the extremes along seven directions."""
    best, first, second = -1.0, 0, 0
    for k in range(7):
        x = 1.0 if k == 0 or k > 2 else 0.0
        y = 1.0 if k == 1 or k == 3 or k == 4 else (-1.0 if k > 4 else 0.0)
        z = 1.0 if k == 2 or k == 3 or k == 5 else (-1.0 if k == 4 or k == 6 else 0.0)
        v, w = farthest_along(vertices, faces, order, start, stop, x, y, z)
        dx, dy, dz = between(vertices, v, w)
        length = unit(dx, dy, dz)[3]
        if length > best:
            best, first, second = length, v, w
    return first, second


@kernel
def nudge(axes, around, angle):
    """Turn directions about one of them."""
    c, s = cos(angle), sin(angle)
    p0, p1, p2, q0, q1, q2, r0, r1, r2 = axes
    if around == 0:
        p0, p1, p2, q0, q1, q2 = q0, q1, q2, r0, r1, r2
    elif around == 1:
        p0, p1, p2, q0, q1, q2 = r0, r1, r2, p0, p1, p2
    return frame(c * p0 + s * q0, c * p1 + s * q1, c * p2 + s * q2, c * q0 - s * p0, c * q1 - s * p1, c * q2 - s * p2)


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
    ex, ey, ez = between(vertices, u, v)
    x, y, z, length = unit(ex, ey, ez)
    if length > 0.0:
        w = farthest_from_line(vertices, faces, order, start, stop, u, x, y, z)
        fx, fy, fz = between(vertices, v, w)
        gx, gy, gz = between(vertices, w, u)
        for edge in range(3):
            if edge == 0:
                axes = frame(ex, ey, ez, fx, fy, fz)
            elif edge == 1:
                axes = frame(fx, fy, fz, gx, gy, gz)
            else:
                axes = frame(gx, gy, gz, ex, ey, ez)
            found = surface(axes, vertices, faces, order, start, stop)
            if found < least:
                best, least = axes, found
    angle = FIRST_ANGLE
    while angle > LAST_ANGLE:
        shrunk = False
        for around in range(3):
            for sign in range(-1, 2, 2):
                axes = nudge(best, around, sign * angle)
                found = surface(axes, vertices, faces, order, start, stop)
                if found < 0.999 * least:
                    best, least, shrunk = axes, found, True
        if not shrunk:
            angle *= 0.4
    return best
