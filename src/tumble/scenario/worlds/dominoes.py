"""A winding line of dominoes: the first is pushed, and all fall, one after the other."""

from math import pi

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import cosines, sines
from tumble.dynamics import World
from tumble.mesh import Mesh, compose, rotation, shapes, translation
from tumble.scenario.worlds.kind import WorldKind

THICK, WIDE, HIGH = 0.16, 0.6, 1.1
"""m, along the line, across it and upwards"""
PITCH = 0.5
"""m, from one to the next along the line"""
WAVE = 40
"""dominoes in a wave of the line"""
SWING = 1.7
"""rad, the most that the line turns away from straight on"""
PUSH = 1.2
"""rad/s, with which the first one begins to fall"""


def fill(world: World, count: int, mesh: Mesh | None) -> None:
    """Add the dominoes, upright, the first one on its way."""
    world.add_plane(friction=0.7)
    domino = shapes.box((THICK, WIDE, HIGH))
    places, headings = line(count)
    for k in range(count):
        pose = compose(translation(places[k, 0], places[k, 1], HIGH / 2), rotation("z", float(headings[k])))
        world.add_body(domino, pose, density=700.0, friction=0.35, name=f"domino {k}")
    across = np.array([-sines(headings[0]), cosines(headings[0]), 0.0])
    ahead = np.array([cosines(headings[0]), sines(headings[0]), 0.0])
    # It turns about its lower front edge, so its centre moves as well: forwards, and a little upwards.
    arm = HIGH / 2 * np.array([0.0, 0.0, 1.0]) - THICK / 2 * ahead
    world.set_velocity(0, velocity=np.cross(PUSH * across, arm), spin=PUSH * across)


def line(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (n, 2) places about the origin, and the headings of the line there."""
    headings = SWING * cosines(2 * pi * np.arange(count) / WAVE)
    between = (headings[1:] + headings[:-1]) / 2
    steps = PITCH * np.stack([cosines(between), sines(between)], axis=1)
    places = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    return places - (places.min(axis=0) + places.max(axis=0)) / 2, headings


KIND = WorldKind(
    "dominoes", "a winding line of dominoes is pushed over", 1200, fill, count=80, least=2, no_mesh="dominoes are boxes"
)
