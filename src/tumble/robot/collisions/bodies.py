"""The links of a robot that have a shape, as kernels take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.hierarchy.packed import packed
from tumble.robot.collisions.balls import BALLS, balls_of
from tumble.robot.collisions.gap_record import GapTables, no_tables
from tumble.robot.kinematics import NONE, Kinematics

if TYPE_CHECKING:
    from tumble.robot.robot import Robot

ROUNDING = 2.0**-44
"""how far each joint takes a pose from a rotation, at most: it is off by some 2**-51"""


class LinkBodies(NamedTuple):
    """Links with a shape; the robot's meshes keep their trees alive."""

    links: NDArray[np.int64]
    """(bodies,) the number of each one's link"""
    trees: NDArray[np.int64]
    """(bodies,) the address of its packed tree"""
    deviations: NDArray[np.float64]
    """(bodies,) how far its pose may be from a rotation, see `tumble.mesh.rigid_kernel.checked`"""
    balls: NDArray[np.float64]
    """(bodies, BALLS, 4) in the frame of the link, see `tumble.robot.collisions.balls`"""
    pairs: NDArray[np.int64]
    """(pairs, 2) the numbers of two bodies that must not touch"""
    tables: GapTables
    """for some of the pairs, how far they are apart at least"""


def bodies_of(robot: Robot) -> LinkBodies:
    """Return the links of a robot that have a shape."""
    shaped = [(link, mesh) for link, mesh in enumerate(robot.meshes) if mesh is not None and len(mesh)]
    links = np.array([link for link, _ in shaped], np.int64)
    trees = np.array([packed(mesh).address for _, mesh in shaped], np.int64)
    balls = [balls_of(mesh) for _, mesh in shaped]
    number = np.full(len(robot.links), NONE, np.int64)
    number[links] = np.arange(len(links))
    deviations = deviations_of(robot.kinematics)[links]
    return LinkBodies(
        frozen(links),
        frozen(trees),
        frozen(deviations),
        frozen(np.array(balls).reshape(len(links), BALLS, 4)),
        frozen(np.ascontiguousarray(number[robot.pairs])),
        no_tables(len(robot.pairs)),
    )


def fixed_links(kinematics: Kinematics) -> NDArray[np.bool_]:
    """Return (links,) which have the same pose in all configurations, to the last bit."""
    fixed = kinematics.columns == NONE
    for link, parent in enumerate(kinematics.parents.tolist()):
        fixed[link] &= parent == NONE or fixed[parent]
    return fixed


def deviations_of(kinematics: Kinematics) -> NDArray[np.float64]:
    """Return (links,) how far the pose of each link may be from a rotation, whatever the configuration.

    Deviations of factors add up, but for products of several, which the factor of two covers.
    """
    turns = kinematics.origins[:, :3, :3]
    own = np.abs(np.einsum("kij,kil->kjl", turns, turns) - np.eye(3)).max(axis=(1, 2)) + ROUNDING
    total = own.copy()
    for link, parent in enumerate(kinematics.parents.tolist()):
        total[link] += total[parent] if parent != NONE else 0.0
    return 2.0 * total
