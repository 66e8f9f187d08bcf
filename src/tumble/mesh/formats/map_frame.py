"""Where the coordinates of a building's file are on the map, so that files with origins of their own fit together.

Coordinates on the map are large (millions of metres), and turning them rounds. So files
are never moved to the map: the first one keeps its coordinates, and another one is moved by the difference, if there is
one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class MapFrame(NamedTuple):
    """A local origin on the map, in metres, and the local x axis: turned to (cosine, sine), stretched by `scale`."""

    eastings: float
    northings: float
    height: float
    cosine: float = 1.0
    sine: float = 0.0
    scale: float = 1.0
    system: str = ""
    """the name of the map's coordinate system"""

    def seen_from(self, other: MapFrame) -> NDArray[np.float64] | None:
        """Return the 4×4 matrix from this frame to another, in metres; None if they are the same."""
        if self == other:
            return None
        if self.system != other.system:
            raise ValueError(f"its coordinates are in {self.system or 'no named system'}, others in {other.system}")
        step = np.array([getattr(self, axis) - getattr(other, axis) for axis in ("eastings", "northings", "height")])
        matrix = np.eye(4)
        if (self.cosine, self.sine) != (other.cosine, other.sine):  # else nothing is turned, to the last bit
            matrix[:3, :3] = other._turn().T @ self._turn()
        matrix[:3, :3] *= self.scale / other.scale
        matrix[:3, 3] = other._turn().T @ step / other.scale
        return matrix

    def _turn(self) -> NDArray[np.float64]:
        return np.array([[self.cosine, -self.sine, 0.0], [self.sine, self.cosine, 0.0], [0.0, 0.0, 1.0]])
