"""Our tree of turned boxes beside Coal's, on the same objects and poses: all pairs, and first hits."""

from collections.abc import Callable
from typing import Any

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort, race
from tumble.bench.peers.coal_peer import CoalPeer
from tumble.scenario.objects import Duo, arrays
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.every import prepare

OBB_RACE = "OBB trees"
OBB, BINARY_OBB, COAL = "OBB tree, stack", "OBB tree, binary stack", "Coal's OBB tree"
ALL, FIRST = "all pairs", "first hit"
LEAF_SIZE = 2


def race_obb(duo: Duo, distance: float, steps: int, effort: Effort, study: Study) -> None:
    """All pairs, then first hits; Coal's contacts are counted by it and not read, which would cost it more.

    Raises ImportError where Coal is not installed.
    """
    peer, poses = CoalPeer("OBB"), tumbling_poses(distance, steps)
    pair = peer.pair(*(peer.prepare(*arrays(mesh)) for mesh in (duo.a, duo.b)))
    native = pair.native(poses)
    a, b = (tumble.build(mesh, "obb", split="sah", leaf_size=LEAF_SIZE) for mesh in (duo.a, duo.b))
    methods = {OBB: "stack", BINARY_OBB: "binary-stack"}
    ready = {name: [prepare(a, b, None, pose, method=method) for pose in poses] for name, method in methods.items()}
    for query in (ALL, FIRST):
        asks = {name: _ours(queries, query == FIRST) for name, queries in ready.items()}
        asks[COAL] = _coal(pair, native, query == FIRST)
        touching = sum(len(pairs) > 0 for pairs in asks[OBB]())
        for ask in asks.values():
            ask()
        name = f"{duo.name} at {distance:g}"
        facts = {"object": name, "query": query, "answer": f"{touching} of {len(poses)} touch"}
        study.add_values(f"{name}, {query}", "", {**facts, "triangles": duo.faces})
        study.add_race(f"{name}, {query}", race(asks, effort), [(COAL, OBB)], len(poses))


def _ours(queries: list[Any], first: bool) -> Callable[[], Any]:
    if first:
        return lambda: [query.first() for query in queries]
    return lambda: [query.collect() for query in queries]


def _coal(pair: Any, poses: list[Any], first: bool) -> Callable[[], Any]:
    collide, still, request = pair.collide, pair.still, pair.first if first else pair.all
    result = pair.coal.CollisionResult
    return lambda: [collide(still, pose, request, result()) for pose in poses]
