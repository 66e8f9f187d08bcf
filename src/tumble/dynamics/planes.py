"""Contacts of bodies with planes: the corners of a body's hull that are below a plane, or will be before the step ends.

A plane is the surface of a half-space that is solid all through, so however fast a body comes, it is pushed back.
"""

from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import sines_cosines
from tumble.core.jit import kernel
from tumble.core.linear import cross, dot, plus, row, times, times_transposed
from tumble.core.products import length

MOST_POINTS = 8  # contact points of a body and a plane, at most
DIRECTIONS = np.array([sines_cosines(2 * pi * k / 7)[::-1] for k in range(MOST_POINTS - 1)])

# Columns of `near`: the corner, its height above the plane, and that at the end of the step.
CORNER, GAP, LATER = 0, 1, 2


class Planes(NamedTuple):
    """Half-spaces normal · x ≤ offset."""

    normals: NDArray[np.float64]
    offsets: NDArray[np.float64]
    tangents: NDArray[np.float64]  # (p, 6) two directions along each plane
    friction: NDArray[np.float64]
    restitution: NDArray[np.float64]


class HullCorners(NamedTuple):
    """The corners of the bodies' hulls, relative to their centres, bodies of one mesh sharing theirs."""

    corners: NDArray[np.float64]  # (m, 3) along the mesh's axes
    numbers: NDArray[np.int64]  # (m,) of the vertices in their meshes
    starts: NDArray[np.int64]  # (n,) where each body's corners are
    stops: NDArray[np.int64]
    radii: NDArray[np.float64]  # (n,) largest distance of a corner from the centre


class PlaneRows(NamedTuple):
    """Memory for contacts, a row each."""

    bodies: NDArray[np.int32]
    planes: NDArray[np.int32]
    points: NDArray[np.float64]
    depths: NDArray[np.float64]
    numbers: NDArray[np.int64]


def no_planes() -> Planes:
    """Return an empty record."""
    return Planes(np.empty((0, 3)), np.empty(0), np.empty((0, 6)), np.empty(0), np.empty(0))


def tangents_of(normal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return two unit vectors perpendicular to a unit normal and to each other, as six numbers."""
    one = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    one /= length(one)
    return np.concatenate((one, np.cross(normal, one)))


@kernel
def touch_planes(bodies, moving, hulls, planes, time, fall, margin, near, directions, rows):
    """Write the contacts of all moving bodies with all planes; return how many.

    `fall` is the largest change of a velocity in the step; `near` is scratch, (most corners of a body, 3).
    """
    found = 0
    for i in range(len(moving)):
        if not moving[i]:
            continue
        speed = sqrt(dot(row(bodies.velocity, i), row(bodies.velocity, i))) + fall
        speed += sqrt(dot(row(bodies.spin, i), row(bodies.spin, i))) * hulls.radii[i]
        for p in range(len(planes.offsets)):
            height = dot(row(planes.normals, p), row(bodies.position, i)) - planes.offsets[p]
            if height - hulls.radii[i] - speed * time > margin:
                continue
            count = _corners_near(bodies, i, hulls, planes, p, height, time, fall, margin, near)
            found = _keep(bodies, i, hulls, planes, p, count, near, directions, rows, found)
    return found


@kernel
def _corners_near(bodies, i, hulls, planes, p, height, time, fall, margin, near):
    """Write the corners that are below the plane or may get there within the step; return how many."""
    count = 0
    normal = row(planes.normals, p)
    for k in range(hulls.starts[i], hulls.stops[i]):
        arm = times(bodies.rotation, i, row(hulls.corners, k))
        gap = height + dot(normal, arm)
        closing = dot(normal, plus(row(bodies.velocity, i), 1.0, cross(row(bodies.spin, i), arm))) - fall
        later = gap + min(closing, 0.0) * time
        if later < margin:
            near[count, CORNER] = k
            near[count, GAP] = gap
            near[count, LATER] = later
            count += 1
    return count


@kernel
def _keep(bodies, i, hulls, planes, p, count, near, directions, rows, found):
    """Write all corners if they are few; else the one that gets deepest and the outermost in seven directions."""
    if count <= MOST_POINTS:
        for c in range(count):
            _write(bodies, i, hulls, planes, p, near, c, rows, found + c)
        return found + count
    first = found
    deepest = 0
    for c in range(count):
        if near[c, LATER] < near[deepest, LATER]:
            deepest = c
    _write(bodies, i, hulls, planes, p, near, deepest, rows, found)
    found += 1
    t = planes.tangents
    for d in range(len(directions)):
        x, y = directions[d, 0], directions[d, 1]
        way = (x * t[p, 0] + y * t[p, 3], x * t[p, 1] + y * t[p, 4], x * t[p, 2] + y * t[p, 5])
        way = times_transposed(bodies.rotation, i, way)
        outermost, most = 0, -np.inf
        for c in range(count):
            far = dot(way, row(hulls.corners, int(near[c, CORNER])))
            if far > most:
                outermost, most = c, far
        number = hulls.numbers[int(near[outermost, CORNER])]
        known = False
        for r in range(first, found):
            known = known or rows.numbers[r] == number
        if not known:
            _write(bodies, i, hulls, planes, p, near, outermost, rows, found)
            found += 1
    return found


@kernel
def _write(bodies, i, hulls, planes, p, near, c, rows, at):
    k = int(near[c, CORNER])
    rows.bodies[at] = i
    rows.planes[at] = p
    arm = times(bodies.rotation, i, row(hulls.corners, k))
    for axis in range(3):
        rows.points[at, axis] = bodies.position[i, axis] + arm[axis]
    rows.depths[at] = -near[c, GAP]
    rows.numbers[at] = hulls.numbers[k]
