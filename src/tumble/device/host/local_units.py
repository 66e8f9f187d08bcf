"""Trees of oriented boxes and relative poses as devices take them: in float32, in units of the meshes.

Local coordinates are taken from the middle of the mesh and scaled by a power of two to lie between -1 and 1, as in the
packed trees of the fast path: float32 is then as sharp far away from the origin as near it, and no size is too large.

Boxes must still contain every vertex. With directions u and centre c rounded to U and C, and r at least the distance of
the farthest vertex x from c:

    |U · (x - C)| <= |u · (x - c)| + |U - u| r + |c - C|        (1 + 2**-22 as U is not quite a unit vector)

|U - u| is below 2**-24, and U U^T differs from the identity by less than 2**-22, for which the argument in
`tumble.volume.obb.box` adds as much of r. Each half size grows by 2**-20 r and by how far the centre moved.

Overlap tests take the frame of b relative to that of a, with a margin that `tumble.volume.relative` derives. As in
`tumble.traversal.packed.relation` it is taken around the middles of the meshes, in local units of a, and float32 adds
its own rounding. A coordinate of b as a sees it is r (R · p) + t, with the power of two r, |p| <= 1 and rows R of
length 1, all but r rounded. In units of 2**-24: rounding R and p takes (sqrt(3) + 3) / 2 of r, three products and two
sums take 5 sqrt(3) r, adding t and its own rounding take sqrt(3) r + 2 |t|; less than 13 r + 2 |t| in all. A coordinate
of a is off by 1/2. So 16 (1 + r + |t|) covers both, and denormals that are flushed to zero.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy import Tree
from tumble.hierarchy.layout import COUNT, ESCAPE, FIRST, PARENT, RIGHTS, START
from tumble.mesh import Mesh
from tumble.volume.obb.box import CENTRE, HALF
from tumble.volume.relative import SMALLEST_DENORMAL, UNIT_ROUNDOFF

BOX_WIDTH = 16
LINK_WIDTH = 4
CORNERS_WIDTH = 9
RELATION_WIDTH = 16

LARGEST_EXPONENT = 400
SINGLE_ROUNDING = 16 * 2.0**-24
ROUND_UP = 1.0 + 2.0**-20
SHARE = 2.0**-20
CENTRE_ROUNDING = 2.0**-50
TINY = 1e-30  # more than what float32 loses to underflow, flushed to zero or not


Array = NDArray[np.float64]


class LocalUnits(NamedTuple):
    """The local units of a mesh."""

    origin: NDArray[np.float64]  # the middle of its box
    scale: float  # a power of two that takes lengths from the mesh's unit to the local one
    extent: float  # its largest absolute coordinate, in its own unit


def local_units(mesh: Mesh) -> LocalUnits:
    """Return the local units of a mesh with at least one triangle."""
    bounds = mesh.bounds
    assert bounds is not None
    origin = 0.5 * bounds[0] + 0.5 * bounds[1]
    radius = float(np.abs(bounds - origin).max())
    exponent = int(np.frexp(radius)[1]) if radius > 0.0 else 0
    exponent = min(max(exponent, -LARGEST_EXPONENT), LARGEST_EXPONENT)
    return LocalUnits(origin, 2.0**-exponent, mesh.extent)


def device_boxes(tree: Tree, units: LocalUnits, preorder: bool = False) -> NDArray[np.float32]:
    """Return (n, 16): three directions, each with its half size behind it, then the centre with the volume."""
    rows = (tree.preorder if preorder else tree.postorder).volumes.boxes
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


def preorder_links(tree: Tree) -> NDArray[np.int32]:
    """Return (n, 4): escape index, or -1 - first place at a leaf; parent; rights; number of triangles.

    In pre-order the left-most child of i is i + 1, and so is what follows a leaf: neither needs a number.
    """
    nodes = tree.preorder.layout.nodes
    links = nodes[:, [ESCAPE, PARENT, RIGHTS, COUNT]]
    leaves = nodes[:, FIRST] < 0
    links[leaves, 0] = -1 - nodes[leaves, START]
    return np.ascontiguousarray(links)


def device_corners(tree: Tree, units: LocalUnits) -> NDArray[np.float32]:
    """Return (m, 9): the corners of each triangle, in the tree's order of triangles, each coordinate off by 2**-24."""
    corners = tree.mesh.vertices[tree.mesh.faces[tree.order]]
    return ((corners - units.origin) * units.scale).astype(np.float32).reshape(-1, CORNERS_WIDTH)


def _rounded_up(values: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.nextafter(values.astype(np.float32), np.float32(np.inf))


class Frames:
    """Where bodies are: poses, how far they are from rotations, and the local units of their meshes."""

    def __init__(
        self,
        units: list[LocalUnits],
        which: NDArray[np.int64],
        poses: NDArray[np.float64],
        deviations: NDArray[np.float64],
    ) -> None:
        self.turns = poses[:, :3, :3]
        self.shifts = poses[:, :3, 3]
        self.deviations = deviations
        self.scales = np.array([unit.scale for unit in units])[which]
        self.extents = np.array([unit.extent for unit in units])[which]
        origins = np.array([unit.origin for unit in units]).reshape(-1, 3)[which]
        self.middles = np.einsum("nij,nj->ni", self.turns, origins) + self.shifts


def relations(a: Frames, b: Frames, pairs: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return (n, 16) for pairs of bodies: rows of b's rotation seen from a, each with the shift behind it; then the
    ratio of units, the margin of overlap tests, the ratio's cube.

    What is too large for float32 becomes infinite, and then counts as overlapping.
    """
    i, j = pairs[:, 0], pairs[:, 1]
    scale = a.scales[i]
    ratio = scale / b.scales[j]
    turn = np.einsum("nki,nkj->nij", a.turns[i], b.turns[j])
    shift = np.einsum("nki,nk->ni", a.turns[i], b.middles[j] - a.middles[i]) * scale[:, None]
    moved = np.abs(a.shifts[i]).max(axis=1) + np.abs(b.shifts[j]).max(axis=1)
    rounding = 128 * UNIT_ROUNDOFF * (a.extents[i] + b.extents[j] + moved) + 64 * SMALLEST_DENORMAL
    distance = np.abs(shift).sum(axis=1)
    deviation = a.deviations[i] + b.deviations[j]
    margin = (SINGLE_ROUNDING + 32 * deviation) * (1.0 + ratio + distance) + rounding * scale
    rows = np.empty((len(pairs), 4, 4), np.float32)
    with np.errstate(over="ignore", under="ignore"):
        rows[:, :3, :3] = turn
        rows[:, :3, 3] = shift
        rows[:, 3, 0] = ratio
        # an axis is at most a unit vector, along which three coordinates add up to sqrt(3): two are added
        rows[:, 3, 1] = 2.0 * margin * ROUND_UP
        rows[:, 3, 2] = ratio**3
        rows[:, 3, 3] = 0.0
    return rows.reshape(-1, RELATION_WIDTH)
