"""What a world by name is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import product
from tumble.dynamics import Settings, World
from tumble.errors import MeshError, OptionError
from tumble.mesh import Mesh


@dataclass(frozen=True)
class WorldKind:
    """A scene that has a name."""

    name: str
    summary: str
    """one line"""
    steps: int
    """the length of its interesting part"""
    fill: Callable[[World, int, Mesh | None], None]
    """puts a number of bodies into an empty world, those of another mesh if one is given"""
    count: int
    """the number of these bodies, and the smallest"""
    least: int = 1
    no_mesh: str = ""
    """why another mesh makes no sense here; empty where it does"""
    time_step: float = 0.01
    settings: Settings | None = None

    def checked_count(self, count: int | None) -> int:
        """Return the number of bodies; None leaves it to the scene."""
        if count is None:
            return self.count
        if isinstance(count, bool) or not isinstance(count, int) or count < self.least:
            raise OptionError(f"count must be a whole number from {self.least}, not {count!r}")
        return count


def fitted(mesh: Mesh, size: float, axes: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None) -> Mesh:
    """Return the mesh about the origin with a longest side of `size`: the units of a user's mesh are unknown.

    `axes` gives a rotation matrix for the lengths of the sides of its bounding box; None leaves them.
    """
    used = mesh.vertices[np.unique(mesh.faces)]
    if len(used) == 0:
        raise MeshError("a scene needs a closed mesh, and this one has no faces")
    low, high = used.min(axis=0), used.max(axis=0)
    vertices = mesh.vertices - (low + high) / 2
    if axes is not None:
        vertices = product(vertices, axes(high - low).T)
    return Mesh(vertices * (size / float((high - low).max())), mesh.faces)
