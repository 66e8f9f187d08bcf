"""Tumble, as it checks configurations."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.ours import OURS
from tumble.bench.peers.robots.contract import RobotFiles, RobotPeer
from tumble.robot import Robot
from tumble.scenario.shelves import Obstacle
from tumble.scene import Scene


def robot_of(files: RobotFiles) -> Robot:
    """Return the robot that files describe."""
    return Robot.load(files.urdf, files.srdf, package_dirs=files.packages)


class TumbleChecker:
    """A robot and a scene."""

    def __init__(self, robot: Robot, obstacles: Sequence[Obstacle]) -> None:
        self.robot, self.scene = robot, Scene()
        for each in obstacles:
            self.scene.add(each.name, each.mesh, each.pose)

    def hits(self, Q: NDArray[np.float64], threads: int) -> NDArray[np.bool_]:
        """Which of some configurations collide."""
        return self.robot.collides(Q, self.scene, threads=threads).hit


class TumbleRobots(RobotPeer):
    """`Robot.collides`."""

    name = OURS

    def checker(self, files: RobotFiles, obstacles: Sequence[Obstacle]) -> TumbleChecker:
        """Make a robot among obstacles."""
        return TumbleChecker(robot_of(files), obstacles)
