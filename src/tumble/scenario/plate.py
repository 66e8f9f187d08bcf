"""A flat plate with a row of round holes: a rectangle of equal cells, each with one hole in its middle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.mesh.shapes.grid import band_faces, lifted
from tumble.scenario.solids import Points, circle

# Corners of a hole, and points around a cell: a multiple of 8, to include corners and middles of sides.
COUNT = 24


def drilled_plate(cell: tuple[float, float], cells: int, bore: float, low: float, high: float) -> Mesh:
    """A plate from z = low to high of so many cells along x, centred on the origin.

    Neighbouring cells share their border vertices, which takes a cell width whose multiples are exact (a
    small integer, say).
    """
    border, hole = _around_rectangle(*cell), circle(bore, COUNT)
    loops = ((border, low), (border, high), (hole, high), (hole, low))
    offsets = [np.array([cell[0] * (i - (cells - 1) / 2), 0.0]) for i in range(cells)]
    vertices = np.vstack([lifted(points + offset, z) for offset in offsets for points, z in loops])
    faces = np.vstack([_cell_faces(i, cells) for i in range(cells)])
    return _welded(vertices, faces)


def _cell_faces(index: int, cells: int) -> NDArray[np.int64]:
    border_low, border_high, hole_high, hole_low = (COUNT * (4 * index + k) for k in range(4))
    # The wall stands on outer sides only: to the left of the first cell, to the right of the last.
    open_sides = {2} if index > 0 else set()
    open_sides |= {0} if index < cells - 1 else set()
    outer = np.array([_side(k) not in open_sides for k in range(COUNT)])
    wall = band_faces(border_low, border_high, COUNT)[np.concatenate([outer, outer])]
    return np.vstack(
        [
            wall,
            band_faces(border_high, hole_high, COUNT),
            band_faces(hole_high, hole_low, COUNT),
            band_faces(hole_low, border_low, COUNT),
        ]
    )


def _around_rectangle(width: float, depth: float) -> Points:
    """Points around a rectangle, equally many on each side, the first in the middle of the right one."""
    quarter, places = COUNT // 4, []
    for k in range(COUNT):
        # One division at the end: opposite sides get opposite numbers to the last bit, and cells weld.
        along = (2 * ((k + quarter // 2) % quarter) - quarter) / quarter
        places.append([(1.0, along), (-along, 1.0), (-1.0, -along), (along, -1.0)][_side(k)])
    return np.array(places) * np.array([width / 2, depth / 2])


def _side(k: int) -> int:
    """The side on which the k-th point and the stretch after it lie: right, far, left, near."""
    return (k + COUNT // 8) // (COUNT // 4) % 4


def _welded(vertices: Points, faces: NDArray[np.int64]) -> Mesh:
    unique, place = np.unique(vertices, axis=0, return_inverse=True)
    return Mesh(unique, place.reshape(-1)[faces])
