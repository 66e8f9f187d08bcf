"""Axis-aligned boxes: six comparisons when aligned, six axes when tumbled.

A box is its lowest and highest corner, minima and maxima of vertices and therefore exact. Two boxes under a rotation
are tested on the three face normals of each (the edge-edge axes of the full separating-axis test are left out: they
rarely separate what the six have not).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.volume.protocol import VolumeKind, fit, longest_side, measure, merge, overlap, span
from tumble.volume.relative import ALIGNED, MARGIN, TRANSLATION


class Aabbs(NamedTuple):
    """A row for each node: lowest x, y, z, highest x, y, z."""

    boxes: NDArray[np.float64]


@fit.register(Aabbs)
def _fit(volumes, node, vertices, faces, order, start, stop):
    box = volumes.boxes[node]
    for axis in range(3):
        box[axis], box[3 + axis] = span(vertices, faces, order, start, stop, axis)


@merge.register(Aabbs)
def _merge(volumes, node, first, second):
    boxes = volumes.boxes
    for axis in range(3):
        boxes[node, axis] = min(boxes[first, axis], boxes[second, axis])
        boxes[node, 3 + axis] = max(boxes[first, 3 + axis], boxes[second, 3 + axis])


@measure.register(Aabbs)
def _measure(volumes, i):
    boxes = volumes.boxes
    return (boxes[i, 3] - boxes[i, 0]) * (boxes[i, 4] - boxes[i, 1]) * (boxes[i, 5] - boxes[i, 2])


@longest_side.register(Aabbs)
def _longest_side(volumes, i):
    boxes = volumes.boxes
    return max(boxes[i, 3] - boxes[i, 0], boxes[i, 4] - boxes[i, 1], boxes[i, 5] - boxes[i, 2])


@overlap.register(Aabbs)
def _overlap(volumes, i, others, j, relative):
    a, b = volumes.boxes, others.boxes
    margin = relative[MARGIN]
    tx, ty, tz = relative[TRANSLATION], relative[TRANSLATION + 1], relative[TRANSLATION + 2]
    if relative[ALIGNED] != 0.0:
        if b[j, 0] + tx > a[i, 3] + margin or a[i, 0] > b[j, 3] + tx + margin:
            return False
        if b[j, 1] + ty > a[i, 4] + margin or a[i, 1] > b[j, 4] + ty + margin:
            return False
        return not (b[j, 2] + tz > a[i, 5] + margin or a[i, 2] > b[j, 5] + tz + margin)

    # half sizes and centres; their rounding is in the margin
    hax, hay, haz = 0.5 * (a[i, 3] - a[i, 0]), 0.5 * (a[i, 4] - a[i, 1]), 0.5 * (a[i, 5] - a[i, 2])
    hbx, hby, hbz = 0.5 * (b[j, 3] - b[j, 0]), 0.5 * (b[j, 4] - b[j, 1]), 0.5 * (b[j, 5] - b[j, 2])
    cbx, cby, cbz = 0.5 * (b[j, 3] + b[j, 0]), 0.5 * (b[j, 4] + b[j, 1]), 0.5 * (b[j, 5] + b[j, 2])
    xx, xy, xz = relative[0], relative[1], relative[2]
    yx, yy, yz = relative[3], relative[4], relative[5]
    zx, zy, zz = relative[6], relative[7], relative[8]
    # a's axes
    dx = xx * cbx + xy * cby + xz * cbz + tx - 0.5 * (a[i, 3] + a[i, 0])
    if abs(dx) > hax + abs(xx) * hbx + abs(xy) * hby + abs(xz) * hbz + margin:
        return False
    dy = yx * cbx + yy * cby + yz * cbz + ty - 0.5 * (a[i, 4] + a[i, 1])
    if abs(dy) > hay + abs(yx) * hbx + abs(yy) * hby + abs(yz) * hbz + margin:
        return False
    dz = zx * cbx + zy * cby + zz * cbz + tz - 0.5 * (a[i, 5] + a[i, 2])
    if abs(dz) > haz + abs(zx) * hbx + abs(zy) * hby + abs(zz) * hbz + margin:
        return False
    # b's axes: a distance in space, so the margin of one coordinate counts up to sqrt(3) times
    if abs(dx * xx + dy * yx + dz * zx) > hbx + abs(xx) * hax + abs(yx) * hay + abs(zx) * haz + 2.0 * margin:
        return False
    if abs(dx * xy + dy * yy + dz * zy) > hby + abs(xy) * hax + abs(yy) * hay + abs(zy) * haz + 2.0 * margin:
        return False
    return abs(dx * xz + dy * yz + dz * zz) <= hbz + abs(xz) * hax + abs(yz) * hay + abs(zz) * haz + 2.0 * margin


KIND = VolumeKind("aabb", Aabbs, 6, fit_inner=False, moved=9)
