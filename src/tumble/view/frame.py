"""From the coordinates of an assembly to those of the picture, in which every assembly has the same size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.mesh.pose import rows_of_quaternion

Points = NDArray[np.float64]

SIZE = 10.0
"""of the assembly's box in the picture, from corner to corner: viser's light, shadows and camera suit it"""


@dataclass(frozen=True)
class Frame:
    """The picture shows `scale * (x - middle)` of what is at x."""

    middle: Points
    scale: float

    @staticmethod
    def of(boxes: Iterable[Points | None]) -> Frame:
        """Return the frame that shows boxes of lowest and highest corners."""
        known = [box for box in boxes if box is not None]
        if not known:
            return Frame(np.zeros(3), 1.0)
        low, high = np.min([box[0] for box in known], axis=0), np.max([box[1] for box in known], axis=0)
        size = float(np.linalg.norm(high - low))
        return Frame((low + high) / 2, SIZE / size if size > 0.0 else 1.0)

    def shown(self, points: Points) -> Points:
        """Return where points are in the picture."""
        return self.scale * (points - self.middle)

    def place(self, pose: Points, centre: Points) -> Points:
        """Return where the centre of a part is shown that has a pose."""
        return self.shown(pose[:3, :3] @ centre + pose[:3, 3])

    def pose(self, wxyz: Points, position: Points, centre: Points) -> Points:
        """Return the pose of a part whose centre is shown at a position, turned by a quaternion."""
        w, x, y, z = (float(each) for each in wxyz)
        length = w * w + x * x + y * y + z * z
        pose = np.eye(4)
        pose[:3, :3] = rows_of_quaternion(w, x, y, z, 2.0 / length)
        pose[:3, 3] = np.asarray(position) / self.scale + self.middle - pose[:3, :3] @ centre
        return pose


def centre_of(mesh: Mesh) -> Points:
    """Return the middle of a mesh's box."""
    return np.zeros(3) if mesh.bounds is None else np.asarray(mesh.bounds, np.float64).mean(axis=0)
