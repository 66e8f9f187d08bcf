"""Which libraries compete: those that are installed, and each with its own prepared pair of objects.

Of libraries that are missing, the page says so.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.coal_peer import CoalPeer
from tumble.bench.peers.contract import Pair, Peer, Poses
from tumble.bench.peers.fcl_peer import FclPeer
from tumble.bench.peers.trimesh_peer import TrimeshPeer
from tumble.bench.peers.vtk_peer import VtkPeer
from tumble.errors import MissingDependencyError
from tumble.scenario.objects import Duo, arrays

# How each competitor is made; making one imports its library.
MAKERS: dict[str, Callable[[], Peer]] = {
    "fcl": FclPeer,
    "coal-obbrss": lambda: CoalPeer("OBBRSS"),
    "coal-obb": lambda: CoalPeer("OBB"),
    "vtk": VtkPeer,
    "trimesh": TrimeshPeer,
}
INSTALL = 'pip install "tumble[bench]"'


@dataclass(frozen=True)
class Field:
    """The competitors, and a sentence on each that is missing."""

    peers: Sequence[Peer]
    notes: Sequence[str]


def find_peers(makers: dict[str, Callable[[], Peer]] | None = None) -> Field:
    """Import every library that is installed; without FCL and Coal there is nothing to compare with."""
    peers, notes = [], []
    for name, make in (MAKERS if makers is None else makers).items():
        try:
            peers.append(make())
        except ImportError as error:
            notes.append(f"`{name}` did not compete: {error}. Install it with `{INSTALL}`.")
    if not any(peer.judged for peer in peers):
        raise MissingDependencyError(
            f"the benchmark needs python-fcl or coal to compare with, and neither is installed: {INSTALL}"
        )
    return Field(peers, notes)


class Entrants:
    """Each library's prepared pair, by name; libraries for which the objects are too large are left out."""

    def __init__(self, duo: Duo, peers: Sequence[Peer]) -> None:
        self.duo = duo
        self.peers = [peer for peer in peers if duo.faces <= peer.most_faces]
        self.solids = {peer.name: self._prepare(peer) for peer in self.peers}
        self.pairs: dict[str, Pair] = {peer.name: peer.pair(*self.solids[peer.name]) for peer in self.peers}

    @property
    def context(self) -> list[str]:
        """The names of those that run for context."""
        return [peer.name for peer in self.peers if not peer.judged]

    def _prepare(self, peer: Peer) -> tuple[Any, Any]:
        a = peer.prepare(*arrays(self.duo.a))
        return a, a if self.duo.b is self.duo.a else peer.prepare(*arrays(self.duo.b))

    def first_hits(self, poses: Poses) -> dict[str, Callable[[], list[bool]]]:
        """Asks each library whether the two touch, for each pose."""
        return {name: partial(pair.first_hits, pair.native(poses)) for name, pair in self.pairs.items()}

    def all_pairs(self, poses: Poses) -> dict[str, Callable[[], list[Any]]]:
        """Asks each library for the touching triangles, for each pose."""
        return {name: partial(pair.all_pairs, pair.native(poses)) for name, pair in self.pairs.items()}

    def first_hits_on(self, threads: ThreadPoolExecutor, count: int, poses: Poses) -> dict[str, Callable[[], Any]]:
        """Asks each library as `first_hits` does, from so many Python threads that share the poses."""
        judged = [peer for peer in self.peers if peer.judged]
        return {peer.name: self._shared_out(peer, threads, count, poses) for peer in judged}

    def _shared_out(self, peer: Peer, threads: ThreadPoolExecutor, count: int, poses: Poses) -> Callable[[], Any]:
        # Every thread has its own objects: those of some libraries keep the pose of the last call.
        shares = [part for part in np.array_split(poses, count) if len(part)]
        pairs = [peer.pair(*self.solids[peer.name]) for _ in shares]
        work = [(pair.first_hits, pair.native(share)) for pair, share in zip(pairs, shares, strict=True)]

        def run() -> NDArray[np.bool_]:
            futures = [threads.submit(ask, share) for ask, share in work]
            return np.array([hit for future in futures for hit in future.result()])

        return run
