"""The obstacles of a robot: all triangles that stand still, posed and merged into one mesh with one tree.

A triangle is posed here as it is everywhere, and then stays where it is: so a link touches the merged mesh exactly
where it touches the obstacle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, apply_pose, as_mesh
from tumble.mesh.mesh import concatenated
from tumble.robot.collisions.turned_tree import best_turn, turned_tree
from tumble.scene import Scene

Bodies: TypeAlias = tuple[Sequence[str | None], Sequence[Mesh], NDArray[np.float64]]
"""names, meshes and (n, 4, 4) poses"""


class Obstacles(NamedTuple):
    """What kernels know of a world, which keeps the tree alive."""

    tree: int
    """the address of the packed tree over all triangles, or 0 where there are none: for distances"""
    turned: int
    """that of `turned_tree`: for contacts"""
    turn: NDArray[np.float64]
    """(4, 4) the frame of that tree"""
    bounds: NDArray[np.float64]
    """(2, 3) the box around all of them"""
    owners: NDArray[np.int64]
    """(triangles,) the number of the obstacle that each belongs to"""


class World:
    """Obstacles that stand still: a copy of a scene at one moment, made once and asked many times."""

    def __init__(self, names: Sequence[str | None], meshes: Sequence[Mesh], poses: NDArray[np.float64]) -> None:
        self.names = tuple(names)
        """of the obstacles; None for a mesh that is not a body of a scene"""
        self.meshes = tuple(meshes)
        self.poses = poses
        posed = [Mesh(apply_pose(pose, mesh.vertices), mesh.faces) for mesh, pose in zip(meshes, poses, strict=True)]
        self.mesh = concatenated(posed)
        """all triangles, in the world"""
        self.owners = frozen(np.repeat(np.arange(len(posed)), [len(mesh) for mesh in posed]).astype(np.int64))
        bounds = np.zeros((2, 3)) if self.mesh.bounds is None else self.mesh.bounds
        turn = best_turn(self.mesh, meshes, poses)
        self._turned = turned_tree(self.mesh, turn)
        trees = (packed(self.mesh).address, self._turned.address) if len(self.mesh) else (0, 0)
        self.obstacles = Obstacles(*trees, frozen(turn), frozen(bounds), self.owners)

    def same_as(self, names: Sequence[str | None], meshes: Sequence[Mesh], poses: NDArray[np.float64]) -> bool:
        """Tell whether this is the world of some bodies."""
        alike = self.names == tuple(names) and all(a is b for a, b in zip(self.meshes, meshes, strict=True))
        return alike and np.array_equal(self.poses, poses)

    def __repr__(self) -> str:
        return f"<World of {len(self.names)} obstacles, {len(self.mesh)} triangles>"


def bodies_in(scene: Any) -> Bodies:
    """Return names, meshes and poses of what a robot is asked to keep clear of: a scene, or a mesh as it was drawn."""
    if scene is None:
        return [], [], np.empty((0, 4, 4))
    if isinstance(scene, Scene):
        with scene._lock:
            moment = scene._table.moment()
        slots = [slot for slot, mesh in enumerate(moment.bodies.shapes) if mesh is not None]
        meshes = [moment.bodies.mesh(slot) for slot in slots]
        return [moment.names[slot] for slot in slots], meshes, moment.bodies.poses[slots]
    return [None], [as_mesh(scene)], np.eye(4)[None]
