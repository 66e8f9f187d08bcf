"""Needles: triangles so sharp that the cross product of their edges has lost most of its digits."""

from __future__ import annotations

import numpy as np

from tumble import Mesh


def unit_vectors(rng: np.random.Generator, count: int) -> np.ndarray:
    vectors = rng.normal(size=(count, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def needles_from(rng: np.random.Generator, tips: np.ndarray, sharpness: float, length: float = 1.0) -> Mesh:
    """A needle from each tip in a random direction; `sharpness` is about the sine at its tip."""
    count = len(tips)
    along, across = unit_vectors(rng, count), unit_vectors(rng, count)
    far = tips + length * along
    corners = np.stack([tips, far, far + sharpness * length * across], axis=1)
    order = rng.permuted(np.broadcast_to(np.arange(3), (count, 3)), axis=1)
    corners = np.take_along_axis(corners, order[..., None], axis=1)
    return Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def needles_with_common_tips(count: int, sharpness: float, seed: int = 0) -> tuple[Mesh, Mesh]:
    """Two meshes in which needle k of the first and needle k of the second share their tips, to the last bit."""
    rng = np.random.default_rng([seed, count])
    tips = rng.uniform(-10, 10, (count, 3))
    return needles_from(rng, tips, sharpness), needles_from(rng, tips, sharpness)
