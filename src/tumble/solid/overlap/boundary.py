"""What kind of boundary a closed mesh is: of a plain solid, of bodies that overlap, or of one that crosses itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.mesh.edges import Edges, edges_of
from tumble.solid.body import Body
from tumble.solid.overlap.common import square_of_winding
from tumble.solid.overlap.crossing import Crossing
from tumble.solid.overlap.faces import SolidFaces, cones_of, fronts_of, plain_weights, weights_of
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
    signs = np.where(np.bincount(sheets, cones_of(body)) < 0.0, -1, 1)[sheets]
    fronts = np.minimum(signs, 0)
    if len(pairs) == 0:
        weights, sure = plain_weights(body, patches)
        return SolidFaces(edges, weights[patches].astype(np.int8), sheets, fronts, False, not sure)
    tangled, crossing = bool(sheets.max() > 0), False
    for sheet in _doubtful(sheets, patches, pairs, tangled):
        faces = np.flatnonzero(sheets == sheet)
        fronts[faces], simple = _alone(body, faces, patches[faces], all_pairs)
        crossing |= not simple
    each = signs if crossing else (fronts != -1).astype(np.int64) - (fronts != 0)
    return SolidFaces(edges, each.astype(np.int8), sheets, fronts, tangled, crossing)


def _doubtful(
    sheets: NDArray[np.int64], patches: NDArray[np.int64], pairs: NDArray[np.int64], tangled: bool
) -> list[int]:
    """Return the sheets that may wind around points more than once, or both ways."""
    within = pairs[sheets[pairs[:, 0]] == sheets[pairs[:, 1]]]
    several = np.bincount(sheets[np.unique(patches, return_index=True)[1]]) > 1
    found = set(sheets[within[:, 0]].tolist())
    return sorted(found | set(np.flatnonzero(several).tolist()) if tangled else found)


def _turned(body: Body, patches: NDArray[np.int64], meets_itself: bool) -> SolidFaces:
    """Return the faces of a mesh that is not oriented, those turned round that have the solid in front."""
    of_patches, sure = weights_of(body, patches)
    weights = of_patches[patches]
    faces = np.where((weights < 0)[:, None], body.surface.faces[:, ::-1], body.surface.faces)
    edges, none = Edges(faces), np.zeros(len(faces), np.int64)
    doubtful = meets_itself or not sure or not edges.oriented
    return SolidFaces(edges, np.abs(weights).astype(np.int8), none, none, False, doubtful)


def _alone(
    body: Body, faces: NDArray[np.int64], patches: NDArray[np.int64], all_pairs: FindPairs
) -> tuple[NDArray[np.int64], bool]:
    """Return how often a sheet winds around what is in front of its faces, and whether that is so all over a patch.

    If so, the square of its winding number grows by 2 front + 1 from the front of a face to its back, and the integral
    of the square, which the sheet and its copy have, is that of these steps.
    """
    used, numbers = np.unique(body.surface.faces[faces], return_inverse=True)
    sheet = Mesh._of_checked(body.mesh.vertices[used], numbers.reshape(-1, 3).astype(np.int32))
    alone = Body(sheet, edges_of(sheet), None, body.threads)
    none = np.zeros(len(faces), np.int64)
    plain = SolidFaces(alone.surface, np.ones(len(faces), np.int8), none, none)
    square = square_of_winding(Crossing((alone, alone), (plain, plain), all_pairs(alone)))
    cones = cones_of(alone) / 6.0

    def agrees(fronts: NDArray[np.int64]) -> bool:
        steps = float(((2 * fronts + 1) * cones).sum())
        return abs(square - steps) <= SAME * max(square, 1e-3 * float(np.abs(cones).sum()))

    uniform = none if cones.sum() >= 0.0 else none - 1
    if agrees(uniform):
        return uniform, True
    labels = np.unique(patches, return_inverse=True)[1].reshape(-1)
    of_patches, sure = fronts_of(alone, labels)
    if sure and agrees(of_patches[labels]):
        return of_patches[labels], True
    return uniform, False
