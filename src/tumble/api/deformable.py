"""A mesh whose vertices move while its faces stay: a tree that is refitted from frame to frame, or rebuilt.

A refitted tree fits less and less as the mesh moves, and queries take longer. How much longer depends on the motion and
cannot be read off the tree, so it is measured at each build: the fastest of the last frames before it, and of the first
ones after it. The gain grew from nothing since the build before, so half of it is the share of the queries' time that a
stale tree costs. The tree is rebuilt when this share of the time since the last build exceeds what a build takes more
than a refit: the loss between two builds is then about the cost of a build, as in the ski-rental problem. Where
rebuilding does not help, the share is small, and builds are rare.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.candidates import KINDS, Candidates, candidates
from tumble.api.clearance import clearance
from tumble.api.collide import collide
from tumble.api.element_impacts import TOLERANCE, checked_options
from tumble.api.self_collide import self_collide
from tumble.api.step_impact import Motion, step_impact
from tumble.core.parallel import thread_count
from tumble.errors import MeshError, OptionError
from tumble.hierarchy.packed import PackedTree
from tumble.mesh import Mesh, MeshLike, as_mesh, shapes
from tumble.mesh.arrays import check_vertices
from tumble.query.answer import Collision
from tumble.query.bodies import moved_vertices
from tumble.query.clearance import Clearance
from tumble.query.step_impact import StepImpact

if TYPE_CHECKING:
    from tumble.hierarchy.packed.build import BuiltBlocks

FIRST_SHARE = 0.1
"""of the queries' time that a stale tree is taken to cost before anything was measured"""
LEAST_SHARE = 0.01
"""never less, so that builds are tried again: where they gain nothing, they take this part of the time at most"""
WINDOW = 3
"""frames of which the fastest counts: in any one of them the machine may have been busy with something else"""


@dataclass
class FrameTimings:
    """Where the time of one frame went, in seconds."""

    frame: int
    """0 for the mesh as it was given, then the number of updates"""
    rebuilt: bool
    """whether the tree was built anew, not refitted"""
    update: float
    """all of `update`: checking and copying the vertices, and the tree"""
    tree: float
    """of that, the tree"""
    collide: float = 0.0
    """all calls of `collide` and `clearance` in this frame"""
    self_collide: float = 0.0
    """all calls of `self_collide` and `candidates` in this frame"""

    @property
    def queries(self) -> float:
        """Seconds of all queries in this frame."""
        return self.collide + self.self_collide


@dataclass(frozen=True)
class Ledger:
    """What was measured so far."""

    build_seconds: float = 0.0
    """of the last build"""
    queries: float = 0.0
    """seconds of all queries since then, in frames that are over"""
    recent: tuple[float, ...] = ()
    """the same of the last frames with queries, WINDOW of them at most"""
    before: float = 0.0
    """the least of `recent` when the tree was built; 0 where there were too few, or when the gain is known"""
    share: float = FIRST_SHARE

    def after_frame(self, frame: FrameTimings) -> Ledger:
        """Note a frame that is over."""
        if frame.queries <= 0.0:
            return self
        recent = (*self.recent, frame.queries)[-WINDOW:]
        share, before = self.share, self.before
        if before > 0.0 and len(recent) == WINDOW:
            share, before = max(0.5 * (1.0 - min(recent) / before), LEAST_SHARE), 0.0
        return replace(self, queries=self.queries + frame.queries, recent=recent, before=before, share=share)

    def rebuilding_pays(self, refit_seconds: float) -> bool:
        """Tell whether the stale tree has cost more since the last build than a build takes more than a refit."""
        lost = self.share * self.queries
        return lost > 0.0 and lost > self.build_seconds - refit_seconds

    def after_build(self, seconds: float) -> Ledger:
        """Note a build."""
        before = min(self.recent) if len(self.recent) == WINDOW else 0.0
        return replace(self, build_seconds=seconds, queries=0.0, recent=(), before=before)


