"""A torus knot."""

from math import gcd

import numpy as np

from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import check_triangles, squarable, whole
from tumble.mesh.shapes.tube import swept_tube


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
    radius, hill, thickness = (
        squarable("radius", radius),
        squarable("hill", hill),
        squarable("thickness", thickness),
    )
    segments, sides = whole("segments", segments, 8 * max(p, q)), whole("sides", sides, 3)
    if hill + thickness >= radius:
        raise OptionError(f"hill + thickness = {hill + thickness} must be smaller than radius {radius}")
    check_triangles(2 * segments * sides)
    t = 2 * np.pi * np.arange(segments) / segments
    # The torus' own normal is perpendicular to any curve on it and closes with it: no twist has to be undone.
    normal = np.stack([np.cos(q * t) * np.cos(p * t), np.cos(q * t) * np.sin(p * t), np.sin(q * t)], axis=1)
    spine = radius * np.stack([np.cos(p * t), np.sin(p * t), np.zeros(segments)], axis=1)
    return swept_tube(spine + hill * normal, normal, thickness, sides, closed=True)
