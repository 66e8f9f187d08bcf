"""What kind of boundary a closed mesh is: of a plain solid, of bodies that overlap, or of one that crosses itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.mesh.edges import Edges, edges_of
from tumble.solid.body import Body
from tumble.solid.overlap.common import signed_square
from tumble.solid.overlap.crossing import Crossing
from tumble.solid.overlap.faces import SolidFaces, weights_of
from tumble.solid.overlap.sheets import patches_of, sheets_of

KEY = ("solid faces",)
SAME = 1e-10
"""a sheet crosses itself if it encloses this part of its volume more than once"""

FindPairs = Callable[[Body], NDArray[np.int64]]


def solid_faces(body: Body, self_pairs: FindPairs, all_pairs: FindPairs) -> SolidFaces:
    """Return the boundary of the solid of a closed mesh, computed once and kept by the mesh.

    self_pairs   finds the triangles of a body that meet each other, beyond what neighbours share
    all_pairs    finds all triangles that touch, of a body and its copy
    """
    known: SolidFaces | None = body.mesh._trees.get(KEY)
    if known is None:
        known = body.mesh._trees.setdefault(KEY, _solid_faces(body.at(None), self_pairs, all_pairs))
    return known


def _solid_faces(body: Body, self_pairs: FindPairs, all_pairs: FindPairs) -> SolidFaces:
    edges, pairs = body.surface, self_pairs(body)
    patches = patches_of(edges)
    if not edges.oriented:
        return _turned(body, patches, len(pairs) > 0)
    sheets = sheets_of(edges, patches)
    signs = np.where(np.bincount(sheets, _cones(body)) < 0.0, -1, 1)[sheets]
    within = sheets[pairs[:, 0]] == sheets[pairs[:, 1]]
    crossing = any(
        _counts_twice(body, sheets == sheet, all_pairs) for sheet in np.unique(sheets[pairs[within, 0]]).tolist()
    )
    weights = signs if crossing else weights_of(body, patches)[patches]
    return SolidFaces(edges, weights.astype(np.int8), sheets, np.minimum(signs, 0), not within.all(), crossing)


def _turned(body: Body, patches: NDArray[np.int64], meets_itself: bool) -> SolidFaces:
    """Return the faces of a mesh that is not oriented, those turned round that have the solid in front."""
    weights = weights_of(body, patches)[patches]
    faces = np.where((weights < 0)[:, None], body.surface.faces[:, ::-1], body.surface.faces)
    edges, none = Edges(faces), np.zeros(len(faces), np.int64)
    return SolidFaces(edges, np.abs(weights).astype(np.int8), none, none, False, meets_itself or not edges.oriented)


def _cones(body: Body) -> NDArray[np.float64]:
    """Return the volumes of the cones over all faces, at any scale."""
    corners = body.corners - body.bounds.mean(axis=0)
    corners = corners / max(float(np.abs(corners).max(initial=0.0)), 5e-324)
    return (corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum(axis=1)


def _counts_twice(body: Body, faces: NDArray[np.bool_], all_pairs: FindPairs) -> bool:
    """Tell whether a sheet winds around some points more than once: the square of its winding number tells."""
    used, numbers = np.unique(body.surface.faces[faces], return_inverse=True)
    sheet = Mesh._of_checked(body.mesh.vertices[used], numbers.reshape(-1, 3).astype(np.int32))
    alone = Body(sheet, edges_of(sheet), None, body.threads)
    count = len(sheet)
    ones, none = np.ones(count, np.int8), np.zeros(count, np.int64)
    plain = SolidFaces(alone.surface, ones, none, none)
    square, volume = signed_square(Crossing((alone, alone), (plain, plain), all_pairs(alone)), _cones(alone).sum() < 0.0)
    return abs(square - volume) > SAME * max(square, volume)
