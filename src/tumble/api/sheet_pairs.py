"""The touching triangles of different sheets of one mesh."""

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.mesh import Mesh
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.solid.body import Body

KEY = ("pairs between sheets",)


def pairs_between_sheets(body: Body, sheets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all pairs of triangles of different sheets of a body that touch, those that share a vertex included.

    Kept by the mesh where it is not posed. Asking each sheet about the others, not the body about its copy, leaves out
    all the pairs of neighbours within a sheet, nearly all of which touch.
    """
    known: NDArray[np.int64] | None = body.mesh._trees.get(KEY) if body.rows is None else None
    if known is None:
        known = _between_sheets(body, sheets)
        if body.rows is None:
            body.mesh._trees[KEY] = known
    return known


def _between_sheets(body: Body, sheets: NDArray[np.int64]) -> NDArray[np.int64]:
    from tumble.broad.choice import overlapping_pairs

    order = np.argsort(sheets, kind="stable")
    groups = np.split(order, np.searchsorted(sheets[order], np.arange(1, int(sheets.max()) + 1)))
    shapes = [_some_faces(body.mesh, faces) for faces in groups]
    pose = pose_of(body)
    placed = np.tile(np.eye(4) if pose is None else pose, (len(shapes), 1, 1))
    near = overlapping_pairs(shapes, placed)
    bodies = Bodies(shapes, np.arange(len(shapes)), placed)
    table = ask(TOUCHING, bodies, bodies, near, Options(threads=body.threads))
    found = [np.empty((0, 2), np.int64)]
    for k, (i, j) in enumerate(near.tolist()):
        triangles = table.triangles[table.rows(k)]
        found.append(np.stack([groups[i][triangles[:, 0]], groups[j][triangles[:, 1]]], axis=1))
    return np.concatenate(found)


def _some_faces(mesh: Mesh, faces: NDArray[np.int64]) -> Mesh:
    used, numbers = np.unique(mesh.faces[faces], return_inverse=True)
    return Mesh._of_checked(mesh.vertices[used], numbers.reshape(-1, 3).astype(np.int32))


def pose_of(body: Body) -> NDArray[np.float64] | None:
    """Return the pose of a body as a 4×4 array."""
    return None if body.rows is None else np.concatenate([body.rows, [[0.0, 0.0, 0.0, 1.0]]])
