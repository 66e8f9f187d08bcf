"""Implicit trees over many posed meshes: built once, refitted or built again when vertices or poses move."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.parallel import thread_count
from tumble.hierarchy.implicit.checks import check_posed
from tumble.hierarchy.implicit.fit import empty_boxes, fit_boxes
from tumble.hierarchy.implicit.layout import Layout, layout_of
from tumble.hierarchy.implicit.morton import morton_order
from tumble.hierarchy.implicit.posed import Posed, posed_meshes
from tumble.mesh import MeshLike


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
        self._fit(posed, order)
        self.posed, self.order, self._fitted = posed, order, True

    def _ready(self) -> None:
        """Fit the boxes to where the meshes still are, if they could not be moved."""
        if not self._fitted:
            self._place(self.posed, self.order)

    def _fit(self, posed: Posed, order: NDArray[np.int32]) -> None:
        faces, local = posed.bodies.faces, posed.world.local
        fit_boxes(self.layout, order, faces, local, self._boxes, self._corners, self._threads)


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
