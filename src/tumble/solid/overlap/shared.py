"""How two bodies overlap: the curves, and what is common, from all touching triangles."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.solid.body import Body
from tumble.solid.overlap.boundary import FindPairs, solid_faces
from tumble.solid.overlap.common import common_of_parts, common_part
from tumble.solid.overlap.crossing import Crossing
from tumble.solid.overlap.curves import curves_of
from tumble.solid.overlap.faces import SolidFaces, surface_faces
from tumble.solid.overlap.parts import Parts
from tumble.solid.overlap.records import Common, Overlap, nothing


class Finders(NamedTuple):
    """What finds the triangles of one body that touch each other."""

    self_pairs: FindPairs
    """beyond what neighbours share"""
    all_pairs: FindPairs
    """of a body and its copy: each with itself and with its neighbours, too"""
    between_sheets: Callable[[Body, NDArray[np.int64]], NDArray[np.int64]]
    """of different sheets of a body, given the sheet of each face"""


def crossing_of(bodies: tuple[Body, Body], pairs: NDArray[np.int64], finders: Finders) -> Crossing:
    """Return where the surfaces of two bodies cross."""
    return Crossing(bodies, (_faces(bodies[0], finders), _faces(bodies[1], finders)), pairs)


def overlap_in(
    crossing: Crossing, pairs: NDArray[np.int64], finders: Finders, boundary: bool = False, exact: bool = True
) -> Overlap:
    """Return how two bodies overlap whose crossing is known; volumes are NaN unless both are solid.

    boundary   that of what is common, too
    exact      see `common_part`
    """
    crosses = crossing.faces[0].crosses_itself, crossing.faces[1].crosses_itself
    solid = crossing.bodies[0].solid and crossing.bodies[1].solid
    common = _common(crossing, pairs, finders, boundary, exact) if solid else nothing(math.nan)
    return Overlap(common, curves_of(crossing), crosses)


def _faces(body: Body, finders: Finders) -> SolidFaces:
    return solid_faces(body, finders.self_pairs, finders.all_pairs) if body.solid else surface_faces(body.surface)


def _common(crossing: Crossing, pairs: NDArray[np.int64], finders: Finders, boundary: bool, exact: bool) -> Common:
    tangled = any(faces.tangled for faces in crossing.faces)
    common = None if tangled else common_part(crossing, exact)
    if common is not None and not (boundary and common.volume > 0.0):
        return common
    # each sheet moves on its own, so that those of one body that only share vertices can cross, too
    own: Sequence[NDArray[np.int64]] = [
        finders.between_sheets(body, faces.sheets) if faces.sheets.any() else np.empty((0, 2), np.int64)
        for body, faces in zip(crossing.bodies, crossing.faces, strict=True)
    ]
    of_parts = common_of_parts(Parts(crossing.bodies, crossing.faces, [pairs, *own]), crossing)
    return of_parts if common is None else common._replace(boundary=of_parts.boundary)
