"""Which links of a robot touch each other in many configurations, and how deep the worst contacts are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.penetration import penetration_many
from tumble.core.parallel import thread_count
from tumble.mesh import Mesh

if TYPE_CHECKING:
    from tumble.robot.robot import Robot

MEMORY = 2**28
"""bytes for the rows and answers of the configurations that are looked at together"""


def pieces(robot: Robot, count: int, pairs: NDArray[np.int64]) -> list[slice]:
    """Return the rows of so many configurations in pieces, for `touching`."""
    size = max(1, MEMORY // (8 * len(robot.joints) + len(pairs) + 1))
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]


def touching(robot: Robot, Q: NDArray[np.float64], threads: int | None = None) -> NDArray[np.bool_]:
    """Return (n, k) whether the surfaces of the links of each of `robot.pairs` touch in each checked configuration."""
    from tumble.robot.collisions.pairs import pairs_touching

    return pairs_touching(robot._prepared, Q, thread_count(threads))


def worst_depth(robot: Robot, Q: NDArray[np.float64], pair: tuple[int, int], threads: int | None = None) -> float:
    """Return the largest depth of a pair of links in some configurations; NaN for none."""
    i, j = pair
    poses, (a, b) = robot.poses(Q, threads), _meshes(robot, i, j)
    found = penetration_many(a, b, poses[:, j], poses[:, i], solid=None, threads=threads)
    return max((each.depth for each in found), default=math.nan)


def _meshes(robot: Robot, i: int, j: int) -> tuple[Mesh, Mesh]:
    a, b = robot.meshes[i], robot.meshes[j]
    assert a is not None
    assert b is not None
    return a, b
