"""trimesh's CollisionManager, for context: what most people use, a layer over python-fcl (scenes only)."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import Peer, Poses, Touching


class TrimeshCrowd:
    """Bodies under their numbers as names."""

    def __init__(self, collision: Any, solid: Any, count: int) -> None:
        self.manager = collision.CollisionManager()
        self.names = [str(index) for index in range(count)]
        for name in self.names:
            self.manager.add_object(name, solid)

    def native(self, poses: Poses) -> Poses:
        """Matrices: trimesh converts them at each move."""
        return poses

    def touching(self, poses: Any) -> Any:
        """Move one by one, then ask with names and data."""
        for name, pose in zip(self.names, poses, strict=True):
            self.manager.set_transform(name, pose)
        _, names, contacts = self.manager.in_collision_internal(return_names=True, return_data=True)
        ids = np.array([[contact.index(name) for name in sorted(contact.names)] for contact in contacts])
        return names, ids

    def as_touching(self, found: Any) -> Touching:
        """Numbers from names."""
        names, ids = found
        bodies = {(min(i, j), max(i, j)) for i, j in ((int(a), int(b)) for a, b in names)}
        return Touching(bodies, len(ids))


class TrimeshPeer(Peer):
    """trimesh; for pairs it is FCL, and does not compete."""

    name, judged, crowd_type = "trimesh", False, TrimeshCrowd

    def __init__(self) -> None:
        import_module("fcl")  # trimesh itself is always there, its manager needs FCL
        self.trimesh: Any = import_module("trimesh")
        self.library: Any = import_module("trimesh.collision")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A Trimesh, as it is given."""
        return self.trimesh.Trimesh(vertices, faces, process=False)
