"""Build the boxtree of a mesh: boxes of the triangles, the trunk, its branches by several threads, all in a row.

What is done apart depends on the mesh alone, never on the number of threads, and so does the result.
"""

from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import run_pieces, thread_count
from tumble.errors import TreeError
from tumble.hierarchy.boxtree.grow import CHAINED, LITERAL_SPLITS, PLANES, SPLITS, copy_nodes, grow
from tumble.hierarchy.boxtree.layout import MAX_DEPTH, NODE, NODE_BYTES
from tumble.hierarchy.boxtree.scratch import NODE as OWN_NODE
from tumble.hierarchy.boxtree.scratch import REBUILT, RECORD_BYTES, START, STOP, WORDS
from tumble.hierarchy.boxtree.tree import BoxTree
from tumble.hierarchy.packed.boxes import SCALE, enclose
from tumble.hierarchy.packed.build import BRANCHES, MOST_TRIANGLES, ONE_PIECE, bounds_of_pieces, localised
from tumble.mesh import Mesh

NO_BRANCHES = np.empty((0, RECORD_BYTES), np.uint8)


class GrowTask(NamedTuple):
    """What all branches of a build share."""

    boxes: NDArray[np.float32]
    """a row of eight for each triangle, and as many to move them to"""
    order: NDArray[np.int32]
    split: int
    planes: int
    leaf_size: int

    def most_nodes(self, leaves: int) -> int:
        """Return more nodes than a branch of this many leaves can need: each has a plane, or one for each side."""
        return (2 if self.planes != CHAINED else 14) * leaves


class Grown(NamedTuple):
    """Nodes that were grown apart."""

    array: NDArray[np.uint8]
    """and more memory than they need"""
    used: int
    link: int
    """the place in the trunk that must lead to them"""


def build_boxtree(mesh: Mesh, split: str, leaf_size: int, planes: str, threads: int | None = None) -> BoxTree:
    """Build the boxtree of a mesh by checked options; the result does not depend on the number of threads."""
    count = len(mesh)
    if count > MOST_TRIANGLES:
        raise TreeError(f"a mesh of {count} triangles is too large for a boxtree ({MOST_TRIANGLES}); split it")
    if count == 0:
        nothing = np.empty((0, NODE_BYTES), np.uint8)
        return BoxTree._of_sound(mesh, nothing, np.empty(0, np.int32), np.zeros(6), np.zeros(3), 1.0)
    threads = 1 if count <= ONE_PIECE else thread_count(threads)
    frame, local = localised(mesh.vertices, mesh.faces)
    rows, order = np.empty(16 * count, np.float32), np.empty(count, np.int32)
    task = GrowTask(rows, order, (SPLITS | LITERAL_SPLITS)[split], PLANES[planes], leaf_size)
    whole = _enclose_all(mesh.faces, local, task.boxes, threads)
    nodes = _gather(_grow_all(task, whole, threads), threads)
    box = whole[REBUILT : REBUILT + 48].view(np.float64).copy()
    return BoxTree._of_sound(mesh, nodes, task.order, box, frame[:SCALE].copy(), float(frame[SCALE]))


def _enclose_all(
    faces: NDArray[np.int32], local: NDArray[np.float32], boxes: NDArray[np.float32], threads: int
) -> NDArray[np.uint8]:
    """Write the boxes of all triangles; return the record of the whole mesh."""

    def enclose_piece(start: int, stop: int, bounds: int) -> None:
        enclose(faces.ctypes.data, local.ctypes.data, boxes.ctypes.data, start, stop, bounds)

    tight = bounds_of_pieces(len(faces), threads, enclose_piece)
    whole = np.zeros(RECORD_BYTES, np.uint8)
    whole[:REBUILT] = tight.reshape(-1).view(np.uint8)
    whole[REBUILT : REBUILT + 48].view(np.float64)[:] = np.concatenate([tight[0, :3], -tight[0, 4:7]])
    whole.view(np.int32)[[START, STOP]] = 0, len(faces)
    return whole


def _grow_all(task: GrowTask, whole: NDArray[np.uint8], threads: int) -> list[Grown]:
    """Grow the trunk, then its branches."""
    count = len(task.order)
    if count <= ONE_PIECE:
        return [_grow_branch(task, whole)]
    # on each level fewer than BRANCHES ranges are larger than a branch, and none below MAX_DEPTH
    most = 2 * BRANCHES * MAX_DEPTH
    trunk = np.empty((task.most_nodes(most), NODE_BYTES), np.uint8)
    branches = np.empty((most, RECORD_BYTES), np.uint8)
    used, found = _grow(task, whole, trunk, count // BRANCHES, branches)
    return [Grown(trunk, used, 0), *run_pieces(lambda k: _grow_branch(task, branches[k]), found, threads)]


def _grow_branch(task: GrowTask, branch: NDArray[np.uint8]) -> Grown:
    numbers = branch.view(np.int32)
    nodes = np.empty((task.most_nodes(int(numbers[STOP] - numbers[START])), NODE_BYTES), np.uint8)
    used, _ = _grow(task, branch, nodes)
    return Grown(nodes, used, int(numbers[OWN_NODE]))


def _grow(
    task: GrowTask,
    branch: NDArray[np.uint8],
    nodes: NDArray[np.uint8],
    limit: int = 0,
    branches: NDArray[np.uint8] = NO_BRANCHES,
) -> tuple[int, int]:
    scratch = np.empty(WORDS, np.int64)
    places = task.boxes.ctypes.data, len(task.order), branch.ctypes.data, nodes.ctypes.data, task.order.ctypes.data
    options = task.split, task.planes, task.leaf_size
    found: tuple[int, int] = grow(*places, *options, limit, branches.ctypes.data, scratch.ctypes.data)
    return found


def _gather(pieces: list[Grown], threads: int) -> NDArray[np.uint8]:
    """Copy all nodes into one array, the trunk's first; the first of a branch is in the trunk already."""
    trunk, *others = pieces
    firsts = list(accumulate((piece.used - 1 for piece in others), initial=trunk.used))
    nodes = np.empty((firsts[-1], NODE_BYTES), np.uint8)
    nodes[: trunk.used] = trunk.array[: trunk.used]

    def copy(k: int) -> None:
        copy_nodes(others[k].array.ctypes.data, others[k].used, nodes.ctypes.data, firsts[k])

    run_pieces(copy, len(others), threads)
    links = nodes.view(NODE)["link"][:, 0]
    for piece, first in zip(others, firsts, strict=False):
        # a branch is never a leaf: its first node leads to the second node of its array
        links[piece.link] = first
    return nodes
