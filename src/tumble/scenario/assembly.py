"""The sample assembly: a two-stage gearbox with bearings and bolts, in millimetres, made by code alone.

Shafts stand along z, 36.5 apart; every flat face lies at a whole number of millimetres, so that parts said to
lie on each other do, exactly.

What touches, by intent:
    flat faces that coincide    housing, cover, bolts and nuts on the plates, spacers against bearing and gears
    round faces that coincide   bearings in their seats, nuts on their bolts
    press fits                  bearings and gears on their shafts, which are 0.03 thicker than the bores
Three faults:
    a crossing                  the output wheel, mounted half a tooth off, bites into the intermediate pinion
    an interference fit         the bore of the input pinion is 0.28 too small for its shaft
    a loose bolt                the head of bolt-6 is 0.5 above the plate
What does not touch, though boxes overlap:
    close but clear             bolts in their holes, balls in their races, the input pinion's teeth in the wheel's
    nested                      shafts through spacers and spring, a shaft's end under the cover, and a check
                                ball sealed inside the hollow output shaft
"""

from functools import cache
from math import pi

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import unique_rows
from tumble.mesh import Mesh, Part, compose, rotation, shapes, transformed, translation
from tumble.mesh.mesh import concatenated
from tumble.mesh.shapes.grid import capped_faces, circle, grid_faces, lifted, turned

DISTANCE = 36.5
MODULE = 2.25
BORE = 3.0
# A press fit: the shaft is a little thicker than the bore of the gear.
SHAFT = 3.03125
TOO_NARROW = 2.75
CORNERS = 24
# Points around a cell of a plate and around its hole: a multiple of 8, to include corners and middles of sides.
BORDER = 24
SEAT, BOLT_HOLE, BOLT, HEAD = 8.0, 2.25, 2.0, 4.0
RISE = 0.5
"""how far the head of the loose bolt is above the plate"""
COLUMNS, ROWS = (29.0, DISTANCE, DISTANCE, DISTANCE, 29.0), (12.0, 64.0, 12.0)
"""widths and depths of the cells of a plate; their halves and sums are exact, so that neighbours share corners"""
HOLES = (
    (BOLT_HOLE, 0.0, BOLT_HOLE, 0.0, BOLT_HOLE),
    (0.0, SEAT, SEAT, SEAT, 0.0),
    (BOLT_HOLE, 0.0, BOLT_HOLE, 0.0, BOLT_HOLE),
)
BASE, TOP = (0.0, 4.0), (36.0, 40.0)
"""from where to where the plates are"""


def assembly() -> list[Part]:
    """The forty-five parts, each already in its place."""
    return list(_parts())


@cache
def _parts() -> tuple[Part, ...]:
    left, right = -DISTANCE, DISTANCE
    shafts = {"input": left, "intermediate": 0.0, "output": right}
    return (
        Part("base-plate", drilled_plate(*BASE)),
        Part("housing", _frame((65.0, 33.5), (62.0, 30.5), BASE[1], TOP[0])),
        Part("top-plate", drilled_plate(*TOP)),
        Part("input-shaft", _at(left, _shaft(-8.0, 42.0))),
        Part("intermediate-shaft", _at(0.0, _shaft(-2.0, 42.0))),
        Part("output-shaft", _at(right, hollow(_shaft(-2.0, 46.0), turned(_rod(2.0, 0.0, 40.0), CORNERS)))),
        # Between two teeth of the wheel opposite: a gear's first tooth points along x.
        Part("input-pinion", _gear(left, 8, 8.0, 16.0, turn=0.5, bore=TOO_NARROW)),
        Part("intermediate-wheel", _gear(0.0, 24, 8.0, 14.0)),
        Part("intermediate-pinion", _gear(0.0, 12, 20.0, 28.0)),
        Part("output-wheel", _gear(right, 20, 20.0, 26.0)),
        Part("lower-spacer", tube(6.0, 3.5, 4.0, 8.0, CORNERS)),
        Part("middle-spacer", tube(6.0, 3.5, 14.0, 20.0, CORNERS)),
        Part("preload-spring", _at(right, shapes.spring(4.0, 5.5, 2.0, 0.5, 16, 6), 31.0)),
        Part("cover", _at(right, _cover())),
        Part("check-ball", _at(right, shapes.icosphere(1, 1.5), 12.0)),
        *(part for name, x in shafts.items() for at in (BASE, TOP) for part in _bearing(name, x, at)),
        *(part for k, place in enumerate(_bolt_places(), 1) for part in _bolted(k, *place)),
    )


def _bearing(name: str, x: float, plate: tuple[float, float]) -> list[Part]:
    """A ball bearing in a plate: two rings, and eight balls that lie between them with a little play."""
    low, high = plate
    called = f"{name}-{'lower' if plate == BASE else 'upper'}-bearing"
    places = [translation(x + 5.5 * u, 5.5 * v, (low + high) / 2) for u, v in circle(1.0, 8).tolist()]
    balls = concatenated([transformed(shapes.icosphere(1, 0.9375), place) for place in places])
    return [
        Part(f"{called}-outer", _at(x, tube(SEAT, 6.5, low, high, CORNERS))),
        Part(f"{called}-inner", _at(x, tube(4.5, BORE, low, high, CORNERS))),
        Part(f"{called}-balls", balls),
    ]


def _bolt_places() -> list[tuple[float, float]]:
    x, y = (COLUMNS[0] + COLUMNS[2]) / 2 + DISTANCE, (ROWS[0] + ROWS[1]) / 2
    return [(side * x, way * y) for way in (-1.0, 1.0) for side in (-1.0, 0.0, 1.0)]


