"""The faces of a closed mesh as the boundary of its solid: turned outward, each with its weight.

The weight of a face is 1 if the solid is behind it and not before it, -1 the other way round, and 0 for a wall inside.
It is the same all over a *patch*, faces that are connected by edges of two faces, as long as the mesh does not cross
itself: so one point of each patch tells. Of faces that lie on each other, the first has the weight of all. Faces of a
mesh that is not oriented are turned, patch by patch, so that the solid is behind them.

Where sheets of a mesh meet, no weight is right all over a patch, and `parts` does without. Where a sheet crosses
itself, all its faces have the weight 1, or all -1, and what it winds around twice counts twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import frexp
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import area_vectors, cross_product
from tumble.core.records import frozen
from tumble.mesh.edges import Edges
from tumble.narrow.overlap.near_faces import Surface
from tumble.solid.body import Body
from tumble.solid.exact import Facet, Point, Scale, Vector, cross, dot, facet_of, seen_from
from tumble.solid.winding import Question, answers

if TYPE_CHECKING:
    from tumble.narrow.overlap.places import Boundary

# Weights of the corners for a point inside a triangle. Their sums are prime and not small, so that points of triangles
# with simple coordinates are on no line of the same grid, along which other faces may end.
WEIGHTS = ((227, 199, 193), (401, 577, 809), (1201, 739, 1059))
ROUNDING = 2.0**-44
"""no cone of corners within 1 is off by more: a dozen products and sums, each off by 2**-53 of 3 at most"""
SUMMING = 1e-6
"""of the sum of volumes without signs: more than what adding up makes of it"""
MOST_FACES = 4
"""faces of a patch that are tried"""


class SolidFaces(NamedTuple):
    """A mesh as the boundary of a solid."""

    edges: Edges
    """the faces, turned outward"""
    weights: NDArray[np.int8]
    """(m,) see above"""
    sheets: NDArray[np.int64]
    """(m,) see `sheets`"""
    fronts: NDArray[np.int64]
    """(m,) how often the sheet of a face winds around what is in front of it"""
    tangled: bool = False
    """whether sheets meet: then weights are not the same all over a patch"""
    crosses_itself: bool = False
    """whether a sheet crosses itself: then what it winds around twice counts twice"""


def surface_faces(edges: Edges) -> SolidFaces:
    """Return the faces of a mesh that bounds nothing."""
    none = np.zeros(len(edges.faces), np.int64)
    return SolidFaces(edges, none.astype(np.int8), none, none)


def outward_normals(body: Body, faces: SolidFaces) -> NDArray[np.float64]:
    """(m, 3) the unit normals of all faces, out of the solid; zero for those without area, and for walls inside."""
    return body.kept("outward normals", lambda: _outward_normals(body, faces))


def _outward_normals(body: Body, faces: SolidFaces) -> NDArray[np.float64]:
    edges, weights = faces.edges, faces.weights
    if edges is not body.surface:  # some faces are turned round
        weights = np.where((edges.faces == body.surface.faces).all(axis=1), weights, -weights)
    return frozen(body.normals * weights[:, None])


def boundary_of(body: Body, faces: SolidFaces) -> Boundary:
    """Return a body as kernels see it."""
    return body.kept("boundary", lambda: _boundary(body, faces))


def _boundary(body: Body, faces: SolidFaces) -> Boundary:
    from tumble.narrow.overlap.places import Boundary

    edges = faces.edges
    return Boundary(body.points, edges.faces, frozen(edges.numbers), frozen(edges.ends), frozen(faces.weights))


def surface_of_faces(body: Body) -> Surface:
    """Return the faces of a body, with their neighbours, as kernels see them."""
    return body.kept("surface", lambda: _surface(body))


def _surface(body: Body) -> Surface:
    corners = np.ascontiguousarray(body.corners)
    return Surface(frozen(corners), frozen(body.normals), frozen(body.surface.twins))


class Stack(NamedTuple):
    """The faces that lie on each other at a point."""

    faces: list[int]
    """in order; the first one's front is the front of all"""
    signs: list[int]
    """1 for those that are turned like the first, -1 for others"""
    front: int
    """how often the mesh winds around what is in front of all"""

    def weight(self, body: Body, face: int) -> int:
        """Return the weight of a face: that of all for the first, 0 for the others."""
        behind = self.front + sum(self.signs)
        return int(body.inside(behind)) - int(body.inside(self.front)) if face == self.faces[0] else 0

    def before(self, face: int) -> int:
        """Return how often the mesh winds around what is in front of one of them, as if they lay in a row."""
        place = self.faces.index(face)
        return self.front + sum(self.signs[:place]) + min(self.signs[place], 0)


