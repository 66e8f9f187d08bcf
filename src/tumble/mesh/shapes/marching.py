"""The zero set of a function on a grid as a closed mesh: marching tetrahedra.

Every cell is cut into the same six tetrahedra, and every tetrahedron whose corners differ in sign contributes
one or two triangles with corners on its edges. Triangles stay inside their tetrahedra, so the surface never
meets itself, and neighbours share edge points, so it is closed if the function is positive on the border of
the grid.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.mesh import Mesh

# Crossing points keep this share of an edge from its ends, so that no triangle collapses.
_MARGIN = 0.08

# The six paths from corner (0,0,0) to (1,1,1), one axis at a time; the sign tells their handedness.
_PATHS = [
    (np.cumsum([[0, 0, 0], *np.eye(3, dtype=int)[list(p)]], axis=0), np.linalg.det(np.eye(3)[list(p)]) > 0)
    for p in permutations(range(3))
]

# For one inside corner, then for two: triangles whose corners are edges, as pairs of tetrahedron corners.
_ONE = [[(0, 1), (0, 2), (0, 3)]]
_TWO = [[(0, 2), (0, 3), (1, 3)], [(0, 2), (1, 3), (1, 2)]]


def marching_tetrahedra(values: NDArray[np.float64], origin: NDArray[np.float64], step: float) -> Mesh:
    """Return the surface where `values`, given on a grid, change sign; negative is inside."""
    edges = np.concatenate([_cut(*tetrahedra, values.ravel()) for tetrahedra in _tetrahedra(values)])
    keys = edges.min(axis=-1).astype(np.int64) * values.size + edges.max(axis=-1)
    unique, faces = np.unique(keys.ravel(), return_inverse=True)
    low, high = np.divmod(unique, values.size)
    at_low, at_high = values.ravel()[low], values.ravel()[high]
    share = np.clip(at_low / (at_low - at_high), _MARGIN, 1 - _MARGIN)[:, None]
    points = (1 - share) * _positions(low, values.shape) + share * _positions(high, values.shape)
    return Mesh(origin + step * points, faces.reshape(-1, 3))


def _positions(index: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.stack(np.unravel_index(index, shape), axis=1).astype(np.float64)


def _tetrahedra(values: NDArray[np.float64]) -> list[tuple[NDArray[np.int64], bool]]:
    """Return, per path, the grid indices of the tetrahedra that the surface crosses."""
    index = np.arange(values.size).reshape(values.shape)
    found = []
    for path, positive in _PATHS:
        corners = [index[tuple(slice(c, n - 1 + c) for c, n in zip(at, values.shape, strict=True))] for at in path]
        tetrahedra = np.stack([corner.ravel() for corner in corners], axis=1)
        inside = (values.ravel()[tetrahedra] < 0).sum(axis=1)
        found.append((tetrahedra[(inside > 0) & (inside < 4)], positive))
    return found


def _cut(tetrahedra: NDArray[np.int64], positive: bool, values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return triangles whose corners are pairs of grid indices, (m, 3, 2), counter-clockwise from outside."""
    inside = values[tetrahedra] < 0
    count = inside.sum(axis=1)
    triangles = []
    for wanted, pattern, flip in ((1, _ONE, False), (2, _TWO, False), (3, _ONE, True)):
        mask = inside if wanted < 3 else ~inside
        chosen, flags = tetrahedra[count == wanted], mask[count == wanted]
        # A stable sort brings the corners of the smaller side to the front; an odd number of swaps mirrors.
        order = np.argsort(~flags, axis=1, kind="stable")
        corners = np.take_along_axis(chosen, order, axis=1)
        mirrored = _is_odd(order) ^ (not positive) ^ flip
        for triangle in pattern:
            ends = np.stack([corners[:, pair] for pair in triangle], axis=1)
            triangles.append(np.where(mirrored[:, None, None], ends[:, ::-1], ends))
    return np.concatenate(triangles)


def _is_odd(order: NDArray[np.int64]) -> NDArray[np.bool_]:
    inversions = sum((order[:, i] > order[:, j]).astype(int) for i in range(4) for j in range(i + 1, 4))
    return np.asarray(inversions) % 2 == 1
