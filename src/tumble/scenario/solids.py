"""Closed solids for machine parts: spacers, hollow bodies, a drilled plate."""

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.mesh.mesh import concatenated
from tumble.mesh.shapes.grid import circle, grid_faces, lifted

Points = NDArray[np.float64]

# Corners of a hole, and points around a cell: a multiple of 8, to include corners and middles of sides.
BORDER = 24


def tube(outer: float, inner: float, low: float, high: float, count: int) -> Mesh:
    """A cylinder along z with a round hole through it."""
    outside, inside = circle(outer, count), circle(inner, count)
    loops = [lifted(outside, low), lifted(outside, high), lifted(inside, high), lifted(inside, low)]
    return Mesh(np.vstack(loops), grid_faces(4, count, True, True)[:, ::-1])


def hollow(outside: Mesh, cavity: Mesh) -> Mesh:
    """One mesh of two closed surfaces, the second turned inside out: a body with a void sealed in it."""
    return concatenated([outside, Mesh(cavity.vertices, cavity.faces[:, ::-1])])


def drilled_plate(cell: tuple[float, float], cells: int, bore: float, low: float, high: float) -> Mesh:
    """A plate from z = low to high of `cells` cells along x, centred on the origin.

    Neighbouring cells share their border vertices, which takes a cell width whose multiples are exact (a
    small integer, say).
    """
    border, hole = _around_rectangle(*cell), circle(bore, BORDER)
    loops = ((border, low), (border, high), (hole, high), (hole, low))
    offsets = [np.array([cell[0] * (i - (cells - 1) / 2), 0.0]) for i in range(cells)]
    vertices = np.vstack([lifted(points + offset, z) for offset in offsets for points, z in loops])
    faces = np.vstack([_cell_faces(i, cells) for i in range(cells)])
    return _welded(vertices, faces)


def _cell_faces(index: int, cells: int) -> NDArray[np.int64]:
    faces = (grid_faces(4, BORDER, True, True)[:, ::-1] + 4 * BORDER * index).reshape(4, BORDER, 2, 3)
    # The wall, between the first two loops, stands on outer sides only: left of the first cell, right of the last.
    open_sides = {2} if index > 0 else set()
    open_sides |= {0} if index < cells - 1 else set()
    outer = np.array([_side(k) not in open_sides for k in range(BORDER)])
    return np.vstack([faces[0, outer].reshape(-1, 3), faces[1:].reshape(-1, 3)])


def _around_rectangle(width: float, depth: float) -> Points:
    """Points around a rectangle, equally many on each side, the first in the middle of the right one."""
    quarter, places = BORDER // 4, []
    for k in range(BORDER):
        # One division at the end: opposite sides get opposite numbers to the last bit, and cells weld.
        along = (2 * ((k + quarter // 2) % quarter) - quarter) / quarter
        places.append([(1.0, along), (-along, 1.0), (-1.0, -along), (along, -1.0)][_side(k)])
    return np.array(places) * np.array([width / 2, depth / 2])


def _side(k: int) -> int:
    """The side on which the k-th point and the stretch after it lie: right, far, left, near."""
    return (k + BORDER // 8) // (BORDER // 4) % 4


def _welded(vertices: Points, faces: NDArray[np.int64]) -> Mesh:
    unique, place = np.unique(vertices, axis=0, return_inverse=True)
    return Mesh(unique, place.reshape(-1)[faces])
