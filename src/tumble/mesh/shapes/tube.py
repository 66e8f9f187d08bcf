"""A round tube along a curve."""

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.grid import fan_faces, grid_faces


def swept_tube(
    centres: NDArray[np.float64], outward: NDArray[np.float64], radius: float, sides: int, closed: bool
) -> Mesh:
    """Sweep a circle along `centres`; `outward` is perpendicular to the curve and fixes the circle's turn.

    A curve that is not closed gets a flat cap at either end, so that the solid is closed all the same.
    """
    tangents = _tangents(centres, closed)
    outward = outward - (outward * tangents).sum(axis=1, keepdims=True) * tangents
    outward = outward / np.linalg.norm(outward, axis=1, keepdims=True)
    sideways = np.cross(tangents, outward)
    angle = 2 * np.pi * np.arange(sides) / sides
    circle = np.cos(angle)[:, None] * outward[:, None] + np.sin(angle)[:, None] * sideways[:, None]
    rings = (centres[:, None] + radius * circle).reshape(-1, 3)
    faces = grid_faces(len(centres), sides, closed, True)[:, ::-1]
    if closed:
        return Mesh(rings, faces)
    first, last = np.arange(sides)[::-1], np.arange(sides) + len(rings) - sides
    caps = [fan_faces(len(rings), first), fan_faces(len(rings) + 1, last)]
    return Mesh(np.concatenate([rings, centres[[0, -1]]]), np.concatenate([faces, *caps]))


def _tangents(centres: NDArray[np.float64], closed: bool) -> NDArray[np.float64]:
    if closed:
        steps = np.roll(centres, -1, axis=0) - np.roll(centres, 1, axis=0)
    else:
        steps = np.gradient(centres, axis=0)
    return steps / np.linalg.norm(steps, axis=1, keepdims=True)
