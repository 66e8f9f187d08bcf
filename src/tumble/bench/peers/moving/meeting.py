"""Two objects that meet, and what each library made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tumble.bench.framework.table import Value
from tumble.bench.peers.moving.contract import MovingPair, MovingPeer
from tumble.bench.peers.moving.ours import TumbleMovingPair
from tumble.bench.peers.ours import OURS
from tumble.scenario.objects import Duo, arrays

Asks = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True)
class Meeting:
    """Two objects, prepared by each library."""

    duo: Duo
    solids: Mapping[str, tuple[MovingPeer, Any, Any]]
    pairs: Mapping[str, MovingPair]

    @classmethod
    def of(cls, duo: Duo, peers: Sequence[MovingPeer], question: str) -> Meeting:
        """Let those prepare both objects that answer the question."""
        solids = {}
        for peer in peers:
            if question in peer.answers:
                a = peer.prepare(*arrays(duo.a))
                solids[peer.name] = peer, a, a if duo.b is duo.a else peer.prepare(*arrays(duo.b))
        return cls(duo, solids, {name: peer.pair(a, b) for name, (peer, a, b) in solids.items()})

    def new_pair(self, name: str) -> MovingPair:
        """Another pair of the same objects."""
        peer, a, b = self.solids[name]
        return peer.pair(a, b)

    @property
    def ours(self) -> TumbleMovingPair:
        """Tumble's."""
        pair = self.pairs[OURS]
        assert isinstance(pair, TumbleMovingPair)
        return pair

    def facts(self, case: str, **others: Value) -> dict[str, Value]:
        """What the table says about a case."""
        return {"case": case, "object": self.duo.name, "triangles": self.duo.faces, **others}
