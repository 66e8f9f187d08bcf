"""Seven numbers about a mesh from which the box of a posed body follows: its bounds, and its radius about their middle.

A turned box has a larger box around it than the body in it needs; the ball around the body keeps its size.
"""

from __future__ import annotations

import weakref

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh

RADIUS = 6
SIZE = 7
NO_EXTENT = np.array([np.inf] * 3 + [-np.inf] * 3 + [0.0])
# covers the rounding of the radius itself, many times over
ROUNDED_UP = 1.0 + 1e-12

_known: weakref.WeakKeyDictionary[Mesh, NDArray[np.float64]] = weakref.WeakKeyDictionary()


def extent_of(mesh: Mesh) -> NDArray[np.float64]:
    """Return lowest x, y, z, highest x, y, z and the radius; NO_EXTENT for an empty mesh."""
    known = _known.get(mesh)
    if known is None:
        known = _known[mesh] = _measured(mesh)
    return known


def _measured(mesh: Mesh) -> NDArray[np.float64]:
    if mesh.bounds is None:
        return NO_EXTENT
    used = np.zeros(len(mesh.vertices), bool)
    used[mesh.faces] = True
    offsets = mesh.vertices[used] - middle(mesh.bounds[0], mesh.bounds[1])
    largest = np.abs(offsets).max()
    # scaled, as squares of tiny numbers are zero
    farthest = np.sqrt(((offsets / largest) ** 2).sum(axis=1).max()) if largest > 0 else 0.0
    return np.append(mesh.bounds.ravel(), farthest * largest * ROUNDED_UP)


def middle(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the middle of the bounds, rounded as the kernels round it."""
    return 0.5 * low + 0.5 * high
