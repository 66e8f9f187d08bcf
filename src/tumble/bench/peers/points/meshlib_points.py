"""MeshLib: float32, all cores, signs by pseudonormals. Its answers stay the vectors that it fills."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.points.contract import PointPeer, Points, PointScene

FARTHEST = 3.4028234663852886e38


class MeshLibScene(PointScene):
    """A mesh with its projector."""

    def __init__(self, meshlib: Any, arrays: Any, mesh: Any) -> None:
        self.meshlib, self.arrays, self.mesh = meshlib, arrays, mesh
        self.projector = meshlib.PointsToMeshProjector()
        self.projector.updateMeshData(mesh)

    def native(self, points: Points) -> Any:
        """A vector, as points and as vertices."""
        vector, vertices = self.arrays.fromNumpyArray(points.astype(np.float32)), self.meshlib.VertCoords()
        vertices.vec = vector
        return vector, vertices

    def closest(self, points: Any, threads: int) -> Any:
        """Projections."""
        found = self.meshlib.std_vector_MeshProjectionResult()
        self.projector.findProjections(found, points[0], None, None, FARTHEST, 0.0)
        return found

    def signed(self, points: Any, threads: int) -> Any:
        """Distances alone."""
        return self.meshlib.findSignedDistances(self.mesh, points[1])

    def distances(self, found: Any) -> NDArray[np.floating]:
        """One by one."""
        if hasattr(found, "vec"):
            return np.array(list(found.vec), np.float32)
        return np.sqrt([each.distSq for each in found]).astype(np.float32)


class MeshLibPoints(PointPeer):
    """MeshLib."""

    name = "meshlib"

    def __init__(self) -> None:
        self.library: Any = import_module("meshlib.mrmeshpy")
        self.arrays: Any = import_module("meshlib.mrmeshnumpy")

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """A mesh."""
        mesh = self.arrays.meshFromFacesVerts(faces.astype(np.int32), vertices.astype(np.float32))
        return MeshLibScene(self.library, self.arrays, mesh)
