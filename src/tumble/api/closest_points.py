"""`closest_points`: the nearest point of a mesh for each of many points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.point_batches import Batch, Posed, batches, checked_points, job_of, posed_mesh
from tumble.core.records import FrozenArrays, frozen_record
from tumble.hierarchy.packed import packed
from tumble.mesh import MeshLike


@dataclass(frozen=True, eq=False)
class ClosestPoints(FrozenArrays):
    """The nearest point of a mesh for each point, in the order in which the points were given; arrays are read-only."""

    points: NDArray[np.float64]
    """(n, 3): the nearest points, in the world"""
    distances: NDArray[np.float64]
    """(n,): how far they are"""
    triangles: NDArray[np.int64]
    """(n,): the triangles on which they are"""

    def __len__(self) -> int:
        return len(self.distances)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} points>"


def closest_points(
    mesh: MeshLike, points: ArrayLike, pose: ArrayLike | None = None, *, threads: int | None = None
) -> ClosestPoints:
    """Find the nearest point of a mesh for each point: `.points` (n, 3), `.distances` (n,), `.triangles` (n,).

    mesh     a `tumble.Mesh`, a `trimesh.Trimesh` or `(vertices, faces)`, with at least one triangle
    points   (n, 3), finite, within ±1e100
    pose     where the mesh is, a rigid 4×4 array; points are not posed
    threads  how many threads share the work, at most; None: all cores. The result does not depend on it.

    With S the largest difference of a coordinate between a point and a vertex of the mesh, a distance differs from the
    exact one by at most 2**-48 S (and 5e-324), and from the way to the point that is returned by the rounding of that
    point. Of triangles whose float64 distance is equal, the one with the lowest number is returned. See docs/points.md.
    """
    posed = posed_mesh(mesh, pose, threads, "closest_points")
    places = checked_points(points)
    found = no_points_yet(len(places))
    search = NearestSearch(posed)
    for batch in batches(places):
        search.write(batch, found)
    return frozen_record(ClosestPoints, *found)


Columns = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]
"""points, distances, triangles: those of `ClosestPoints`"""


def no_points_yet(count: int) -> Columns:
    """Return the columns of an answer, to be written."""
    return np.empty((count, 3)), np.empty(count), np.empty(count, np.int64)


class NearestSearch:
    """The search for what is nearest on one mesh in its place."""

    def __init__(self, posed: Posed) -> None:
        from tumble.traversal.points.prepare import point_frame

        self.posed, self.tree = posed, packed(posed.mesh)
        self.frame = point_frame(self.tree.origin, self.tree.scale, posed.mesh.extent, posed.rows)

    def write(self, batch: Batch, found: Columns) -> NDArray[np.int64]:
        """Find what is nearest to the points of a batch, write it in their places, and return their order: its keys."""
        from tumble.traversal.points.nearest import find_nearest
        from tumble.traversal.points.order import write_keys

        keys = np.empty(len(batch.points), np.int64)
        batch.run(write_keys, job_of(self.frame, batch.points, keys), self.posed.workers)
        keys.sort()
        targets = [column[batch.place] for column in found]
        job = job_of(self.tree.address, self.frame, self.posed.rows, batch.points, keys, *targets)
        batch.run(find_nearest, job, self.posed.workers)
        return keys
