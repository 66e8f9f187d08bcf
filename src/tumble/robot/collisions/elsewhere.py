"""`robot.collides(client=)`: configurations in chunks, each answered by a worker of a cluster as on one machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.cluster import map_rows
from tumble.cluster.checkpoint import digest_of
from tumble.mesh import Mesh
from tumble.robot.clearances import Clearances
from tumble.robot.collisions.answer import RobotCollisions
from tumble.robot.collisions.asked import Check
from tumble.robot.collisions.check import collisions
from tumble.robot.collisions.world import Bodies

if TYPE_CHECKING:
    from tumble.robot.robot import Robot


class Shared(NamedTuple):
    """What travels to each worker once."""

    robot: Robot
    obstacles: Bodies
    clearance: Clearances
    self_collision: bool


def collisions_elsewhere(check: Check, client: Any) -> RobotCollisions:
    """Answer which configurations collide, by the workers of a cluster."""
    robot, world = check.prepared.robot, check.world
    shared = Shared(robot, (world.names, world.meshes, world.poses), check.clearance, check.self_collision)
    (hit,) = map_rows(_hits, (check.Q,), shared, client, what="configurations", digests=_digests(shared))
    hit.flags.writeable = False
    return RobotCollisions(hit, None, tuple(robot.links), world.names)


def _hits(shared: Shared, Q: NDArray[np.float64]) -> tuple[NDArray[np.bool_]]:
    """Return which of some configurations collide; a worker runs several chunks at a time, each in a thread."""
    prepared = shared.robot._prepared
    check = Check(prepared, prepared.world_of(shared.obstacles), Q, shared.clearance, shared.self_collision, 1)
    return (collisions(check, links=False).hit,)


def _digests(shared: Shared) -> dict[str, str]:
    """Return what the answer depends on besides the configurations, for checkpoints."""
    robot, (_, meshes, poses) = shared.robot, shared.obstacles
    return {
        "the robot": digest_of([*robot.kinematics, *_arrays(robot.meshes), robot.pairs]),
        "the obstacles": digest_of([*_arrays(meshes), poses]),
        "the options": repr((shared.clearance, shared.self_collision)),
    }


def _arrays(meshes: Iterable[Mesh | None]) -> list[NDArray[Any] | None]:
    """Return the arrays of meshes; None stands for a link without one."""
    found: list[NDArray[Any] | None] = []
    for mesh in meshes:
        found += [None] if mesh is None else [mesh.vertices, mesh.faces]
    return found
