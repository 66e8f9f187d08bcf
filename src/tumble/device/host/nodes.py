"""A tree of oriented boxes as it is stored on a device: post-indexed, in float32, in units of the mesh.

Local coordinates are taken from the middle of the mesh and scaled by a power of two to lie between -1 and 1, as in the
packed trees of the fast path: float32 is then as sharp far away from the origin as near it, and no size is too large.

Boxes must still contain every vertex. With directions u and centre c rounded to U and C, and r at least the distance of
the farthest vertex x from c:

    |U · (x - C)| <= |u · (x - c)| + |U - u| r + |c - C|        (1 + 2**-22 as U is not quite a unit vector)

|U - u| is below 2**-24, and U U^T differs from the identity by less than 2**-22, for which the argument in
`tumble.volume.obb.box` adds as much of r. Each half size grows by 2**-20 r and by how far the centre moved.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy import Tree
from tumble.hierarchy.layout import COUNT, ESCAPE, FIRST, RIGHTS, START
from tumble.mesh import Mesh
from tumble.volume.obb.box import CENTRE, HALF

BOX_WIDTH = 16
LINK_WIDTH = 4
CORNERS_WIDTH = 9

LARGEST_EXPONENT = 400
SHARE = 2.0**-20
CENTRE_ROUNDING = 2.0**-50
TINY = 1e-30
"""more than what float32 loses to underflow, flushed to zero or not"""


class LocalUnits(NamedTuple):
    """The local units of a mesh."""

    origin: NDArray[np.float64]
    """the middle of its box"""
    scale: float
    """a power of two that takes lengths from the mesh's unit to the local one"""
    extent: float
    """its largest absolute coordinate, in its own unit"""


def local_units(mesh: Mesh) -> LocalUnits:
    """Return the local units of a mesh with at least one triangle."""
    bounds = mesh.bounds
    assert bounds is not None
    origin = 0.5 * bounds[0] + 0.5 * bounds[1]
    radius = float(np.abs(bounds - origin).max())
    exponent = int(np.frexp(radius)[1]) if radius > 0.0 else 0
    exponent = min(max(exponent, -LARGEST_EXPONENT), LARGEST_EXPONENT)
    return LocalUnits(origin, 2.0**-exponent, mesh.extent)


def device_boxes(tree: Tree, units: LocalUnits) -> NDArray[np.float32]:
    """Return (n, 16): three directions, each with its half size behind it, then the centre with the volume."""
    rows = tree.postorder.volumes.boxes
    centre, half = (rows[:, CENTRE:HALF] - units.origin) * units.scale, rows[:, HALF:] * units.scale
    rounded = centre.astype(np.float32)
    moved = np.abs(rounded - centre).sum(axis=1) + CENTRE_ROUNDING * np.abs(centre).sum(axis=1)
    slack = SHARE * half.sum(axis=1) + 1.01 * moved + TINY
    boxes = np.empty((len(rows), 4, 4), np.float32)
    boxes[:, :3, :3] = rows[:, :CENTRE].reshape(-1, 3, 3)
    boxes[:, :3, 3] = _rounded_up(half * (1.0 + SHARE) + slack[:, None])
    boxes[:, 3, :3] = rounded
    boxes[:, 3, 3] = 8.0 * half.prod(axis=1)
    return boxes.reshape(-1, BOX_WIDTH)


def device_links(tree: Tree) -> NDArray[np.int32]:
    """Return (n, 4): left-most child, or -1 - first place at a leaf; escape index; rights; number of triangles."""
    nodes = tree.postorder.layout.nodes
    links = nodes[:, [FIRST, ESCAPE, RIGHTS, COUNT]]
    leaves = nodes[:, FIRST] < 0
    links[leaves, 0] = -1 - nodes[leaves, START]
    return np.ascontiguousarray(links)


def device_corners(tree: Tree, units: LocalUnits) -> NDArray[np.float32]:
    """Return (m, 9): the corners of each triangle, in the tree's order of triangles, each coordinate off by 2**-24."""
    corners = tree.mesh.vertices[tree.mesh.faces[tree.order]]
    return ((corners - units.origin) * units.scale).astype(np.float32).reshape(-1, CORNERS_WIDTH)


def _rounded_up(values: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.nextafter(values.astype(np.float32), np.float32(np.inf))
