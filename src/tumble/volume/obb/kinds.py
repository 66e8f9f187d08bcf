"""The two kinds of oriented boxes: `obb`, turned the best way found, and `obb-covariance`, turned by covariance."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.volume.obb.axes import SKEW
from tumble.volume.obb.bound import distance_bound
from tumble.volume.obb.box import (
    CENTRE,
    HALF,
    SHARE,
    TINY,
    WIDTH,
    boxes_overlap,
    enclose,
    five_vectors,
    seen_from_a,
    write_in_frame_of_a,
)
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
def extent_along(box, x, y, z):
    """Return how far a box reaches from its centre along a unit vector."""
    return (
        box[HALF] * abs(box[0] * x + box[1] * y + box[2] * z)
        + box[HALF + 1] * abs(box[3] * x + box[4] * y + box[5] * z)
        + box[HALF + 2] * abs(box[6] * x + box[7] * y + box[8] * z)
    )


@inlined_kernel
def middle_and_half(first, second, way, larger, k):
    """Return where two boxes together have their middle along a direction, from the first's centre, and half a size."""
    x, y, z = larger[3 * k], larger[3 * k + 1], larger[3 * k + 2]
    along = x * way[0] + y * way[1] + z * way[2]
    one, other = extent_along(first, x, y, z), extent_along(second, x, y, z)
    low, high = min(-one, along - other), max(one, along + other)
    return 0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low


@kernel
def merge_boxes(box, first, second):
    """Make a row the box about two others, with the directions of the larger; it may be one of them."""
    larger = second if volume(second) > volume(first) else first
    way = second[CENTRE] - first[CENTRE], second[CENTRE + 1] - first[CENTRE + 1], second[CENTRE + 2] - first[CENTRE + 2]
    farthest = (
        abs(way[0]) + abs(way[1]) + abs(way[2]) + 3.0 * (first[HALF] + first[HALF + 1] + first[HALF + 2])
        + 3.0 * (second[HALF] + second[HALF + 1] + second[HALF + 2])
    )  # fmt: skip
    slack = SHARE * farthest + TINY
    shift0, half0 = middle_and_half(first, second, way, larger, 0)
    shift1, half1 = middle_and_half(first, second, way, larger, 1)
    shift2, half2 = middle_and_half(first, second, way, larger, 2)
    cx = first[CENTRE] + (larger[0] * shift0 + larger[3] * shift1 + larger[6] * shift2)
    cy = first[CENTRE + 1] + (larger[1] * shift0 + larger[4] * shift1 + larger[7] * shift2)
    cz = first[CENTRE + 2] + (larger[2] * shift0 + larger[5] * shift1 + larger[8] * shift2)
    # the centre is rounded to the places of its coordinates
    rounding = 2.0**-51 * (abs(cx) + abs(cy) + abs(cz))
    for k in range(9):
        box[k] = larger[k]
    box[CENTRE], box[CENTRE + 1], box[CENTRE + 2] = cx, cy, cz
    for k, half in enumerate((half0, half1, half2)):
        box[HALF + k] = half + slack + rounding


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
    return distance_bound(volumes.boxes[i], box, relative[MARGIN], relative[SCALE])


# In a's frame b's turned boxes are turned boxes again.


def _into_frame_of_a(volumes, j, relative, rows, k):
    write_in_frame_of_a(volumes.boxes[j], relative, rows[k])


def _overlap_in_frame_of_a(volumes, i, rows, k, relative):
    return boxes_overlap(volumes.boxes[i], five_vectors(rows[k]), relative[MARGIN])


def _bound_in_frame_of_a(volumes, i, rows, k, relative):
    return distance_bound(volumes.boxes[i], five_vectors(rows[k]), relative[MARGIN], relative[SCALE])


# Without any kernel, over whole columns: for the validator.


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
        name=name,
        record=record,
        width=WIDTH,
        fit_inner=True,
        fit=fit,
        merge=_merge,
        measure=_measure,
        longest_side=_longest_side,
        overlap=_overlap,
        bound=_bound,
        in_frame_of_a=InFrameOfA(WIDTH, _into_frame_of_a, _overlap_in_frame_of_a, _bound_in_frame_of_a),
        contains=_contains,
        sound=_sound,
    )


KINDS = (_kind("obb", Obbs, _fit), _kind("obb-covariance", CovarianceObbs, _fit_by_covariance))