class Deformable:
    """A deforming mesh; `mesh` is what it is now, an ordinary Mesh that stays as it is when the next frame comes.

    Its tree is refitted at each update, or rebuilt when the measured times say that this pays: see the module. The
    pairs do not depend on it.
    """

    _mesh: Mesh

    def __init__(self, mesh: MeshLike, *, threads: int | None = None) -> None:
        # kernels have to be ready before anything is timed: otherwise the first query would take seconds
        import tumble.traversal.packed.query
        import tumble.traversal.packed.self_pairs  # noqa: F401

        thread_count(threads)  # a wrong number is refused here
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

    def clearance(
        self,
        other: MeshLike | Deformable,
        d: float,
        pose: ArrayLike | None = None,
        pose_other: ArrayLike | None = None,
        **options: Any,
    ) -> Clearance:
        """Return the triangles of this mesh and another that are nearer than d; options are those of
        `tumble.clearance`."""
        began = perf_counter()
        second = other.mesh if isinstance(other, Deformable) else other
        found = clearance(self._mesh, second, d, pose, pose_other, **options)
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

    def time_of_impact(
        self,
        new_vertices: ArrayLike,
        other: MeshLike | Deformable | None = None,
        other_vertices: ArrayLike | None = None,
        *,
        separation: float = 0.0,
        exact: bool = False,
        tolerance: float = TOLERANCE,
        every: bool = False,
        threads: int | None = None,
    ) -> StepImpact:
        """Return the first contact while all vertices move linearly from where they are to new places.

        new_vertices     (n, 3): where the vertices are at time 1; this frame stays as it is
        other            another mesh: contacts with it, in place of those of this mesh with itself
        other_vertices   where the vertices of the other mesh are at time 1; None: it does not move
        separation       a distance at which elements count as meeting
        exact            decide by exact arithmetic where float64 cannot tell; not with a separation
        tolerance        how near elements come that count as meeting without `exact`: see `vertex_face_impacts`
        every            list all pairs of elements that meet in the step, too: `contacts`
        threads          how many threads share the work, at most; None: as many as this object was made for

        Vertices with faces and edges with edges, without those that share a vertex by index. The time is never later
        than the first contact.
        """
        options = checked_options(separation, exact, tolerance)
        if not isinstance(every, bool | np.bool_):
            raise OptionError(f"every must be True or False, not {every!r}")
        workers = thread_count(self._threads if threads is None else threads)
        meshes, ends = [self._mesh], [moved_vertices("new_vertices", new_vertices, self.vertices)]
        if other is not None:
            second = other.mesh if isinstance(other, Deformable) else as_mesh(other)
            meshes.append(second)
            moved = second.vertices if other_vertices is None else other_vertices
            ends.append(moved_vertices("other_vertices", moved, second.vertices))
        elif other_vertices is not None:
            raise OptionError("other_vertices are for a second mesh: give it as other")
        starts = np.concatenate([mesh.vertices for mesh in meshes])
        return step_impact(Motion(meshes, starts, np.concatenate(ends)), options, bool(every), workers)

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


@cache
def _load_candidates() -> None:
    candidates(shapes.box(), KINDS)  # so that compiling is not timed


def _built_blocks(vertices: NDArray[np.float64], faces: NDArray[np.int32], threads: int | None) -> NDArray[np.float32]:
    """Return the blocks of a new tree in which no triangle is clipped: those could not be refitted."""
    from tumble.hierarchy.packed.over_boxes import boxes_about, build_over_boxes, frame_about

    boxes = boxes_about(np.tile(vertices, 2), faces)
    return build_over_boxes(boxes, frame_about(boxes), threads)


def _with_tree(vertices: NDArray[np.float64], faces: NDArray[np.int32], fitted: BuiltBlocks) -> Mesh:
    """Return the mesh of a frame, with its tree."""
    mesh = Mesh._of_checked(vertices, faces)
    extent = float(np.abs(fitted.origin).max()) + 1.0 / fitted.scale  # at least as large as any coordinate
    mesh._adopt(PackedTree(vertices, faces, extent, fitted.blocks, fitted.origin, fitted.scale, repeats=False))
    return mesh
