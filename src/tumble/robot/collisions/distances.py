"""`robot.distance`: how far a robot is from touching itself or an obstacle, in many configurations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import refuse
from tumble.core.records import FrozenArrays, frozen
from tumble.robot.collisions.asked import Check, make_ready, on_threads
from tumble.robot.collisions.distance_kernel import Nearest, nearest_links
from tumble.traversal.packed.nearest_leaves import NO_PAIR

LOOKS = 4
"""at each mesh for a configuration, about"""
Name = str | None


@dataclass(frozen=True, eq=False)
class RobotDistances(FrozenArrays):
    """The least distances of a robot in n configurations."""

    distance: NDArray[np.float64]
    """(n,) 0 exactly where it collides; infinite where nothing is within the upper bound"""
    points: NDArray[np.float64]
    """(n, 2, 3) the nearest point of each, in the world; NaN where there is none"""
    pairs: NDArray[np.int64]
    """(n, 2) the number of a link, and of another link or -1 - that of an obstacle; 0 where there is none"""
    links: Sequence[str]
    """the names of the robot's links"""
    obstacles: Sequence[Name]
    """the names of the bodies of the scene; None for a mesh"""

    def nearest(self, configuration: int) -> tuple[str, Name] | None:
        """Return the names of what is nearest: a link, and a link or an obstacle; None where nothing is."""
        if not np.isfinite(self.distance[configuration]):
            return None
        link, other = self.pairs[configuration].tolist()
        return self.links[link], self.links[other] if other >= 0 else self.obstacles[-1 - other]

    def __len__(self) -> int:
        return len(self.distance)

    def __repr__(self) -> str:
        least = f", at least {float(self.distance.min())!r}" if len(self) else ""
        return f"<RobotDistances: {len(self)} configurations{least}>"


def distances(check: Check, most: float) -> RobotDistances:
    """Answer how far links are from each other and from obstacles."""
    questions = np.sort(np.concatenate(check.prepared.questions(check.world, check.self_collision)))
    found, bodies = distances_of(check, most, questions), check.prepared.bodies
    links, others = bodies.links, found.pairs[:, 1]
    if len(links):
        found.pairs[:, 0] = links[found.pairs[:, 0]]
        found.pairs[:, 1] = np.where(others >= 0, links[np.maximum(others, 0)], others)
    found.pairs[~np.isfinite(found.distances)] = 0
    for array in found:
        array.flags.writeable = False
    return RobotDistances(*found, tuple(check.prepared.robot.links), check.world.names)


def distances_of(check: Check, most: float, questions: NDArray[np.int64]) -> Nearest:
    """Return what the kernel finds about some questions, with numbers of bodies for links."""
    prepared, count = check.prepared, len(check.Q)
    make_ready(prepared, check.world, LOOKS * count)
    found = Nearest(np.full(count, np.inf), np.full((count, 2, 3), np.nan), np.zeros((count, 2), np.int64))
    given, Q = check.given, frozen(check.Q)

    def run(drawn: NDArray[np.int64]) -> None:
        work = prepared.work(questions)
        code = nearest_links(*given, most, Q, drawn, work, np.full(len(work.hits), NO_PAIR), found)
        if code < 0:
            refuse(code)

    on_threads(count, check.threads, run)
    return found
