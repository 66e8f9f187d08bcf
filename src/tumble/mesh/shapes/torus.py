"""A torus."""

import numpy as np

from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import check_triangles, squarable, whole
from tumble.mesh.shapes.tube import swept_tube


def torus(radius: float = 1.0, tube: float = 0.4, segments: int = 48, sides: int = 24) -> Mesh:
    """Return a torus about the z axis of 2 · segments · sides triangles.

    `radius` runs from the axis to the middle of the tube, and must be larger than `tube`.
    """
    radius, tube = squarable("radius", radius), squarable("tube", tube)
    segments, sides = whole("segments", segments, 3), whole("sides", sides, 3)
    if tube >= radius:
        raise OptionError(f"tube {tube} must be smaller than radius {radius}: it would meet itself")
    check_triangles(2 * segments * sides)
    angle = 2 * np.pi * np.arange(segments) / segments
    outward = np.stack([np.cos(angle), np.sin(angle), np.zeros(segments)], axis=1)
    return swept_tube(radius * outward, outward, tube, sides, closed=True)
