"""`contains`: which points are inside a mesh, on its surface, outside; `signed_distance`: how far, negative inside."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.closest_points import ClosestPoints, NearestSearch, no_points_yet
from tumble.api.point_batches import Batch, Posed, batches, checked_points, job_of, posed_mesh
from tumble.core.records import FrozenArrays, frozen_record
from tumble.errors import OptionError
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, MeshLike
from tumble.mesh.edges import Edges, edges_of, require_closed

RULES = ("auto", "parity", "winding")
NONZERO = "winding number not zero: closed and consistently oriented mesh, exact"
PARITY = "odd number of crossings: closed mesh, exact"
GENERALISED = "generalised winding number beyond ±1/2: mesh that is open or not consistently oriented, float64"
SMALLEST = 5e-324
"""the distance of a point that is not on the surface is never zero"""

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Containment(FrozenArrays):
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
    posed = posed_mesh(mesh, pose, threads, "contains")
    places = checked_points(points)
    test = _Test(posed, rule, "contains")
    inside, on_surface, outside = (np.empty(len(places), bool) for _ in range(3))
    for batch in batches(places):
        inside[batch.place], on_surface[batch.place] = within, upon = test.flags(batch)
        outside[batch.place] = ~(within | upon)
    return frozen_record(Containment, inside, on_surface, outside, test.rule)


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
    return SignedSearch(mesh, pose, threads).at(points)


class SignedSearch:
    """Signed distances to one mesh in its place: what does not depend on the points is made once."""

    def __init__(self, mesh: MeshLike, pose: ArrayLike | None, threads: int | None) -> None:
        posed = posed_mesh(mesh, pose, threads, "signed_distance")
        self._test, self._search = _Test(posed, "auto", "signed_distance"), NearestSearch(posed)

    def at(self, points: ArrayLike) -> SignedDistances:
        """Return how far points are from the mesh: see `signed_distance`."""
        places = checked_points(points)
        found = no_points_yet(len(places))
        for batch in batches(places):
            nearest, distances = found[0][batch.place], found[1][batch.place]
            keys = self._search.write(batch, found)
            inside, on_surface = self._test.flags(batch, keys, distances)
            np.maximum(distances, SMALLEST, out=distances)
            np.negative(distances, out=distances, where=inside)
            distances[on_surface] = 0.0
            nearest[on_surface] = batch.points[on_surface]
        return frozen_record(SignedDistances, *found, self._test.rule)


class _Test:
    """What is inside one mesh in its place, by one rule."""

    def __init__(self, posed: Posed, rule: str, call: str) -> None:
        from tumble.traversal.rays.prepare import frame_of

        self.edges = edges_of(posed.mesh) if rule == "winding" else _closed(posed.mesh, call)
        self.posed, self.tree, self.bounds = posed, packed(posed.mesh), _rough_bounds(posed)
        self.frame = frame_of(self.tree.origin, self.tree.scale, posed.mesh.extent, posed.rows)
        self.rule = NONZERO
        if rule == "parity" or not self.edges.oriented:
            self.rule = GENERALISED if rule == "winding" else PARITY

    def flags(
        self, batch: Batch, keys: NDArray[np.int64] | None = None, distances: NDArray[np.float64] | None = None
    ) -> tuple[Flags, Flags]:
        """Return which points are strictly inside, and which on the surface: sooner if distances are known."""
        from tumble.traversal.points.crossing_walk import SURFACE

        if self.rule == GENERALISED:
            windings = self._windings(batch)
            on_surface = np.isinf(windings)
            return (np.abs(windings) > 0.5) & ~on_surface, on_surface
        turns = self._turns(batch, keys, distances)
        on_surface = turns == SURFACE
        within = turns != 0 if self.rule == NONZERO else turns & 1 == 1
        return within & ~on_surface, on_surface

    def _turns(
        self, batch: Batch, keys: NDArray[np.int64] | None, distances: NDArray[np.float64] | None
    ) -> NDArray[np.int64]:
        """Return how often the mesh winds around each point, or SURFACE."""
        from tumble.traversal.points.turns import count_turns

        turns = np.empty(len(batch.points), np.int64)
        around = self.tree.address, self.frame, self.posed.rows, batch.points, self.bounds
        job = job_of(*around, turns, len(self.posed.mesh), keys, distances)
        batch.run(count_turns, job, self.posed.workers)
        return turns

    def _windings(self, batch: Batch) -> NDArray[np.float64]:
        """Return the generalised winding number about each point, infinite on the surface."""
        from tumble.traversal.points.windings import find_windings

        windings, edges = np.empty(len(batch.points)), self.edges
        boundary = edges.boundary, edges.surplus
        around = self.tree.address, self.frame, self.posed.rows, batch.points, *boundary
        job = job_of(*around, windings, len(self.posed.mesh), len(edges.boundary))
        batch.run(find_windings, job, self.posed.workers)
        return windings


def _closed(mesh: Mesh, call: str) -> Edges:
    return require_closed(mesh, "the mesh", call, 'use contains(rule="winding"), which takes open meshes too')


def _rough_bounds(posed: Posed) -> NDArray[np.float64]:
    """Return the least and largest coordinates of a posed mesh, or a little more: of the box about it, posed."""
    bounds, rows = posed.mesh.bounds, posed.rows
    assert bounds is not None  # it has triangles
    if rows is None:
        return np.ascontiguousarray(bounds)
    corners = np.stack(np.meshgrid(*bounds.T, indexing="ij"), axis=-1).reshape(-1, 3)
    corners = corners @ rows[:, :3].T + rows[:, 3]
    return np.stack([corners.min(axis=0), corners.max(axis=0)])
