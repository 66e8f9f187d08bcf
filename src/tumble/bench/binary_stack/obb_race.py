"""Our tree of turned boxes beside Coal's, on the same objects and poses: all pairs, and first hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tumble
from tumble.bench.binary_stack.scope import Scope
from tumble.bench.boxtree.records import FIRST, Raced
from tumble.bench.framework.timing import race
from tumble.bench.peers.coal_peer import CoalPeer
from tumble.bench.peers.records import Case
from tumble.scenario.objects import Duo, arrays
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal import prepare

OBB, COAL = "OBB tree, stack", "Coal's OBB tree"
BINARY_OBB = "OBB tree, binary stack"
ALL = "all pairs"
LEAF_SIZE = 2


def race_obb(duo: Duo, distance: float, scope: Scope) -> list[Raced]:
    """All pairs, then first hits; Coal's contacts are counted by it and not read, which would cost it more.

    Raises ImportError where Coal is not installed.
    """
    peer, poses = CoalPeer("OBB"), tumbling_poses(distance, scope.obb_poses)
    pair = peer.pair(*(peer.prepare(*arrays(mesh)) for mesh in (duo.a, duo.b)))
    native = pair.native(poses)
    a, b = (tumble.build(mesh, "obb", split="sah", leaf_size=LEAF_SIZE) for mesh in (duo.a, duo.b))
    methods = {OBB: "stack", BINARY_OBB: "binary-stack"}
    ready = {name: [prepare(a, b, None, pose, method=method) for pose in poses] for name, method in methods.items()}
    found = []
    for first in (False, True):
        asks: dict[str, Callable[[], Any]] = {
            name: _first_hits(each) if first else _all_pairs(each) for name, each in ready.items()
        }
        asks[COAL] = _coal(pair, native, first)
        touching = sum(len(pairs) > 0 for pairs in asks[OBB]())
        for ask in asks.values():
            ask()
        case = Case(
            FIRST + ALL if first else ALL, f"{duo.name} at {distance:g}", duo.name, duo.faces, len(poses), distance
        )
        answer = f"{touching} of {len(poses)} touch"
        found.append(Raced(case, race(asks, scope.obb_effort), answer, duo.kind, duo.faces))
    return found


def _all_pairs(queries: list[Any]) -> Callable[[], Any]:
    return lambda: [query.collect() for query in queries]


def _first_hits(queries: list[Any]) -> Callable[[], Any]:
    return lambda: [query.first() for query in queries]


def _coal(pair: Any, poses: list[Any], first: bool) -> Callable[[], Any]:
    collide, still, request = pair.collide, pair.still, pair.first if first else pair.all
    result = pair.coal.CollisionResult
    return lambda: [collide(still, pose, request, result()) for pose in poses]
