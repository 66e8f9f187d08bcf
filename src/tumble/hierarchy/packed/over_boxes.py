"""A packed tree over any boxes, float64, in a frame that several trees may share: then boxes of both can be compared.

Boxes are (n, 6): low x, y, z, then high x, y, z. They are brought into the frame and rounded outward as those of
triangles are: see `boxes`, which says why nothing is lost.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.parallel import thread_count
from tumble.core.simd.eight import all_lanes, least, load, store
from tumble.core.simd.memory import float64_at, int32_at, set_float64
from tumble.errors import TreeError
from tumble.hierarchy.packed.boxes import FAR, ORIGIN, SCALE, doubled_centre, scale_of, write_number, write_sides
from tumble.hierarchy.packed.build import MOST_TRIANGLES, ONE_BRANCH, bounds_of_pieces, grow_blocks, whole_branch
from tumble.hierarchy.packed.layout import empty_blocks

BOX_NUMBERS = 6


@kernel
def localise_boxes(boxes, frame, rows, start, stop, bounds):
    """Write some boxes as rows (see `boxes`); the box about them and that about their centres go to `bounds`."""
    whole = all_lanes(FAR)
    centres = all_lanes(FAR)
    scale = float64_at(frame, SCALE)
    for i in range(start, stop):
        for axis in range(3):
            origin = float64_at(frame, ORIGIN + axis)
            # rounding keeps order, and the step outward is larger than it: see `boxes`
            low = np.float32((float64_at(boxes, BOX_NUMBERS * i + axis) - origin) * scale)
            high = np.float32((float64_at(boxes, BOX_NUMBERS * i + 3 + axis) - origin) * scale)
            write_sides(rows, i, axis, low, high)
        write_number(rows, i, i)
        row = load(rows, i)
        whole = least(whole, row)
        centres = least(centres, doubled_centre(row))
    store(bounds, np.int64(0), whole)
    store(bounds, np.int64(1), centres)


@kernel
def write_boxes(points, corners, count, boxes):
    """Write the boxes about elements of three corners each; `points` are the boxes of vertices."""
    for i in range(count):
        p, q, r = int32_at(corners, 3 * i), int32_at(corners, 3 * i + 1), int32_at(corners, 3 * i + 2)
        p, q, r = BOX_NUMBERS * np.int64(p), BOX_NUMBERS * np.int64(q), BOX_NUMBERS * np.int64(r)
        for k in range(3):
            low = min(min(float64_at(points, p + k), float64_at(points, q + k)), float64_at(points, r + k))
            high = max(max(float64_at(points, p + 3 + k), float64_at(points, q + 3 + k)), float64_at(points, r + 3 + k))
            set_float64(boxes, BOX_NUMBERS * i + k, low)
            set_float64(boxes, BOX_NUMBERS * i + 3 + k, high)


@kernel
def write_bounds(boxes, count, bounds):
    """Write the box about `count` boxes, at least one."""
    for k in range(3):
        low, high = float64_at(boxes, k), float64_at(boxes, 3 + k)
        for i in range(1, count):
            low = min(low, float64_at(boxes, BOX_NUMBERS * i + k))
            high = max(high, float64_at(boxes, BOX_NUMBERS * i + 3 + k))
        set_float64(bounds, k, low)
        set_float64(bounds, 3 + k, high)


def boxes_about(points: NDArray[np.float64], corners: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the boxes about elements of three corners each; points are the boxes of vertices."""
    boxes = np.empty((len(corners), BOX_NUMBERS))
    write_boxes(points.ctypes.data, corners.ctypes.data, len(corners), boxes.ctypes.data)
    return boxes


def frame_about(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the frame, origin and scale, in which these boxes and all within lie between -1 and 1."""
    frame = np.array([0.0, 0.0, 0.0, 1.0])
    if len(boxes):
        bounds = np.empty(BOX_NUMBERS)
        write_bounds(boxes.ctypes.data, len(boxes), bounds.ctypes.data)
        low, high = bounds[:3], bounds[3:]
        middle = 0.5 * (low + high)
        frame[:SCALE] = middle
        frame[SCALE] = scale_of(float(max((high - middle).max(), (middle - low).max())))
    return frame


def build_over_boxes(
    boxes: NDArray[np.float64], frame: NDArray[np.float64], threads: int | None = None
) -> NDArray[np.float32]:
    """Return the blocks of a tree over boxes, which its leaves name as they would triangles, each once."""
    count = len(boxes)
    if count > MOST_TRIANGLES:
        raise TreeError(f"{count} boxes are too many for a packed tree ({MOST_TRIANGLES}); split the mesh")
    if count == 0:
        return empty_blocks(1)
    workers = 1 if count <= ONE_BRANCH else thread_count(threads)
    rows = np.empty(16 * count, np.float32)

    def localise_piece(start: int, stop: int, bounds: int) -> None:
        localise_boxes(boxes.ctypes.data, frame.ctypes.data, rows.ctypes.data, start, stop, bounds)

    return grow_blocks(rows, whole_branch(count, bounds_of_pieces(count, workers, localise_piece)), workers)
