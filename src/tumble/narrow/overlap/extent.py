"""How far signed triangles that bound a part of space have volume beside them: see `solid.overlap.extent`."""

from math import sqrt

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus

NOTHING = 1e-10
"""of the sum without signs: what is thinner than this part of its width has no volume here"""
THIN = 1e-14
"""triangles are taken as segments that are thinner than this part of the size"""
NEAR = 1e-12
"""corners that are as near to each other, as a part of the size, are at the same place"""
SIZE = 3
"""column of an area without direction and sign, after the signed areas as seen along the axes"""
LEFT_OUT = -1.0


@inlined_kernel
def corner_of(triangles, t, k):
    """Return corner k of a row of coordinates."""
    return triangles[t, 3 * k], triangles[t, 3 * k + 1], triangles[t, 3 * k + 2]


@inlined_kernel
def mean_above(low, middle, high, floor):
    """Return the mean over a triangle of how far its points are above a floor, zero below; coordinates are sorted."""
    if floor <= low:
        return (low + middle + high) / 3.0 - floor
    if floor >= middle:
        return (high - floor) ** 3 / (3.0 * (high - low) * (high - middle))
    foot = (floor - low) ** 3 / (3.0 * (middle - low) * (high - low))
    return (low + middle + high) / 3.0 - floor + foot


@inlined_kernel
def is_nothing(triangles, areas, axis, way, floor):
    """Tell whether the triangles above a floor cancel each other, as seen along an axis, or against it."""
    total = whole = 0.0
    for t in range(len(triangles)):
        if areas[t, SIZE] == LEFT_OUT:
            continue
        p, q, r = way * triangles[t, axis], way * triangles[t, 3 + axis], way * triangles[t, 6 + axis]
        low, high = min(min(p, q), r), max(max(p, q), r)
        if high > floor:
            mean = mean_above(low, max(min(p, q), min(max(p, q), r)), high, floor)
            total += way * areas[t, axis] * mean
            whole += areas[t, SIZE] * mean
    return not abs(total) > NOTHING * whole


@inlined_kernel
def highest_below(triangles, areas, axis, way, limit):
    """Return the highest coordinate of a corner below a limit; -inf where there is none."""
    found = -np.inf
    for t in range(len(triangles)):
        for k in range(3):
            place = way * triangles[t, 3 * k + axis]
            if found < place < limit and areas[t, SIZE] != LEFT_OUT:
                found = place
    return found


@inlined_kernel
def reach(triangles, areas, axis, way):
    """Return the largest coordinate at which there is volume, as seen along an axis, or against it."""
    highest = highest_below(triangles, areas, axis, way, np.inf)
    lowest = -highest_below(triangles, areas, axis, -way, np.inf)
    near, found = NEAR * max(highest - lowest, 5e-324), highest
    while True:
        floor = highest_below(triangles, areas, axis, way, found - near)
        if floor == -np.inf:
            return highest  # nothing has a volume: all there is
        if not is_nothing(triangles, areas, axis, way, floor):
            return found
        found = floor


@inlined_kernel
def write_areas(triangles, areas):
    """Write the signed areas of triangles, as seen along the axes, and their sizes; return the longest extent."""
    extent = 0.0
    for axis in range(3):
        low, high = np.inf, -np.inf
        for t in range(len(triangles)):
            for k in range(3):
                low, high = min(low, triangles[t, 3 * k + axis]), max(high, triangles[t, 3 * k + axis])
        extent = max(extent, high - low)
    for t in range(len(triangles)):
        a, weight = corner_of(triangles, t, 0), 0.5 * triangles[t, 9]
        normal = cross(minus(corner_of(triangles, t, 1), a), minus(corner_of(triangles, t, 2), a))
        for axis in range(3):
            areas[t, axis] = normal[axis] * weight
        areas[t, SIZE] = sqrt(areas[t, 0] * areas[t, 0] + areas[t, 1] * areas[t, 1] + areas[t, 2] * areas[t, 2])
    return extent


@inlined_kernel
def is_thin(triangles, areas, t, extent):
    """Tell whether a triangle is so thin that it may be made by rounding."""
    longest = 0.0
    for k in range(3):
        edge = minus(corner_of(triangles, t, (k + 1) % 3), corner_of(triangles, t, k))
        longest = max(longest, dot(edge, edge))
    return not areas[t, SIZE] > THIN * extent * sqrt(longest)


@kernel
def write_box(triangles, areas, box):
    """Write the (2, 3) box of what rows as in `integrals.Totals` bound; `areas` is memory for (k, 4)."""
    extent, real = write_areas(triangles, areas), 0
    for t in range(len(triangles)):
        real += not is_thin(triangles, areas, t, extent)
    for t in range(len(triangles)):
        if real > 0 and is_thin(triangles, areas, t, extent):  # it cancels nothing
            areas[t, SIZE] = LEFT_OUT
    for axis in range(3):
        box[1, axis] = reach(triangles, areas, axis, 1.0)
        box[0, axis] = -reach(triangles, areas, axis, -1.0)
