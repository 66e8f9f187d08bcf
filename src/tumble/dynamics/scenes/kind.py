"""What a scene by name is, and what may be said when it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tumble.dynamics.world import World
from tumble.errors import OptionError
from tumble.mesh import MeshLike


@dataclass(frozen=True)
class Options:
    """What may be said about a scene; None leaves it to the scene."""

    mesh: MeshLike | None = None
    """the body that the scene is about"""
    count: int | None = None
    """how many of them"""
    threads: int | None = None
    device: str = "cpu"

    def count_or(self, default: int, least: int = 1) -> int:
        """Return how many bodies there are to be."""
        if self.count is None:
            return default
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < least:
            raise OptionError(f"count must be a whole number from {least}, not {self.count!r}")
        return self.count


@dataclass(frozen=True)
class SceneKind:
    """A scene that has a name."""

    name: str
    summary: str
    """one line"""
    steps: int
    """how long it is worth looking at"""
    make: Callable[[Options], World]
