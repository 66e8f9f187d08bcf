"""`robot.distance`: how far a robot is from touching itself or an obstacle, in many configurations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import refuse
from tumble.core.memory import check_memory
from tumble.core.records import FrozenArrays, frozen
from tumble.errors import InputError, OptionError
from tumble.robot.collisions.asked import Check, make_ready, on_threads
from tumble.robot.collisions.distance_kernel import Nearest, nearest_links
from tumble.robot.collisions.link_distance_kernel import NO_QUESTION, Best, OfLinks, distances_of_links
from tumble.traversal.packed.nearest_leaves import NO_PAIR

LOOKS = 4
"""at each mesh for a configuration, about"""
BYTES_OF_LINK = 64
"""of memory, for each configuration"""
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
    link_distances: NDArray[np.float64] | None = None
    """(n, links) how far each link is from obstacles and from links that it must not touch; infinite where nothing is
    within the upper bound, and for links without a shape; None, as the next two, unless links were asked for"""
    link_points: NDArray[np.float64] | None = None
    """(n, links, 2, 3) the nearest point of the link, and that of the other; NaN where there is none"""
    link_others: NDArray[np.int64] | None = None
    """(n, links) the number of the other link or -1 - that of an obstacle; 0 where there is none"""

    def nearest(self, configuration: int, link: str | None = None) -> tuple[str, Name] | None:
        """Return the names of what is nearest: a link, and a link or an obstacle; None where nothing is.

        link   of this one alone
        """
        if link is None:
            distance, (number, other) = self.distance[configuration], self.pairs[configuration].tolist()
        else:
            number = self._number(link)
            assert self.link_distances is not None
            assert self.link_others is not None
            distance, other = self.link_distances[configuration, number], int(self.link_others[configuration, number])
        if not np.isfinite(distance):
            return None
        return self.links[number], self.links[other] if other >= 0 else self.obstacles[-1 - other]

    def _number(self, link: str) -> int:
        if self.link_distances is None:
            raise OptionError("distances of links were not asked for: call robot.distance(..., links=True)")
        if link not in self.links:
            raise InputError(f"there is no link {link!r}; links are {', '.join(self.links)}")
        return tuple(self.links).index(link)

    def __len__(self) -> int:
        return len(self.distance)

    def __repr__(self) -> str:
        least = f", at least {float(self.distance.min())!r}" if len(self) else ""
        return f"<RobotDistances: {len(self)} configurations{least}>"


def distances(check: Check, most: float, by_link: bool = False) -> RobotDistances:
    """Answer how far links are from each other and from obstacles; with `by_link`, how far each is."""
    questions = np.sort(np.concatenate(check.prepared.questions(check.world, check.self_collision)))
    if by_link:
        return _by_link(check, distances_by_link(check, most, questions))
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


def distances_by_link(check: Check, most: float, questions: NDArray[np.int64]) -> OfLinks:
    """Return what the kernel finds about each link."""
    prepared, (count, links) = check.prepared, (len(check.Q), len(check.prepared.robot.links))
    check_memory(BYTES_OF_LINK * count * links, f"{count:,} × {links} distances")
    make_ready(prepared, check.world, LOOKS * count)
    shape, nearest = (count, links), np.zeros(count, np.int64)
    found = OfLinks(np.full(shape, np.inf), np.full((*shape, 2, 3), np.nan), np.zeros(shape, np.int64), nearest)
    given, Q, bodies = check.given, frozen(check.Q), len(prepared.bodies.links)

    def run(drawn: NDArray[np.int64]) -> None:
        work = prepared.work(questions)
        starts, asked = np.full(len(work.hits), NO_PAIR), np.full(len(work.hits), -1)
        best = Best(np.empty(bodies), np.full(bodies, NO_QUESTION), np.full(bodies, NO_QUESTION), asked)
        code = distances_of_links(*given, most, Q, drawn, work, starts, best, found)
        if code < 0:
            refuse(code)

    on_threads(count, check.threads, run)
    return found


def _by_link(check: Check, found: OfLinks) -> RobotDistances:
    """Return the answer for each link, and the nearest of all as without."""
    rows, links = np.arange(len(check.Q)), check.prepared.bodies.links
    nearest = links[found.nearest] if len(links) else found.nearest
    pairs = np.stack([nearest, found.others[rows, nearest]], axis=1)
    distance, points = found.distances[rows, nearest], found.points[rows, nearest]
    pairs[~np.isfinite(distance)] = 0
    for array in (distance, points, pairs, *found):
        array.flags.writeable = False
    names = tuple(check.prepared.robot.links), check.world.names
    return RobotDistances(distance, points, pairs, *names, found.distances, found.points, found.others)