def plain_weights(body: Body, patches: NDArray[np.int64]) -> tuple[NDArray[np.int64], bool]:
    """Return what `weights_of` does, for a mesh whose faces are turned alike and do not meet beyond what they share.

    One patch of such has one cell of space in front of all its faces, and one behind: the solid is the one that is
    bounded, and the sign of the volume tells which that is.
    """
    if len(patches) and not patches.any():
        cones = cones_of(body)
        volume, most = float(cones.sum()), float(np.abs(cones).sum())
        if abs(volume) > len(cones) * ROUNDING + SUMMING * most:
            return np.array([1 if volume > 0.0 else -1]), True
    return weights_of(body, patches)


def cones_of(body: Body) -> NDArray[np.float64]:
    """Return six times the volumes of the cones over all faces, as seen in a frame of the body's size."""
    low, high = body.bounds
    size = float((high - low).max())
    corners = body.corners - (low + 0.5 * (high - low))
    if size > 0.0:
        corners = np.ldexp(corners, -frexp(size)[1])
    return (corners[:, 0] * cross_product(corners[:, 1], corners[:, 2])).sum(axis=1)


def weights_of(body: Body, patches: NDArray[np.int64]) -> tuple[NDArray[np.int64], bool]:
    """Return the weight of each patch, and whether all could be found."""
    return _of_patches(body, patches, lambda stack, face: stack.weight(body, face))


def fronts_of(body: Body, patches: NDArray[np.int64]) -> tuple[NDArray[np.int64], bool]:
    """Return how often a mesh winds around what is in front of each patch, and whether all could be found."""
    return _of_patches(body, patches, lambda stack, face: stack.before(face))


def _of_patches(
    body: Body, patches: NDArray[np.int64], asked: Callable[[Stack, int], int]
) -> tuple[NDArray[np.int64], bool]:
    """Return a number for each patch, by the stack at a point of a large face; 0 where all are degenerate."""
    scale = Scale(body.points)
    found, sure = np.zeros(patches.max(initial=-1) + 1, np.int64), True
    areas = _areas(body)
    order = np.lexsort((-areas, patches))
    cuts = np.flatnonzero(np.diff(patches[order])) + 1
    for patch, faces in enumerate(np.split(order, cuts) if len(order) else []):
        for face in faces[:MOST_FACES].tolist():
            stack = _stack(body, scale, face)
            if stack is not None:
                found[patch] = asked(stack, face)
                break
        else:
            sure &= not areas[faces[0]] > 0.0
    return found, sure


def _areas(body: Body) -> NDArray[np.float64]:
    """Return numbers that grow with the areas of faces."""
    corners = body.corners / max(float(np.abs(body.corners).max(initial=0.0)), 5e-324)
    normals = area_vectors(corners)
    return (normals * normals).sum(axis=1)


def _stack(body: Body, scale: Scale, face: int) -> Stack | None:
    """Return what lies on each other at a point inside a face; None for degenerate ones."""
    facet = _facet(body, scale, face)
    if any(facet.normal):
        for weights in WEIGHTS:
            found = _stack_at(body, scale, face, _inside(facet, weights))
            if found is not None:
                return found
    return None


def _stack_at(body: Body, scale: Scale, face: int, point: Point) -> Stack | None:
    """Return the same for a point of a face; None where faces in other planes meet it."""
    through = _faces_at(body, scale, point)
    normals = [_facet(body, scale, other).normal for other in through]
    first = normals[0]
    if any(any(cross(first, normal)) for normal in normals):
        return None
    (answer,) = answers(body, scale, [Question(point, through, [first])])
    if answer.winding is None:
        return None
    signs = [1 if dot(first, normal) > 0 else -1 for normal in normals]
    front = answer.winding if dot(first, answer.direction) > 0 else answer.winding - sum(signs)
    return Stack(through, signs, front)


def _faces_at(body: Body, scale: Scale, point: Point) -> list[int]:
    """Return the faces, degenerate ones left out, that contain a point, in order."""
    near, slack = scale.rounded(point)
    low, high = body.boxes
    candidates = np.flatnonzero(
        (low <= np.array(near) + slack).all(axis=1) & (high >= np.array(near) - slack).all(axis=1)
    )
    return [face for face in candidates.tolist() if _contains(_facet(body, scale, face), point)]


def _contains(facet: Facet, point: Point) -> bool:
    if not any(facet.normal) or dot(facet.normal, seen_from(point, facet.corners[0])):
        return False
    return all(dot(facet.inward[k], seen_from(point, facet.corners[k])) <= 0 for k in range(3))


def _facet(body: Body, scale: Scale, face: int) -> Facet:
    p, q, r = (scale.vector(corner) for corner in body.corners[face].tolist())
    return facet_of((p, q, r))


def _inside(facet: Facet, weights: Iterable[int]) -> Point:
    parts = [[weight * number for number in corner] for weight, corner in zip(weights, facet.corners, strict=True)]
    total: Vector = tuple(map(sum, zip(*parts, strict=True)))  # type: ignore[assignment]
    return Point(*total, sum(weights))
