"""Warp on the CPU: float32, one thread, signs by winding numbers or by normals; kernels of `warp_kernels`."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.points.contract import PointPeer, Points, PointScene

FARTHEST = 1e6
ERRORS = 40
"""the level from which on Warp says something, as in `logging`"""


class WarpScene(PointScene):
    """A mesh on the CPU."""

    def __init__(self, warp: Any, kernels: tuple[Any, Any], vertices: Any, faces: Any) -> None:
        self.warp, self.kernels = warp, kernels
        self.mesh = warp.Mesh(
            points=warp.array(vertices, dtype=warp.vec3, device="cpu"),
            indices=warp.array(faces.ravel(), dtype=int, device="cpu"),
            support_winding_number=True,
        )

    def native(self, points: Points) -> Any:
        """An array of vectors."""
        return self.warp.array(points, dtype=self.warp.vec3, device="cpu")

    def closest(self, points: Any, threads: int) -> Any:
        """One launch."""
        return self._launch(self.kernels[0], points)

    def signed(self, points: Any, threads: int) -> Any:
        """One launch."""
        return self._launch(self.kernels[1], points)

    def _launch(self, kernel: Any, points: Any) -> Any:
        warp, count = self.warp, len(points)
        kinds = (warp.vec3, int, float)
        found = [warp.empty(count, dtype=kind, device="cpu") for kind in kinds]
        warp.launch(kernel, dim=count, inputs=[self.mesh.id, points, FARTHEST, *found], device="cpu")
        return [each.numpy() for each in found]

    def distances(self, found: Any) -> NDArray[np.floating]:
        """The last array."""
        return np.asarray(found[2])


class WarpPoints(PointPeer):
    """Warp with one of its signs."""

    def __init__(self, sign: str = "winding") -> None:
        self.library: Any = import_module("warp")
        # it announces itself on stdout; the name of the setting depends on the version
        self.library.config.quiet, self.library.config.log_level = True, ERRORS
        kernels = import_module("tumble.bench.peers.points.warp_kernels")
        self.kernels = kernels.closest, getattr(kernels, f"signed_by_{sign}")
        if sign == "winding":
            self.name = "warp"
        else:
            self.name, self.answers = f"warp-{sign}", ("signed",)

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """A mesh."""
        return WarpScene(self.library, self.kernels, vertices, faces)
