"""Implicit trees over many posed meshes: built once, refitted or built again when vertices or poses move.

Boxes of leaves follow from their triangles, those of all others from their children, level by level. A block of leaves
is a whole subtree, so each core does one for itself, leaves first, while its boxes are in the cache; what is above all
blocks is little, and done at the end.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.parallel import thread_count
from tumble.hierarchy.implicit.joined import BLOCK_LEVELS, run_blocks, span_blocks
from tumble.hierarchy.implicit.layout import Layout, layout_of
from tumble.hierarchy.implicit.morton import morton_order
from tumble.hierarchy.implicit.posed import Posed, check_posed, posed_meshes
from tumble.mesh import MeshLike

LANES = 8
"""boxes are compared eight at a time, so there are as many more behind the last"""


class ImplicitTrees:
    """One complete tree for each of many meshes, all in one array and in the world's frame; made by `implicit_trees`.

    Do not move it in one thread while another thread queries it.
    """

    def __init__(self, posed: Posed, padded: bool = True, threads: int = 1) -> None:
        check_posed(posed)
        self.posed = posed
        """the meshes, and where they are"""
        self.layout: Layout = layout_of(np.diff(posed.bodies.first_face), padded)
        self._boxes = empty_boxes(self.layout)
        self.order: NDArray[np.int32] = np.arange(len(posed.bodies.faces), dtype=np.int32)
        """(m,) the triangle of each leaf; triangles are counted through all meshes"""
        self._corners = np.empty((len(self.order), 3), np.int32)
        self._threads = threads
        self._fitted = False
        """whether boxes and corners are those of `posed`: not if moving them failed or was interrupted"""
        self.rebuild()

    @property
    def boxes(self) -> NDArray[np.float32]:
        """(6, n + 8) float32 in the world's local frame, lowest x, y, z and highest x, y, z"""
        self._ready()
        return self._boxes

    @property
    def corners(self) -> NDArray[np.int32]:
        """(m, 3) the vertices of the triangle of each leaf"""
        self._ready()
        return self._corners

    @property
    def nbytes(self) -> int:
        """Bytes of boxes, leaves and layout, without meshes."""
        leaves = self.order.nbytes + self._corners.nbytes
        return self._boxes.nbytes + leaves + sum(array.nbytes for array in self.layout)

    def __len__(self) -> int:
        return len(self.layout.triangles)

    def __repr__(self) -> str:
        return f"<ImplicitTrees of {self.layout.nodes} nodes over {len(self.order)} triangles of {len(self)} meshes>"

    def rebuild(self) -> None:
        """Sort the triangles anew along their curves, and fit all boxes."""
        self._place(self.posed, self._sorted(self.posed))

    def refit(self) -> None:
        """Fit all boxes in the order that leaves have."""
        self._place(self.posed, self.order)

    def move(
        self,
        vertices: Sequence[ArrayLike | None] | None = None,
        poses: Sequence[ArrayLike | None] | None = None,
        *,
        rebuild: bool = False,
    ) -> None:
        """Take new vertices and new poses of all meshes, None where they are as before; fit the boxes, or build anew.

        When that fails, the trees are where they were.
        """
        posed = self.posed.moved(vertices, poses, self._threads)
        self._place(posed, self._sorted(posed) if rebuild else self.order)

    def _sorted(self, posed: Posed) -> NDArray[np.int32]:
        return morton_order(posed.bodies, posed.world, self._threads)

    def _place(self, posed: Posed, order: NDArray[np.int32]) -> None:
        self._fitted = False
        faces, local = posed.bodies.faces, posed.world.local
        fit_boxes(self.layout, order, faces, local, self._boxes, self._corners, self._threads)
        self.posed, self.order, self._fitted = posed, order, True

    def _ready(self) -> None:
        """Fit the boxes to where the meshes still are, if they could not be moved."""
        if not self._fitted:
            self._place(self.posed, self.order)


