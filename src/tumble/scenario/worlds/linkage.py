"""Four-bar linkages side by side: a motor turns each crank, a rocker swings to and fro, a coupler connects them.

Grashof's rule: the crank can turn all the way round if it is the shortest of the four and, with the longest, not longer
than the two others together.
"""

from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import cosines, sines
from tumble.core.products import length
from tumble.dynamics import Hinge, Motor, Settings, World
from tumble.mesh import Mesh, shapes
from tumble.scenario.worlds.kind import WorldKind

CRANK, COUPLER, ROCKER, GROUND = 0.5, 1.6, 1.2, 1.5
"""m, between the axes of the hinges"""
SPEED = 3.0
"""rad/s, of the cranks"""
WIDE, THICK, LAYER, LANE = 0.12, 0.08, 0.09, 0.5
"""m: bars are so wide and thick, the coupler is a layer in front of the others, and linkages are a lane apart"""
AXIS = (0.0, -1.0, 0.0)
"""about which positive angles turn x to z"""


class Corners(NamedTuple):
    """The moving hinges of a linkage whose crank turns about the origin, in the plane of x and z."""

    crank: NDArray[np.float64]
    rocker: NDArray[np.float64]


def corners(angle: float) -> Corners:
    """Return where the hinges are for an angle of the crank, in closed form: two circles meet in the upper one."""
    crank = CRANK * np.array([cosines(angle), sines(angle)])
    away = np.array([GROUND, 0.0]) - crank
    distance = length(away)
    along = (COUPLER**2 - ROCKER**2 + distance**2) / (2.0 * distance)
    across = np.sqrt(COUPLER**2 - along**2)
    direction = away / distance
    return Corners(crank, crank + along * direction + across * np.array([-direction[1], direction[0]]))


def fill(world: World, count: int, mesh: Mesh | None) -> None:
    """Add linkages whose cranks stand at different angles, one behind the other."""
    for k in range(count):
        add_linkage(world, 2 * pi * k / count, LANE * (k - (count - 1) / 2), f"linkage {k}")


def add_linkage(world: World, angle: float, y: float, name: str) -> int:
    """Add crank, coupler and rocker at an angle of the crank; return the number of the joint with the motor."""
    crank, rocker = corners(angle)
    foot, end = np.zeros(2), np.array([GROUND, 0.0])
    bars = [
        _add_bar(world, foot, crank, y, f"{name}, crank"),
        _add_bar(world, crank, rocker, y + LAYER, f"{name}, coupler"),
        _add_bar(world, rocker, end, y, f"{name}, rocker"),
    ]
    driven = world.add_joint(Hinge(bars[0], None, _at(foot, y), AXIS, motor=Motor(SPEED)))
    world.add_joint(Hinge(bars[1], bars[0], _at(crank, y), AXIS))
    world.add_joint(Hinge(bars[2], bars[1], _at(rocker, y), AXIS))
    world.add_joint(Hinge(bars[2], None, _at(end, y), AXIS))
    return driven


def _at(place: NDArray[np.float64], y: float) -> tuple[float, float, float]:
    return float(place[0]), y, float(place[1])


def _add_bar(world: World, start: NDArray[np.float64], end: NDArray[np.float64], y: float, name: str) -> int:
    """Add a bar between two points; its own x goes from the first to the second."""
    size = length(end - start)
    (c, s), pose = ((end - start) / size).tolist(), np.eye(4)
    pose[:3, 0], pose[:3, 2], pose[:3, 3] = (c, 0.0, s), (-s, 0.0, c), _at((start + end) / 2, y)
    return world.add_body(shapes.box((size + WIDE, THICK, WIDE)), pose, density=2700.0, name=name)


SUMMARY = "four-bar linkages: motors turn cranks, rockers swing to and fro"
KIND = WorldKind(
    "linkage", SUMMARY, 800, fill, 5, 1, "the bars of a linkage are boxes", time_step=0.005, settings=Settings()
)
