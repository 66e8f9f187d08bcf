"""Klampt: PQP (rectangle swept spheres) behind Geometry3D; only distances are asked of it."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import Peer, Poses


class KlamptPair:
    """Two geometries; the second one is moved. They are copies, as a geometry keeps its pose."""

    def __init__(self, klampt: Any, a: Any, b: Any) -> None:
        self.a, self.b, self.settings = a.copy(), b.copy(), klampt.DistanceQuerySettings()

    def native(self, poses: Poses) -> list[Any]:
        """Rotations by columns and translations, as lists."""
        return [(pose[:3, :3].T.ravel().tolist(), pose[:3, 3].tolist()) for pose in poses]

    def distances(self, poses: Sequence[Any]) -> NDArray[np.float64]:
        """One query a pose, with nearest points."""
        move, distance, b, settings = self.b.setCurrentTransform, self.a.distance_ext, self.b, self.settings
        found = []
        for pose in poses:
            move(*pose)
            found.append(distance(b, settings).d)
        return np.maximum(found, 0.0)

    def within(self, poses: Sequence[Any], clearance: float) -> list[bool]:
        """One tolerance query a pose."""
        move, within, b = self.b.setCurrentTransform, self.a.withinDistance, self.b
        hits = []
        for pose in poses:
            move(*pose)
            hits.append(bool(within(b, clearance)))
        return hits


class KlamptPeer(Peer):
    """Klampt."""

    name, pair_type = "klampt", KlamptPair
    questions = ("distances", "within")

    def __init__(self) -> None:
        self.library: Any = import_module("klampt")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A triangle mesh; PQP's tree is made at the first query."""
        mesh = self.library.TriangleMesh()
        mesh.setVertices(vertices.copy())
        mesh.setIndices(faces.astype(np.int32))
        return self.library.Geometry3D(mesh)
