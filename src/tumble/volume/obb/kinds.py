"""The two kinds of oriented boxes: `obb`, turned the best way found, and `obb-covariance`, turned by covariance."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import dot, minus, plus, scaled
from tumble.volume.obb import box as turned_box
from tumble.volume.obb.axes import SKEW, coordinates
from tumble.volume.obb.box import CENTRE, HALF, SHARE, TINY, WIDTH, boxes_overlap, enclose, seen_from_a, vectors, write
from tumble.volume.obb.fit import covariance_axes, tight_axes
from tumble.volume.protocol import Flags, InFrameOfA, Rows, VolumeKind
from tumble.volume.relative import MARGIN, SCALE

LARGEST_SKEW = 2.0 * SKEW
"""how far directions may be from perpendicular units: those of fitted boxes, and what is rounded in `_sound`"""


class Obbs(NamedTuple):
    """A row for each node: three directions, centre, half sizes."""

    boxes: NDArray[np.float64]


class CovarianceObbs(NamedTuple):
    """As `Obbs`."""

    boxes: NDArray[np.float64]


def _fit(volumes, node, vertices, faces, order, start, stop):
    axes = tight_axes(vertices, faces, order, start, stop)
    enclose(volumes.boxes[node], axes, vertices, faces, order, start, stop)


def _fit_by_covariance(volumes, node, vertices, faces, order, start, stop):
    axes = covariance_axes(vertices, faces, order, start, stop)
    enclose(volumes.boxes[node], axes, vertices, faces, order, start, stop)


@inlined_kernel
def extent_along(box, direction):
    """Return how far a box, given as five vectors, reaches from its centre along a unit vector."""
    x, y, z = coordinates(box, direction)
    return box[4][0] * abs(x) + box[4][1] * abs(y) + box[4][2] * abs(z)


@inlined_kernel
def middle_and_half(first, second, way, direction):
    """Return where two boxes together have their middle along a direction, from the first's centre, and half a size."""
    along = dot(direction, way)
    one, other = extent_along(first, direction), extent_along(second, direction)
    low, high = min(-one, along - other), max(one, along + other)
    return 0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low


@kernel
def merge_boxes(box, first, second):
    """Make a row the box about two others, with the directions of the larger; it may be one of them."""
    second_larger = volume(second) > volume(first)
    first, second = vectors(first), vectors(second)
    # a new fit would need the triangles; with the larger box's directions, the larger part stays tight
    u, v, w, _, _ = second if second_larger else first
    way, g, h = minus(second[3], first[3]), first[4], second[4]
    farthest = abs(way[0]) + abs(way[1]) + abs(way[2]) + 3.0 * (g[0] + g[1] + g[2]) + 3.0 * (h[0] + h[1] + h[2])
    x, half_x = middle_and_half(first, second, way, u)
    y, half_y = middle_and_half(first, second, way, v)
    z, half_z = middle_and_half(first, second, way, w)
    centre = plus(first[3], 1.0, plus(plus(scaled(u, x), y, v), z, w))
    # the centre is rounded to the places of its coordinates
    slack, rounding = SHARE * farthest + TINY, 2.0**-51 * (abs(centre[0]) + abs(centre[1]) + abs(centre[2]))
    half = half_x + slack + rounding, half_y + slack + rounding, half_z + slack + rounding
    write(box, (u, v, w, centre, half))


@inlined_kernel
def volume(box):
    """Return the volume of a box."""
    return 8.0 * box[HALF] * box[HALF + 1] * box[HALF + 2]


def _merge(volumes, node, first, second):
    merge_boxes(volumes.boxes[node], volumes.boxes[first], volumes.boxes[second])


def _measure(volumes, i):
    return volume(volumes.boxes[i])


def _longest_side(volumes, i):
    boxes = volumes.boxes
    return 2.0 * max(boxes[i, HALF], boxes[i, HALF + 1], boxes[i, HALF + 2])


def _overlap(volumes, i, others, j, relative):
    return boxes_overlap(volumes.boxes[i], seen_from_a(others.boxes[j], relative), relative[MARGIN])


def _bound(volumes, i, others, j, relative):
    box = seen_from_a(others.boxes[j], relative)
    return turned_box.distance_bound(volumes.boxes[i], box, relative[MARGIN], relative[SCALE])


def _into_frame_of_a(volumes, j, relative, rows, k):
    # in a's frame b's turned boxes are turned boxes again
    write(rows[k], seen_from_a(volumes.boxes[j], relative))


def _overlap_in_frame_of_a(volumes, i, rows, k, relative):
    return boxes_overlap(volumes.boxes[i], vectors(rows[k]), relative[MARGIN])


def _bound_in_frame_of_a(volumes, i, rows, k, relative):
    return turned_box.distance_bound(volumes.boxes[i], vectors(rows[k]), relative[MARGIN], relative[SCALE])


def _contains(rows: Rows, points: Rows) -> Flags:
    # half sizes were widened by more than this rounds
    axes = rows[..., :CENTRE].reshape(*rows.shape[:-1], 3, 3)
    along = (axes * (points - rows[..., CENTRE:HALF])[..., None, :]).sum(axis=-1)
    return np.asarray((np.abs(along) <= rows[..., HALF:]).all(axis=-1))


def _sound(rows: Rows, extent: float) -> Flags:
    axes = rows[:, :CENTRE].reshape(-1, 3, 3)
    with np.errstate(invalid="ignore", over="ignore"):
        skew = np.abs(axes @ axes.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2))
    centres, halves = np.abs(rows[:, CENTRE:HALF]), rows[:, HALF:]
    near = (centres <= 2.0 * extent + 2.0 * TINY).all(axis=1)
    sized = ((halves > 0.0) & (halves <= 4.0 * extent + 2.0 * TINY)).all(axis=1)
    return np.asarray((skew <= LARGEST_SKEW) & near & sized)


def _kind(name: str, record: type, fit: Callable[..., Any]) -> VolumeKind:
    return VolumeKind(
        name=name, record=record, width=WIDTH, fit_inner=True, fit=fit, merge=_merge,
        measure=_measure, longest_side=_longest_side, overlap=_overlap, bound=_bound,
        in_frame_of_a=InFrameOfA(WIDTH, _into_frame_of_a, _overlap_in_frame_of_a, _bound_in_frame_of_a),
        contains=_contains, sound=_sound,
    )  # fmt: skip


KINDS = (_kind("obb", Obbs, _fit), _kind("obb-covariance", CovarianceObbs, _fit_by_covariance))
