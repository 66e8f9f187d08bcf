"""Tumble as it competes: `closest_points` and `signed_distance`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.points.contract import PointPeer, PointScene
from tumble.hierarchy.packed import packed


class TumbleScene(PointScene):
    """A mesh."""

    def __init__(self, mesh: tumble.Mesh) -> None:
        self.mesh = mesh

    def closest(self, points: Any, threads: int) -> Any:
        """One call."""
        return tumble.closest_points(self.mesh, points, threads=threads)

    def signed(self, points: Any, threads: int) -> Any:
        """One call."""
        return tumble.signed_distance(self.mesh, points, threads=threads)

    def distances(self, found: Any) -> NDArray[np.floating]:
        """An array of the answer."""
        return np.asarray(found.distances)


class TumblePoints(PointPeer):
    """Tumble."""

    name = OURS

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """A Mesh with its tree built."""
        mesh = tumble.Mesh(vertices, faces)
        packed(mesh)
        return TumbleScene(mesh)
