"""Are these the blocks of a packed tree? Links, lanes, sizes and triangles, checked without any kernel.

That boxes contain their triangles, or those of all its slabs a clipped triangle, takes exact arithmetic, and is left to
the tests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.errors import TreeError
from tumble.hierarchy.packed.layout import (
    ALIGNMENT,
    CHILD,
    FLOATS,
    HALF,
    LANES,
    MAX_DEPTH,
    MIDDLE,
    ROWS,
    SECOND,
    SIZE,
)


def validate_blocks(blocks: NDArray[np.float32], triangles: int, repeats: bool = False) -> int:
    """Check blocks over a number of triangles and return their depth; raise TreeError at the first fault.

    With `repeats`, triangles may be named by several leaves.
    """
    if blocks.dtype != np.float32 or blocks.ndim != 2 or blocks.shape[1] != FLOATS or not len(blocks):
        raise TreeError(
            f"blocks must have shape (n, {FLOATS}) and dtype float32, not {blocks.shape} and {blocks.dtype}"
        )
    if blocks.ctypes.data % ALIGNMENT or not blocks.flags.c_contiguous:
        raise TreeError(f"blocks must lie in a row, from a multiple of {ALIGNMENT} bytes on")
    fields = blocks.reshape(-1, ROWS, LANES)
    links = fields.view(np.int32)
    _check_lanes(fields, links)
    depth = _check_links(links[:, CHILD])
    _check_triangles(links, triangles, repeats)
    return depth


def _check_lanes(fields: NDArray[np.float32], links: NDArray[np.int32]) -> None:
    """Check that empty lanes are zero to the last bit, and that boxes and sizes are sound."""
    child = links[:, CHILD]
    _refuse((child == 0) & links.any(axis=1), "is empty, but not zero")
    used, half = child != 0, fields[:, HALF : HALF + 3]
    _refuse(used & ~np.isfinite(fields[:, MIDDLE : HALF + 3]).all(axis=1), "has a box that is not finite")
    _refuse(used & ~(half > 0.0).all(axis=1), "has a half size that is not positive")
    sizes = (half[:, 0] + half[:, 1]) + half[:, 2]
    _refuse((child > 0) & (fields[:, SIZE] != sizes), "has a size that is not the sum of its half sizes")


def _check_links(child: NDArray[np.int32]) -> int:
    """Check that every block but the first is the child of one node, and that no chain of blocks is too long."""
    if (child[0, 1:] != 0).any():
        raise TreeError("block 0 must hold the root alone, in lane 0")
    if len(child) > 1 and not (child != 0).any(axis=1).all():
        raise TreeError("there is a block without nodes")
    targets = child[child > 0]
    if not np.array_equal(np.sort(targets), np.arange(1, len(child))):
        raise TreeError(f"the links of {len(child)} blocks do not lead to every block but the first once")
    level, depth, reached = child[:1], 0, 0
    while len(level):
        depth += 1
        reached += len(level)
        if depth > MAX_DEPTH:
            raise TreeError(f"there are more than {MAX_DEPTH} levels of blocks")
        level = child[level[level > 0]]
    if reached < len(child):
        raise TreeError(f"{len(child) - reached} blocks form a ring that the root does not lead to")
    return depth


def _check_triangles(links: NDArray[np.int32], triangles: int, repeats: bool) -> None:
    """Check that every triangle is in one leaf, or in one or more, and never twice in the same."""
    leaf = links[:, CHILD] < 0
    second = links[:, SECOND][leaf]
    if (second < -1).any():
        raise TreeError(f"a leaf's second triangle is {second.min()}; it must be a triangle, or -1 for none")
    if (second == -1 - links[:, CHILD][leaf]).any():
        raise TreeError("a leaf names its only triangle twice, not once")
    named = np.concatenate([-1 - links[:, CHILD][leaf], second[second >= 0]])
    if not np.array_equal(np.unique(named) if repeats else np.sort(named), np.arange(triangles)):
        raise TreeError(f"the leaves do not name each of {triangles} triangles once{' or more' if repeats else ''}")


def _refuse(wrong: NDArray[np.bool_], fault: str) -> None:
    if wrong.any():
        raise TreeError(f"node {int(np.argmax(wrong))} {fault}")
