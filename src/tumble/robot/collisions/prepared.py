"""What a robot keeps between calls: its links as kernels take them, and the obstacles that it was asked about last."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.robot.clearances import Clearances, clearances_of_questions
from tumble.robot.collisions.balls import BALLS
from tumble.robot.collisions.bodies import LinkBodies, bodies_of, fixed_links
from tumble.robot.collisions.check_kernel import Work
from tumble.robot.collisions.world import Bodies, World, bodies_in
from tumble.robot.motion_levers import Levers, levers_of

if TYPE_CHECKING:
    from tumble.robot.robot import Robot


class Prepared:
    """A robot, ready for questions about contacts."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._world: World | None = None
        self.asked = 0
        """configurations, about"""
        self.has_tables = False
        self.elsewhere: Any = None
        """what was sent to the workers of a cluster last"""

    @cached_property
    def bodies(self) -> LinkBodies:
        """The links that have a shape."""
        return bodies_of(self.robot)

    @cached_property
    def levers(self) -> Levers:
        """How fast joints move links."""
        return levers_of(self.robot.kinematics, self.bodies, len(self.robot.joints))

    @cached_property
    def size(self) -> float:
        """About how far the robot reaches: its joints in one line, and the farthest vertex."""
        ways = np.linalg.norm(self.robot.kinematics.origins[:, :3, 3], axis=1)
        balls = self.bodies.balls[:, 0]
        return float(ways.sum() + (np.linalg.norm(balls[:, :3], axis=1) + balls[:, 3]).max(initial=0.0))

    def world(self, scene: Any) -> World:
        """Return the obstacles of a scene as they are now; the same object where nothing has changed."""
        return self.world_of(bodies_in(scene))

    def world_of(self, bodies: Bodies) -> World:
        """Return the obstacles with these names, meshes and poses; the same object where nothing has changed."""
        world = self._world
        if world is None or not world.same_as(*bodies):
            self._world = world = World(*bodies)  # threads that do this at once make equal ones
        return world

    def questions(self, world: World, self_collision: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of questions whose answers depend on the configuration, and of those that have just one.

        They are numbered as in `tumble.robot.collisions.check_kernel`.
        """
        fixed = fixed_links(self.robot.kinematics)[self.bodies.links]
        still = np.concatenate([fixed, fixed[self.bodies.pairs].all(axis=1)])
        asked = np.zeros(len(still), bool)
        asked[: len(fixed)] = len(world.mesh) > 0
        asked[len(fixed) :] = self_collision
        return np.flatnonzero(asked & ~still), np.flatnonzero(asked & still)

    def work(self, questions: NDArray[np.int64], clearance: Clearances = 0.0) -> Work:
        """Return memory for a kernel that asks these questions, in one thread."""
        links, count = len(self.robot.links), len(self.bodies.links)
        counts = np.zeros(count + len(self.bodies.pairs), np.int64)
        placed = np.empty(count, np.bool_)
        return Work(
            np.empty(len(self.robot.joints)),
            np.empty((links, 4, 4)),
            np.empty((count, BALLS, 3)),
            placed,
            np.sort(questions),
            questions.copy(),
            counts,
            clearances_of_questions(clearance, links, self.bodies.links, self.bodies.pairs),
        )
