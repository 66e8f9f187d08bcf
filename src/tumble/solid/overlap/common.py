"""Volume, centroid and box of what two solids have in common."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.narrow.overlap.integrals import WHOLE, Frame, Side, Totals, add_faces, add_segments, totals
from tumble.solid.overlap.crossing import A, B, Crossing
from tumble.solid.overlap.exact_volume import exact_volume
from tumble.solid.overlap.extent import box_of
from tumble.solid.overlap.parts import Parts
from tumble.solid.overlap.records import Common, Pieces, nothing

ERROR = 2.0**-47
"""what rounding makes of a volume, as a part of the cones that it is a sum of, and of the coordinates' rounding"""
SMALLEST = 5e-324


def common_part(crossing: Crossing, exact: bool = True) -> Common:
    """Return what two bodies have in common, of which no components meet within one body.

    exact   find the volume of what is too thin for float64, which can take a second; else it is NaN
    """
    corners = _corners(crossing)
    if len(corners) == 0:
        return nothing(0.0)
    box = np.stack([corners.min(axis=0), corners.max(axis=0)])
    found = _measured(box, lambda frame: _integrals(crossing, frame))
    if found is not None:
        return found
    middle = box[0] + 0.5 * (box[1] - box[0])  # of what is so thin, near enough to the centroid
    if not exact:
        return Common(math.nan, middle, box)
    volume = exact_volume(crossing)
    if volume > 0:
        return Common(max(float(volume), SMALLEST), middle, box)
    # sheets have no volume; a mesh that crosses itself can wind the other way
    return nothing(math.nan if volume < 0 else 0.0)


def common_of_parts(parts: Parts, crossing: Crossing) -> Common:
    """Return the same for bodies whose components meet; `crossing` tells about where they are."""
    bounds = [body.bounds for body in crossing.bodies]
    low, high = np.maximum(bounds[A][0], bounds[B][0]), np.minimum(bounds[A][1], bounds[B][1])
    box, kept = np.stack([low, high]), []

    def integrals(frame: Frame) -> Totals:
        kept.append((frame, parts.totals(frame)))
        return kept[0][1]

    found = _measured(box, integrals)
    return nothing(math.nan) if found is None else found._replace(boundary=_boundary(*kept[0]))


def _boundary(frame: Frame, found: Totals) -> tuple[Pieces, Pieces]:
    """Return the pieces of the faces of a and of b that bound the common part, in the world."""
    corners = np.array(frame.centre) + found.triangles[:, :9].reshape(-1, 3, 3) / frame.scale
    owners = found.triangles[:, 10]
    return corners[owners == A], corners[owners == B]


def square_of_winding(crossing: Crossing) -> float:
    """Return the integral of the square of the winding number of a body that crosses its copy, in its frame."""
    return _integrals(crossing, frame_of(crossing.bodies[A].bounds)).volume


def frame_of(box: NDArray[np.float64]) -> Frame:
    """Return the frame from the middle of a box, at the next power of two to its size."""
    size = float((box[1] - box[0]).max())
    x, y, z = (box[0] + 0.5 * (box[1] - box[0])).tolist()
    return Frame((x, y, z), math.ldexp(1.0, -math.frexp(size)[1]) if size > 0.0 else 1.0)


def _measured(box: NDArray[np.float64], integrals: Callable[[Frame], Totals]) -> Common | None:
    """Return what is common in a box; None where rounding hides its volume."""
    frame = frame_of(box)
    exponent, centre = 1 - math.frexp(frame.scale)[1], np.array(frame.centre)
    found = integrals(frame)
    error = ERROR * (found.absolute + math.ldexp(float(np.abs(box).max()), -exponent))
    if not found.volume > error:
        return None
    extent = centre + np.ldexp(box_of(found.triangles), exponent)
    centroid = centre + np.ldexp(found.moments / found.volume, exponent)
    return Common(math.ldexp(found.volume, 3 * exponent), np.clip(centroid, *extent), extent)


def _integrals(crossing: Crossing, frame: Frame) -> Totals:
    references = [_references(crossing, side) for side in (A, B)]
    sides = [_side(crossing, side, references[side]) for side in (A, B)]
    segments = np.concatenate([crossing.segments[:, :2], crossing.ends], axis=1)
    weights = crossing.faces[A].weights, crossing.faces[B].weights

    def add(sums: NDArray[np.float64], kept: NDArray[np.float64]) -> None:
        for side in sides:
            add_faces(side, frame, sums, kept)
        add_segments(segments, *weights, *references, crossing.places, frame, sums, kept)

    return totals(add, 8 * len(segments) + sum(map(len, weights)))


def _references(crossing: Crossing, side: int) -> NDArray[np.int64]:
    """(m,) a place for each face that is crossed, WHOLE for the others."""
    found = np.full(len(crossing.faces[side].edges.faces), WHOLE, np.int64)
    found[crossing.segments[:, side]] = crossing.ends[:, 0]
    return found


def _side(crossing: Crossing, side: int, references: NDArray[np.int64]) -> Side:
    faces, body = crossing.faces[side], crossing.bodies[side]
    own = np.flatnonzero(crossing.features[:, 0] == side)
    edges = crossing.features[own, 1]
    order = own[np.lexsort((crossing.shares[own], edges))]
    first = np.searchsorted(edges, np.arange(len(faces.edges.ends) + 1))  # features are sorted by edges
    return Side(
        side, body.points, faces.edges.faces, faces.edges.numbers, faces.weights, crossing.members(side), first,
        crossing.places[order], crossing.jumps[order], references, crossing.places,
    )  # fmt: skip


def _corners(crossing: Crossing) -> NDArray[np.float64]:
    """(n, 3) all corners of what is common."""
    inside = [crossing.bodies[side].points[crossing.members(side) != 0] for side in (A, B)]
    return np.concatenate([crossing.places[crossing.jumps != 0], *inside])
