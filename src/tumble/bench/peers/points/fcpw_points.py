"""fcpw: float32, no signs, all cores. Its answer stays the list that it fills: arrays of it take longer."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.points.contract import PointPeer, Points, PointScene


class FcpwScene(PointScene):
    """A scene with a tree by surface areas, vectorized."""

    def __init__(self, fcpw: Any, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> None:
        self.fcpw, self.built = fcpw, fcpw.scene_3D()
        self.built.set_object_count(1)
        self.built.set_object_vertices(np.asfortranarray(vertices, np.float32), 0)
        self.built.set_object_triangles(np.asfortranarray(faces, np.int32), 0)
        self.built.build(fcpw.aggregate_type.bvh_surface_area, True)

    def native(self, points: Points) -> Any:
        """Points and radii of the search, in single precision."""
        return np.asfortranarray(points, np.float32), np.full(len(points), np.inf, np.float32)

    def closest(self, points: Any, threads: int) -> Any:
        """One call."""
        found = self.fcpw.interaction_3D_list()
        self.built.find_closest_points(*points, found)
        return found

    def distances(self, found: Any) -> NDArray[np.floating]:
        """One by one."""
        return np.array([each.d for each in found], np.float32)


class FcpwPoints(PointPeer):
    """fcpw."""

    name, answers = "fcpw", ("closest",)

    def __init__(self) -> None:
        self.library: Any = import_module("fcpw")

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """Its scene."""
        return FcpwScene(self.library, vertices, faces)
