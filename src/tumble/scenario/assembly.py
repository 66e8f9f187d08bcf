"""The sample assembly: a two-stage gear train between two plates, in millimetres, made by code alone.

Shafts stand along z, 36.5 apart; every flat face lies at a whole number of millimetres, so that parts said to
lie on each other do, exactly.

What touches, by intent:
    flat faces that coincide    spacers against plate and gears, cover on the top plate
    press fits                  the four gears on their shafts
    a genuine clash             the output wheel, mounted half a tooth off, bites into the intermediate pinion
What does not, though boxes overlap:
    close but clear             shafts in the plates' bores, the input pinion's teeth in the wheel's
    nested                      shafts through spacers and spring, a shaft's end under the cover, and a check
                                ball sealed inside the hollow output shaft
"""

from functools import cache
from math import pi

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh, Part, compose, rotation, shapes, transformed, translation
from tumble.mesh.mesh import concatenated
from tumble.mesh.shapes.grid import circle, grid_faces, lifted, turned

DISTANCE = 36.5
MODULE = 2.25
BORE = 3.0
# A press fit: the shaft is a little thicker than the bore of the gear.
SHAFT = 3.03125
CORNERS = 24
# Corners of a hole, and points around a cell: a multiple of 8, to include corners and middles of sides.
BORDER = 24


def assembly() -> list[Part]:
    """The fourteen parts, each already in its place."""
    return list(_parts())


@cache
def _parts() -> tuple[Part, ...]:
    left, right = -DISTANCE, DISTANCE
    return (
        Part("base-plate", drilled_plate((DISTANCE, 64.0), 3, 3.5, 0.0, 4.0)),
        Part("top-plate", drilled_plate((DISTANCE, 64.0), 3, 3.5, 36.0, 40.0)),
        Part("input-shaft", _at(left, _shaft(-8.0, 42.0))),
        Part("intermediate-shaft", _at(0.0, _shaft(-2.0, 42.0))),
        Part("output-shaft", _at(right, hollow(_shaft(-2.0, 46.0), turned(_rod(2.0, 0.0, 40.0), CORNERS)))),
        # Between two teeth of the wheel opposite: a gear's first tooth points along x.
        Part("input-pinion", _gear(left, 8, 8.0, 16.0, turn=0.5)),
        Part("intermediate-wheel", _gear(0.0, 24, 8.0, 14.0)),
        Part("intermediate-pinion", _gear(0.0, 12, 20.0, 28.0)),
        Part("output-wheel", _gear(right, 20, 20.0, 26.0)),
        Part("lower-spacer", tube(6.0, 3.5, 4.0, 8.0, CORNERS)),
        Part("middle-spacer", tube(6.0, 3.5, 14.0, 20.0, CORNERS)),
        Part("preload-spring", _at(right, shapes.spring(4.0, 5.5, 2.0, 0.5, 16, 6), 31.0)),
        Part("cover", _at(right, _cover())),
        Part("check-ball", _at(right, shapes.icosphere(1, 1.5), 12.0)),
    )


def _rod(radius: float, low: float, high: float) -> list[tuple[float, float]]:
    return [(0.0, low), (radius, low), (radius, high), (0.0, high)]


def _shaft(low: float, high: float) -> Mesh:
    """A rod with chamfered ends."""
    thin = SHAFT - 0.5
    profile = [(0.0, low), (thin, low), (SHAFT, low + 0.5), (SHAFT, high - 0.5), (thin, high), (0.0, high)]
    return turned(profile, CORNERS)


def _gear(x: float, teeth: int, low: float, high: float, turn: float = 0.0) -> Mesh:
    """A gear on the shaft at x, turned by a number of teeth."""
    gear = shapes.gear(teeth, MODULE, BORE, high - low)
    return transformed(gear, compose(translation(x, 0.0, (low + high) / 2), rotation("z", turn * 2 * pi / teeth)))


def _cover() -> Mesh:
    """A domed cap over a shaft's end, its rim flat on the top plate."""
    inside = [(0.0, 48.0), (5.0, 47.0), (9.0, 44.0), (10.0, 40.0)]
    outside = [(12.0, 40.0), (11.0, 45.0), (6.5, 49.0), (0.0, 50.0)]
    return turned([*inside, *outside], CORNERS)


def _at(x: float, mesh: Mesh, z: float = 0.0) -> Mesh:
    return transformed(mesh, translation(x, 0.0, z))


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


def _around_rectangle(width: float, depth: float) -> NDArray[np.float64]:
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


def _welded(vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Mesh:
    unique, place = np.unique(vertices, axis=0, return_inverse=True)
    return Mesh(unique, place.reshape(-1)[faces])
