"""libigl: float64, all cores. Nearest points over a kept tree; signed distances build their tree in each call.

Signs by pseudonormals, or by the fast winding number.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.points.contract import PointPeer, PointScene


class LibiglScene(PointScene):
    """A tree with its mesh."""

    def __init__(self, igl: Any, mesh: tuple[Any, Any], sign: Any) -> None:
        self.igl, self.mesh, self.sign, self.tree = igl, mesh, sign, igl.AABB()
        self.tree.init(*mesh)

    def closest(self, points: Any, threads: int) -> Any:
        """Squared distances, triangles, points."""
        squared, triangles, places = self.tree.squared_distance(*self.mesh, points)
        return np.sqrt(squared), triangles, places

    def signed(self, points: Any, threads: int) -> Any:
        """Distances, triangles, points, normals."""
        return self.igl.signed_distance(points, *self.mesh, self.sign)

    def distances(self, found: Any) -> NDArray[np.floating]:
        """The first array."""
        return np.asarray(found[0])


class LibiglPoints(PointPeer):
    """libigl with one of its signs."""

    def __init__(self, sign: str = "PSEUDONORMAL") -> None:
        self.library: Any = import_module("igl")
        self.sign = getattr(self.library.SignedDistanceType, f"SIGNED_DISTANCE_TYPE_{sign}")
        if sign == "PSEUDONORMAL":
            self.name = "libigl"
        else:
            self.name, self.answers = "libigl-winding", ("signed",)

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """Its tree."""
        return LibiglScene(self.library, (vertices, faces), self.sign)
