"""What a world by name is, and the options with which it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics import Settings, World
from tumble.errors import MeshError, OptionError
from tumble.mesh import Mesh, MeshLike


@dataclass(frozen=True)
class WorldOptions:
    """The options of a scene; None leaves the choice to the scene."""

    mesh: MeshLike | None = None
    """the body that the scene is about"""
    count: int | None = None
    """the number of these bodies"""
    threads: int | None = None
    device: str = "cpu"

    def count_or(self, default: int, least: int = 1) -> int:
        """Return the number of bodies."""
        if self.count is None:
            return default
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < least:
            raise OptionError(f"count must be a whole number from {least}, not {self.count!r}")
        return self.count

    def empty_world(self, step: float = 0.01, settings: Settings | None = None) -> World:
        """Return a world without bodies."""
        return World(step=step, settings=settings, threads=self.threads, device=self.device)


@dataclass(frozen=True)
class WorldKind:
    """A scene that has a name."""

    name: str
    summary: str
    """one line"""
    steps: int
    """the length of its interesting part"""
    make: Callable[[WorldOptions], World]
    no_mesh: str = ""
    """why another mesh makes no sense here; empty where it does"""


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
        vertices = vertices @ axes(high - low).T
    return Mesh(vertices * (size / float((high - low).max())), mesh.faces)
