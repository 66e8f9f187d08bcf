"""Lists of pairs on all cores: cut into pieces whose size depends on the list's length alone, so that the answer is the
same for any number of threads.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.core.interrupts import COUNTED, REFUSED, count_of
from tumble.core.limits import PairCount, check_pairs, refuse
from tumble.core.parallel import run_pieces
from tumble.query.answer import PairTable, joined, table_of_keys
from tumble.query.engine import Request

PIECES = 48
SMALLEST_PIECE, LARGEST_PIECE = 16, 4096
FIRST_CAPACITY = 1 << 14

FIRST_ASKED, MORE = 64, 4
"""rows that a question about any of them begins with, and how many times as many come next"""

QueryMany = Callable[..., int]
"""see `tumble.traversal.packed.each.query_each`"""


def piece_size(count: int) -> int:
    """Return how many of `count` pairs one kernel call takes."""
    return min(max(SMALLEST_PIECE, -(-count // PIECES)), LARGEST_PIECE)


def any_of(rows: NDArray[np.int64], hit: Callable[[NDArray[np.int64]], bool]) -> bool:
    """Tell whether any of some rows hit: ask for a few first, then for more at a time, and for none after a hit."""
    start, size = 0, FIRST_ASKED
    while start < len(rows):
        if hit(rows[start : start + size]):
            return True
        start, size = start + size, MORE * size
    return False


def in_pieces(request: Request, answer: Callable[[Request], PairTable], smallest: int = SMALLEST_PIECE) -> PairTable:
    """Answer a request in pieces, several at a time; their answers lie one behind the other in the table."""
    size = max(smallest, -(-len(request.pairs) // PIECES))
    if len(request.pairs) <= size:
        return answer(request)
    count = PairCount()

    def run(piece: int) -> PairTable:
        table = answer(request.part(piece * size, (piece + 1) * size))
        if not request.first:
            count.add(len(table.triangles))
        return table

    return joined(run_pieces(run, -(-len(request.pairs) // size), request.threads))


def run_compiled(request: Request, trees: tuple[NDArray[np.int64], NDArray[np.int64]], query: QueryMany) -> PairTable:
    """Answer a request by a kernel that takes many pairs at a time; trees are the addresses of all bodies' trees.

    Each piece is one call without the GIL. Where a buffer is too small for the touching triangles of a piece, a larger
    one is added and the piece continues where it stopped.
    """
    a, b, first = request.a, request.b, request.first
    pairs = np.require(request.pairs, np.int64, ["C", "W"])  # kernels take no read-only arrays
    deviations_a = a.deviations
    deviations_b = deviations_a if b.poses is a.poses else b.deviations
    sides = (trees[0], a.poses, deviations_a, trees[1], b.poses, deviations_b)
    counts = np.zeros(len(pairs), np.int64)
    size = request.piece or piece_size(len(pairs))
    budget = PairCount()

    def run(piece: int) -> list[NDArray[np.int64]]:
        start, stop = piece * size, min((piece + 1) * size, len(pairs))
        at, counted, capacity = start, 0, stop - start if first else FIRST_CAPACITY
        found: list[NDArray[np.int64]] = []
        while True:
            before, keys = at, np.empty(capacity, np.int64)
            at = query(*sides, pairs, at, stop, int(first), counts, keys)
            found.append(keys[: counts[before:at].sum()])
            needed = int(counts[start : min(at + 1, stop)].sum())
            if at == stop:
                if not first:
                    budget.add(needed - counted)
                return found
            if counts[at] < 0:
                refuse(int(counts[at]))
            budget.add(needed - counted)
            counted, capacity = needed, 2 * needed

    keys = [part for parts in run_pieces(run, -(-len(pairs) // size), request.threads) for part in parts]
    return table_of_keys(counts, np.concatenate(keys) if keys else np.empty(0, np.int64))


def run_first_hits(request: Request, trees: tuple[NDArray[np.int64], NDArray[np.int64]], query: QueryMany) -> PairTable:
    """Answer whether bodies touch by a kernel that takes pieces of the list by itself, one call for each thread.

    See `tumble.traversal.packed.first_hits.first_hits_of_pieces`.
    """
    a, b = request.a, request.b
    pairs = np.require(request.pairs, np.int64, ["C", "W"])
    deviations_a = a.deviations
    deviations_b = deviations_a if b.poses is a.poses else b.deviations
    counts, keys, taken = np.zeros(len(pairs), np.int64), np.empty(len(pairs), np.int64), np.zeros(1, np.int64)
    size = request.piece or piece_size(len(pairs))

    def run(_: int) -> None:
        row = query(
            trees[0], a.poses, deviations_a, trees[1], b.poses, deviations_b, pairs, size, counts, keys, taken
        )  # fmt: skip
        if row < len(pairs):
            refuse(row if row < 0 else int(counts[row]))

    run_pieces(run, min(request.threads, -(-len(pairs) // size)), request.threads)
    return table_of_keys(counts, keys[counts > 0])


def pairs_in_buffer(
    find: Callable[[NDArray[np.int64]], int], capacity: int, explain: Callable[[], object] | None = None
) -> tuple[NDArray[np.int64], int]:
    """Ask by a kernel that writes counters and keys to a buffer until all keys fit; return the buffer and how many.

    explain   raises what is wrong with arguments that the kernel refuses; without it, they have been checked
    """
    buffer = np.empty(capacity, np.int64)
    while True:
        found = find(buffer)
        if found < REFUSED:
            refuse(found)
        if found == REFUSED and explain is not None:
            explain()
        check_pairs(count_of(found))
        if found <= len(buffer) - COUNTED:
            return buffer, found
        buffer = np.empty(found + COUNTED, np.int64)  # it went on counting, so the second time all fit
