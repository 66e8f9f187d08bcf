"""What a library must offer to compete with points.

    scene = peer.scene(vertices, faces)         # its tree over a mesh, made once where it can be kept
    points = scene.native(array)                # the points in the library's own type, made beforehand
    found = scene.closest(points, threads)      # nearest points, triangles, distances, as the library delivers them
    found = scene.signed(points, threads)       # the same with signs, negative inside
    scene.distances(found)                      # (n,) the distances of either, to be compared: float32 or float64

Only what is behind `closest` and `signed` is timed. Libraries that cannot be told how many threads to use take all.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


class PointScene:
    """A mesh that points are asked about."""

    def native(self, points: Points) -> Any:
        """The points in the library's own type."""
        return points

    def closest(self, points: Any, threads: int) -> Any:
        """Nearest points."""
        raise NotImplementedError

    def signed(self, points: Any, threads: int) -> Any:
        """Signed distances."""
        raise NotImplementedError

    def distances(self, found: Any) -> NDArray[np.floating]:
        """The distances in an answer."""
        return np.asarray(found)


class PointPeer:
    """A library that competes."""

    name: str
    """in tables and files"""
    judged = True
    """whether ratios are taken against it; the others run for context"""
    brief = False
    """whether it takes so long that it runs a few rounds only"""
    answers: tuple[str, ...] = ("closest", "signed")
    """what it can be asked"""
    most_points = 10**9
    """more points are not given to it: it gets the first of them, and its time counts by as much more"""

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """Build the library's tree over a mesh."""
        raise NotImplementedError
