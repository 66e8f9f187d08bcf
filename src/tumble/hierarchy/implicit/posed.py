"""Meshes and where they are: what trees of either kind, in this process or on a device, are built over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import MeshError, PoseError, said_of
from tumble.hierarchy.implicit.joined import JoinedMeshes, PlacedMeshes, bodies_of, world_of
from tumble.mesh import Mesh, MeshLike, as_mesh, as_pose
from tumble.mesh.arrays import check_vertices

IDENTITY = np.eye(4)[:3]


class Posed(NamedTuple):
    """JoinedMeshes, their poses, and the world that follows from both; never changed, only replaced."""

    bodies: JoinedMeshes
    poses: NDArray[np.float64] | None
    """(t, 3, 4), or None when nothing is moved"""
    world: PlacedMeshes

    def placed(self, number: int) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Return the vertices of a mesh where they are now, and its faces."""
        low, high = self.bodies.first_vertex[number : number + 2]
        first, last = self.bodies.first_face[number : number + 2]
        return self.world.vertices[low:high], self.bodies.faces[first:last] - np.int32(low)

    def moved(
        self, vertices: Sequence[ArrayLike | None] | None, poses: Sequence[ArrayLike | None] | None, threads: int
    ) -> Posed:
        """Return the same meshes with new vertices, new poses or both; None, for all or for one: as they were."""
        bodies = self.bodies if vertices is None else self.bodies._replace(vertices=_moved(self.bodies, vertices))
        placed = self.poses if poses is None else checked_poses(poses, len(bodies.first_face) - 1, self.poses)
        return Posed(bodies, placed, world_of(bodies, placed, threads))


def posed_meshes(meshes: Sequence[MeshLike], poses: Sequence[ArrayLike | None] | None, threads: int) -> Posed:
    """Check meshes and poses, and find where everything is."""
    checked = checked_meshes(meshes)
    placed = None if poses is None else checked_poses(poses, len(checked))
    bodies = bodies_of(checked)
    return Posed(bodies, placed, world_of(bodies, placed, threads))


def check_posed(posed: Any) -> None:
    """Raise MeshError unless these are meshes and where they are, as `posed_meshes` makes them."""
    if not isinstance(posed, Posed):
        raise MeshError(f"trees are made of posed meshes, not of {type(posed).__name__}; call implicit_trees(meshes)")
    arrays = all(type(each) is np.ndarray for each in (*posed.bodies, *posed.world))
    if not (arrays and _shapes(posed) and _numbers(posed)):
        raise MeshError("the posed meshes contradict themselves; call implicit_trees(meshes) with the meshes instead")


def _shapes(posed: Posed) -> bool:
    bodies, poses, world = posed
    count, width = len(bodies.first_face) - 1, bodies.vertices.shape[1:]
    kinds: list[tuple[NDArray[Any], str, int]] = [
        (bodies.vertices, "f8", 2),
        (bodies.faces, "i4", 2),
        (bodies.first_vertex, "i8", 1),
        (bodies.first_face, "i8", 1),
        (world.vertices, "f8", 2),
        (world.local, "f4", 2),
        (world.bounds, "f8", 2),
        (world.frame, "f8", 1),
    ]
    return (
        all(array.dtype == np.dtype(kind) and array.ndim == dimension for array, kind, dimension in kinds)
        and width in ((3,), (6,))
        and bodies.vertices.shape == world.vertices.shape == world.local.shape
        and (bodies.faces.shape[1], world.bounds.shape, world.frame.shape) == (3, (count, 6), (4,))
        and (
            poses is None or (type(poses) is np.ndarray and poses.dtype == np.float64 and poses.shape == (count, 3, 4))
        )
    )


def _numbers(posed: Posed) -> bool:
    faces, vertices = posed.bodies.faces, len(posed.bodies.vertices)
    within = len(faces) == 0 or (int(faces.min()) >= 0 and int(faces.max()) < vertices)
    return within and _ascends(posed.bodies.first_face, len(faces)) and _ascends(posed.bodies.first_vertex, vertices)


def _ascends(firsts: NDArray[np.int64], last: int) -> bool:
    """Tell whether numbers go from 0 to a last one and never down."""
    return len(firsts) > 0 and int(firsts[0]) == 0 and int(firsts[-1]) == last and bool((np.diff(firsts) >= 0).all())


def is_list(given: object) -> bool:
    """Tell whether something can be iterated over; arrays without dimensions claim to be iterable, and are not."""
    return isinstance(given, Iterable) and not (isinstance(given, np.ndarray) and given.ndim == 0)


def checked_meshes(given: Iterable[MeshLike]) -> list[Mesh]:
    """Return many meshes; errors say which of them is at fault."""
    if not is_list(given):
        raise MeshError(f"a list of meshes is wanted, not {given!r}; for one mesh, pass [mesh]")
    meshes: list[Mesh] = []
    for mesh in given:
        with said_of(f"meshes[{len(meshes)}]"):
            meshes.append(as_mesh(mesh))
    return meshes


def checked_poses(
    given_poses: Iterable[ArrayLike | None], count: int, before: NDArray[np.float64] | None = None
) -> NDArray[np.float64] | None:
    """Return (t, 3, 4) rigid poses, or None when nothing is moved; None stands for the pose of before."""
    if not is_list(given_poses):
        raise PoseError(f"poses must be a list, a 4×4 matrix or None for each mesh, not {given_poses!r}")
    poses = list(given_poses)
    if len(poses) != count:
        raise PoseError(f"there are {count} meshes, but {len(poses)} poses; give None where a mesh is not moved")
    rows = np.repeat(IDENTITY[None], count, axis=0) if before is None else before.copy()
    for k, given in enumerate(poses):
        with said_of(f"poses[{k}]"):
            pose = as_pose(given)
        if given is not None:
            rows[k] = IDENTITY if pose is None else pose
    return None if (rows == IDENTITY).all() else rows


def _moved(bodies: JoinedMeshes, given_vertices: Iterable[ArrayLike | None]) -> NDArray[np.float64]:
    if not is_list(given_vertices):
        raise MeshError(f"vertices must be a list, those of each mesh or None, not {given_vertices!r}")
    vertices, firsts = list(given_vertices), bodies.first_vertex
    if len(vertices) != len(firsts) - 1:
        raise MeshError(
            f"there are {len(firsts) - 1} meshes, but vertices of {len(vertices)}; give None where none moved"
        )
    moved = bodies.vertices.copy()
    for k, given in enumerate(vertices):
        if given is None:
            continue
        with said_of(f"mesh {k}"):
            own = check_vertices(given)
        due = int(firsts[k + 1] - firsts[k])
        if len(own) != due:
            raise MeshError(f"mesh {k} has {due} vertices, not {len(own)}; make new trees for another mesh")
        moved[firsts[k] : firsts[k + 1]] = own
    return moved
