"""A scene of many bodies: all of them move, then all touching triangles are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

from tumble.bench.framework.timing import Effort, race
from tumble.bench.peers.agreement import compare_crowds
from tumble.bench.peers.contract import Crowd, Peer
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.records import Case, Findings, Timed
from tumble.report import count
from tumble.scenario.objects import arrays, shape_duo
from tumble.scenario.tumbling import crowd_poses

FACES = 600
# Bodies go to and fro between these many arrangements.
MOVES = 2


def crowd(peers: Sequence[Peer], bodies: int, spacing: float, threads: int, effort: Effort, findings: Findings) -> None:
    """Move every body and find who touches whom and where, on one thread and, where wanted, on several."""
    mesh = shape_duo("torus", FACES).a
    crowds: dict[str, Crowd] = {}
    for peer in peers:
        made = peer.crowd(peer.prepare(*arrays(mesh)), bodies)
        if made is not None:
            crowds[peer.name] = made
    suffix = f" on {threads} threads"
    if threads > 1:
        ours: Any = next(peer for peer in peers if peer.name == OURS)
        crowds[OURS + suffix] = ours.crowd(ours.prepare(*arrays(mesh)), bodies, threads)
    contestants = {name: _Mover(made, bodies, spacing) for name, made in crowds.items()}
    case = Case("scene", f"{count(bodies)} bodies {spacing:g} apart", "torus", len(mesh), 1)
    answers = {name: [crowds[name].told(mover()) for _ in range(MOVES)] for name, mover in contestants.items()}
    found = answers[OURS]
    findings.differences += [compare_crowds(case, name, found, answers[name]) for name in contestants if name != OURS]
    text = f"{count(len(found[0].bodies or ()))} pairs of bodies, {count(found[0].triangle_pairs)} of triangles"
    rounds = race(contestants, effort, [peer.name for peer in peers if not peer.judged])
    rivals = {name: values for name, values in rounds.items() if not name.startswith(OURS)}
    findings.timed.append(Timed(case, {OURS: rounds[OURS], **rivals}, text))
    if threads > 1:
        threaded = replace(case, query="scene-threads")
        findings.timed.append(Timed(threaded, {OURS: rounds[OURS + suffix], **rivals}, text))


class _Mover:
    """Puts the bodies into the next arrangement at each call, and asks."""

    def __init__(self, made: Crowd, bodies: int, spacing: float) -> None:
        self.touching: Callable[[Any], Any] = made.touching
        arrangements = [made.native(crowd_poses(bodies, spacing, seed)) for seed in range(MOVES)]
        self.arrangements = cycle(arrangements)

    def __call__(self) -> Any:
        return self.touching(next(self.arrangements))
