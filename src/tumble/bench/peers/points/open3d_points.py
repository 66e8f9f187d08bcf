"""Open3D's RaycastingScene: float32, Embree's tree, signs by the parity of a ray."""

from __future__ import annotations

import ctypes
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.points.contract import PointPeer, Points, PointScene


class Open3dScene(PointScene):
    """A RaycastingScene."""

    def __init__(self, open3d: Any, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> None:
        self.tensor, self.scene = open3d.core.Tensor, open3d.t.geometry.RaycastingScene()
        self.scene.add_triangles(self.tensor(vertices.astype(np.float32)), self.tensor(faces.astype(np.uint32)))

    def native(self, points: Points) -> Any:
        """A tensor in single precision."""
        return self.tensor(points.astype(np.float32)), points.astype(np.float32)

    def closest(self, points: Any, threads: int) -> Any:
        """Points and triangles; distances are made of them."""
        found = self.scene.compute_closest_points(points[0], nthreads=threads)
        places = found["points"].numpy()
        return np.linalg.norm(places - points[1], axis=1), places, found["primitive_ids"].numpy()

    def signed(self, points: Any, threads: int) -> Any:
        """Distances alone: nearest points would take another call."""
        return (self.scene.compute_signed_distance(points[0], nthreads=threads).numpy(),)

    def distances(self, found: Any) -> NDArray[np.floating]:
        """The first array."""
        return np.asarray(found[0])


class Open3dPoints(PointPeer):
    """Open3D."""

    name = "open3d"

    def __init__(self) -> None:
        if find_spec("libusb_package") is not None:  # Open3D needs libusb, for cameras, and does not bring it
            library = import_module("libusb_package").get_library_path()
            ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        self.library: Any = import_module("open3d")

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """Its scene."""
        return Open3dScene(self.library, vertices, faces)
