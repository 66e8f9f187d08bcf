"""A box."""

from collections.abc import Sequence

import numpy as np

from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import positive

_QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def box(size: float | Sequence[float] = 1.0) -> Mesh:
    """Return a box of 12 triangles around the origin; `size` is its edge length, or one per axis."""
    try:
        lengths = [size] * 3 if np.ndim(size) == 0 else list(size)  # type: ignore[arg-type]
    except ValueError:  # rows of different lengths
        lengths = []
    if len(lengths) != 3:
        raise OptionError(f"size must be one number or three, not {size!r}")
    edges = np.array([positive("size", length) for length in lengths])  # type: ignore[arg-type]
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return Mesh(corners * edges, np.concatenate([_QUADS[:, [0, 1, 2]], _QUADS[:, [0, 2, 3]]]))
