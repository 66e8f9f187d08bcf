"""A sheet of cloth."""

import numpy as np

from tumble.core.elementary import cosines, sines
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import MOST_SEED, check_triangles, finite, positive, whole
from tumble.mesh.shapes.grid import grid_faces


def cloth(nx: int = 32, ny: int = 32, size: float = 1.0, wave: float = 0.05, seed: int = 0) -> Mesh:
    """Return an open square sheet of 2 · nx · ny triangles over the xy plane, facing +z.

    `wave` is the height of its folds in units of `size` (0: flat); `seed` chooses where they run.
    """
    nx, ny = whole("nx", nx, 1), whole("ny", ny, 1)
    size, wave = positive("size", size), finite("wave", wave)
    check_triangles(2 * nx * ny)
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, nx + 1), np.linspace(-0.5, 0.5, ny + 1), indexing="ij")
    rng = np.random.default_rng(whole("seed", seed, 0, MOST_SEED))
    folds = np.zeros_like(x)
    for _ in range(5):
        direction, phase = rng.uniform(0, 2 * np.pi, 2)
        number = rng.uniform(1.0, 4.0)
        folds += sines(2 * np.pi * number * (x * cosines(direction) + y * sines(direction)) + phase)
    heights = wave * folds / 5
    vertices = size * np.stack([x, y, heights], axis=-1).reshape(-1, 3)
    return Mesh(vertices, grid_faces(nx + 1, ny + 1, False, False))
