"""A mesh in its place, as a solid: which points does it wind around?

A point is *inside* where the winding number is not zero; where the faces of a mesh are not consistently oriented, where
it is odd. So an inverted mesh is the same solid, bodies of one mesh that overlap are united, and a shell whose faces
point the other way inside another one is a cavity.

A body that is not `solid`, as an open mesh, is its surface alone: nothing is inside.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces
from tumble.core.products import area_vectors
from tumble.core.records import frozen
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, apply_pose
from tumble.mesh.edges import Edges, edges_of, require_closed

T = TypeVar("T")
PIECES = 64
SMALLEST_PIECE = 64
ROUNDS = 8
"""directions that are tried before exact arithmetic decides"""
IDENTITY = frozen(np.eye(3, 4))
# Directions of rays: whole numbers, so that exact arithmetic has the same ones; along no axis, in no common plane.
DIRECTIONS = np.random.default_rng(1).integers(-997, 998, (64, 3)).astype(np.float64)


def body_of(mesh: Mesh, pose: NDArray[np.float64] | None, called: str, wanted: str, threads: int = 1) -> "Body":
    """Return a closed mesh at a checked 4×4 pose; errors about open ones say what it is called and what is wanted."""
    return Body(mesh, require_closed(mesh, called, wanted), _rows(pose), threads)


def surface_of(mesh: Mesh, pose: NDArray[np.float64] | None, threads: int = 1) -> "Body":
    """Return the surface of any mesh, without an inside, at a checked 4×4 pose."""
    return Body(mesh, edges_of(mesh), _rows(pose), threads, solid=False)


def _rows(pose: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    return None if pose is None else np.ascontiguousarray(pose[:3])


class Body:
    """A mesh and its pose; a closed one is solid, unless only its surface is meant."""

    def __init__(
        self, mesh: Mesh, surface: Edges, rows: NDArray[np.float64] | None, threads: int, solid: bool = True
    ) -> None:
        self.mesh, self.surface, self.rows, self.threads, self.solid = mesh, surface, rows, threads, solid
        self.tree = packed(mesh)
        self._kept: dict[str, Any] = {}

    def at(self, rows: NDArray[np.float64] | None) -> "Body":
        """Return the same mesh in another place: the upper (3, 4) of a pose, or None."""
        return Body(self.mesh, self.surface, rows, self.threads, self.solid)

    def kept(self, key: str, make: Callable[[], T]) -> T:
        """Return what is made of this body once; of two threads that both make it, the first one's is kept."""
        found: T | None = self._kept.get(key)
        return self._kept.setdefault(key, make()) if found is None else found

    @cached_property
    def _frame(self) -> NDArray[np.float64]:
        from tumble.traversal.rays.prepare import frame_of

        return frame_of(self.tree.origin, self.tree.scale, self.mesh.extent, self.rows)

    @cached_property
    def _point_frame(self) -> NDArray[np.float64]:
        from tumble.traversal.points.prepare import point_frame

        return point_frame(self.tree.origin, self.tree.scale, self.mesh.extent, self.rows)

    @cached_property
    def addresses(self) -> NDArray[np.int64]:
        """Where kernels find a closed body in its place: the places are named in `traversal.points.near_pieces`."""
        pose = 0 if self.rows is None else self.rows.ctypes.data
        frames = self._frame.ctypes.data, self._point_frame.ctypes.data
        bounds = self.kept("bounds in one piece", lambda: np.ascontiguousarray(self.bounds))
        words = self.tree.address, pose, pose or IDENTITY.ctypes.data, *frames, bounds.ctypes.data
        return np.array([*words, len(self.mesh), self.surface.oriented], np.int64)

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """The posed vertices."""
        return frozen(apply_pose(self.rows, self.mesh.vertices))

    @cached_property
    def bounds(self) -> NDArray[np.float64]:
        """(2, 3) the lowest and highest corner of a box around all posed faces; there must be some."""
        if self.rows is None and self.mesh.bounds is not None:
            return frozen(self.mesh.bounds)
        used = np.zeros(len(self.points), bool)
        used[self.surface.faces] = True
        points = self.points if used.all() else self.points[used]
        return frozen(np.stack([points.min(axis=0), points.max(axis=0)]))

    @cached_property
    def largest(self) -> float:
        """The largest coordinate of the box around all posed faces."""
        return float(np.abs(self.bounds).max())

    @cached_property
    def corners(self) -> NDArray[np.float64]:
        """(m, 3, 3) the posed corners of all faces."""
        return self.points[self.surface.faces]

    @cached_property
    def normals(self) -> NDArray[np.float64]:
        """(m, 3) the unit normals of all faces, by the order of their corners; zero for those without area."""
        vectors = area_vectors(self.corners)
        lengths = np.sqrt((vectors * vectors).sum(axis=1))
        return vectors / np.where(lengths > 0.0, lengths, 1.0)[:, None]

    @cached_property
    def boxes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(m, 3) the lowest and (m, 3) the highest corners of the boxes around all faces."""
        return self.corners.min(axis=1), self.corners.max(axis=1)

    def posed(self, vertices: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return some posed vertices."""
        return apply_pose(self.rows, self.mesh.vertices[vertices])

    def inside(self, winding: int) -> bool:
        """Tell whether points with a winding number are inside."""
        return self.solid and (winding != 0 if self.surface.oriented else winding % 2 == 1)

    def windings(
        self,
        points: NDArray[np.float64],
        directions: NDArray[np.float64],
        slacks: NDArray[np.float64] | None = None,
        through: Sequence[Sequence[int]] | None = None,
    ) -> NDArray[np.int64]:
        """Return the winding numbers next to points, on the way along rays, or UNSURE: see `traversal.rays.winding`.

        points       (n, 3) float64, each coordinate off by at most its slack
        directions   (n, 3) whole numbers
        through      for each point, the triangles that contain it, which are left out; none may contain its ray
        """
        from tumble.traversal.rays import winding

        count = len(points)
        slacks = np.zeros(count) if slacks is None else slacks
        if through is None:
            offsets, left_out = np.zeros(count + 1, np.int64), np.empty(0, np.int64)
        else:
            offsets = np.cumsum([0, *map(len, through)])
            left_out = np.array([face for faces in through for face in faces], np.int64)
        found = np.empty(count, np.int64)
        arrays = self._frame, self.rows, points, directions, slacks, offsets, left_out, found
        rows = [array if array is None else np.ascontiguousarray(array) for array in arrays]
        job = np.array([self.tree.address, *(0 if row is None else row.ctypes.data for row in rows)], np.int64)
        size = max(SMALLEST_PIECE, -(-count // PIECES))

        def run(piece: int) -> int:
            return int(winding.windings(job, piece * size, min((piece + 1) * size, count)))

        run_pieces(run, -(-count // size), self.threads)
        return found

    def around(self, other: "Body", vertices: NDArray[np.integer]) -> list[int | None]:
        """Return the winding number at some vertices of another body; None: on the surface, or too far away."""
        from tumble.traversal.points.crossing_walk import SURFACE
        from tumble.traversal.points.vertex_turns import UNKNOWN, vertex_turns

        numbers = vertices.astype(np.int64)
        found = np.empty(len(numbers), np.int64)
        poses = [0 if rows is None else rows.ctypes.data for rows in (self.rows, other.rows)]
        trees = self.tree.address, poses[0], len(self.mesh), other.tree.address, poses[1]
        vertex_turns(*trees, numbers.ctypes.data, len(numbers), found.ctypes.data)
        return [None if number in (SURFACE, UNKNOWN) else number for number in found.tolist()]
