"""The pairs of leaves that `walk` comes to, compared many at a time, and the triangles that touch, written.

Float32 tells nearly all pairs of triangles, eight or sixteen at a time; the others are posed, and decided in float64 or
exactly.

Singles that are leaves wait with the lanes of a block that are leaves too, until there are enough. Then all pairs are
listed, so that whatever a single meets, vectors are full and no branch depends on it; and the processor is told early
what it will have to read of triangles, which may be in memory far away.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import (
    INT32,
    INT64,
    bit_count,
    instruction,
    int32_at,
    int64_at,
    lowest_bit,
    pointer_to,
    prefetch,
    set_int64,
)
from tumble.core.simd.processor import float32_lanes
from tumble.core.simd.stack_memory import scratch
from tumble.core.simd.vectors import store_chosen
from tumble.hierarchy.packed.header import FACES, TRIANGLES, VERTICES
from tumble.hierarchy.packed.layout import CHILD, LANES, SECOND
from tumble.narrow.triangles.certain_pairs import (
    KEPT_AT,
    PAIR_WORDS,
    SECOND_TRIANGLE,
    TRIANGLE,
    TRIANGLE_PAIRS,
    certain_pairs,
    list_pair,
)
from tumble.traversal.packed.leaves import (
    LEAF,
    ONE,
    OUR_KEYS,
    OUR_LANES,
    SIDE,
    TWO,
    keep_single,
    pair_of,
    pairs_by_posing,
)
from tumble.traversal.packed.nodes import link
from tumble.traversal.packed.search import search_at

# What waits, in 64-bit words: the single and the block, the lanes of the block that are leaves, the single's slot, and
# the search.
WAITING_WORDS = 4
WAITING_LEAVES, WAITING_SLOT, WAITING_SEARCH = 1, 2, 3
WAITING_BYTES = 8 * WAITING_WORDS
# Behind a pair of leaves as `certain_pairs` reads it: its triangles' parts of keys, the lanes that it has, the search.
THEIR_KEYS, THEIR_LANES, OF_SEARCH = 3, 5, 6
FILLING = 3  # as many more pairs are listed to fill vectors, at most
PAIR_BYTES = 8 * PAIR_WORDS
LEAF_LANES = (1 << TRIANGLE_PAIRS) - 1
FACE_BYTES, VERTEX_BYTES = 12, 24
# Meshes with fewer triangles than this, both together, are near enough to the processor: fetching them ahead makes all
# pairs 3 % slower if they are, and as much faster if they are not; of ten times as many, a tenth faster.
FEW_TRIANGLES = 30_000


@inlined_kernel
def fetch_faces(tree, one, two):
    """Let the processor fetch which vertices two triangles have; `two` may be negative."""
    faces = int64_at(tree, FACES)
    prefetch(faces + FACE_BYTES * one)
    prefetch(faces + FACE_BYTES * two)


@inlined_kernel
def fetch_vertices(tree, triangle):
    """Let the processor fetch the vertices of a triangle."""
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    for k in range(3):
        prefetch(vertices + VERTEX_BYTES * int32_at(faces, 3 * triangle + k))


@inlined_kernel
def waiting_single(queue, k):
    """Return what waits at a place of the queue: the search, its word, the lanes that are leaves, and the slot."""
    place = queue + WAITING_BYTES * k
    search = search_at(int64_at(place, WAITING_SEARCH))
    return search, int64_at(place, 0), int64_at(place, WAITING_LEAVES), int64_at(place, WAITING_SLOT)


@inlined_kernel
def let_wait(queue, queued, search, waiting, leaves, slot):
    """Write what waits at a place of the queue, or will, if there are leaves."""
    place = queue + WAITING_BYTES * queued
    set_int64(place, 0, waiting)
    set_int64(place, WAITING_LEAVES, leaves)
    set_int64(place, WAITING_SLOT, slot)
    set_int64(place, WAITING_SEARCH, search.place)


@inlined_kernel
def own_tree(search, side):
    """Return the tree of a single."""
    return search.tree_a if side == 0 else search.tree_b


@inlined_kernel
def fetch_singles(queue, queued):
    """Let the processor fetch the faces of all singles that wait."""
    for k in range(queued):
        search, waiting, _, _ = waiting_single(queue, k)
        side, single, lane, _ = pair_of(search, waiting)
        fetch_faces(own_tree(search, side), -1 - link(single, CHILD, lane), link(single, SECOND, lane))


@inlined_kernel
def list_pairs(queue, queued, total, pairs):
    """List the pairs of leaves that wait, and let the processor fetch the faces of the second ones."""
    # which lanes are leaves cannot be predicted: the next one may belong to the next single, without a branch
    k, leaves, pair = np.int64(0), int64_at(queue, WAITING_LEAVES), pairs
    set_int64(queue + WAITING_BYTES * queued, WAITING_LEAVES, 0)
    for _ in range(total):
        search, waiting, _, slot = waiting_single(queue, k)
        side, _, _, block = pair_of(search, waiting)
        lane = lowest_bit(leaves)
        one, two = -1 - link(block, CHILD, lane), link(block, SECOND, lane)
        fetch_faces(own_tree(search, 1 - side), one, two)
        list_pair(pair, slot, one, two)
        set_int64(pair, THEIR_KEYS, one << 32 * side)
        set_int64(pair, THEIR_KEYS + 1, two << 32 * side)
        set_int64(pair, THEIR_LANES, 0b0001 if two < 0 else 0b0101)
        set_int64(pair, OF_SEARCH, search.place)
        leaves &= leaves - 1
        ended = np.int64(leaves == 0)
        k += ended
        leaves |= int64_at(queue + WAITING_BYTES * k, WAITING_LEAVES) & -ended
        pair += PAIR_BYTES
    # the last one once more, without lanes, so that vectors are full
    for _ in range(float32_lanes() // TRIANGLE_PAIRS - 1):
        for word in range(PAIR_WORDS):
            set_int64(pair, word, int64_at(pair - PAIR_BYTES, word))
        set_int64(pair, THEIR_LANES, 0)
        pair += PAIR_BYTES


@inlined_kernel
def fetch_points(queue, queued, total, pairs):
    """Let the processor fetch the vertices of all that waits."""
    for k in range(queued):
        search, waiting, _, _ = waiting_single(queue, k)
        side, single, lane, _ = pair_of(search, waiting)
        fetch_vertices(own_tree(search, side), -1 - link(single, CHILD, lane))
    k, leaves = np.int64(0), bit_count(int64_at(queue, WAITING_LEAVES))
    for j in range(total):
        search, waiting, _, _ = waiting_single(queue, k)
        fetch_vertices(own_tree(search, 1 - (waiting & 1)), int64_at(pairs + PAIR_BYTES * j, TRIANGLE))
        leaves -= 1
        ended = np.int64(leaves == 0)
        k += ended
        leaves += bit_count(int64_at(queue + WAITING_BYTES * k, WAITING_LEAVES)) & -ended


@inlined_kernel
def prepare_waiting(queue, queued, total, pairs):
    """List all pairs of leaves that wait, `total` of them and at least one, and keep their first leaves."""
    fetch_singles(queue, queued)
    list_pairs(queue, queued, total, pairs)
    search = search_at(int64_at(queue, WAITING_SEARCH))
    if int64_at(search.tree_a, TRIANGLES) + int64_at(search.tree_b, TRIANGLES) > FEW_TRIANGLES:
        fetch_points(queue, queued, total, pairs)
    for k in range(queued):
        search, waiting, _, slot = waiting_single(queue, k)
        # what long thin triangles are compared with boxes by is kept already
        if search.tight == 0:
            keep_single(search, waiting, slot)


@inlined_kernel
def compare_waiting(queue, queued, total, pairs, first, keys, capacity, found):
    """Compare all singles that wait with their leaves, `total` pairs of leaves, and write the keys of what touches.

    Return how many pairs of triangles are found by now, and how many got past the planes.
    """
    prepare_waiting(queue, queued, total, pairs)
    most, tests = float32_lanes() // TRIANGLE_PAIRS, 0
    for start in range(0, total, most):
        some = pairs + PAIR_BYTES * start
        touching, more = touching_lanes(some)
        tests += more
        for k in range(0, most, 2):
            two_pairs = touching >> TRIANGLE_PAIRS * k & 0xFF
            found = write_touching(some + PAIR_BYTES * k, two_pairs, first, keys, capacity, found)
        if first != 0 and found != 0:
            break
    return found, tests


@inlined_kernel
def touching_lanes(pairs):
    """Compare some pairs of leaves.

    Return the lanes of `certain_pairs` that touch, and how many triangle pairs got past the planes.
    """
    touching, unsure, open_lanes = certain_pairs(pairs)
    present = 0
    for k in range(float32_lanes() // TRIANGLE_PAIRS):
        pair = pairs + PAIR_BYTES * k
        present |= int64_at(int64_at(pair, KEPT_AT), OUR_LANES) * int64_at(pair, THEIR_LANES) << TRIANGLE_PAIRS * k
    touching, unsure, open_lanes = touching & present, unsure & present, open_lanes & present
    tests = bit_count(open_lanes ^ unsure)
    # all before any is written: which pairs float32 can tell depends on the machine, the order of pairs must not
    while unsure != 0:
        k = lowest_bit(unsure) // TRIANGLE_PAIRS
        more = by_posing(pairs + PAIR_BYTES * k, unsure >> TRIANGLE_PAIRS * k & LEAF_LANES)
        unsure &= ~(LEAF_LANES << TRIANGLE_PAIRS * k)
        touching |= (more & LEAF_LANES) << TRIANGLE_PAIRS * k
        tests += bit_count(more >> LANES)
    return touching, tests


@inlined_kernel
def by_posing(pair, lanes):
    """Test triangles of two leaves in float64; see `pairs_by_posing`."""
    search, slot = search_at(int64_at(pair, OF_SEARCH)), int64_at(pair, KEPT_AT)
    side = int64_at(slot, SIDE)
    tree, other = (search.tree_a, search.tree_b) if side == 0 else (search.tree_b, search.tree_a)
    pose, other_pose = (search.pose_a, search.pose_b) if side == 0 else (search.pose_b, search.pose_a)
    return pairs_by_posing(
        search.place, int64_at(slot, LEAF), tree, pose, int64_at(slot, ONE), int64_at(slot, TWO),
        other, other_pose, int64_at(pair, TRIANGLE), int64_at(pair, SECOND_TRIANGLE), lanes, search.posed,
    )  # fmt: skip


@instruction(types.int64(*4 * (types.int64,)))
def write_chosen(builder, pairs, touching, keys, found):
    """Write the keys of those triangles of two pairs of leaves that touch; return how many there are by now."""
    two_words = ir.VectorType(INT64, 2)

    def words(places: Sequence[Any], index: int, order: Sequence[int]) -> Any:
        both = []
        for place in places:
            both.append(builder.load(pointer_to(builder, builder.add(place, INT64(8 * index)), two_words)))
            both[-1].align = 8
        return builder.shuffle_vector(*both, ir.Constant(ir.VectorType(INT32, LANES), list(order)))

    places = [pairs, builder.add(pairs, INT64(PAIR_BYTES))]
    slots = [builder.load(pointer_to(builder, place, INT64)) for place in places]
    theirs = words(places, THEIR_KEYS, (0, 0, 1, 1, 2, 2, 3, 3))
    ours = words(slots, OUR_KEYS, (0, 1, 0, 1, 2, 3, 2, 3))
    return store_chosen(builder, builder.or_(ours, theirs), touching, keys, found)


@inlined_kernel
def write_touching(pairs, touching, first, keys, capacity, found):
    """Write the touching triangles of two pairs of leaves; return how many there are by now."""
    if first == 0 and found + LANES <= capacity:
        return write_chosen(pairs, touching, keys, found)
    # a full buffer goes on counting: the caller then knows how large the next one must be
    spare = scratch(LANES)
    count = write_chosen(pairs, touching, spare, np.int64(0))
    count = min(count, 1 - found) if first != 0 else count
    for k in range(min(count, capacity - found)):
        set_int64(keys, found + k, int64_at(spare, k))
    return found + count
