"""MeshLib: float32, several threads where it likes; the only other library with a signed distance of two meshes."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import Peer, Poses

# What MeshLib calls its relations; two meshes of which each has parts inside the other cross.
WORDS = {
    "BothOutside": "apart",
    "BothInside": "crossing",
    "AInside": "a_inside_b",
    "BInside": "b_inside_a",
    "Colliding": "crossing",
    "Touching": "touching",
}


class MeshLibPair:
    """Two meshes."""

    def __init__(self, meshlib: Any, a: Any, b: Any) -> None:
        self.meshlib, self.a, self.b = meshlib, a, b

    def native(self, poses: Poses) -> list[Any]:
        """Affine maps in single precision."""
        meshlib = self.meshlib
        return [
            meshlib.AffineXf3f(meshlib.Matrix3f(*map(self._vector, pose[:3, :3])), self._vector(pose[:3, 3]))
            for pose in poses
        ]

    def _vector(self, row: NDArray[np.float64]) -> Any:
        return self.meshlib.Vector3f(*row.tolist())

    def distances(self, poses: Sequence[Any]) -> NDArray[np.float32]:
        """One `findDistance` a pose."""
        a, b, find = self.a, self.b, self.meshlib.findDistance
        return np.sqrt([find(a, b, pose).distSq for pose in poses]).astype(np.float32)

    def signed_distances(self, poses: Sequence[Any]) -> NDArray[np.float32]:
        """One `findSignedDistance` a pose."""
        a, b, find = self.a, self.b, self.meshlib.findSignedDistance
        return np.array([find(a, b, pose).signedDist for pose in poses], np.float32)

    def relations(self, poses: Sequence[Any]) -> list[str]:
        """One `findCollisionStatus` a pose."""
        a, b, find = self.a, self.b, self.meshlib.findCollisionStatus
        return [WORDS.get(find(a, b, pose).name, "unknown") for pose in poses]


class MeshLibPeer(Peer):
    """MeshLib."""

    name, pair_type, brief = "meshlib", MeshLibPair, True
    questions = ("distances", "signed_distances", "relations")

    def __init__(self) -> None:
        self.library: Any = import_module("meshlib.mrmeshpy")
        self.arrays: Any = import_module("meshlib.mrmeshnumpy")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A mesh; its tree is made at the first query."""
        return self.arrays.meshFromFacesVerts(faces.astype(np.int32), vertices.astype(np.float32))
