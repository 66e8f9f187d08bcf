"""An animal-like body: torso, neck, head with ears, four legs and a tail, as one closed surface.

The body is a smooth union of tapered rods, each a signed distance, that hang together like a tree: for any
seed it has the topology of a ball. The seed changes its proportions.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import MOST_SEED, whole
from tumble.mesh.shapes.marching import marching_tetrahedra

# Start, end, and the radius at either of them.
_Rod = tuple[Sequence[float], Sequence[float], float, float]

_BLEND = 0.05
_FIRST_STEP = 0.05
_MOST_FACES = 100_000  # the grid grows faster than the surface: some hundred megabytes here


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
        t = np.clip((offset @ along) / (along @ along), 0.0, 1.0)
        gap = np.linalg.norm(offset - t[..., None] * along, axis=-1)
        radius = np.maximum(radius_start + t * (radius_end - radius_start), thinnest)
        total += np.exp((radius - gap) / _BLEND)
    return -_BLEND * np.log(np.maximum(total, 1e-300))
