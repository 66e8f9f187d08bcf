"""The volumes of a tree's nodes, fitted to the triangles below them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh


def fitted_rows(mesh: Mesh, volume: str, nodes: NDArray[np.int32], order: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return (n, w): the volume of each node."""
    from tumble.hierarchy.topdown import fit_volumes
    from tumble.volume import KINDS

    kind = KINDS[volume]
    rows = np.empty((len(nodes), kind.width))
    if len(nodes):
        fit_volumes(kind.record(rows), nodes, order, mesh.vertices, mesh.faces, kind.fit_inner)
    return rows
