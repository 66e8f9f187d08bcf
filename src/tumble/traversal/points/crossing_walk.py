"""How often a closed mesh winds around a point: all triangles that a ray along an axis crosses, decided exactly.

Where more triangles count than `signed_sum` can list, all triangles of the mesh are looked at instead, one by one.
"""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.narrow.points.crossing import ON_SURFACE, crossing
from tumble.narrow.rays.ray_triangle import ORIGIN
from tumble.traversal.rays.signed_sum import FULL, STOP, passed, signed_sum
from tumble.traversal.rays.triangles import posed_corners, vector_at

SURFACE = 1 << 62
"""in place of a number of turns: the point is on the surface"""


class AlongAxis(NamedTuple):
    """A ray along an axis, as a rule of `signed_sum`: STOP for a point on the surface."""

    point: tuple[float, float, float]
    """its origin, the coordinate of the axis first"""
    axis: int
    way: int
    """1 for up, -1 for down"""


@inlined_kernel
def along_axis(point, axis):
    """Return the coordinates of a point, that of the axis first; in turn, so that orientation stays."""
    if axis == 0:
        return point
    return (point[1], point[2], point[0]) if axis == 1 else (point[2], point[0], point[1])


@passed.register(AlongAxis)
def _crossed(rule, tree, pose, ray, triangle):
    a, b, c = posed_corners(tree, pose, triangle)
    axis = rule.axis
    found = crossing(along_axis(a, axis), along_axis(b, axis), along_axis(c, axis), rule.point, rule.way)
    return STOP if found == ON_SURFACE else found


@external(int64(*5 * (int64,)))
def turns_by_all(tree, pose, ray, direction, triangles):
    """Return the same as `turns_around`, from all triangles."""
    rule = AlongAxis(along_axis(vector_at(ray, ORIGIN), direction >> 1), direction >> 1, 1 - 2 * (direction & 1))
    turns = 0
    for triangle in range(triangles):
        found = passed(rule, tree, pose, ray, triangle)
        if found == STOP:
            return SURFACE
        turns += found
    return turns


@external(int64(*5 * (int64,)))
def turns_around(tree, pose, ray, direction, triangles):
    """Return how often a mesh winds around the origin of a prepared ray, or SURFACE.

    `direction` is twice the ray's axis, and one more when it goes down. `triangles` is the number of all.
    """
    rule = AlongAxis(along_axis(vector_at(ray, ORIGIN), direction >> 1), direction >> 1, 1 - 2 * (direction & 1))
    found = signed_sum(rule, tree, pose, ray)
    if found == FULL:
        return turns_by_all(tree, pose, ray, direction, triangles)
    return SURFACE if found == STOP else found
