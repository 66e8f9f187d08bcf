"""The fast path as an engine: packed trees, many pairs in one kernel; and a packed tree with itself."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.growing import Growing
from tumble.core.interrupts import COUNTED
from tumble.core.limits import PairCount, refuse
from tumble.core.parallel import run_pieces
from tumble.hierarchy.packed import PackedTree, packed
from tumble.mesh import Mesh
from tumble.query.answer import PairDistances, PairImpacts, PairTable, Stats, joined, table_of_keys
from tumble.query.bodies import IDENTITY
from tumble.query.engine import (
    CLEARANCE,
    DISTANCE,
    IMPACT,
    SELF_CANDIDATES,
    SELF_TOUCHING,
    TOUCHING,
    Engine,
    Request,
    register,
)
from tumble.query.run import in_pieces, pairs_in_buffer, piece_size, run_compiled, run_first_hits
from tumble.traversal.bulk.sort import sort_keys

FIRST_CAPACITY = 1 << 16
BOXES_IN_A_BLOCK = 8
# A piece of a tree is a range of blocks that depends on the tree alone, not on the number of threads: so is the result.
PIECES = 96  # the first blocks of a tree have the most to do, so pieces must be small
SMALLEST_PIECE = 32
FIRST_KEYS = 1 << 13
IMPACT_PIECES = 96  # of a list of motions, some of which take a hundred times as long as others

Walk = Callable[[int, int, int, int, int, int], int]
"""(start, stop, address of the keys, their capacity, limit, address of the count) -> block: see `walk_blocks`"""

NO_KEYS = np.empty(0, np.int64)


def ask(request: Request) -> PairTable:
    """Answer by the fast path; with counters one pair of bodies at a time, as kernels for many do not count."""
    from tumble.traversal.packed.each import query_many
    from tumble.traversal.packed.first_hits import first_hits_of_pieces

    if request.question == DISTANCE:
        return _nearest_pairs(request)
    if request.question == CLEARANCE:
        return _near_pairs(request)
    if request.question == IMPACT:
        return _impacts(request)
    if request.question != TOUCHING:
        return joined([_own_pairs(request, body) for body in request.pairs[:, 0].tolist()])
    if request.stats:
        return in_pieces(request, lambda piece: joined([_counted(piece, *pair) for pair in piece.pairs.tolist()]))
    trees_a = request.a.addresses_of("packed", request.pairs[:, 0], packed)
    trees_b = request.b.addresses_of("packed", request.pairs[:, 1], packed)
    if request.first:
        return run_first_hits(request, (trees_a, trees_b), first_hits_of_pieces)
    return run_compiled(request, (trees_a, trees_b), query_many)


def _counted(request: Request, i: int, j: int) -> PairTable:
    """Answer for two bodies, with counters."""
    from tumble.traversal.packed.query import all_pairs, first_pair

    find = first_pair if request.first else all_pairs
    tree_a, tree_b = packed(request.a.mesh(i)), packed(request.b.mesh(j))
    sides = tree_a.header, tree_b.header, request.a.poses[i], request.b.poses[j], IDENTITY, None
    buffer, found = pairs_in_buffer(lambda buffer: find(*sides, buffer), FIRST_CAPACITY)
    keys = np.unique(buffer[COUNTED : COUNTED + found])  # where triangles were clipped, pairs may be found repeatedly
    return table_of_keys(np.array([len(keys)]), keys, stats_of_counts(buffer, len(keys)))


def stats_of_counts(buffer: NDArray[np.int64], hits: int) -> Stats:
    """Return what the fast path did, as a record; one box is moved and compared with all eight of a block at once."""
    blocks, overlaps, leaf_overlaps, triangle_tests, _ = buffer[:COUNTED].tolist()
    return Stats(blocks, BOXES_IN_A_BLOCK * blocks, overlaps, leaf_overlaps, hits, blocks, triangle_tests)


def _nearest_pairs(request: Request) -> PairTable:
    """Answer how far bodies are apart, many pairs in one kernel."""
    from tumble.traversal.packed.nearest_query import COUNTS, NUMBERS, PAIR, POINTS, nearest_many

    trees_a, trees_b = _trees_for_distances(request, len(request.pairs))
    pairs = np.require(request.pairs, np.int64, ["C", "W"])
    sides = trees_a, request.a.poses, request.a.deviations, trees_b, request.b.poses, request.b.deviations
    numbers, size = np.empty((len(pairs), NUMBERS)), piece_size(len(pairs))

    def run(piece: int) -> None:
        start, stop = piece * size, min((piece + 1) * size, len(pairs))
        ended = nearest_many(*sides, pairs, start, stop, request.upper_bound, numbers)
        if ended < 0:
            refuse(ended)

    run_pieces(run, -(-len(pairs) // size), request.threads)
    words, found = numbers.view(np.int64), np.isfinite(numbers[:, 0])
    stats = None
    if request.stats:
        totals = np.append(words[:, COUNTS:].sum(axis=0), 0)
        stats = stats_of_counts(totals, int((numbers[found, 0] == 0.0).sum()))
    distances = PairDistances(numbers[found, 0], numbers[found, POINTS:PAIR].reshape(-1, 2, 3))
    return PairTable(found.astype(np.int64), words[found, PAIR:COUNTS], stats, distances=distances)


def _impacts(request: Request) -> PairTable:
    """Answer when bodies touch first, many pairs in one kernel."""
    from tumble.traversal.packed.impact_query import (
        COUNTS,
        DISTANCE,
        NORMAL,
        NUMBERS,
        PAIR,
        POINTS,
        TIME,
        impact_many_until,
    )

    assert request.motions is not None
    assert request.tolerances is not None
    trees_a, trees_b = _trees_for_distances(request, 0)
    pairs = np.require(request.pairs, np.int64, ["C", "W"])
    (a, b), tolerances = request.motions, np.require(request.tolerances, np.float64, ["C", "W"])
    sides = trees_a, a.addresses, trees_b, b.addresses
    numbers, size = np.empty((len(pairs), NUMBERS)), max(1, -(-len(pairs) // IMPACT_PIECES))

    def run(piece: int) -> None:
        start, stop = piece * size, min((piece + 1) * size, len(pairs))
        ended = impact_many_until(
            *sides, pairs, start, stop, tolerances, int(request.first), numbers, float(request.until)
        )
        if ended < 0:
            refuse(ended)

    run_pieces(run, -(-len(pairs) // size), request.threads)
    words, found = numbers.view(np.int64), np.isfinite(numbers[:, TIME])
    stats = None
    if request.stats:
        stats = stats_of_counts(np.append(words[:, COUNTS:].sum(axis=0), 0), int(found.sum()))
    rows = numbers[found]
    distances = PairDistances(rows[:, DISTANCE], rows[:, POINTS:NORMAL].reshape(-1, 2, 3))
    impacts = PairImpacts(rows[:, TIME], rows[:, NORMAL:PAIR])
    triangles = words[found, PAIR:COUNTS]
    return PairTable(found.astype(np.int64), triangles, stats, distances=distances, impacts=impacts)


def _near_pairs(request: Request) -> PairTable:
    """Answer which triangles are nearer than the clearance of their bodies, many pairs of bodies in one kernel."""
    from tumble.traversal.packed.near_query import near_many

    assert request.clearances is not None
    trees = _trees_for_distances(request, 0)
    clearances, totals = np.require(request.clearances, np.float64, ["C", "W"]), []

    def query(*given: Any) -> int:
        done = np.zeros(COUNTED, np.int64)
        totals.append(done)
        return int(near_many(*given[:7], clearances, *given[7:], done))

    table = run_compiled(request, trees, query)
    if not request.stats:
        return table
    return replace(table, stats=stats_of_counts(np.sum(totals, axis=0, dtype=np.int64), len(table.triangles)))


def _trees_for_distances(request: Request, questions: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the addresses of all bodies' trees; those that the request names are ready for so many questions."""
    trees_a = request.a.addresses_of("packed", request.pairs[:, 0], packed)
    trees_b = request.b.addresses_of("packed", request.pairs[:, 1], packed)
    for meshes in (request.a.meshes(request.pairs[:, 0]), request.b.meshes(request.pairs[:, 1])):
        for mesh in meshes:
            packed(mesh).ready_for_distances(questions // len(meshes))
    return trees_a, trees_b


def _own_pairs(request: Request, body: int) -> PairTable:
    """Answer for one body with itself; its pose does not matter."""
    mesh = request.a.mesh(body)
    tree = packed(mesh, request.threads)
    if request.question == SELF_CANDIDATES:
        walk, blocks = _candidates_walk(mesh, tree, request.threads)
    else:
        walk, blocks = _touching_walk(tree)
    if request.first:
        keys = first_key(walk, blocks, request.threads)
    else:
        keys = _sorted_keys(walk, blocks, tree, request.threads)
    return table_of_keys(np.array([len(keys)]), keys)


def pairs_within(mesh: Mesh, threads: int) -> NDArray[np.int64]:
    """Return what `self_collide` does, without the choice of an engine: for many small meshes."""
    tree = packed(mesh, threads)
    keys = _sorted_keys(*_touching_walk(tree), tree, threads)
    return table_of_keys(np.array([len(keys)]), keys).triangles


def _sorted_keys(walk: Walk, blocks: int, tree: PackedTree, threads: int) -> NDArray[np.int64]:
    keys = all_keys(walk, blocks, threads)
    if tree.repeats:
        return np.unique(keys)
    sort_keys(keys, threads)
    return keys


def _touching_walk(tree: PackedTree) -> tuple[Walk, int]:
    """Return the walk that finds triangles that meet, and how many blocks it has to go through."""
    from tumble.traversal.packed.self_pairs import meeting_in_blocks

    pose = IDENTITY.ctypes.data
    return lambda *places: int(meeting_in_blocks(tree.address, pose, *places)), len(tree.blocks)


def _candidates_walk(mesh: Mesh, tree: PackedTree, threads: int) -> tuple[Walk, int]:
    """Return the walk that finds pairs of boxes, and how many blocks it has to go through."""
    from tumble.hierarchy.packed.over_boxes import boxes_about, build_over_boxes, frame_about
    from tumble.traversal.packed.self_pairs import box_pairs_in_blocks

    boxes = boxes_about(np.tile(mesh.vertices, 2), mesh.faces)
    # the leaves of clipped triangles do not cover their boxes
    blocks = build_over_boxes(boxes, frame_about(boxes), threads) if tree.repeats else tree.blocks
    return lambda *places: int(box_pairs_in_blocks(blocks.ctypes.data, boxes.ctypes.data, *places)), len(blocks)


def all_keys(walk: Walk, blocks: int, threads: int) -> NDArray[np.int64]:
    """Return the keys of all pairs, in no order, and some perhaps more than once."""
    return _of_all_pieces(partial(_keys_of_piece, walk, PairCount()), blocks, threads)


def _of_all_pieces(run: Callable[[int, int], NDArray[np.int64]], blocks: int, threads: int) -> NDArray[np.int64]:
    """Return the keys that `run(start, stop)` finds for each range of blocks, one after the other."""
    size = max(SMALLEST_PIECE, -(-blocks // PIECES))
    pieces = -(-blocks // size)
    found = run_pieces(lambda piece: run(piece * size, min((piece + 1) * size, blocks)), pieces, threads)
    return np.concatenate([NO_KEYS, *found])


def _keys_of_piece(walk: Walk, budget: PairCount, start: int, stop: int) -> NDArray[np.int64]:
    keys, count = Growing(FIRST_KEYS), np.zeros(1, np.int64)
    counted = 0
    while True:
        free = keys.free
        start = walk(start, stop, free.ctypes.data, len(free), len(free), count.ctypes.data)
        capacity = keys.used + len(free)
        keys.advance(int(count[0]))
        if start == stop:
            budget.add(keys.used - counted)
            return keys.filled
        budget.add(capacity - counted)  # there are more than these: the walk stopped when the next one did not fit
        counted = capacity
        keys.grow(capacity)


def first_key(walk: Walk, blocks: int, threads: int) -> NDArray[np.int64]:
    """Return the key of the first pair of the first piece that has one, or no key."""
    best = [blocks]  # no piece after the one that starts here is needed

    def run(start: int, stop: int) -> NDArray[np.int64]:
        if start > best[0]:
            return NO_KEYS
        key, count = np.empty(1, np.int64), np.zeros(1, np.int64)
        if walk(start, stop, key.ctypes.data, 1, 0, count.ctypes.data) == stop:
            return NO_KEYS
        best[0] = min(best[0], start)
        return key

    return _of_all_pieces(run, blocks, threads)[:1]


QUESTIONS = TOUCHING, SELF_TOUCHING, SELF_CANDIDATES, DISTANCE, CLEARANCE, IMPACT
COUNTED_QUESTIONS = TOUCHING, DISTANCE, CLEARANCE, IMPACT
register(Engine("packed", "cpu", ("packed",), QUESTIONS, None, ask, rank=0, counts=COUNTED_QUESTIONS))
