"""Tumble as it competes with what moves: the public calls, nothing else."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.peers.moving.contract import MovingPair, MovingPeer, Reals, StepPeer, Times
from tumble.bench.peers.ours import OURS, TumblePeer
from tumble.scenario.flights import Flight


class TumbleMovingPair(MovingPair):
    """Two meshes."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def impacts(self, flights: Sequence[Flight]) -> Times:
        """One `time_of_impact` a flight."""
        a, b, ask = self.a, self.b, tumble.time_of_impact
        return np.array([ask(a, b, *motions).time for motions in flights])

    def impacts_of_all(self, flights: tuple[Any, Any], threads: int) -> Times:
        """All flights in one call; of each body, `tumble.Motions`."""
        return tumble.time_of_impact_many(self.a, self.b, flights[1], flights[0], threads=threads).times

    def free_of_all(self, flights: tuple[Any, Any], threads: int) -> NDArray[np.bool_]:
        """Whether each is free, in one call."""
        return ~tumble.swept_many(self.a, self.b, flights[1], flights[0], threads=threads)


class TumbleMoving(MovingPeer):
    """Tumble."""

    name = OURS

    def prepare(self, vertices: Reals, faces: NDArray[np.int64]) -> Any:
        """A Mesh with its tree built."""
        mesh = TumblePeer().prepare(vertices, faces)
        tumble.prepare(mesh, "distance")
        return mesh

    def pair(self, a: Any, b: Any) -> TumbleMovingPair:
        """Two meshes."""
        return TumbleMovingPair(a, b)


def motions_of(flights: Sequence[Flight]) -> tuple[tumble.Motions, tumble.Motions]:
    """All motions of the first body, and all of the second."""
    a, b = zip(*flights, strict=True)
    return tumble.Motions(a), tumble.Motions(b)


class TumbleStep(StepPeer):
    """Tumble."""

    name = OURS

    def step(self, start: Reals, end: Reals, faces: NDArray[np.int32]) -> Callable[[], float]:
        """A Deformable; its trees are made in each step."""
        cloth = tumble.Deformable(tumble.Mesh(start, faces))
        return lambda: cloth.time_of_impact(end).time
