"""The box of what two solids have in common, from the signed triangles that bound it.

Faces that only lie on each other bound a part without volume, and their corners must not count. So from each side of
the box that all corners have, volume is looked for: up to the next corners. Where the signed triangles of that slab
cancel each other, there is none, and the search goes on behind it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def box_of(triangles: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, 3) the lowest and highest corner, from rows as in `integrals.Totals`; there must be some."""
    from tumble.narrow.overlap.extent import write_box

    box = np.empty((2, 3))
    write_box(triangles, np.empty((len(triangles), 4)), box)
    return box