def _bolted(number: int, x: float, y: float) -> list[Part]:
    """A bolt through both plates and its nut below; the last one is loose."""
    rise = RISE if number == 6 else 0.0
    bolt, nut = transformed(_bolt(), translation(x, y, rise)), transformed(_nut(), translation(x, y, 0.0))
    return [Part(f"bolt-{number}", bolt), Part(f"nut-{number}", nut)]


def _bolt() -> Mesh:
    shank, head = circle(BOLT, CORNERS), hexagon(HEAD)
    rings = [lifted(shank, -6.0), lifted(shank, TOP[1]), lifted(head, TOP[1]), lifted(head, TOP[1] + 4.0)]
    ends = [(0.0, 0.0, -6.0), (0.0, 0.0, TOP[1] + 4.0)]
    return Mesh(np.vstack([*rings, ends]), capped_faces(len(rings), CORNERS))


def _nut() -> Mesh:
    outside, inside = hexagon(HEAD), circle(BOLT, CORNERS)
    return _ring(outside, inside, BASE[0] - 4.0, BASE[0])


def hexagon(radius: float) -> NDArray[np.float64]:
    """Return points around a regular hexagon, four per side; each is near the one of a circle's with its number."""
    corners, share = circle(radius, 6), np.arange(4)[:, None] / 4
    return np.vstack([(1 - share) * corners[k] + share * corners[(k + 1) % 6] for k in range(6)])


def _frame(outer: tuple[float, float], inner: tuple[float, float], low: float, high: float) -> Mesh:
    """Four walls, from a rectangle of half sides to another one within."""
    corners = np.array([(1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)])
    return _ring(corners * outer, corners * inner, low, high)


def _rod(radius: float, low: float, high: float) -> list[tuple[float, float]]:
    return [(0.0, low), (radius, low), (radius, high), (0.0, high)]


def _shaft(low: float, high: float) -> Mesh:
    """A rod with chamfered ends."""
    thin = SHAFT - 0.5
    profile = [(0.0, low), (thin, low), (SHAFT, low + 0.5), (SHAFT, high - 0.5), (thin, high), (0.0, high)]
    return turned(profile, CORNERS)


def _gear(x: float, teeth: int, low: float, high: float, turn: float = 0.0, bore: float = BORE) -> Mesh:
    """A gear on the shaft at x, turned by a number of teeth."""
    gear = shapes.gear(teeth, MODULE, bore, high - low)
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
    return _ring(circle(outer, count), circle(inner, count), low, high)


def _ring(outside: NDArray[np.float64], inside: NDArray[np.float64], low: float, high: float) -> Mesh:
    """What is between two outlines of equally many points, from z = low to high."""
    loops = [lifted(outside, low), lifted(outside, high), lifted(inside, high), lifted(inside, low)]
    return Mesh(np.vstack(loops), grid_faces(4, len(outside), True, True)[:, ::-1])


def hollow(outside: Mesh, cavity: Mesh) -> Mesh:
    """One mesh of two closed surfaces, the second turned inside out: a body with a void sealed in it."""
    return concatenated([outside, Mesh(cavity.vertices, cavity.faces[:, ::-1])])


def drilled_plate(low: float, high: float) -> Mesh:
    """A plate from z = low to high of cells in columns and rows, centred on the origin, some with a hole."""
    vertices: list[NDArray[np.float64]] = []
    faces: list[NDArray[np.int64]] = []
    count = 0
    for row, depth in enumerate(ROWS):
        for column, width in enumerate(COLUMNS):
            middle = np.array([_middle(COLUMNS, column), _middle(ROWS, row)])
            points, around = _cell(_around_rectangle(width, depth) + middle, middle, HOLES[row][column], low, high)
            outer = np.array([_on_rim(row, column, _side(k)) for k in range(BORDER)])
            vertices.append(points)
            faces.append(np.vstack([around[0][outer].reshape(-1, 3), *around[1:]]) + count)
            count += len(points)
    return _welded(np.vstack(vertices), np.vstack(faces))


def _middle(sizes: tuple[float, ...], which: int) -> float:
    """Where the middle of a cell is, the middle of all being 0."""
    return sum(sizes[:which]) + sizes[which] / 2 - sum(sizes) / 2


def _cell(
    border: NDArray[np.float64], middle: NDArray[np.float64], bore: float, low: float, high: float
) -> tuple[NDArray[np.float64], list[NDArray[np.int64]]]:
    """The vertices of a cell, and its faces: two per point of the wall around it, and all others."""
    rim = [lifted(border, low), lifted(border, high)]
    if bore:
        hole = circle(bore, BORDER) + middle
        faces = grid_faces(4, BORDER, True, True)[:, ::-1].reshape(4, BORDER, 2, 3)
        return np.vstack([*rim, lifted(hole, high), lifted(hole, low)]), [faces[0], faces[1:].reshape(-1, 3)]
    capped = capped_faces(2, BORDER)
    below, wall, above = capped[:BORDER], capped[BORDER:-BORDER], capped[-BORDER:]
    ends = lifted(np.array([middle, middle]), low)
    ends[1, 2] = high
    return np.vstack([*rim, ends]), [wall.reshape(BORDER, 2, 3), below, above]


def _on_rim(row: int, column: int, side: int) -> bool:
    """Whether a side of a cell is one of the plate: right, far, left, near."""
    return (column == len(COLUMNS) - 1, row == len(ROWS) - 1, column == 0, row == 0)[side]


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
    unique, _, place = unique_rows(vertices)
    return Mesh(unique, place.reshape(-1)[faces])
