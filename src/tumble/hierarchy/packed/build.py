"""Build the packed tree of a mesh: boxes of triangles or their slabs, the trunk, its branches by several threads.

What is done apart depends on the mesh alone, never on the number of threads, and so does the result.
"""

from collections.abc import Callable
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import TreeError
from tumble.hierarchy.packed.boxes import SCALE, enclose, localise
from tumble.hierarchy.packed.clip_counts import shadow_to_clip, share_boxes
from tumble.hierarchy.packed.clipped import enclose_clipped
from tumble.hierarchy.packed.grow import (
    BRANCH_BOUNDS,
    BRANCH_DEPTH,
    BRANCH_LINK,
    BRANCH_NUMBERS,
    BRANCH_START,
    BRANCH_STOP,
    HALVING_DEPTH,
    copy_blocks,
    grow,
    write_root,
)
from tumble.hierarchy.packed.layout import FLOATS, LANES, LEAF_SIZE, empty_blocks
from tumble.hierarchy.packed.scratch import WORDS

MOST_TRIANGLES = 2**29
"""as places among twice as many boxes are int32, and triangles are tagged (see `boxes`)"""
ONE_PIECE = 16384
"""triangles of a mesh that is built in one piece: threads would not pay"""
PIECE = 8192
"""triangles whose boxes are computed in one go"""
BRANCHES = 8
"""a branch has at most this part of the triangles: enough of them for some threads, and a short trunk"""

NO_BRANCHES = np.empty(0, np.int32)


class BuiltBlocks(NamedTuple):
    """A packed tree, and how its coordinates follow from the mesh's: (vertex - origin) * scale."""

    blocks: NDArray[np.float32]
    """(k, 64), see `layout`"""
    origin: NDArray[np.float64]
    scale: float
    repeats: bool
    """whether some triangles were clipped, and are named by several leaves"""


class Grown(NamedTuple):
    """Blocks, or nodes of another tree, that were grown apart."""

    array: NDArray[np.generic]
    """and more memory than they need"""
    used: int
    link: int
    """the place in the trunk that must lead to the first of them"""


