"""The methods that walk trees of any bounding volume, and brute, as engines: one traversal for each pair of bodies."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tumble.core.keys import keys_of_pairs
from tumble.hierarchy import Tree, build
from tumble.mesh import MeshLike
from tumble.query.answer import NO_STATS, PairDistances, PairTable, joined, table_of_keys
from tumble.query.bodies import Shape, mesh_of, one_body
from tumble.query.engine import CLEARANCE, DISTANCE, TOUCHING, Engine, Request, engines, register, unregister
from tumble.query.plan import Options, plan
from tumble.query.run import in_pieces
from tumble.query.settings import WalkSettings
from tumble.traversal.protocol import METHODS, Method
from tumble.traversal.query import Query, new_counters, query_of, stats_of
from tumble.volume.kinds import KINDS

TUNED_TREE: dict[str, Any] = {"volume": "aabb", "split": "sah", "leaf_size": 2}
"""what `auto` builds: see docs/methods.md for the measurement"""
TUNED_METHOD = "stack"
SMALLEST_PIECE = 1  # pairs of bodies: a traversal takes far longer than handing it to a thread


def ask(request: Request, method: Method) -> PairTable:
    """Answer by one traversal for each pair of bodies, several at a time."""
    request.a.check_poses()
    request.b.check_poses()

    def answer(piece: Request) -> PairTable:
        return joined([_one(piece.part(k, k + 1), method) for k in range(len(piece.pairs))])

    return in_pieces(request, answer, SMALLEST_PIECE)


def prepare(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    narrow: str = "exact",
    rule: str | None = None,
) -> Query | None:
    """Check the input, build what is missing and return the query; None when a mesh is empty and nothing can touch."""
    settings = WalkSettings(narrow, rule)
    sides = one_body(a, pose_a), one_body(b, pose_b)
    prepared = [side for bodies in sides for side in bodies.prepared]
    chosen = plan([TOUCHING], Options(method, tree, settings=settings).checked(), prepared)
    request = Request(TOUCHING, *sides, np.zeros((1, 2), np.int64), chosen.tree, "cpu", settings, tuned=chosen.tuned)
    return _query(request, METHODS[chosen.engine.method], 0, 0)


def _query(request: Request, method: Method, i: int, j: int) -> Query | None:
    shapes = request.a.shape(i), request.b.shape(j)
    sides = [mesh_of(shape) if method.layout is None else _tree_of(shape, request) for shape in shapes]
    return query_of(method, (sides[0], sides[1]), (request.a.pose(i), request.b.pose(j)), request.settings)


def _one(request: Request, method: Method) -> PairTable:
    """Answer a request about a single pair of bodies."""
    query = _query(request, method, *request.pairs[0].tolist())
    if query is None:
        return PairTable(np.zeros(1, np.int64), np.empty((0, 2), np.int64), NO_STATS if request.stats else None)
    return ANSWERS[request.question](request, query)


def _touching(request: Request, query: Query) -> PairTable:
    counters = new_counters() if request.stats else None
    pairs = query.first(counters) if request.first else query.collect(counters)
    keys = np.sort(keys_of_pairs(pairs))
    return table_of_keys(np.array([len(keys)]), keys, stats_of(counters, len(keys)) if counters else None)


def _near(request: Request, query: Query) -> PairTable:
    """Return the pairs that are nearer than the clearance, or touch."""
    assert request.clearances is not None
    counters = new_counters() if request.stats else None
    keys = np.sort(keys_of_pairs(query.within(float(request.clearances[0]), request.first, counters)))
    return table_of_keys(np.array([len(keys)]), keys, stats_of(counters, len(keys)) if counters else None)


def _nearest(request: Request, query: Query) -> PairTable:
    """Return one pair, the nearest, with its distance; no pair where none is near enough."""
    counters = new_counters() if request.stats else None
    found = query.distance(counters, request.upper_bound)
    stats = stats_of(counters, int(found.distance == 0.0)) if counters else None
    if found.pair is None or found.points is None:
        return PairTable(np.zeros(1, np.int64), np.empty((0, 2), np.int64), stats)
    distances = PairDistances(np.array([found.distance]), found.points[None])
    return PairTable(np.ones(1, np.int64), np.array([found.pair], np.int64), stats, distances=distances)


ANSWERS: dict[str, Callable[[Request, Query], PairTable]] = {
    TOUCHING: _touching, DISTANCE: _nearest, CLEARANCE: _near,
}  # fmt: skip
"""the questions that these methods answer, and the columns of each"""


def _tree_of(shape: Shape, request: Request) -> Tree:
    """Return the tree given, or build the one asked for."""
    if isinstance(shape, Tree):
        return shape
    if request.tuned and request.tree in ("auto", TUNED_TREE["volume"]):
        return build(mesh_of(shape), **TUNED_TREE)
    return build(mesh_of(shape), next(iter(KINDS)) if request.tree == "auto" else request.tree)


def add_method(method: Method) -> None:
    """Make a traversal known: by its name, and as an engine."""
    remove_method(method.name)
    METHODS[method.name] = method
    volumes, questions = () if method.layout is None else tuple(KINDS), tuple(ANSWERS)
    rank = 1 if method.name == TUNED_METHOD else 10
    # prepared: brute takes the mesh of a tree
    row = Engine(
        method.name, "cpu", volumes, questions, WalkSettings(), lambda request: ask(request, method),
        rank=rank, counts=questions, prepared=True,
    )  # fmt: skip
    register(row)


def remove_method(name: str) -> None:
    """Forget a traversal, if it is known."""
    METHODS.pop(name, None)
    for engine in engines():
        if engine.method == name and isinstance(engine.settings, WalkSettings):
            unregister(engine)
