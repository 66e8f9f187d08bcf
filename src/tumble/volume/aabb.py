"""Axis-aligned boxes: six comparisons when aligned, six axes when rotated.

A box is its lowest and highest corner, minima and maxima of vertices and therefore exact. Two boxes under a rotation
are tested on the three face normals of each (the edge-edge axes of the full separating-axis test are left out: they
rarely separate what the six have not).

In a's frame a rotated box of b is its centre, how far it reaches along a's axes, and its own half sizes.

The lower bound of the distance comes from the same expressions: how far the boxes are apart along perpendicular axes
makes a vector no longer than the way from any point of the one to any point of the other. The gaps along a's axes make
one such vector, those along b's another. Each has the margin of the overlap test taken off, so the bound is positive
only where the test says that the boxes are apart.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.volume.protocol import Flags, InFrameOfA, Rows, VolumeKind, length_of_gaps, span
from tumble.volume.relative import ALIGNED, MARGIN, SCALE, TRANSLATION


class Aabbs(NamedTuple):
    """A row for each node: lowest x, y, z, highest x, y, z."""

    boxes: NDArray[np.float64]


def _fit(volumes, node, vertices, faces, order, start, stop):
    box = volumes.boxes[node]
    for axis in range(3):
        box[axis], box[3 + axis] = span(vertices, faces, order, start, stop, axis)


def _merge(volumes, node, first, second):
    boxes = volumes.boxes
    for axis in range(3):
        boxes[node, axis] = min(boxes[first, axis], boxes[second, axis])
        boxes[node, 3 + axis] = max(boxes[first, 3 + axis], boxes[second, 3 + axis])


def _measure(volumes, i):
    boxes = volumes.boxes
    return (boxes[i, 3] - boxes[i, 0]) * (boxes[i, 4] - boxes[i, 1]) * (boxes[i, 5] - boxes[i, 2])


def _longest_side(volumes, i):
    boxes = volumes.boxes
    return max(boxes[i, 3] - boxes[i, 0], boxes[i, 4] - boxes[i, 1], boxes[i, 5] - boxes[i, 2])


def _into_frame_of_a(volumes, j, relative, rows, k):
    corner, reach, half = in_frame_of_a(volumes.boxes, j, relative)
    for axis in range(3):
        rows[k, axis], rows[k, 3 + axis], rows[k, 6 + axis] = corner[axis], reach[axis], half[axis]


@inlined_kernel
def in_frame_of_a(b, j, relative):
    """Return a box of b in a's frame: centre, reach along a's axes and half sizes, the last two with the margin.

    Where the frames are aligned: the lowest corner and, with the margin, the highest.
    """
    margin = relative[MARGIN]
    tx, ty, tz = relative[TRANSLATION], relative[TRANSLATION + 1], relative[TRANSLATION + 2]
    if relative[ALIGNED] != 0.0:
        low = b[j, 0] + tx, b[j, 1] + ty, b[j, 2] + tz
        return low, (b[j, 3] + tx + margin, b[j, 4] + ty + margin, b[j, 5] + tz + margin), (0.0, 0.0, 0.0)
    hx, hy, hz = 0.5 * (b[j, 3] - b[j, 0]), 0.5 * (b[j, 4] - b[j, 1]), 0.5 * (b[j, 5] - b[j, 2])
    cx, cy, cz = 0.5 * (b[j, 3] + b[j, 0]), 0.5 * (b[j, 4] + b[j, 1]), 0.5 * (b[j, 5] + b[j, 2])
    xx, xy, xz = relative[0], relative[1], relative[2]
    yx, yy, yz = relative[3], relative[4], relative[5]
    zx, zy, zz = relative[6], relative[7], relative[8]
    centre = xx * cx + xy * cy + xz * cz + tx, yx * cx + yy * cy + yz * cz + ty, zx * cx + zy * cy + zz * cz + tz
    reach = (
        abs(xx) * hx + abs(xy) * hy + abs(xz) * hz + margin,
        abs(yx) * hx + abs(yy) * hy + abs(yz) * hz + margin,
        abs(zx) * hx + abs(zy) * hy + abs(zz) * hz + margin,
    )
    return centre, reach, (hx + 2.0 * margin, hy + 2.0 * margin, hz + 2.0 * margin)


@inlined_kernel
def stored(rows, k):
    """Return what `_into_frame_of_a` wrote."""
    return (
        (rows[k, 0], rows[k, 1], rows[k, 2]),
        (rows[k, 3], rows[k, 4], rows[k, 5]),
        (rows[k, 6], rows[k, 7], rows[k, 8]),
    )


@inlined_kernel
def boxes_overlap(a, i, corner, reach, half, relative):
    """Tell whether a box of a may share a point with what `in_frame_of_a` gives for one of b."""
    if relative[ALIGNED] != 0.0:
        margin = relative[MARGIN]
        if corner[0] > a[i, 3] + margin or a[i, 0] > reach[0]:
            return False
        if corner[1] > a[i, 4] + margin or a[i, 1] > reach[1]:
            return False
        return not (corner[2] > a[i, 5] + margin or a[i, 2] > reach[2])
    # half sizes and centres; their rounding is in the margin
    hx, hy, hz = 0.5 * (a[i, 3] - a[i, 0]), 0.5 * (a[i, 4] - a[i, 1]), 0.5 * (a[i, 5] - a[i, 2])
    # a's axes
    dx = corner[0] - 0.5 * (a[i, 3] + a[i, 0])
    if abs(dx) > hx + reach[0]:
        return False
    dy = corner[1] - 0.5 * (a[i, 4] + a[i, 1])
    if abs(dy) > hy + reach[1]:
        return False
    dz = corner[2] - 0.5 * (a[i, 5] + a[i, 2])
    if abs(dz) > hz + reach[2]:
        return False
    xx, xy, xz = relative[0], relative[1], relative[2]
    yx, yy, yz = relative[3], relative[4], relative[5]
    zx, zy, zz = relative[6], relative[7], relative[8]
    # b's axes: a distance in space, so the margin of one coordinate counts up to sqrt(3) times
    if abs(dx * xx + dy * yx + dz * zx) > half[0] + abs(xx) * hx + abs(yx) * hy + abs(zx) * hz:
        return False
    if abs(dx * xy + dy * yy + dz * zy) > half[1] + abs(xy) * hx + abs(yy) * hy + abs(zy) * hz:
        return False
    return abs(dx * xz + dy * yz + dz * zz) <= half[2] + abs(xz) * hx + abs(yz) * hy + abs(zz) * hz


def _overlap(volumes, i, others, j, relative):
    corner, reach, half = in_frame_of_a(others.boxes, j, relative)
    return boxes_overlap(volumes.boxes, i, corner, reach, half, relative)


def _overlap_in_frame_of_a(volumes, i, rows, k, relative):
    corner, reach, half = stored(rows, k)
    return boxes_overlap(volumes.boxes, i, corner, reach, half, relative)


def _bound(volumes, i, others, j, relative):
    corner, reach, half = in_frame_of_a(others.boxes, j, relative)
    return distance_bound(volumes.boxes, i, corner, reach, half, relative)


def _bound_in_frame_of_a(volumes, i, rows, k, relative):
    corner, reach, half = stored(rows, k)
    return distance_bound(volumes.boxes, i, corner, reach, half, relative)


@kernel
def distance_bound(a, i, corner, reach, half, relative):
    """Return how far a box of a is at least from what `in_frame_of_a` gives for one of b."""
    if relative[ALIGNED] != 0.0:
        margin = relative[MARGIN]
        x = max(corner[0] - (a[i, 3] + margin), a[i, 0] - reach[0])
        y = max(corner[1] - (a[i, 4] + margin), a[i, 1] - reach[1])
        z = max(corner[2] - (a[i, 5] + margin), a[i, 2] - reach[2])
        return length_of_gaps(x, y, z) * relative[SCALE]
    hx, hy, hz = 0.5 * (a[i, 3] - a[i, 0]), 0.5 * (a[i, 4] - a[i, 1]), 0.5 * (a[i, 5] - a[i, 2])
    dx = corner[0] - 0.5 * (a[i, 3] + a[i, 0])
    dy = corner[1] - 0.5 * (a[i, 4] + a[i, 1])
    dz = corner[2] - 0.5 * (a[i, 5] + a[i, 2])
    along_a = length_of_gaps(abs(dx) - (hx + reach[0]), abs(dy) - (hy + reach[1]), abs(dz) - (hz + reach[2]))
    xx, xy, xz = relative[0], relative[1], relative[2]
    yx, yy, yz = relative[3], relative[4], relative[5]
    zx, zy, zz = relative[6], relative[7], relative[8]
    along_b = length_of_gaps(
        abs(dx * xx + dy * yx + dz * zx) - (half[0] + abs(xx) * hx + abs(yx) * hy + abs(zx) * hz),
        abs(dx * xy + dy * yy + dz * zy) - (half[1] + abs(xy) * hx + abs(yy) * hy + abs(zy) * hz),
        abs(dx * xz + dy * yz + dz * zz) - (half[2] + abs(xz) * hx + abs(yz) * hy + abs(zz) * hz),
    )
    return max(along_a, along_b) * relative[SCALE]


def _contains(rows: Rows, points: Rows) -> Flags:
    return np.asarray(((points >= rows[..., :3]) & (points <= rows[..., 3:])).all(axis=-1))


def _sound(rows: Rows, extent: float) -> Flags:
    return np.asarray((np.abs(rows) <= extent).all(axis=1))


KIND = VolumeKind(
    name="aabb", record=Aabbs, width=6, fit_inner=False, fit=_fit, merge=_merge,
    measure=_measure, longest_side=_longest_side, overlap=_overlap, bound=_bound,
    in_frame_of_a=InFrameOfA(9, _into_frame_of_a, _overlap_in_frame_of_a, _bound_in_frame_of_a),
    contains=_contains, sound=_sound,
)  # fmt: skip
