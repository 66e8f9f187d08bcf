"""The fast path as an engine: packed trees, many pairs in one kernel; and a packed tree with itself."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.core.interrupts import COUNTED
from tumble.hierarchy.packed import PackedTree, packed
from tumble.mesh import Mesh
from tumble.query.answer import PairTable, Stats, joined, table_of_keys
from tumble.query.bodies import IDENTITY
from tumble.query.engine import SELF_CANDIDATES, SELF_TOUCHING, TOUCHING, Engine, Request, register
from tumble.query.run import in_pieces, pairs_in_buffer, run_compiled

FIRST_CAPACITY = 1 << 16
BOXES_IN_A_BLOCK = 8


def ask(request: Request) -> PairTable:
    """Answer by the fast path; with counters one pair of bodies at a time, as kernels for many do not count."""
    from tumble.traversal.packed.chunk import query_many

    if request.question != TOUCHING:
        return joined([_own_pairs(request, body) for body in request.pairs[:, 0].tolist()])
    if request.stats:
        return in_pieces(request, lambda piece: joined([_counted(piece, *pair) for pair in piece.pairs.tolist()]))
    trees_a = request.a.addresses_of("packed", request.pairs[:, 0], packed)
    trees_b = request.b.addresses_of("packed", request.pairs[:, 1], packed)
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


def _own_pairs(request: Request, body: int) -> PairTable:
    """Answer for one body with itself; its pose does not matter."""
    from tumble.traversal.bulk.sort import sort_keys
    from tumble.traversal.packed.collect import all_keys, first_key

    mesh = request.a.mesh(body)
    tree = packed(mesh, request.threads)
    if request.question == SELF_CANDIDATES:
        walk, blocks = _candidates_walk(mesh, tree, request.threads)
    else:
        walk, blocks = _touching_walk(tree)
    if request.first:
        keys = first_key(walk, blocks, request.threads)
    else:
        keys = all_keys(walk, blocks, request.threads)
        if tree.repeats:
            keys = np.unique(keys)
        else:
            sort_keys(keys, request.threads)
    return table_of_keys(np.array([len(keys)]), keys)


def _touching_walk(tree: PackedTree) -> tuple[Callable[..., int], int]:
    """Return the walk that finds triangles that meet, and how many blocks it has to go through."""
    from tumble.traversal.packed.self_pairs import meeting_in_blocks

    pose = IDENTITY.ctypes.data
    return lambda *places: int(meeting_in_blocks(tree.address, pose, *places)), len(tree.blocks)


def _candidates_walk(mesh: Mesh, tree: PackedTree, threads: int) -> tuple[Callable[..., int], int]:
    """Return the walk that finds pairs of boxes, and how many blocks it has to go through."""
    from tumble.hierarchy.packed.over_boxes import boxes_about, build_over_boxes, frame_about
    from tumble.traversal.packed.self_pairs import box_pairs_in_blocks

    boxes = boxes_about(np.tile(mesh.vertices, 2), mesh.faces)
    # the leaves of clipped triangles do not cover their boxes
    blocks = build_over_boxes(boxes, frame_about(boxes), threads) if tree.repeats else tree.blocks
    return lambda *places: int(box_pairs_in_blocks(blocks.ctypes.data, boxes.ctypes.data, *places)), len(blocks)


register(Engine("packed", "cpu", ("packed",), (TOUCHING, SELF_TOUCHING, SELF_CANDIDATES), None, ask, rank=0))
