"""A helical spring."""

import numpy as np

from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import check_triangles, squarable, whole
from tumble.mesh.shapes.tube import swept_tube


def spring(
    turns: float = 5.0,
    radius: float = 1.0,
    pitch: float = 0.5,
    wire: float = 0.12,
    segments: int = 32,
    sides: int = 12,
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
    outward = np.stack([np.cos(t), np.sin(t), np.zeros(len(t))], axis=1)
    centres = radius * outward
    centres[:, 2] = pitch * (t / (2 * np.pi) - turns / 2)
    return swept_tube(centres, outward, wire, sides, closed=False)
