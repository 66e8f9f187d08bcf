"""Methods with implicit trees as engines: all bodies of a request in one forest, one traversal for all pairs.

Trees are in the world's frame, so each posed body has its own. Requests about more bodies than fit, as copies, into
memory are answered in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import LOWER_HALF, Keys, pairs_of_keys, unique_pairs
from tumble.core.limits import PairCount
from tumble.mesh import Mesh
from tumble.query import engine as query
from tumble.query.answer import PairTable, Stats, joined
from tumble.query.engine import CANDIDATES, SELF_CANDIDATES, SELF_TOUCHING, TOUCHING, Engine, Request, register
from tumble.query.settings import BulkSettings, FrontSettings
from tumble.traversal.bulk.sort import sort_keys

if TYPE_CHECKING:
    from tumble.hierarchy.implicit.posed import Posed
    from tumble.traversal.bulk.rounds import LeafPairs, RoundCounts

MOST_TRIANGLES = 1 << 24  # of all bodies of one forest, unless a single pair has more

QUESTIONS = (TOUCHING, SELF_TOUCHING, CANDIDATES, SELF_CANDIDATES)


class Found(NamedTuple):
    """The leaf pairs of a forest, and what it took to find them."""

    posed: Posed
    keys: Keys
    work: RoundCounts
    hits: Keys | None = None
    """those that touch for certain, where a device has tested triangles; `keys` are then those to be tested again"""
    dropped: int = 0
    """leaf pairs that it has found not to touch"""

    @classmethod
    def tested(cls, posed: Posed, found: LeafPairs, work: RoundCounts) -> Found:
        """Return what a device has found and tested."""
        return cls(posed, found.unsure, work, found.hits, found.total - len(found.unsure) - len(found.hits))


Search = Callable[[list[Mesh], list[Any], NDArray[np.int64], Request], Found]
"""takes meshes, their poses and pairs of their numbers; finds leaf pairs here or on a device"""


def ask_by(search: Search) -> Callable[[Request], PairTable]:
    """Return the `ask` of an engine that finds leaf pairs by a search."""

    def ask(request: Request) -> PairTable:
        count = PairCount()
        tables = []
        for part in _parts(request):
            tables.append(_answer(part, search))
            count.add(len(tables[-1].triangles))
        return joined(tables)

    return ask


def _parts(request: Request) -> Iterator[Request]:
    """Yield the request in parts whose bodies have few enough triangles to be in one forest."""
    if len(request.pairs) == 0 or request.a.trees is not None:
        yield request
        return
    sizes = np.zeros(len(request.pairs), np.int64)
    for bodies, column in ((request.a, 0), (request.b, 1)):
        triangles = [0 if shape is None else len(getattr(shape, "mesh", shape)) for shape in bodies.shapes]
        sizes += np.array(triangles)[bodies.which[request.pairs[:, column]]]
    parts = (np.cumsum(sizes) - sizes) // MOST_TRIANGLES
    for part in np.unique(parts):
        yield request._replace(pairs=request.pairs[parts == part])


def _answer(request: Request, search: Search) -> PairTable:
    from tumble.traversal.bulk.confirm import touching

    meshes, poses, pairs = _forest(request)
    posed, keys, work, hits, dropped = search(meshes, poses, unique_pairs(np.sort(pairs, axis=1)), request)
    tested = 0
    if request.question in (CANDIDATES, SELF_CANDIDATES):
        sort_keys(keys, request.threads)
    else:
        tested = len(keys) + dropped + (0 if hits is None else len(hits))
        keys = touching(posed, keys, request.threads, hits)
    table = by_queries(keys, posed.bodies.first_face, pairs)
    if request.first:
        rows = table.offsets[:-1][table.hit]
        table = PairTable(np.minimum(table.counts, 1), table.triangles[rows])
    stats = stats_of(work, len(table.triangles), tested) if request.stats else None
    return PairTable(table.counts, table.triangles, stats)


def _forest(request: Request) -> tuple[list[Mesh], list[Any], NDArray[np.int64]]:
    """Return the meshes of all bodies that the request names, their poses, and its pairs by their numbers."""
    if request.a.trees is not None:
        return [], [], request.pairs
    numbered: list[NDArray[np.int64]] = []
    meshes: list[Mesh] = []
    poses: list[Any] = []
    columns = (request.a, request.pairs[:, :1]), (request.b, request.pairs[:, 1:])
    sides = ((request.a, request.pairs),) if request.a is request.b else columns
    for bodies, named in sides:
        used, numbers = np.unique(named, return_inverse=True)
        numbered.append(numbers.reshape(named.shape) + len(meshes))
        meshes += [bodies.mesh(body) for body in used.tolist()]
        poses += [bodies.poses[body] for body in used.tolist()]
    return meshes, poses, np.concatenate(numbered, axis=1).reshape(-1, 2)


def by_queries(keys: Keys, first_face: NDArray[np.int64], pairs: NDArray[np.int64]) -> PairTable:
    """Group sorted keys of triangles, counted through all bodies, by the queries that asked for (n, 2) pairs of bodies.

    The lower body of a pair comes first in a key; a query that names it second gets its columns swapped.
    """
    if len(pairs) == 1 and pairs[0, 0] <= pairs[0, 1]:
        i, j = pairs[0].tolist()
        return PairTable(np.array([len(keys)]), pairs_of_keys(keys - (first_face[i] << 32 | first_face[j])))
    count = len(first_face) - 1
    triangles = np.stack((keys >> 32, keys & LOWER_HALF), axis=1)
    body = np.repeat(np.arange(count), np.diff(first_face))[triangles]
    codes = body[:, 0] * count + body[:, 1]
    wanted = pairs.min(axis=1) * count + pairs.max(axis=1)
    # a stable sort keeps the order of the keys; of 16 bits it is one by radix
    order = np.argsort(codes.astype(np.uint16) if count <= 256 else codes, kind="stable")
    own, codes = (triangles - first_face[body])[order], codes[order]
    starts, stops = np.searchsorted(codes, wanted), np.searchsorted(codes, wanted, side="right")
    counts = stops - starts
    ends = np.cumsum(counts)
    rows = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - counts), counts)
    found = own[rows]
    swapped = pairs[:, 0] > pairs[:, 1]
    if swapped.any():
        query = np.repeat(np.arange(len(pairs)), counts)
        found[swapped[query]] = found[swapped[query], ::-1]
        found = found[np.lexsort((found[:, 1], found[:, 0], query))]
    return PairTable(counts, found)


def stats_of(work: RoundCounts, hits: int, triangle_tests: int) -> Stats:
    """Return what a traversal did in the columns of all methods: rounds are its iterations."""
    return Stats(work.rounds, work.tests, work.overlaps, work.leaf_overlaps, hits, 0, triangle_tests)


def _search(meshes: list[Mesh], poses: list[Any], pairs: NDArray[np.int64], request: Request) -> Found:
    from tumble.hierarchy.implicit import implicit_trees
    from tumble.traversal.bulk.rounds import leaf_pairs

    settings: BulkSettings = request.settings
    trees = request.a.trees or implicit_trees(meshes, poses, padded=settings.padded, threads=request.threads)
    adjacent = request.neighbours or request.question in (TOUCHING, SELF_TOUCHING)
    return Found(trees.posed, *leaf_pairs(trees, pairs, settings, adjacent=adjacent, threads=request.threads))


def _front_search(meshes: list[Mesh], poses: list[Any], pairs: NDArray[np.int64], request: Request) -> Found:
    """Find leaf pairs from the roots, as in the first frame of a front; `tumble.Tracker` keeps the front."""
    from tumble.hierarchy.implicit import implicit_trees
    from tumble.traversal.front.follow import front_pairs

    settings: FrontSettings = request.settings
    trees = implicit_trees(meshes, poses, padded=settings.padded, threads=request.threads)
    keys, _, work = front_pairs(trees, None, pairs, settings, adjacent=True, threads=request.threads)
    return Found(trees.posed, keys, work)


register(
    Engine(
        "bulk", "cpu", ("implicit",), (*QUESTIONS, query.ELEMENTS), BulkSettings(), ask_by(_search),
        rank=5, counts=QUESTIONS, mixes=True,
    )
)  # fmt: skip
register(Engine("front", "cpu", ("implicit",), (TOUCHING,), FrontSettings(), ask_by(_front_search), rank=6))
