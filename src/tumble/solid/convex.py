"""Convex solids: is a mesh one, and the shortest shift that parts two hulls."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.records import frozen
from tumble.mesh import Mesh
from tumble.mesh.edges import edges_of
from tumble.solid.body import Body

KEY = ("convex to rounding",)
TOLERANCE = 2.0**-44
"""of the size of the box: how far a vertex may be beyond the plane of a face of a convex mesh, as poses round"""
ROUNDING = 2.0**-45
"""what rounding makes of a depth, as a part of the largest extent of the bodies and their coordinates"""


class Shift(NamedTuple):
    """A shift of b that parts the hulls of two bodies."""

    direction: NDArray[np.float64]
    """(3,) unit"""
    length: float
    least: float
    """no shift that is shorter than this parts the hulls"""


def is_convex_body(body: Body) -> bool:
    """Tell whether a mesh is convex up to rounding, whichever way its faces are turned; kept by the mesh."""
    known: bool | None = body.mesh._trees.get(KEY)
    if known is None:
        known = body.mesh._trees.setdefault(KEY, _is_convex(body.mesh))
    return known


def _is_convex(mesh: Mesh) -> bool:
    """A closed surface in one piece that is bent outward at every edge is the boundary of a convex solid."""
    from tumble.mesh.bends import FOUND, HIGHEST, LOWEST, VOLUME, measure_bends, turns_once

    edges, bounds = edges_of(mesh), mesh.bounds
    if bounds is None or not (edges.closed and edges.oriented) or (edges._counts != 2).any():
        return False
    size = float((bounds[1] - bounds[0]).max())
    if size == 0.0:
        return False
    points, faces = (mesh.vertices - bounds[0]) / size, edges.faces
    normals, lengths, found = np.empty((len(faces), 3)), np.empty(len(faces)), np.empty(FOUND)
    measure_bends(points, faces, frozen(edges.twins), normals, lengths, found)
    beyond = found[HIGHEST] if found[VOLUME] >= 0.0 else -found[LOWEST]
    if not -np.inf < beyond <= TOLERANCE or edges.components.max() > 0:
        return False
    return bool(turns_once(points, faces, normals, lengths, TOLERANCE))


def hull_shift(bodies: tuple[Body, Body]) -> Shift | None:
    """Return the shortest shift of b that parts the hulls of two bodies; None where both lie in one plane."""
    from tumble.narrow.overlap.expanding import new_polytope, shortest_shift

    points = [body.points[np.unique(body.surface.faces)] for body in bodies]
    centre = bodies[0].bounds.mean(axis=0)
    size = max(float(np.abs(each - centre).max()) for each in points)
    if size == 0.0:
        return None
    near = [np.ascontiguousarray((each - centre) / size) for each in points]
    found = np.zeros(5)
    if not shortest_shift(near[0], near[1], 2.0, new_polytope(), found):
        return None
    return Shift(found[:3].copy(), float(found[3]) * size, float(found[4]) * size)
