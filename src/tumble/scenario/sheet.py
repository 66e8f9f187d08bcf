"""A sheet that falls over a ball, frame by frame: drawn on it, hanging down around it, and at last in folds.

No physics: where each vertex goes is a formula, so every frame can be had at once and is the same everywhere. In the
last third the folds of the hanging part grow until they cut through each other.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.mesh.shapes import cloth, icosphere

FRAMES = 300
RADIUS = 0.3
"""of the ball, in sides of the sheet"""
FOLDS = 9


class SheetOverBall:
    """The sheet of 2 n² triangles and the ball, at the origin, in frames 0 to FRAMES - 1."""

    def __init__(self, n: int = 40, subdivisions: int = 3) -> None:
        flat = cloth(n, n, wave=0.0)
        self.faces = flat.faces
        self.ball = icosphere(subdivisions, RADIUS)
        x, y = flat.vertices[:, 0], flat.vertices[:, 1]
        self._along, self._angle = np.hypot(x, y), np.arctan2(y, x)
        # a little uneven, as cloth is; otherwise its triangles would meet in ways that only drawings have
        self._uneven = np.random.default_rng(n).normal(size=flat.vertices.shape) * 0.02 / n

    def vertices(self, frame: int) -> NDArray[np.float64]:
        """Return where the vertices are in a frame."""
        time = frame / (FRAMES - 1)
        # the sheet clings to the ball down to the equator, and hangs from there
        reach = 0.5 * np.pi * min(1.0, 1.5 * time)
        on_ball = np.minimum(self._along / RADIUS, reach)
        hanging = np.maximum(self._along - RADIUS * reach, 0.0)
        out, down = np.sin(reach), np.cos(reach)
        away = RADIUS * np.sin(on_ball) + hanging * down
        height = RADIUS * np.cos(on_ball) - hanging * out
        fold = 6.0 * max(0.0, time - 0.6) * hanging
        angle = self._angle + fold / RADIUS * np.sin(FOLDS * self._angle + 20.0 * time)
        away = away + fold * np.cos(FOLDS * self._angle)
        place = np.stack([away * np.cos(angle), away * np.sin(angle), height], axis=1)
        return place + self._uneven

    def mesh(self, frame: int) -> Mesh:
        """Return the sheet of a frame."""
        return Mesh(self.vertices(frame), self.faces)
