"""`contains`: which points are inside a mesh, on its surface, outside; `signed_distance`: how far, negative inside."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.closest_points import ClosestPoints, checked_mesh, checked_points, job_of, nearest_of, run_over
from tumble.core.parallel import thread_count
from tumble.errors import OptionError
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, MeshLike
from tumble.mesh.edges import Edges, edges_of, require_closed
from tumble.mesh.rigid import as_pose

RULES = ("auto", "parity", "winding")
NONZERO = "winding number not zero: closed and consistently oriented mesh, exact"
PARITY = "odd number of crossings: closed mesh, exact"
GENERALISED = "generalised winding number beyond ±1/2: mesh that is open or not consistently oriented, float64"
SMALLEST = 5e-324
"""the distance of a point that is not on the surface is never zero"""

Pose = NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class Containment:
    """Where points are, in the order in which they were given; each is one of three. Arrays are read-only."""

    inside: NDArray[np.bool_]
    """(n,): strictly inside"""
    on_surface: NDArray[np.bool_]
    """(n,): exactly on a triangle"""
    outside: NDArray[np.bool_]
    """(n,): neither"""
    rule: str
    """what inside means here, in words"""

    def __len__(self) -> int:
        return len(self.inside)

    def __repr__(self) -> str:
        counts = f"{int(self.inside.sum())} inside, {int(self.on_surface.sum())} on the surface"
        return f"<Containment of {len(self)} points, {counts}; {self.rule}>"


@dataclass(frozen=True, eq=False, repr=False)
class SignedDistances(ClosestPoints):
    """Closest points with signed distances: negative inside, positive outside, 0 exactly on the surface."""

    rule: str
    """what inside means here, in words"""


def contains(
    mesh: MeshLike, points: ArrayLike, pose: ArrayLike | None = None, *, rule: str = "auto", threads: int | None = None
) -> Containment:
    """Tell which points are inside a mesh: `.inside`, `.on_surface`, `.outside` (n,) bool, and `.rule`.

    mesh     a `tumble.Mesh`, a `trimesh.Trimesh` or `(vertices, faces)`, with at least one triangle
    points   (n, 3), finite, within ±1e100
    pose     where the mesh is, a rigid 4×4 array; points are not posed
    rule     "auto": for closed meshes, exact. Inside is where the winding number is not zero, so overlapping solids
             count as their union, and a shell that is turned inside out within another is a cavity. For a closed mesh
             that is not consistently oriented it is as "parity". An open mesh is refused.
             "parity": for closed meshes, exact: inside is where a ray crosses an odd number of triangles
             "winding": for any mesh: inside is where the generalised winding number is above 1/2 or below -1/2
    threads  how many threads share the work, at most; None: all cores. The result does not depend on it.

    A mesh is closed when every edge belongs to an even number of triangles, with vertices in the same place counted as
    one. Whether a point is on the surface is exact by every rule. `.rule` says which was used. See docs/points.md.
    """
    if not isinstance(rule, str) or rule not in RULES:
        raise OptionError(f"unknown rule {rule!r} for contains; choose one of: {', '.join(RULES)}")
    mesh, rows = checked_mesh(mesh, "contains"), as_pose(pose)
    return containment_of(mesh, checked_points(points), rows, rule, thread_count(threads))


def signed_distance(
    mesh: MeshLike, points: ArrayLike, pose: ArrayLike | None = None, *, threads: int | None = None
) -> SignedDistances:
    """Find how far points are from a closed mesh: `.distances` (n,) negative inside, `.points`, `.triangles`, `.rule`.

    mesh     a closed `tumble.Mesh`, `trimesh.Trimesh` or `(vertices, faces)`
    points   (n, 3), finite, within ±1e100
    pose     where the mesh is, a rigid 4×4 array; points are not posed
    threads  how many threads share the work, at most; None: all cores. The result does not depend on it.

    Distances are those of `closest_points`, signs those of `contains`, which are exact: a distance is 0 exactly when
    the point is on the surface. An open mesh is refused.
    """
    mesh, rows, workers = checked_mesh(mesh, "signed_distance"), as_pose(pose), thread_count(threads)
    _closed(mesh, "signed_distance")  # before any work
    places = checked_points(points)
    nearest = nearest_of(mesh, places, rows, workers)
    where = containment_of(mesh, places, rows, "auto", workers)
    distances = np.maximum(nearest.distances, SMALLEST)
    np.negative(distances, out=distances, where=where.inside)
    distances[where.on_surface] = 0.0
    nearest.points.flags.writeable = True
    nearest.points[where.on_surface] = places[where.on_surface]
    for array in (distances, nearest.points):
        array.flags.writeable = False
    return SignedDistances(nearest.points, distances, nearest.triangles, where.rule)


def containment_of(mesh: Mesh, points: NDArray[np.float64], rows: Pose, rule: str, workers: int) -> Containment:
    """Answer `contains` for arguments of the right kinds; the numbers of points are checked on the way."""
    from tumble.traversal.points.crossing_walk import SURFACE

    edges = edges_of(mesh) if rule == "winding" else _closed(mesh, "contains")
    if rule == "winding" and not edges.oriented:
        windings = _windings(mesh, points, rows, edges, workers)
        on_surface = np.isinf(windings)
        inside = (np.abs(windings) > 0.5) & ~on_surface
        return _frozen(inside, on_surface, GENERALISED)
    turns = _turns(mesh, points, rows, workers)
    on_surface = turns == SURFACE
    if edges.oriented and rule != "parity":
        return _frozen((turns != 0) & ~on_surface, on_surface, NONZERO)
    return _frozen((turns & 1 == 1) & ~on_surface, on_surface, PARITY)


def _closed(mesh: Mesh, call: str) -> Edges:
    return require_closed(mesh, "the mesh", call, 'use contains(rule="winding"), which takes open meshes too')


def _turns(mesh: Mesh, points: NDArray[np.float64], rows: Pose, workers: int) -> NDArray[np.int64]:
    """Return how often the mesh winds around each point, or SURFACE."""
    from tumble.traversal.points.turns import count_turns
    from tumble.traversal.rays.prepare import frame_of

    tree = packed(mesh)
    turns = np.empty(len(points), np.int64)
    frame = frame_of(tree.origin, tree.scale, mesh.extent, rows)
    bounds = _rough_bounds(mesh, rows)
    job = job_of(tree.address, frame, rows, points, bounds, turns, len(mesh))
    run_over(points, slice(0, len(points)), lambda start, stop: count_turns(job, start, stop), workers)
    return turns


def _windings(mesh: Mesh, points: NDArray[np.float64], rows: Pose, edges: Edges, workers: int) -> NDArray[np.float64]:
    """Return the generalised winding number about each point, infinite on the surface."""
    from tumble.traversal.points.windings import find_windings
    from tumble.traversal.rays.prepare import frame_of

    tree = packed(mesh)
    windings = np.empty(len(points))
    frame = frame_of(tree.origin, tree.scale, mesh.extent, rows)
    boundary = edges.boundary, edges.surplus
    job = job_of(tree.address, frame, rows, points, *boundary, windings, len(mesh), len(edges.boundary))
    run_over(points, slice(0, len(points)), lambda start, stop: find_windings(job, start, stop), workers)
    return windings


def _rough_bounds(mesh: Mesh, rows: Pose) -> NDArray[np.float64]:
    """Return the least and largest coordinates of a posed mesh, or a little more: of the box about it, posed."""
    bounds = np.zeros((2, 3)) if mesh.bounds is None else mesh.bounds
    if rows is None:
        return np.ascontiguousarray(bounds)
    corners = np.stack(np.meshgrid(*bounds.T, indexing="ij"), axis=-1).reshape(-1, 3)
    posed = corners @ rows[:, :3].T + rows[:, 3]
    return np.stack([posed.min(axis=0), posed.max(axis=0)])


def _frozen(inside: NDArray[np.bool_], on_surface: NDArray[np.bool_], rule: str) -> Containment:
    outside = ~(inside | on_surface)
    for array in (inside, on_surface, outside):
        array.flags.writeable = False
    return Containment(inside, on_surface, outside, rule)
