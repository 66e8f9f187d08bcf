"""Convex hulls of points in planes, many at a time, as fans of triangles."""

from tumble.core.jit import inlined_kernel, kernel


@inlined_kernel
def turn(points, a, b, c):
    """Return twice the signed area of three points of an (n, 2) array."""
    along, up = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    return along * (points[c, 1] - points[a, 1]) - up * (points[c, 0] - points[a, 0])


@kernel
def fan_hulls(starts, points, ring, triangles, owners):
    """Write triangles, three places in `points` each, that fill the hulls of groups of points; return how many.

    starts      (g + 1,) where groups begin
    points      (n, 2), sorted within each group
    ring        (n + 1,) room for one hull
    triangles   (n, 3), which is enough
    owners      (n,) the group of each triangle
    """
    count = 0
    for group in range(len(starts) - 1):
        low, high = starts[group], starts[group + 1]
        size = 0
        for p in range(low, high):
            while size > 1 and turn(points, ring[size - 2], ring[size - 1], p) <= 0.0:
                size -= 1
            ring[size] = p
            size += 1
        lower = size
        for p in range(high - 2, low - 1, -1):
            while size > lower and turn(points, ring[size - 2], ring[size - 1], p) <= 0.0:
                size -= 1
            ring[size] = p
            size += 1
        for k in range(1, size - 2):  # the last is the first again
            triangles[count, 0], triangles[count, 1], triangles[count, 2] = ring[0], ring[k], ring[k + 1]
            owners[count] = group
            count += 1
    return count
