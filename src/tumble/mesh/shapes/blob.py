"""An animal-like body: torso, neck, head with ears, four legs and a tail, as one closed surface.

The body is a smooth union of tapered rods, each a signed distance, that hang together like a tree: for any
seed it has the topology of a ball. The seed changes its proportions.

The surface is where the distance, on a grid, changes sign, by marching tetrahedra: every cell is cut into the same six
tetrahedra, and every tetrahedron whose corners differ in sign contributes one or two triangles with corners on its
edges. Triangles stay inside their tetrahedra, so the surface never meets itself, and neighbours share edge points, so
it is closed if the function is positive on the border of the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import exponential, logarithm
from tumble.core.products import dot_product, lengths
from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import MOST_SEED, whole

# Start, end, and the radius at either of them.
_Rod = tuple[Sequence[float], Sequence[float], float, float]

_BLEND = 0.05
_FIRST_STEP = 0.05
_MOST_FACES = 100_000  # the grid grows faster than the surface: some hundred megabytes here

# Crossing points keep this share of an edge from its ends, so that no triangle collapses.
_MARGIN = 0.08

# The six paths from corner (0,0,0) to (1,1,1), one axis at a time, and their handedness: that of even permutations.
_PATHS = [
    (np.cumsum([[0, 0, 0], *np.eye(3, dtype=int)[list(p)]], axis=0), p in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
    for p in permutations(range(3))
]

# For one inside corner, then for two: triangles whose corners are edges, as pairs of tetrahedron corners.
_ONE = [[(0, 1), (0, 2), (0, 3)]]
_TWO = [[(0, 2), (0, 3), (1, 3)], [(0, 2), (1, 3), (1, 2)]]


def blob(seed: int = 0, faces: int = 4000) -> Mesh:
    """Return an animal about two units long that looks along +x and stands on -z, of about `faces` triangles.

    Coarse animals have thicker feet and ears, or these would fall off. `faces` runs from 2000 to 100 000.
    """
    if whole("faces", faces, 2000) > _MOST_FACES:
        raise OptionError(f"faces must be at most {_MOST_FACES}, not {faces}; subdivide a smaller one")
    rods = _animal(np.random.default_rng(whole("seed", seed, 0, MOST_SEED)))
    step = _FIRST_STEP
    mesh = _mesh(rods, step)
    for _ in range(3):
        if abs(len(mesh) - faces) <= 0.05 * faces:
            break
        step *= float(np.sqrt(len(mesh) / faces))  # the count grows nearly with the inverse square of the step
        mesh = _mesh(rods, step)
    while not _is_ball(mesh):  # a foot smaller than a cell came off: rare, and cured by a finer grid
        step *= 0.95
        mesh = _mesh(rods, step)
    return mesh


def _animal(rng: np.random.Generator) -> list[_Rod]:
    length, girth = rng.uniform(0.5, 0.65), rng.uniform(0.29, 0.36)
    leg, foot = rng.uniform(0.45, 0.65), rng.uniform(0.085, 0.1)
    neck, tail = rng.uniform(0.25, 0.4), rng.uniform(0.35, 0.55)
    chest, rump = (length, 0.0, 0.0), (-length, 0.0, 0.0)
    head = (length + 0.3 * neck + 0.1, 0.0, girth + neck)
    rods: list[_Rod] = [
        (rump, chest, 0.95 * girth, girth),
        (chest, head, 0.75 * girth, 0.13),
        (head, (head[0] + 0.28, 0.0, head[2] - 0.08), 0.17, 0.1),
        (rump, (-length - 0.6 * tail, 0.0, 0.5 * tail), 0.1, 0.08),
        ((-length - 0.6 * tail, 0.0, 0.5 * tail), (-length - tail, 0.0, 0.3 * tail), 0.08, 0.07),
    ]
    for side in (-1.0, 1.0):
        rods.append(((head[0], 0.1 * side, head[2]), (head[0] - 0.06, 0.18 * side, head[2] + 0.24), 0.08, 0.06))
        for x, stride in ((length, 0.1), (-length, -0.08)):
            knee = (x + stride * side, 0.8 * girth * side, -0.5 * (girth + leg))
            ankle = (x + 1.2 * stride * side, 0.85 * girth * side, -girth - leg)
            rods += [((x, 0.6 * girth * side, 0.0), knee, 0.14, 1.1 * foot), (knee, ankle, 1.1 * foot, foot)]
    return rods


def _is_ball(mesh: Mesh) -> bool:
    """Tell by Euler's formula; a closed mesh has three edges per two faces."""
    return len(mesh.vertices) - len(mesh) // 2 == 2


def _mesh(rods: list[_Rod], step: float) -> Mesh:
    ends = np.array([end for rod in rods for end in rod[:2]])
    margin = max(max(rod[2:]) for rod in rods) + _BLEND + 2 * step
    low, high = ends.min(axis=0) - margin, ends.max(axis=0) + margin
    axes = [start + step * np.arange(int((stop - start) / step) + 2) for start, stop in zip(low, high, strict=True)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    return marching_tetrahedra(_distance(points, rods, step), low, step)


def _distance(points: NDArray[np.float64], rods: list[_Rod], thinnest: float) -> NDArray[np.float64]:
    """Return a smooth minimum of the distances to all rods, none of them thinner than `thinnest`."""
    total = np.zeros(points.shape[:-1])
    for start, end, radius_start, radius_end in rods:
        a, along = np.array(start), np.array(end) - np.array(start)
        offset = points - a
        t = np.clip(dot_product(offset, along) / dot_product(along, along), 0.0, 1.0)
        gap = lengths(offset - t[..., None] * along)
        radius = np.maximum(radius_start + t * (radius_end - radius_start), thinnest)
        total += exponential((radius - gap) / _BLEND)
    return -_BLEND * logarithm(np.maximum(total, 1e-300))


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
