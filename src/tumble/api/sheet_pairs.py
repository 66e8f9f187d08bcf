"""The touching triangles of different sheets of one mesh."""

import numpy as np
from numpy.typing import NDArray

from tumble.api.relation import self_pairs
from tumble.core.keys import unique_rows
from tumble.solid.body import Body

KEY = ("pairs between sheets",)


def pairs_between_sheets(body: Body, sheets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all pairs of triangles of different sheets of a body that touch, those that share a vertex included.

    Kept by the mesh where it is not posed.
    """
    known: NDArray[np.int64] | None = body.mesh._trees.get(KEY) if body.rows is None else None
    if known is None:
        pairs = np.concatenate([self_pairs(body), _at_shared_vertices(body.surface.faces, sheets)])
        known = _by_sheets(pairs, sheets)
        if body.rows is None:
            body.mesh._trees[KEY] = known
    return known


def _by_sheets(pairs: NDArray[np.int64], sheets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return pairs of different sheets, each once, the triangle of the lower sheet first, sorted by sheets."""
    own = sheets[pairs]
    pairs, own = pairs[own[:, 0] != own[:, 1]], own[own[:, 0] != own[:, 1]]
    turned = own[:, 0] > own[:, 1]
    pairs[turned], own[turned] = pairs[turned, ::-1], own[turned, ::-1]
    return np.ascontiguousarray(unique_rows(np.concatenate([own, pairs], axis=1)).rows[:, 2:])


def _at_shared_vertices(faces: NDArray[np.int32], sheets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pairs of triangles of different sheets that have a vertex in common, some more than once."""
    order = np.argsort(faces, axis=None, kind="stable")
    corners, owners = faces.ravel()[order], order // 3
    first = np.flatnonzero(np.diff(corners, prepend=-1))
    counts = np.diff(first, append=len(corners))
    several = np.add.reduceat(sheets[owners] != sheets[owners[np.repeat(first, counts)]], first, dtype=np.int64) > 0
    found = [np.empty((0, 2), np.int64)]
    for start, count in zip(first[several].tolist(), counts[several].tolist(), strict=True):
        group = owners[start : start + count]
        of_group = sheets[group]
        for sheet in np.unique(of_group)[1:].tolist():
            one, other = np.meshgrid(group[of_group < sheet], group[of_group == sheet])
            found.append(np.stack([one.ravel(), other.ravel()], axis=1))
    return np.concatenate(found)


def pose_of(body: Body) -> NDArray[np.float64] | None:
    """Return the pose of a body as a 4×4 array."""
    return None if body.rows is None else np.concatenate([body.rows, [[0.0, 0.0, 0.0, 1.0]]])
