"""Build time: from NumPy arrays to a hierarchy that is ready for questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tumble.bench.framework.timing import Effort, race
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.records import Case, Findings, Timed
from tumble.scenario.objects import Duo, arrays


def build(duo: Duo, peers: Sequence[Peer], effort: Effort, findings: Findings) -> None:
    """Every library builds over the first object (VTK and trimesh only at the first question: they do not compete)."""
    vertices, faces = arrays(duo.a)

    def builder(peer: Peer) -> Callable[[], Any]:
        return lambda: peer.prepare(vertices, faces)

    contestants = {peer.name: builder(peer) for peer in peers if peer.judged}
    for make in contestants.values():
        make()
    case = Case("build", duo.name, duo.name, len(duo.a), 1)
    findings.timed.append(Timed(case, race(contestants, effort)))
