"""Which links of a robot touch each other in many configurations, and how deep the worst contacts are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.collide import collide_many
from tumble.api.penetration import penetration_many
from tumble.mesh import Mesh

if TYPE_CHECKING:
    from tumble.robot.robot import Robot

PIECE = 20_000
"""configurations whose poses are in memory at a time"""


def touching(
    robot: Robot, Q: NDArray[np.float64], pairs: NDArray[np.int64], threads: int | None = None
) -> NDArray[np.bool_]:
    """Return (n, k) whether the surfaces of the links of each pair touch in each configuration."""
    found = np.zeros((len(Q), len(pairs)), bool)
    for start in range(0, len(Q), PIECE):
        rows = slice(start, start + PIECE)
        poses = robot.poses(Q[rows], threads)
        for column, (i, j) in enumerate(pairs.tolist()):
            a, b = _meshes(robot, i, j)
            found[rows, column] = collide_many(a, b, poses[:, j], poses[:, i], threads=threads).hit
    return found


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
