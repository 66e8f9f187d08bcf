"""Build the packed tree of a mesh: boxes of the triangles, cuts from the top down, blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy.packed.boxes import enclose, find_frame, localise
from tumble.hierarchy.packed.grow import grow
from tumble.hierarchy.packed.lanes import load
from tumble.hierarchy.packed.layout import CHILD, FLOATS, LANES, LEAF_SIZE, SECOND, SIZE, empty_blocks
from tumble.hierarchy.packed.pair import write_box
from tumble.hierarchy.packed.room import PART_BOXES, make_room
from tumble.jit import kernel


class Built(NamedTuple):
    """A packed tree, and how its coordinates follow from the mesh's: (vertex - origin) * scale."""

    blocks: NDArray[np.float32]
    """(k, 64), see `layout`"""
    origin: NDArray[np.float64]
    scale: float


def build_blocks(vertices: NDArray[np.float64], faces: NDArray[np.int32], threads: int | None = None) -> Built:
    """Build the packed tree of checked, contiguous arrays; the result does not depend on the number of threads."""
    count = len(faces)
    frame = np.zeros(4)
    if count == 0:
        return Built(empty_blocks(1), frame[:3], 1.0)
    points, corners = _flat(vertices), _flat(faces)
    local = np.empty(4 * len(vertices), np.float32)
    boxes = np.empty(16 * count, np.float32)
    room, ints = make_room()
    find_frame(points, corners, frame)
    localise(points, frame, local, 0, len(vertices))
    enclose(corners, local, boxes, 0, count, room, PART_BOXES)
    room[8 * PART_BOXES + 64 : 8 * PART_BOXES + 72] = room[8 * PART_BOXES + 8 : 8 * PART_BOXES + 16]
    scratch = np.empty((count // 2 + 2) * FLOATS, np.float32)
    whole = room[8 * PART_BOXES : 8 * PART_BOXES + 8].copy()
    used = grow(boxes, 0, count, 1, scratch, scratch.view(np.int32), room, ints) if count > LEAF_SIZE else 0
    blocks = empty_blocks(used + 1)
    flat = blocks.reshape(-1)
    finish(flat, flat.view(np.int32), scratch, scratch.view(np.int32), used, whole, count)
    return Built(blocks, frame[:3], float(frame[3]))


def _flat(array: NDArray) -> NDArray:
    """Return the numbers in a row and read-only: always the same type, so that kernels are compiled once."""
    flat = np.ascontiguousarray(array).reshape(-1)
    flat.flags.writeable = False
    return flat


@kernel
def finish(blocks, links, source, source_links, used, whole, count):
    """Copy blocks behind that of the root, which is written here."""
    size = write_box(blocks, 0, 0, load(whole, 0))
    if used == 0:
        links[CHILD * LANES] = -1
        links[SECOND * LANES] = 1 if count == 2 else -1
    else:
        links[CHILD * LANES] = 1
        blocks[SIZE * LANES] = size
    for block in range(used):
        for k in range(FLOATS):
            value = source_links[block * FLOATS + k]
            if CHILD * LANES <= k < (CHILD + 1) * LANES and value > 0:
                value += 1
            links[(block + 1) * FLOATS + k] = value
