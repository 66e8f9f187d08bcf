"""Volume, centroid and box of what two solids have in common."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.narrow.overlap.integrals import SUMS, WHOLE, Frame, Side, add_faces, add_segments, totals
from tumble.solid.overlap.crossing import A, B, Crossing
from tumble.solid.overlap.exact_volume import exact_volume
from tumble.solid.overlap.parts import Parts

ERROR = 2.0**-47
"""what rounding makes of a volume, as a part of the cones that it is a sum of, and of the coordinates' rounding"""
SMALLEST = 5e-324


class Common(NamedTuple):
    """What two solids have in common."""

    volume: float
    centroid: NDArray[np.float64]
    """(3,) NaN without a volume"""
    box: NDArray[np.float64]
    """(2, 3) the lowest and the highest corner; NaN where nothing is common"""
    error: float
    """what the volume may be off by"""


def common_part(crossing: Crossing) -> Common:
    """Return what two bodies have in common."""
    members = crossing.members(A), crossing.members(B)
    box = _box(crossing, members)
    if box is None:
        return Common(0.0, np.full(3, np.nan), np.full((2, 3), np.nan), 0.0)
    size = float((box[1] - box[0]).max())
    exponent = math.frexp(size)[1] if size > 0.0 else 0
    centre = box[0] + 0.5 * (box[1] - box[0])
    frame = Frame((float(centre[0]), float(centre[1]), float(centre[2])), math.ldexp(1.0, -exponent))
    volume, *moments, absolute = _integrals(crossing, members, frame).tolist()
    far = float(np.abs(box).max())
    error = ERROR * (absolute + far * frame.scale)
    if volume > error:
        centroid = centre + np.ldexp(np.array(moments) / volume, exponent)
        return Common(math.ldexp(volume, 3 * exponent), np.clip(centroid, *box), box, math.ldexp(error, 3 * exponent))
    return _thin(crossing, box, centre)


def common_of_parts(parts: Parts, crossing: Crossing) -> Common:
    """Return the same for bodies whose components meet; `crossing` tells about where they are."""
    bounds = [body.bounds for body in crossing.bodies]
    rough = np.stack([np.maximum(bounds[A][0], bounds[B][0]), np.minimum(bounds[A][1], bounds[B][1])])
    (volume, *moments, absolute), extent, exponent = parts.totals(rough)
    middle = rough[0] + 0.5 * (rough[1] - rough[0])
    error = ERROR * (absolute + math.ldexp(float(np.abs(rough).max()), -exponent))
    if not np.isfinite(extent).all() or volume <= error:
        return Common(float("nan"), np.full(3, np.nan), np.full((2, 3), np.nan), math.ldexp(error, 3 * exponent))
    box = middle + np.ldexp(extent, exponent)
    centroid = middle + np.ldexp(np.array(moments) / volume, exponent)
    raised = math.ldexp(volume, 3 * exponent), math.ldexp(error, 3 * exponent)
    return Common(raised[0], np.clip(centroid, *box), box, raised[1])


def _thin(crossing: Crossing, box: NDArray[np.float64], centre: NDArray[np.float64]) -> Common:
    """Return the same where the volume is hidden by rounding: from fractions, the middle of the box as the centroid."""
    exact = exact_volume(crossing)
    if exact <= 0:  # a sheet, or a mesh that crosses itself and winds the other way there
        volume = float("nan") if exact < 0 else 0.0
        return Common(volume, np.full(3, np.nan), np.full((2, 3), np.nan), 0.0)
    return Common(max(float(exact), SMALLEST), centre, box, 0.0)


def _integrals(
    crossing: Crossing, members: tuple[NDArray[np.int64], NDArray[np.int64]], frame: Frame
) -> NDArray[np.float64]:
    sums = np.zeros(SUMS)
    references = [_references(crossing, side) for side in (A, B)]
    for side in (A, B):
        add_faces(_side(crossing, side, members[side], references[side]), frame, sums)
    segments = np.concatenate([crossing.segments[:, :2], crossing.ends], axis=1)
    weights = crossing.faces[A].weights, crossing.faces[B].weights
    add_segments(segments, *weights, *references, crossing.places, frame, sums)
    return totals(sums)


def _references(crossing: Crossing, side: int) -> NDArray[np.int64]:
    """(m,) a place for each face that is crossed, WHOLE for the others."""
    found = np.full(len(crossing.faces[side].edges.faces), WHOLE, np.int64)
    found[crossing.segments[:, side]] = crossing.ends[:, 0]
    return found


def _side(crossing: Crossing, side: int, members: NDArray[np.int64], references: NDArray[np.int64]) -> Side:
    faces = crossing.faces[side]
    own = np.flatnonzero(crossing.features[:, 0] == side)
    edges = crossing.features[own, 1]
    order = own[np.lexsort((crossing.shares[own], edges))]
    first = np.searchsorted(edges, np.arange(len(faces.edges.ends) + 1))  # features are sorted by edges
    places, jumps = crossing.places[order], crossing.jumps[order]
    body = crossing.bodies[side]
    return Side(
        body.points, faces.edges.faces, faces.edges.numbers, faces.weights, members, first, places, jumps,
        references, crossing.places,
    )  # fmt: skip


def _box(
    crossing: Crossing, members: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> NDArray[np.float64] | None:
    """(2, 3) the box around all corners of the common part; None if there are none."""
    found = [crossing.places[crossing.jumps != 0]]
    for side in (A, B):
        found.append(crossing.bodies[side].points[members[side] != 0])
    points = np.concatenate(found)
    return np.stack([points.min(axis=0), points.max(axis=0)]) if len(points) else None
