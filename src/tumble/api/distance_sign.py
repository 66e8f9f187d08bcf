"""The sign of a distance between solids: minus where their surfaces share no point, but the solids do.

One of them is then inside the other, or has a component there; the winding number at a vertex of each component tells.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import refuse_arrays
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.edges import Edges, edges_of, require_closed
from tumble.mesh.rigid import as_rigid
from tumble.query.bodies import Bodies, mesh_of
from tumble.query.nearest import Nearest, NearestMany
from tumble.solid.body import body_of

WANTED, INSTEAD = "signed=True", "leave it out for the distance of the surfaces"
POSE_BYTES = 4 * 4 * 8

Pose = NDArray[np.float64] | None


def wants_sign(signed: Any) -> bool:
    """Return the option `signed` as a bool; an array is refused."""
    refuse_arrays(signed=signed)
    return bool(signed)


def closed_shape(given: MeshLike | Tree, name: str) -> Mesh | Tree:
    """Return a tree or a mesh whose mesh is closed; open ones are refused by one of their open edges."""
    shape: Any = given if isinstance(given, Tree | BoxTree) else as_mesh(given)
    require_closed(mesh_of(shape), f"mesh {name}", WANTED, INSTEAD)
    return shape


def with_sign(
    found: Nearest, a: Mesh | Tree, b: Mesh | Tree, pose_a: ArrayLike | None, pose_b: ArrayLike | None
) -> Nearest:
    """Return the distance of two closed meshes at poses that were checked, negative where one is buried."""
    if found.distance == 0.0:
        return found
    matrices = _matrix(pose_a), _matrix(pose_b)
    addresses = [0 if matrix is None else matrix.ctypes.data for matrix in matrices]
    if not _Solids(mesh_of(a), mesh_of(b)).one_is_buried(addresses, lambda: matrices):
        return found
    return Nearest(-found.distance, found.pair, found.points, found.stats)


def with_signs(found: NearestMany, a: Bodies, b: Bodies, pairs: NDArray[np.int64]) -> NearestMany:
    """Return the distances of two closed meshes in many places, negative where one is buried."""
    signed = found.distances.copy()
    apart = np.flatnonzero(signed).tolist()
    if apart:
        solids, first = _Solids(a.mesh(0), b.mesh(0)), (a.poses.ctypes.data, b.poses.ctypes.data)
    for k in apart:
        i, j = pairs[k].tolist()
        addresses = first[0] + i * POSE_BYTES, first[1] + j * POSE_BYTES
        if solids.one_is_buried(addresses, lambda i=i, j=j: (a.poses[i], b.poses[j])):
            signed[k] = -signed[k]
    signed.flags.writeable = False
    return NearestMany(signed, found.pairs, found.points, found.stats)


def _matrix(pose: Any) -> Pose:
    """Return a pose that was checked before as an array of 16 numbers in a row, or None for the identity."""
    if type(pose) is np.ndarray and pose.dtype == np.float64 and pose.shape == (4, 4) and pose.flags.c_contiguous:
        return pose
    return as_rigid(pose)


class _Solids:
    """Two closed meshes, and a vertex of each of their components."""

    def __init__(self, a: Mesh, b: Mesh) -> None:
        self.meshes, self.edges = (a, b), (edges_of(a), edges_of(b))
        self.empty = len(a) == 0 or len(b) == 0
        if not self.empty:
            self.trees = packed(a).address, packed(b).address
            self.windings = np.empty(max(len(edges.sample_corners) for edges in self.edges), np.int64)
            self.written = self.windings.ctypes.data

    def one_is_buried(self, poses: Sequence[int], matrices: Any) -> bool:
        """Tell whether part of one is inside the other, where their surfaces share no point.

        poses      the addresses of their matrices, 0 for the identity
        matrices   returns them, where a vertex is too far away for its coordinates
        """
        from tumble.traversal.points.crossing_walk import SURFACE
        from tumble.traversal.points.vertex_turns import UNKNOWN, vertex_turns

        if self.empty:
            return False
        for outer, inner in ((0, 1), (1, 0)):
            corners = self.edges[inner].sample_corners
            count, where = len(corners), self.edges[inner].sample_address
            around = self.trees[outer], poses[outer], len(self.meshes[outer]), self.trees[inner], poses[inner]
            vertex_turns(*around, where, count, self.written)
            for winding in self.windings[:count].tolist():
                if winding in (SURFACE, UNKNOWN):
                    return self._exactly(matrices())
                if _inside(self.edges[outer], winding):
                    return True
        return False

    def _exactly(self, matrices: tuple[Pose, Pose]) -> bool:
        from tumble.solid.decide import one_is_buried

        one, other = (body_of(mesh, pose, "", WANTED) for mesh, pose in zip(self.meshes, matrices, strict=True))
        return one_is_buried(one, other)


def _inside(edges: Edges, winding: int) -> bool:
    return winding != 0 if edges.oriented else winding % 2 == 1
