"""Parts whose findings are known by hand; lengths in millimetres."""

import numpy as np

from solid_forms import box
from tumble import Mesh, Part
from tumble.mesh.shapes.grid import turned
from tumble.scenario.assembly import tube


def block(low, high):
    return box(np.array(low, float), np.array(high, float))


LEFT = block((0, 0, 0), (100, 60, 50))
"""a block of 100 × 60 × 50"""


def beside(overlap):
    """A second block of the same size, to the right of LEFT, so far into it."""
    return block((100 - overlap, 0, 0), (200 - overlap, 60, 50))


def rod(radius, low, high, corners=24):
    """A solid cylinder along z."""
    return turned([(0.0, low), (radius, low), (radius, high), (0.0, high)], corners)


PLATE = block((-20, -20, 0), (20, 20, 5))
BORED = tube(20.0, 3.0, 0.0, 5.0, 24)
"""a disc with a bore of radius 3"""
OPEN = Mesh(LEFT.vertices, LEFT.faces[1:])


def parts(**meshes):
    return [Part(name, mesh, "mm") for name, mesh in meshes.items()]
