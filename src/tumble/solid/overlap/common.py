"""Volume, centroid and box of what two solids have in common."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.narrow.overlap.integrals import Frame, Side, Totals, add_common, side_of, totals, write_sides
from tumble.solid.overlap.crossing import A, B, Crossing
from tumble.solid.overlap.exact_volume import exact_volume
from tumble.solid.overlap.extent import box_of
from tumble.solid.overlap.parts import Parts
from tumble.solid.overlap.records import Common, Pieces, nothing

ERROR = 2.0**-47
"""what rounding makes of a volume, as a part of the cones that it is a sum of, and of the coordinates' rounding"""
SMALLEST = 5e-324
LARGEST_EXPONENT = 1000
"""of a frame's scale, whose inverse is a float64 as well"""


def common_part(crossing: Crossing, exact: bool = True) -> Common:
    """Return what two bodies have in common, of which no components meet within one body.

    exact   find the volume of what is too thin for float64, which can take a second; else it is NaN
    """
    sides, box = _sides(crossing)
    if box is None:
        return nothing(0.0)
    found = _measured(box, lambda frame: _integrals(crossing, sides, frame))
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
    return _integrals(crossing, _sides(crossing)[0], frame_of(crossing.bodies[A].bounds)).volume


def frame_of(box: NDArray[np.float64]) -> Frame:
    """Return the frame from the middle of a box, at the next power of two to its size."""
    size = float((box[1] - box[0]).max())
    x, y, z = (box[0] + 0.5 * (box[1] - box[0])).tolist()
    return Frame((x, y, z), math.ldexp(1.0, min(-math.frexp(size)[1], LARGEST_EXPONENT)) if size > 0.0 else 1.0)


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


def _integrals(crossing: Crossing, sides: tuple[Side, Side], frame: Frame) -> Totals:
    def add(sums: NDArray[np.float64], kept: NDArray[np.float64]) -> None:
        add_common(*sides, crossing.segments, crossing.at, frame, sums, kept)

    return totals(add, 8 * len(crossing.segments) + sum(len(each.mesh.faces) for each in sides))


def _sides(crossing: Crossing) -> tuple[tuple[Side, Side], NDArray[np.float64] | None]:
    """Return what is known of both meshes in each other, and the box around all corners of what is common, if any."""
    one, other = (side_of(crossing.boundaries[side], crossing.members(side)) for side in (A, B))
    box = np.empty((2, 3))
    count = write_sides(one, other, crossing.segments, crossing.at, box)
    return (one, other), box if count > 0 else None