def implicit_trees(
    meshes: Sequence[MeshLike],
    poses: Sequence[ArrayLike | None] | None = None,
    *,
    padded: bool = True,
    threads: int | None = None,
) -> ImplicitTrees:
    """Build one implicit tree for each mesh.

    poses     where they are, one rigid 4×4 pose or None for each; None: as they are
    padded    level l takes 2**l nodes, as in paper `bsp`; False: only nodes with triangles below them take memory
    threads   at most this many at a time; None: all cores
    """
    workers = thread_count(threads)
    return ImplicitTrees(posed_meshes(meshes, poses, workers), padded, workers)


def empty_boxes(layout: Layout) -> NDArray[np.float32]:
    """Return (6, n) lowest x, y, z and highest x, y, z of nodes that are nowhere, and meet nothing."""
    boxes = np.empty((6, layout.nodes + LANES), np.float32)
    filled = layout.nodes if layout.active.sum() == layout.nodes else 0  # those all get a box
    boxes[:3, filled:], boxes[3:, filled:] = np.inf, -np.inf
    return boxes


def fit_boxes(
    layout: Layout,
    order: NDArray[np.int32],
    faces: NDArray[np.int32],
    local: NDArray[np.float32],
    boxes: NDArray[np.float32],
    corners: NDArray[np.int32],
    threads: int,
) -> None:
    """Write the boxes of all active nodes, and the corners of all leaves."""
    blocks = span_blocks(layout.first_leaf)
    leaf_rows = layout.first_row + layout.depth
    places = layout.starts, layout.active, leaf_rows, layout.depth, layout.first_leaf
    run_blocks(fit_blocks, blocks, threads, *places, order, faces, local, boxes, corners)
    for tree in np.flatnonzero(layout.depth > BLOCK_LEVELS).tolist():
        for row in range(leaf_rows[tree] - BLOCK_LEVELS - 1, layout.first_row[tree] - 1, -1):
            merge_level(layout.starts, layout.active, row, 0, layout.active[row], boxes)


@inlined_kernel
def fit_leaf(faces, local, triangle, boxes, node, corners, leaf):
    """Write the box of a triangle, and its corners; the box of rounded vertices is the rounded box of vertices."""
    p, q, r = faces[triangle, 0], faces[triangle, 1], faces[triangle, 2]
    corners[leaf, 0], corners[leaf, 1], corners[leaf, 2] = p, q, r
    upper = local.shape[1] - 3  # vertices are points, or boxes
    for axis in range(3):
        boxes[axis, node] = min(min(local[p, axis], local[q, axis]), local[r, axis])
        boxes[3 + axis, node] = max(max(local[p, upper + axis], local[q, upper + axis]), local[r, upper + axis])


@inlined_kernel
def merge_places(starts, active, row, start, stop, boxes):
    """Write the boxes of some places of a level from the level below, whose last node may be an only child."""
    # an only child stands for both: a union with itself changes nothing, and there is no branch
    below, last = starts[row + 1], active[row + 1] - 1
    for axis in range(3):
        for place in range(start, stop):
            one, other = below + 2 * place, below + min(2 * place + 1, last)
            boxes[axis, starts[row] + place] = min(boxes[axis, one], boxes[axis, other])
            boxes[3 + axis, starts[row] + place] = max(boxes[3 + axis, one], boxes[3 + axis, other])


@kernel
def merge_level(starts, active, row, start, stop, boxes):
    """Write the boxes of some places of a level."""
    merge_places(starts, active, row, start, stop, boxes)


@kernel
def fit_blocks(blocks, start, stop, starts, active, leaf_rows, depths, first_leaf, order, faces, local, boxes, corners):
    """Write boxes and corners of the leaves of some blocks, and boxes above as far as a block reaches."""
    for k in range(start, stop):
        tree = blocks[k, 0]
        row = leaf_rows[tree]
        shift = starts[row] - first_leaf[tree]
        for i in range(blocks[k, 1], blocks[k, 2]):
            fit_leaf(faces, local, order[i], boxes, i + shift, corners, i)
        first = blocks[k, 1] - first_leaf[tree]
        last = blocks[k, 2] - first_leaf[tree] - 1
        for up in range(1, min(BLOCK_LEVELS, depths[tree]) + 1):
            merge_places(starts, active, row - up, first >> up, (last >> up) + 1, boxes)
