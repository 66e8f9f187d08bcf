"""From candidates to pairs: grouped by their pair of bodies, tested exactly where the device was not certain, sorted.

The exact test is that of the fast path, on posed float64 vertices; it reads meshes through headers like those of packed
trees, of which only two words are needed.
"""

import numpy as np
from numba import float64, int64, uint32
from numpy.typing import NDArray

from tumble.core.jit import fixed_kernel
from tumble.core.parallel import run_pieces
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import address_of, int32_at
from tumble.device.host.candidates import CERTAIN
from tumble.device.host.tree_store import trees_of
from tumble.hierarchy.packed.header import FACES, VERTICES, WORDS
from tumble.query.answer import PairTable, table_of_keys
from tumble.query.bodies import Bodies
from tumble.traversal.packed.query import still_touch
from tumble.traversal.packed.sort import sort_keys

ORDER = WORDS - 1  # the word of a header that holds the address of the tree's order of triangles
POSE_BYTES = 16 * 8
HEADER_BYTES = 8 * WORDS
PIECES = 32


@fixed_kernel(int64(uint32[:, ::1], int64[::1], int64[::1]))
def group(candidates, places, keys):
    """Write candidates as keys, grouped by their pairs; places[k] is where pair k begins.

    Keys of which the device was certain are negative: -1 - key. Return how many are not.
    """
    unsure = 0
    for k in range(candidates.shape[0]):
        pair = np.int64(candidates[k, 0])
        sure = pair & np.int64(CERTAIN) != 0
        pair &= np.int64(CERTAIN) - 1
        key = np.int64(candidates[k, 1]) << 32 | np.int64(candidates[k, 2])
        keys[places[pair]] = -1 - key if sure else key
        places[pair] += 1
        unsure += 0 if sure else 1
    return unsure


_SIDE = (int64[:, ::1], int64[::1], float64[:, :, ::1])


@fixed_kernel(int64(*_SIDE, *_SIDE, int64[:, ::1], int64[::1], int64[::1], int64, int64, int64, int64[::1]))
def confirm_pairs(
    headers_a, which_a, poses_a, headers_b, which_b, poses_b, pairs, offsets, keys, start, stop, first, counts
):  # fmt: skip
    """Test the candidates of pairs[start:stop]; those that touch move to the front of each pair's keys, sorted."""
    trees_a, trees_b, place = address_of(headers_a), address_of(headers_b), address_of(keys)
    moves_a, moves_b = address_of(poses_a), address_of(poses_b)
    for k in range(start, stop):
        i, j = pairs[k, 0], pairs[k, 1]
        tree_a, tree_b = trees_a + which_a[i] * HEADER_BYTES, trees_b + which_b[j] * HEADER_BYTES
        pose_a, pose_b = moves_a + i * POSE_BYTES, moves_b + j * POSE_BYTES
        order_a, order_b = headers_a[which_a[i], ORDER], headers_b[which_b[j], ORDER]
        begin = kept = offsets[k]
        for m in range(begin, offsets[k + 1]):
            if m & OFTEN == 0 and poll(0) != 0:
                return k
            sure = keys[m] < 0
            places = -1 - keys[m] if sure else keys[m]
            one, other = int32_at(order_a, places >> 32), int32_at(order_b, places & 0xFFFFFFFF)
            key = np.int64(one) << 32 | np.int64(other)
            if sure or still_touch(tree_a, pose_a, tree_b, pose_b, key) != 0:
                keys[kept] = key
                kept += 1
        sort_keys(place + 8 * begin, 0, kept - begin)
        counts[k] = min(kept - begin, 1) if first != 0 else kept - begin
    return stop


def confirm(
    candidates: NDArray[np.uint32], a: Bodies, b: Bodies, pairs: NDArray[np.int64], first: bool, threads: int
) -> tuple[PairTable, int]:
    """Return the touching pairs among the candidates of all pairs, and how many the device was not certain of."""
    numbers = candidates[:, 0] & ~CERTAIN
    offsets = np.zeros(len(pairs) + 1, np.int64)
    np.cumsum(np.bincount(numbers, minlength=len(pairs)), out=offsets[1:])
    keys = np.empty(len(candidates), np.int64)
    unsure = group(candidates, offsets[:-1].copy(), keys)
    counts = np.zeros(len(pairs), np.int64)
    # pieces of about as many candidates each
    bounds = np.searchsorted(offsets, np.linspace(0, len(candidates), PIECES + 1)).clip(0, len(pairs))
    bounds[0], bounds[-1] = 0, len(pairs)
    sides = *_arrays(a), *_arrays(b)

    def run(piece: int) -> None:
        confirm_pairs(*sides, pairs, offsets, keys, bounds[piece], bounds[piece + 1], int(first), counts)

    run_pieces(run, PIECES, threads)
    starts, ends = offsets[:-1], np.cumsum(counts)
    kept = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - counts), counts)
    return table_of_keys(counts, keys[kept]), unsure


@fixed_kernel(
    int64(
        int64[:, ::1], int64[::1], int64[:, ::1], int64[::1], int64[:, ::1],
        uint32[:, ::1], int64[::1], int64[::1], int64[::1],
    )
)  # fmt: skip
def find_candidates_of(headers_a, which_a, headers_b, which_b, pairs, candidates, offsets, keys, found):
    """Write for each key of a table, sorted within each pair of bodies, which candidate it was; return how many."""
    count = 0
    for k in range(candidates.shape[0]):
        pair = np.int64(candidates[k, 0]) & (np.int64(CERTAIN) - 1)
        order_a, order_b = headers_a[which_a[pairs[pair, 0]], ORDER], headers_b[which_b[pairs[pair, 1]], ORDER]
        one, other = int32_at(order_a, np.int64(candidates[k, 1])), int32_at(order_b, np.int64(candidates[k, 2]))
        key = np.int64(one) << 32 | np.int64(other)
        low, high, end = offsets[pair], offsets[pair + 1], offsets[pair + 1]
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        if low < end and keys[low] == key:
            found[low] = k
            count += 1
    return count


def candidates_of(
    table: PairTable, candidates: NDArray[np.uint32], a: Bodies, b: Bodies, pairs: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the number of the candidate that each row of the triangles of a confirmed table comes from."""
    keys = table.triangles[:, 0] << 32 | table.triangles[:, 1]
    found = np.empty(len(keys), np.int64)
    (headers_a, which_a, _), (headers_b, which_b, _) = _arrays(a), _arrays(b)
    offsets = np.array(table.offsets)  # kernels refuse read-only arrays
    find_candidates_of(headers_a, which_a, headers_b, which_b, pairs, candidates, offsets, keys, found)
    return found


def _arrays(bodies: Bodies) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return a header for each tree, the tree of each body, and poses; the caller keeps the trees alive."""
    headers = np.zeros((len(bodies.shapes), WORDS), np.int64)
    for row, tree in zip(headers, trees_of(bodies), strict=True):
        row[VERTICES] = tree.mesh.vertices.ctypes.data
        row[FACES] = tree.mesh.faces.ctypes.data
        row[ORDER] = tree.order.ctypes.data
    return headers, bodies.which, np.ascontiguousarray(bodies.poses)
