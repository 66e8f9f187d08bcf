"""The contestants at one pair of objects: every library with its own prepared pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import Pair, Peer, Poses
from tumble.scenario.objects import Duo, arrays


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
        return {name: _bound(pair.first_hits, pair.native(poses)) for name, pair in self.pairs.items()}

    def all_pairs(self, poses: Poses) -> dict[str, Callable[[], list[Any]]]:
        """Asks each library for the touching triangles, for each pose."""
        return {name: _bound(pair.all_pairs, pair.native(poses)) for name, pair in self.pairs.items()}

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


def _bound(ask: Callable[[Any], Any], poses: Sequence[Any]) -> Callable[[], Any]:
    return lambda: ask(poses)
