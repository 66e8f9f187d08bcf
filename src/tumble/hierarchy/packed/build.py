"""Build the packed tree of a mesh: boxes of triangles or their slabs, the trunk, its branches by several threads.

What is done apart depends on the mesh alone, never on the number of threads, and so does the result.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

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
    copy_branches,
    grow,
    grow_branches,
    write_root,
)
from tumble.hierarchy.packed.layout import FLOATS, LANES, LEAF_SIZE, empty_blocks
from tumble.hierarchy.packed.scratch import WORDS

MOST_TRIANGLES = 2**29
"""as places among twice as many boxes are int32, and triangles are tagged (see `boxes`)"""
ONE_PIECE = 16384
"""triangles of a mesh whose boxes are computed in one piece: threads would not pay"""
ONE_BRANCH = 4096
"""triangles of a mesh that is grown in one piece"""
SHORT_TRUNK = 32768
"""triangles of a mesh of which few branches are grown, as a trunk is one thread's work"""
FEW_BLOCKS = 4096
"""blocks that one thread copies"""
PIECE = 8192
"""triangles whose boxes are computed in one go"""
BRANCHES, FEW_BRANCHES = 8, 3
"""a branch has at most this part of the triangles: enough of them for some threads, and a short trunk"""


class BuiltBlocks(NamedTuple):
    """A packed tree, and how its coordinates follow from the mesh's: (vertex - origin) * scale."""

    blocks: NDArray[np.float32]
    """(k, 64), see `layout`"""
    origin: NDArray[np.float64]
    scale: float
    repeats: bool
    """whether some triangles were clipped, and are named by several leaves"""


class Branches(NamedTuple):
    """A trunk, and branches of it that were grown apart, into one array of blocks."""

    trunk: NDArray[np.float32]
    blocks: NDArray[np.float32]
    """and more memory than they need"""
    firsts: NDArray[np.int64]
    """where the blocks of each branch begin"""
    used: NDArray[np.int64]
    """how many blocks each branch has"""
    links: NDArray[np.int32]
    """the places in the trunk that must lead to them"""

    @property
    def places(self) -> tuple[int, int, int]:
        """The addresses of the blocks, and of where they begin and how many there are."""
        return self.blocks.ctypes.data, self.firsts.ctypes.data, self.used.ctypes.data


NO_TRUNK = np.empty((0, FLOATS), np.float32)
NO_BRANCHES = Branches(NO_TRUNK, NO_TRUNK, np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32))


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
    threads = 1 if count <= ONE_BRANCH else thread_count(threads)
    boxes, whole = _enclose_all(faces, local, threads)
    blocks = grow_blocks(boxes, whole, threads)
    return BuiltBlocks(blocks, frame[:SCALE], float(frame[SCALE]), repeats=boxes.size // 16 > count)


def grow_blocks(boxes: NDArray[np.float32], whole: NDArray[np.int32], threads: int) -> NDArray[np.float32]:
    """Grow a tree over rows of boxes (see `boxes`), with as much memory behind; `whole` is all of them as a branch."""
    count = boxes.size // 16
    grown = NO_BRANCHES if count <= LEAF_SIZE else _grow_all(boxes, whole, threads)
    return _gather(grown, whole, count, threads)


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


def _grow_all(boxes: NDArray[np.float32], whole: NDArray[np.int32], threads: int) -> Branches:
    """Grow the trunk, then its branches; or, of a small mesh, one branch."""
    count = boxes.size // 16
    if count <= ONE_BRANCH:
        return _grow_branches(boxes, whole[None], 1)
    trunk = np.empty((LANES * HALVING_DEPTH, FLOATS), np.float32)
    branches = np.empty((LANES * len(trunk), BRANCH_NUMBERS), np.int32)
    # fewer than eight ranges exceed an eighth at each level, and none two levels below where halving begins
    scratch = np.empty(WORDS, np.int64)
    places = boxes.ctypes.data, count, whole.ctypes.data, trunk.ctypes.data
    limit = count // (FEW_BRANCHES if count <= SHORT_TRUNK else BRANCHES)
    used, found = grow(*places, limit, branches.ctypes.data, scratch.ctypes.data)
    return _grow_branches(boxes, branches[:found], threads)._replace(trunk=trunk[:used])


def _grow_branches(boxes: NDArray[np.float32], branches: NDArray[np.int32], threads: int) -> Branches:
    """Grow branches in one call for each thread: many are small, and calls of Python would take as long as they do."""
    sizes = most_blocks(branches[:, BRANCH_STOP].astype(np.int64) - branches[:, BRANCH_START])
    grown = Branches(
        NO_TRUNK, np.empty((int(sizes.sum()), FLOATS), np.float32), np.cumsum(sizes) - sizes,
        np.empty(len(branches), np.int64), branches[:, BRANCH_LINK].copy(),
    )  # fmt: skip
    taken = np.zeros(1, np.int64)
    places = boxes.ctypes.data, boxes.size // 16, branches.ctypes.data, len(branches), *grown.places

    def run(_: int) -> None:
        scratch = np.empty(WORDS, np.int64)
        grow_branches(*places, scratch.ctypes.data, taken.ctypes.data)

    run_pieces(run, threads, threads)
    return grown


def most_blocks(boxes: Any) -> Any:
    """Return more blocks than n boxes can need, which is 8 n / 21 - 1 / 7 at most, by induction.

    A last block has three boxes or more. Any other uses its eight lanes; or it has u last blocks below it, each
    with more boxes than 2 f + 2, where f lanes are left, and at least one box in each of 8 - f - u leaves.
    """
    return boxes // 2 + 2


def _gather(grown: Branches, whole: NDArray[np.int32], count: int, threads: int) -> NDArray[np.float32]:
    """Copy all blocks behind that of the root: the trunk's, then each branch's."""
    first = 1 + len(grown.trunk)
    places = first + np.cumsum(grown.used) - grown.used
    blocks = empty_blocks(first + int(grown.used.sum()))
    target = blocks.ctypes.data
    write_root(target, whole.ctypes.data, count)
    copy_blocks(grown.trunk.ctypes.data, len(grown.trunk), target, 1)
    taken = np.zeros(1, np.int64)
    arguments = *grown.places, len(places), target, places.ctypes.data, taken.ctypes.data
    threads = threads if len(blocks) > FEW_BLOCKS else 1
    run_pieces(lambda _: copy_branches(*arguments), threads, threads)
    if len(grown.trunk):
        # the trunk was grown from block 0 on, and now stands behind the root's: its places are one block farther
        blocks.view(np.int32).reshape(-1)[FLOATS + grown.links] = places
    return blocks
