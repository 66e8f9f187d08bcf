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

from tumble.mesh import Mesh, Part, compose, rotation, shapes, transformed, translation
from tumble.mesh.shapes.grid import turned
from tumble.scenario.solids import drilled_plate, hollow, tube

DISTANCE = 36.5
MODULE = 2.25
BORE = 3.0
# A press fit: the shaft is a little thicker than the bore of the gear.
SHAFT = 3.03125
CORNERS = 24


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