def localised(
    vertices: NDArray[np.float64], faces: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return the frame of a mesh, origin and scale, and its vertices in it, four numbers apart: see `boxes`."""
    frame, local = np.array([0.0, 0.0, 0.0, 1.0]), np.empty(4 * len(vertices), np.float32)
    if len(faces):
        places = vertices.ctypes.data, len(vertices), faces.ctypes.data, len(faces)
        localise(*places, frame.ctypes.data, local.ctypes.data)
    return frame, local


def bounds_of_pieces(count: int, threads: int, write: Callable[[int, int, int], None]) -> NDArray[np.float32]:
    """Return (2, 8): the bounds of `count` boxes; write(start, stop, address) writes some, and their bounds."""
    size = count if count <= ONE_PIECE else PIECE
    bounds = np.empty((-(-count // size), 2, 8), np.float32)
    # least and greatest are exact: however the boxes are shared out, their bounds are the same bits
    run_pieces(lambda k: write(k * size, min(count, (k + 1) * size), bounds.ctypes.data + 64 * k), len(bounds), threads)
    return np.asarray(bounds.min(axis=0))


def build_blocks(vertices: NDArray[np.float64], faces: NDArray[np.int32], threads: int | None = None) -> BuiltBlocks:
    """Build the packed tree of checked arrays; the result does not depend on the number of threads."""
    count = len(faces)
    if count > MOST_TRIANGLES:
        raise TreeError(f"a mesh of {count} triangles is too large for a packed tree ({MOST_TRIANGLES}); split it")
    vertices, faces = np.ascontiguousarray(vertices, np.float64), np.ascontiguousarray(faces, np.int32)
    frame, local = localised(vertices, faces)
    if count == 0:
        return BuiltBlocks(empty_blocks(1), frame[:SCALE], 1.0, repeats=False)
    threads = 1 if count <= ONE_PIECE else thread_count(threads)
    boxes, whole = _enclose_all(faces, local, threads)
    blocks = grow_blocks(boxes, whole, threads)
    return BuiltBlocks(blocks, frame[:SCALE], float(frame[SCALE]), repeats=boxes.size // 16 > count)


def grow_blocks(boxes: NDArray[np.float32], whole: NDArray[np.int32], threads: int) -> NDArray[np.float32]:
    """Grow a tree over rows of boxes (see `boxes`), with as much memory behind; `whole` is all of them as a branch."""
    count = boxes.size // 16
    pieces = [] if count <= LEAF_SIZE else _grow_all(boxes, whole, threads)
    return _gather(pieces, whole, count, threads)


def whole_branch(count: int, bounds: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return `count` boxes as one branch; bounds are (2, 8), about them and about their centres."""
    whole = np.empty(BRANCH_NUMBERS, np.int32)
    whole[BRANCH_START], whole[BRANCH_STOP], whole[BRANCH_LINK], whole[BRANCH_DEPTH] = 0, count, 0, 1
    whole[BRANCH_BOUNDS:] = bounds.reshape(-1).view(np.int32)
    return whole


def _enclose_all(
    faces: NDArray[np.int32], local: NDArray[np.float32], threads: int
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return the boxes of all triangles, with as much memory behind, and the whole mesh as a branch."""
    count = len(faces)
    corners, points = faces.ctypes.data, local.ctypes.data
    firsts = _firsts(corners, points, count)
    total = count if firsts is None else int(firsts[-1])
    boxes = np.empty(16 * total, np.float32)

    def enclose_piece(start: int, stop: int, bounds: int) -> None:
        if firsts is None:
            enclose(corners, points, boxes.ctypes.data, start, stop, bounds)
        else:
            enclose_clipped(corners, points, firsts.ctypes.data, boxes.ctypes.data, start, stop, bounds)

    return boxes, whole_branch(total, bounds_of_pieces(count, threads, enclose_piece))


def _firsts(corners: int, points: int, count: int) -> NDArray[np.int32] | None:
    """Return the number of each triangle's first box, and how many there are; None where each has just one."""
    mean = shadow_to_clip(corners, points, count) if count > LEAF_SIZE else 0.0
    if mean == 0.0:
        return None
    roots, firsts = np.empty(count), np.empty(count + 1, np.int32)
    # one more box per triangle on average at most, so that a tree is at most twice as large
    budget = min(count, MOST_TRIANGLES - count)
    total = share_boxes(corners, points, count, mean, budget, roots.ctypes.data, firsts.ctypes.data)
    return firsts if total > count else None


def _grow_all(boxes: NDArray[np.float32], whole: NDArray[np.int32], threads: int) -> list[Grown]:
    """Grow the trunk, then its branches."""
    count = boxes.size // 16
    if count <= ONE_PIECE:
        return [_grow_branch(boxes, whole)]
    trunk = np.empty((LANES * HALVING_DEPTH, FLOATS), np.float32)
    branches = np.empty((LANES * len(trunk), BRANCH_NUMBERS), np.int32)
    # fewer than eight ranges exceed an eighth at each level, and none two levels below where halving begins
    used, found = _grow(boxes, whole, trunk, count // BRANCHES, branches)
    return [Grown(trunk, used, 0), *run_pieces(lambda k: _grow_branch(boxes, branches[k]), found, threads)]


def _grow_branch(boxes: NDArray[np.float32], branch: NDArray[np.int32]) -> Grown:
    blocks = np.empty((most_blocks(int(branch[BRANCH_STOP] - branch[BRANCH_START])), FLOATS), np.float32)
    used, _ = _grow(boxes, branch, blocks)
    return Grown(blocks, used, int(branch[BRANCH_LINK]))


def _grow(
    boxes: NDArray[np.float32],
    branch: NDArray[np.int32],
    blocks: NDArray[np.float32],
    limit: int = 0,
    branches: NDArray[np.int32] = NO_BRANCHES,
) -> tuple[int, int]:
    scratch = np.empty(WORDS, np.int64)
    places = boxes.ctypes.data, boxes.size // 16, branch.ctypes.data, blocks.ctypes.data
    found: tuple[int, int] = grow(*places, limit, branches.ctypes.data, scratch.ctypes.data)
    return found


def most_blocks(boxes: int) -> int:
    """Return more blocks than n boxes can need, which is 8 n / 21 - 1 / 7 at most, by induction.

    A last block has three boxes or more. Any other uses its eight lanes; or it has u last blocks below it, each
    with more boxes than 2 f + 2, where f lanes are left, and at least one box in each of 8 - f - u leaves.
    """
    return boxes // 2 + 2


def _gather(pieces: list[Grown], whole: NDArray[np.int32], count: int, threads: int) -> NDArray[np.float32]:
    """Copy all blocks behind that of the root, one array after the other."""
    firsts = list(accumulate((piece.used for piece in pieces), initial=1))
    blocks = empty_blocks(firsts[-1])
    target = blocks.ctypes.data
    write_root(target, whole.ctypes.data, count)

    def copy(k: int) -> None:
        copy_blocks(pieces[k].array.ctypes.data, pieces[k].used, target, firsts[k])

    run_pieces(copy, len(pieces), threads)
    links = blocks.view(np.int32).reshape(-1)
    # the trunk was grown from block 0 on, and now stands behind the root's: its places are one block farther
    for piece, first in zip(pieces[1:], firsts[1:], strict=False):
        links[FLOATS + piece.link] = first
    return blocks
