"""Pairs of links that may touch, found by random configurations, as MoveIt's setup assistant finds them.

A pair may touch if a joint connects the two links, if they touch in every configuration (so that the robot could not be
used at all), or in none, so that asking is a waste. None of n is not never: with 95 % confidence a pair that touched in
none of n random configurations touches in less than 3/n of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.memory import check_memory
from tumble.robot.adjacent import adjacent_pairs
from tumble.robot.sampling import checked_count, generator
from tumble.robot.self_check import pieces, touching, worst_depth

if TYPE_CHECKING:
    from tumble.robot.robot import Robot

ADJACENT, NEVER, ALWAYS = "Adjacent", "Never", "Always"
MEASURED = 20
"""contacts of each pair whose depths are measured: the first ones, which are as random as others"""


BYTES = 500
"""of memory that the statistics of a pair take"""


class PairStatistics(NamedTuple):
    """Two links, and how often they touch."""

    a: str
    b: str
    hits: int
    """configurations in which they touch"""
    found: str
    """why sampling would let them touch: "Adjacent", "Never", "Always", or "" """
    stated: str
    """why the robot lets them touch, "" if it does not"""
    depth: float = 0.0
    """the largest of those that were measured; 0 if they never touch, NaN if none was measured"""


@dataclass(frozen=True)
class SelfContacts:
    """What random configurations say about the pairs of links of a robot."""

    pairs: list[PairStatistics]
    """all pairs of links that have a shape"""
    samples: int
    colliding: int
    """configurations in which links touch that the robot does not let touch"""

    @property
    def allowed(self) -> dict[tuple[str, str], str]:
        """The pairs that may touch by these samples, and why: for `Robot.with_allowed`."""
        return {(each.a, each.b): each.found for each in self.pairs if each.found}


def self_contacts(
    robot: Robot, samples: int, seed: int | np.random.Generator, depths: bool, threads: int | None
) -> SelfContacts:
    """Return how often links touch in random configurations within the limits; with `depths`, how deep too."""
    samples, rng = checked_count(samples, least=1), generator(seed)
    numbers, strict = robot.shaped_pairs, robot.with_allowed({})
    check_memory(BYTES * len(numbers), f"what is known about {len(numbers):,} pairs of links")
    unstated = np.array([(robot.links[i], robot.links[j]) not in robot.allowed for i, j in numbers.tolist()], bool)
    counts, colliding = np.zeros(len(numbers), np.int64), 0
    first: list[list[NDArray[np.float64]]] = [[] for _ in numbers]
    for rows in pieces(robot, samples, numbers):
        Q = robot.random(rows.stop - rows.start, rng)
        hits = touching(strict, Q, threads)
        for column in np.flatnonzero(hits.any(axis=0) & (counts < MEASURED)).tolist():
            first[column] += list(Q[np.flatnonzero(hits[:, column])[: MEASURED - len(first[column])]])
        counts += hits.sum(axis=0)
        colliding += int(hits[:, unstated].any(axis=1).sum())
    known = set(adjacent_pairs(robot.links, robot.meshes, robot.kinematics))
    found = []
    for (i, j), count, rows_of in zip(numbers.tolist(), counts.tolist(), first, strict=True):
        names = robot.links[i], robot.links[j]
        reason = ADJACENT if names in known else NEVER if count == 0 else ALWAYS if count == samples else ""
        depth = 0.0 if count == 0 else worst_depth(robot, np.array(rows_of), (i, j), threads) if depths else np.nan
        found.append(PairStatistics(*names, count, reason, robot.stated.get(names, ""), depth))
    return SelfContacts(found, samples, colliding)
