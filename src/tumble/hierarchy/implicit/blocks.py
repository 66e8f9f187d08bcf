"""Work on many trees, large and small, in blocks of about the same size, on all cores."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces

BLOCK_LEVELS = 12
"""a block of leaves is a whole subtree of this many levels, or the last part of one"""
BLOCK = 1 << BLOCK_LEVELS
PIECES = 16


def span_blocks(firsts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (k, 3): tree, start, stop; the spans from each of `firsts` to the next, cut every BLOCK."""
    sizes = np.diff(firsts)
    parts = (sizes + BLOCK - 1) >> BLOCK_LEVELS
    tree = np.repeat(np.arange(len(sizes)), parts)
    within = np.arange(len(tree)) - np.repeat(np.cumsum(parts) - parts, parts)
    start = firsts[tree] + (within << BLOCK_LEVELS)
    return np.stack([tree, start, np.minimum(start + BLOCK, firsts[tree + 1])], axis=1).astype(np.int64)


def run_blocks(work: Any, blocks: NDArray[np.int64], threads: int, *arguments: Any) -> None:
    """Call work(blocks, start, stop, ...) for pieces of the list of blocks of about equal size."""
    if len(blocks) == 0:
        return
    if threads == 1 or len(blocks) == 1:
        work(blocks, 0, len(blocks), *arguments)
        return
    ends = np.cumsum(blocks[:, 2] - blocks[:, 1])
    bounds = np.searchsorted(ends, np.linspace(0, ends[-1], PIECES + 1)[1:-1], side="right")
    bounds = np.unique([0, *bounds, len(blocks)])

    def run(piece: int) -> None:
        work(blocks, bounds[piece], bounds[piece + 1], *arguments)

    run_pieces(run, len(bounds) - 1, threads)
