"""What a library must offer to check configurations of a robot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tumble.scenario.shelves import Obstacle


class RobotFiles(NamedTuple):
    """Where a robot is described."""

    urdf: Path
    srdf: Path
    packages: Path


class Checker(Protocol):
    """A robot among obstacles, ready for questions."""

    def hits(self, Q: NDArray[np.float64], threads: int) -> NDArray[np.bool_]:
        """Which of some configurations collide: each ended by its first contact, in one call of the library."""


class RobotPeer:
    """A library that competes."""

    name: str
    judged = True

    def checker(self, files: RobotFiles, obstacles: Sequence[Obstacle]) -> Any:
        """Make a robot among obstacles."""
        raise NotImplementedError
