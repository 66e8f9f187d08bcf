"""A mesh whose vertices move while its faces stay: a tree that is refitted from frame to frame, or rebuilt."""

from __future__ import annotations

from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.candidates import KINDS, Candidates, candidates
from tumble.api.collide import collide
from tumble.api.deformable_ledger import FrameTimings, Ledger
from tumble.api.self_collide import self_collide
from tumble.core.parallel import thread_count
from tumble.errors import MeshError, OptionError
from tumble.hierarchy.packed import PackedTree
from tumble.mesh import Mesh, MeshLike, as_mesh, shapes
from tumble.mesh.arrays import check_vertices
from tumble.query.answer import Collision

if TYPE_CHECKING:
    from tumble.hierarchy.packed.build import BuiltBlocks


class Deformable:
    """A deforming mesh; `mesh` is what it is now, an ordinary Mesh that stays as it is when the next frame comes.

    Its tree is refitted at each update, or built anew when the measured times say that this pays: see
    `tumble.api.deformable_ledger`. The pairs do not depend on it.
    """

    _mesh: Mesh

    def __init__(self, mesh: MeshLike, *, threads: int | None = None) -> None:
        thread_count(threads)  # a wrong number is refused here
        _load_kernels()
        given = as_mesh(mesh)
        self._threads = threads
        self._ledger = Ledger()
        self._timings = FrameTimings(-1, True, 0.0, 0.0)
        self._advance(given.vertices, given.faces, perf_counter(), rebuild=True)

    @property
    def mesh(self) -> Mesh:
        """The mesh of this frame, with its tree."""
        return self._mesh

    @property
    def vertices(self) -> NDArray[np.float64]:
        """The vertices of this frame, read-only."""
        return self._mesh.vertices

    @property
    def faces(self) -> NDArray[np.int32]:
        """The faces, of all frames."""
        return self._mesh.faces

    @property
    def timings(self) -> FrameTimings:
        """Where the time of this frame went so far; the next frame has a record of its own."""
        return self._timings

    def update(self, vertices: ArrayLike, *, rebuild: bool | None = None) -> None:
        """Move all vertices, (n, 3); what cannot be used raises MeshError and changes nothing.

        rebuild  build the tree anew (True), refit it (False), or do what the measured times recommend (None)
        """
        began = perf_counter()
        if rebuild is not None and not isinstance(rebuild, bool | np.bool_):
            raise OptionError(f"rebuild must be True, False or None, which lets measured times decide, not {rebuild!r}")
        checked = check_vertices(vertices)
        if len(checked) != len(self.vertices):
            raise MeshError(
                f"update got {len(checked)} vertices for a mesh of {len(self.vertices)}; the faces stay, so give as "
                "many, or make a new Deformable"
            )
        self._advance(checked, self.faces, began, rebuild)

    def collide(
        self,
        other: MeshLike | Deformable,
        pose: ArrayLike | None = None,
        pose_other: ArrayLike | None = None,
        **options: Any,
    ) -> Collision:
        """Return the touching triangles of this mesh and another; options are those of `tumble.collide`."""
        began = perf_counter()
        found = collide(self._mesh, other.mesh if isinstance(other, Deformable) else other, pose, pose_other, **options)
        self._timings.collide += perf_counter() - began
        return found

    def self_collide(self, **options: Any) -> Collision:
        """Return the triangles that meet each other; options are those of `tumble.self_collide`."""
        began = perf_counter()
        found = self_collide(self._mesh, **{"threads": self._threads, **options})
        self._timings.self_collide += perf_counter() - began
        return found

    def candidates(self, *arguments: Any, **options: Any) -> Candidates:
        """Return pairs of elements whose boxes meet; arguments are those of `tumble.candidates` after the mesh."""
        _load_candidates()
        began = perf_counter()
        found = candidates(self._mesh, *arguments, **{"threads": self._threads, **options})
        self._timings.self_collide += perf_counter() - began
        return found

    def _advance(
        self, vertices: NDArray[np.float64], faces: NDArray[np.int32], began: float, rebuild: bool | None
    ) -> None:
        """Make the next frame; only when all of it is made, it takes the place of this one."""
        from tumble.hierarchy.packed.refit import refit

        last = self._timings
        ledger, fitted = self._ledger.after_frame(last), None
        start = perf_counter()
        if not rebuild:
            fitted = refit(self._mesh._packed.blocks, vertices, faces)
            if rebuild is None and ledger.rebuilding_pays(perf_counter() - start):
                fitted = None
        rebuilt = fitted is None
        if fitted is None:
            building = perf_counter()
            fitted = refit(_built_blocks(vertices, faces, self._threads), vertices, faces)
            ledger = ledger.after_build(perf_counter() - building)
        mesh = _with_tree(vertices, faces, fitted)
        ended = perf_counter()
        self._timings = FrameTimings(last.frame + 1, rebuilt, ended - began, ended - start)
        self._mesh, self._ledger = mesh, ledger

    def __len__(self) -> int:
        return len(self.faces)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Deformable of {len(self.faces)} triangles, frame {self._timings.frame}>"


def _load_kernels() -> None:
    """Have the kernels ready before anything is timed: the first query would seem to take seconds."""
    import tumble.traversal.packed.query
    import tumble.traversal.packed.self_pairs  # noqa: F401


@cache
def _load_candidates() -> None:
    """Have these ready as well; they are loaded by their first use, and not everybody asks."""
    candidates(shapes.box(), KINDS)


def _built_blocks(vertices: NDArray[np.float64], faces: NDArray[np.int32], threads: int | None) -> NDArray[np.float32]:
    """Return the blocks of a new tree in which no triangle is in pieces: those could not be refitted."""
    from tumble.hierarchy.packed.over_boxes import boxes_about, build_over_boxes, frame_about

    boxes = boxes_about(np.tile(vertices, 2), faces)
    return build_over_boxes(boxes, frame_about(boxes), threads)


def _with_tree(vertices: NDArray[np.float64], faces: NDArray[np.int32], fitted: BuiltBlocks) -> Mesh:
    """Return the mesh of a frame, with its tree."""
    mesh = Mesh._of_checked(vertices, faces)
    extent = float(np.abs(fitted.origin).max()) + 1.0 / fitted.scale  # at least as large as any coordinate
    mesh._adopt(PackedTree(vertices, faces, extent, fitted.blocks, fitted.origin, fitted.scale, repeats=False))
    return mesh
