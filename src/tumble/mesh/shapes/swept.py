"""Round tubes along a curve: a torus, a helical spring, a torus knot."""

from math import gcd

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import cosines, sines
from tumble.core.products import lengths
from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import check_triangles, squarable, whole
from tumble.mesh.shapes.grid import capped_faces, grid_faces


def torus(radius: float = 1.0, tube: float = 0.4, segments: int = 48, sides: int = 24) -> Mesh:
    """Return a torus about the z axis of 2 · segments · sides triangles.

    `radius` runs from the axis to the middle of the tube, and must be larger than `tube`.
    """
    radius, tube = squarable("radius", radius), squarable("tube", tube)
    segments, sides = whole("segments", segments, 3), whole("sides", sides, 3)
    if tube >= radius:
        raise OptionError(f"tube {tube} must be smaller than radius {radius}: it would meet itself")
    check_triangles(2 * segments * sides)
    outward = _around_z(2 * np.pi * np.arange(segments) / segments)
    return _swept_tube(radius * outward, outward, tube, sides, closed=True)


def spring(
    turns: float = 5.0, radius: float = 1.0, pitch: float = 0.5, wire: float = 0.12, segments: int = 32, sides: int = 12
) -> Mesh:
    """Return a coil around the z axis, closed by flat ends, centred on the origin.

    `pitch` is the height of one turn, `wire` the radius of the wire, `segments` the steps of one turn.
    """
    turns, radius = squarable("turns", turns), squarable("radius", radius)
    pitch, wire = squarable("pitch", pitch), squarable("wire", wire)
    segments, sides = whole("segments", segments, 6), whole("sides", sides, 3)
    if wire >= radius:
        raise OptionError(f"wire {wire} must be smaller than radius {radius}")
    if turns > 1 and 2 * wire >= pitch:
        raise OptionError(f"pitch {pitch} must be larger than twice the wire {wire}: the turns would touch")
    check_triangles(2.0 * turns * segments * sides)
    t = 2 * np.pi * np.linspace(0.0, turns, max(3, round(turns * segments) + 1))
    outward = _around_z(t)
    centres = radius * outward
    centres[:, 2] = pitch * (t / (2 * np.pi) - turns / 2)
    return _swept_tube(centres, outward, wire, sides, closed=False)


def knot(
    p: int = 2,
    q: int = 3,
    radius: float = 1.0,
    hill: float = 0.4,
    thickness: float = 0.12,
    segments: int = 192,
    sides: int = 12,
) -> Mesh:
    """Return a tube along the (p, q) torus knot, of 2 · segments · sides triangles.

    The curve winds p times around the z axis and q times through the hole of a torus of radii `radius` and
    `hill`; p and q have no common divisor. `thickness` is the radius of the tube; a thick one,
    or one of many strands, meets itself.
    """
    p, q = whole("p", p, 1), whole("q", q, 1)
    if gcd(p, q) != 1:
        raise OptionError(f"p={p} and q={q} share the divisor {gcd(p, q)}: that is a link, not a knot")
    radius, hill = squarable("radius", radius), squarable("hill", hill)
    thickness = squarable("thickness", thickness)
    segments, sides = whole("segments", segments, 8 * max(p, q)), whole("sides", sides, 3)
    if hill + thickness >= radius:
        raise OptionError(f"hill + thickness = {hill + thickness} must be smaller than radius {radius}")
    check_triangles(2 * segments * sides)
    t = 2 * np.pi * np.arange(segments) / segments
    # The torus' own normal is perpendicular to any curve on it and closes with it: no twist has to be undone.
    normal = np.stack([cosines(q * t) * cosines(p * t), cosines(q * t) * sines(p * t), sines(q * t)], axis=1)
    return _swept_tube(radius * _around_z(p * t) + hill * normal, normal, thickness, sides, closed=True)


def _around_z(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return unit vectors away from the z axis."""
    return np.stack([cosines(angle), sines(angle), np.zeros(len(angle))], axis=1)


def _swept_tube(
    centres: NDArray[np.float64], outward: NDArray[np.float64], radius: float, sides: int, closed: bool
) -> Mesh:
    """Sweep a circle along `centres`; `outward` is perpendicular to the curve and fixes the circle's turn.

    A curve that is not closed gets a flat cap at either end, so that the solid is closed all the same.
    """
    if closed:
        steps = np.roll(centres, -1, axis=0) - np.roll(centres, 1, axis=0)
    else:
        steps = np.gradient(centres, axis=0)
    tangents = steps / lengths(steps)[:, None]
    outward = outward - (outward * tangents).sum(axis=1, keepdims=True) * tangents
    outward = outward / lengths(outward)[:, None]
    sideways = np.cross(tangents, outward)
    angle = 2 * np.pi * np.arange(sides) / sides
    circle = cosines(angle)[:, None] * outward[:, None] + sines(angle)[:, None] * sideways[:, None]
    rings = (centres[:, None] + radius * circle).reshape(-1, 3)
    if closed:
        return Mesh(rings, grid_faces(len(centres), sides, True, True)[:, ::-1])
    return Mesh(np.concatenate([rings, centres[[0, -1]]]), capped_faces(len(centres), sides))
