"""`robot.check_motion` and `robot.check_motions`: straight lines between configurations; what is free is proved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import refuse
from tumble.core.records import FrozenArrays, frozen
from tumble.errors import InputError, OptionError
from tumble.query.bodies import IDENTITY
from tumble.query.clearance import checked_clearance
from tumble.robot import motion_kernel
from tumble.robot.collisions.asked import make_ready, on_threads
from tumble.robot.collisions.gap_tables import expect
from tumble.robot.collisions.prepared import Prepared
from tumble.robot.collisions.world import World
from tumble.robot.motion_kernel import FEW, FREE, HIT, Found, Motion
from tumble.traversal.packed.nearest_leaves import NO_PAIR

LOOKS = 32
"""at each mesh for an edge, about; and how many configurations it is worth"""
TOLERANCE = 1e-4
"""of the size of the robot, unless another one is asked for"""
Name = str | None


@dataclass(frozen=True)
class RobotMotion:
    """What is known of one edge; true where it is free."""

    free: bool
    """proved: the robot touches nothing on the way, its ends included"""
    hit: bool
    """found: it does"""
    time: float
    """from 0 to 1: there is no contact before; infinite where the edge is free"""
    link: Name
    """what touches, or comes within the tolerance"""
    other: Name
    """the other link, or the obstacle; None for a mesh"""
    configuration: NDArray[np.float64] | None
    """at that time; None where the edge is free"""

    @property
    def undecided(self) -> bool:
        """Whether neither is known: something comes within the tolerance, and no contact was found."""
        return not self.free and not self.hit

    def __bool__(self) -> bool:
        return self.free


@dataclass(frozen=True, eq=False)
class RobotMotions(FrozenArrays):
    """What is known of n edges."""

    free: NDArray[np.bool_]
    """(n,) proved: the robot touches nothing on the way, its ends included"""
    hit: NDArray[np.bool_]
    """(n,) found: it does. Where neither is true, something comes within the tolerance, and no contact was found"""
    times: NDArray[np.float64] | None
    """(n,) no contact before; infinite where the edge is free; None unless times were asked for"""
    pairs: NDArray[np.int64]
    """(n, 2) the number of a link that touches, and of another link or -1 - that of an obstacle; 0 where free"""
    links: Sequence[str]
    """the names of the robot's links"""
    obstacles: Sequence[Name]
    """the names of the bodies of the scene; None for a mesh"""

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """(n,) of which edges neither is known."""
        return np.asarray(~(self.free | self.hit))

    def touching(self, edge: int) -> tuple[str, Name] | None:
        """Return who touches whom on an edge, or comes within the tolerance; None where it is free."""
        if self.free[edge]:
            return None
        link, other = self.pairs[edge].tolist()
        return self.links[link], self.links[other] if other >= 0 else self.obstacles[-1 - other]

    def __len__(self) -> int:
        return len(self.free)

    def __repr__(self) -> str:
        said = f"{int(self.free.sum())} free, {int(self.hit.sum())} with a contact"
        return f"<RobotMotions: {len(self)} edges, {said}, {int(self.undecided.sum())} undecided>"


class Edges(NamedTuple):
    """What is asked about edges."""

    prepared: Prepared
    world: World
    Q0: NDArray[np.float64]
    Q1: NDArray[np.float64]
    self_collision: bool
    tolerance: float
    threads: int


def edges_of(starts: NDArray[np.float64], ends: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both ends of edges, as many of one kind as of the other."""
    if len(starts) != len(ends):
        raise InputError(f"Q0 has {len(starts)} configurations and Q1 has {len(ends)}: an edge has one of each")
    return starts, ends


def checked_tolerance(tolerance: Any, size: float) -> float:
    """Return the distance at which what approaches counts as perhaps touching, for a robot of some size."""
    if tolerance is None:
        return TOLERANCE * size
    number = checked_clearance(tolerance, "tolerance")
    if number == 0.0:
        raise OptionError("tolerance must be more than 0: what only comes arbitrarily near is never decided")
    return number


def check_edges(edges: Edges, timed: bool) -> RobotMotions:
    """Answer which edges are free."""
    prepared, world, count = edges.prepared, edges.world, len(edges.Q0)
    expect(prepared, LOOKS * count, edges.threads)
    make_ready(prepared, world, LOOKS * count)
    questions = np.concatenate(prepared.questions(world, edges.self_collision))
    found = Found(np.zeros(count, np.int8), np.full(count, math.inf), np.zeros((count, 2), np.int64))
    size = prepared.size + (0.0 if world.mesh.bounds is None else world.mesh.extent)
    given = prepared.robot.kinematics, prepared.bodies, world.obstacles, prepared.levers, IDENTITY, size
    ends = frozen(edges.Q0), frozen(edges.Q1)

    def run(drawn: NDArray[np.int64]) -> None:
        memory = prepared.work(questions), _memory(prepared)
        code = motion_kernel.check_edges(*given, edges.tolerance, int(timed), *ends, drawn, *memory, found)
        if code < 0:
            refuse(code)

    on_threads(count, edges.threads, run, FEW)
    free, hit = found.states == FREE, found.states == HIT
    links = prepared.bodies.links
    found.pairs[:, 0] = links[found.pairs[:, 0]] if len(links) else 0
    others = found.pairs[:, 1]
    found.pairs[:, 1] = np.where(others >= 0, links[np.maximum(others, 0)] if len(links) else 0, others)
    found.pairs[free] = 0
    for array in (free, hit, found.times, found.pairs):
        array.flags.writeable = False
    times = found.times if timed else None
    return RobotMotions(free, hit, times, found.pairs, tuple(prepared.robot.links), world.names)


def _memory(prepared: Prepared) -> Motion:
    count = len(prepared.levers.lengths)
    return Motion(np.empty(count), np.empty(count), np.empty(count), np.full(count, NO_PAIR, np.int64))


def check_edge(edges: Edges) -> RobotMotion:
    """Answer whether one edge is free."""
    answer = check_edges(edges, True)
    assert answer.times is not None
    free, hit, time = bool(answer.free[0]), bool(answer.hit[0]), float(answer.times[0])
    if free:
        return RobotMotion(True, False, math.inf, None, None, None)
    (start,), (end,) = edges.Q0, edges.Q1
    names = answer.touching(0)
    assert names is not None
    return RobotMotion(False, hit, time, *names, start + time * (end - start))
