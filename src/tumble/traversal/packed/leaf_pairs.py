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

# What waits, in 64-bit words: the single and the block, the lanes of the block that are leaves, the single's slot.
WAITING_WORDS = 3
WAITING_LEAVES, WAITING_SLOT = 1, 2
# Behind a pair of leaves as `certain_pairs` reads it: its triangles' parts of keys; and the lanes that it has.
THEIR_KEYS, THEIR_LANES = 3, 5
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
def own_tree(walk, side):
    """Return the tree of a single."""
    return walk.tree_a if side == 0 else walk.tree_b


@inlined_kernel
def fetch_singles(walk, queue, queued):
    """Let the processor fetch the faces of all singles that wait."""
    for k in range(queued):
        side, single, lane, _ = pair_of(walk, int64_at(queue, WAITING_WORDS * k))
        fetch_faces(own_tree(walk, side), -1 - link(single, CHILD, lane), link(single, SECOND, lane))


@inlined_kernel
def list_pairs(walk, queue, queued, total, pairs):
    """List the pairs of leaves that wait, and let the processor fetch the faces of the second ones."""
    # which lanes are leaves cannot be predicted: the next one may belong to the next single, without a branch
    k, leaves, pair = np.int64(0), int64_at(queue, WAITING_LEAVES), pairs
    set_int64(queue, WAITING_WORDS * queued + WAITING_LEAVES, 0)
    for _ in range(total):
        side, _, _, block = pair_of(walk, int64_at(queue, WAITING_WORDS * k))
        lane = lowest_bit(leaves)
        one, two = -1 - link(block, CHILD, lane), link(block, SECOND, lane)
        fetch_faces(own_tree(walk, 1 - side), one, two)
        list_pair(pair, int64_at(queue, WAITING_WORDS * k + WAITING_SLOT), one, two)
        set_int64(pair, THEIR_KEYS, one << 32 * side)
        set_int64(pair, THEIR_KEYS + 1, two << 32 * side)
        set_int64(pair, THEIR_LANES, 0b0001 if two < 0 else 0b0101)
        leaves &= leaves - 1
        ended = np.int64(leaves == 0)
        k += ended
        leaves |= int64_at(queue, WAITING_WORDS * k + WAITING_LEAVES) & -ended
        pair += PAIR_BYTES
    # the last one once more, without lanes, so that vectors are full
    for _ in range(float32_lanes() // TRIANGLE_PAIRS - 1):
        for word in range(THEIR_LANES):
            set_int64(pair, word, int64_at(pair - PAIR_BYTES, word))
        set_int64(pair, THEIR_LANES, 0)
        pair += PAIR_BYTES


@inlined_kernel
def fetch_points(walk, queue, queued, total, pairs):
    """Let the processor fetch the vertices of all that waits."""
    for k in range(queued):
        side, single, lane, _ = pair_of(walk, int64_at(queue, WAITING_WORDS * k))
        fetch_vertices(own_tree(walk, side), -1 - link(single, CHILD, lane))
    k, leaves = np.int64(0), bit_count(int64_at(queue, WAITING_LEAVES))
    for j in range(total):
        side = int64_at(queue, WAITING_WORDS * k) & 1
        fetch_vertices(own_tree(walk, 1 - side), int64_at(pairs + PAIR_BYTES * j, TRIANGLE))
        leaves -= 1
        ended = np.int64(leaves == 0)
        k += ended
        leaves += bit_count(int64_at(queue, WAITING_WORDS * k + WAITING_LEAVES)) & -ended


@inlined_kernel
def compare_waiting(walk, queue, queued, total, pairs, found):
    """Compare all singles that wait with their leaves, `total` pairs of leaves.

    Return how many pairs of triangles are found by now, and how many got past the planes.
    """
    fetch_singles(walk, queue, queued)
    list_pairs(walk, queue, queued, total, pairs)
    if int64_at(walk.tree_a, TRIANGLES) + int64_at(walk.tree_b, TRIANGLES) > FEW_TRIANGLES:
        fetch_points(walk, queue, queued, total, pairs)
    # what long thin triangles are compared with boxes by is kept already
    for k in range(queued if walk.tight == 0 else 0):
        keep_single(
            walk, int64_at(queue, WAITING_WORDS * k), int64_at(queue, WAITING_WORDS * k + WAITING_SLOT)
        )  # fmt: skip
    most, tests = float32_lanes() // TRIANGLE_PAIRS, 0
    for start in range(0, total, most):
        some = pairs + PAIR_BYTES * start
        touching, more = touching_lanes(walk, some)
        tests += more
        for k in range(0, most, 2):
            found = write_touching(walk, some + PAIR_BYTES * k, touching >> TRIANGLE_PAIRS * k & 0xFF, found)
        if walk.first != 0 and found != 0:
            break
    return found, tests


@inlined_kernel
def touching_lanes(walk, pairs):
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
        more = by_posing(walk, pairs + PAIR_BYTES * k, unsure >> TRIANGLE_PAIRS * k & LEAF_LANES)
        unsure &= ~(LEAF_LANES << TRIANGLE_PAIRS * k)
        touching |= (more & LEAF_LANES) << TRIANGLE_PAIRS * k
        tests += bit_count(more >> LANES)
    return touching, tests


@inlined_kernel
def by_posing(walk, pair, lanes):
    """Test triangles of two leaves in float64; see `pairs_by_posing`."""
    slot = int64_at(pair, KEPT_AT)
    side = int64_at(slot, SIDE)
    tree, other = (walk.tree_a, walk.tree_b) if side == 0 else (walk.tree_b, walk.tree_a)
    pose, other_pose = (walk.pose_a, walk.pose_b) if side == 0 else (walk.pose_b, walk.pose_a)
    return pairs_by_posing(
        int64_at(slot, LEAF), tree, pose, int64_at(slot, ONE), int64_at(slot, TWO),
        other, other_pose, int64_at(pair, TRIANGLE), int64_at(pair, SECOND_TRIANGLE), lanes, walk.memory,
        walk.posed,
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
def write_touching(walk, pairs, touching, found):
    """Write the touching triangles of two pairs of leaves; return how many there are by now."""
    if walk.first == 0 and found + LANES <= walk.capacity:
        return write_chosen(pairs, touching, walk.keys, found)
    # a full buffer goes on counting: the caller then knows how large the next one must be
    spare = scratch(LANES)
    count = write_chosen(pairs, touching, spare, np.int64(0))
    count = min(count, 1 - found) if walk.first != 0 else count
    for k in range(min(count, walk.capacity - found)):
        set_int64(walk.keys, found + k, int64_at(spare, k))
    return found + count
