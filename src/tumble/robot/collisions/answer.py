"""The answer of a question about contacts of a robot in many configurations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import FrozenArrays
from tumble.errors import OptionError

Name = str | None


@dataclass(frozen=True, eq=False)
class RobotCollisions(FrozenArrays):
    """Which of n configurations of a robot collide."""

    hit: NDArray[np.bool_]
    """(n,) whether links touch each other that may not, or an obstacle"""
    rows: NDArray[np.int64] | None
    """(m, 3) configuration, number of a link, and that of another link or -1 - that of an obstacle, sorted; None unless
    links were asked for"""
    links: Sequence[str]
    """the names of the robot's links"""
    obstacles: Sequence[Name]
    """the names of the bodies of the scene; None for a mesh"""

    def touching(self, configuration: int) -> list[tuple[str, Name]]:
        """Return who touches whom in a configuration, by name: a link, and a link or an obstacle."""
        if self.rows is None:
            raise OptionError("which links touch was not asked for: call robot.collides(..., links=True)")
        number = range(len(self.hit))[configuration]
        start, stop = np.searchsorted(self.rows[:, 0], [number, number + 1])
        return [(self.links[a], self.name_of(b)) for _, a, b in self.rows[start:stop].tolist()]

    def name_of(self, number: int) -> Name:
        """Return the name of what stands in the last column of `rows`."""
        return self.links[number] if number >= 0 else self.obstacles[-1 - number]

    def __len__(self) -> int:
        return len(self.hit)

    def __repr__(self) -> str:
        return f"<RobotCollisions: {int(self.hit.sum())} of {len(self.hit)} configurations collide>"
