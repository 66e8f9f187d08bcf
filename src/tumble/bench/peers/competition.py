"""What the tasks of a run share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tumble.bench.framework.benchmark import Run
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.moving.contract import MovingPeer, StepPeer
from tumble.bench.peers.points.contract import PointPeer
from tumble.bench.peers.races import Recorder
from tumble.bench.peers.robots.contract import RobotPeer


@dataclass(frozen=True)
class Competition:
    """What the tasks of a run share."""

    run: Run[Any]
    # Tumble first, then those that are installed: for questions about touching, distances, points, motions and robots.
    peers: Sequence[Peer]
    apart: Sequence[Peer]
    points: Sequence[PointPeer]
    moving: Sequence[MovingPeer]
    steps: Sequence[StepPeer]
    robots: Sequence[RobotPeer]
    queries: Sequence[str]
    threads: int
    # Races about two objects, and those whose single runs take long.
    short: Recorder
    long: Recorder

    @property
    def pair_peers(self) -> list[Peer]:
        """Those that answer questions about two objects."""
        return [peer for peer in self.peers if peer.name != "trimesh"]
