"""512 animals in a grid of 8 × 8 × 8 fall on a plane: the scene of paper `binary-stack`, Section 5."""

from math import radians

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import sines_cosines
from tumble.dynamics import World
from tumble.mesh import Mesh, compose, rotation, shapes, translation
from tumble.scenario.worlds.kind import WorldKind, fitted

FACES = 5800
LENGTH = 2.0
"""m, the longest side of the animal's bounding box"""
TURN = radians(15)
"""animals look to the same side up to this angle, or they would fall in neat columns"""
GAP = 1.1
"""from one animal to the next, in lengths of the box in which it can turn"""
HEIGHT = 0.5
"""m, of the lowest feet above the plane"""


def fill(world: World, count: int, mesh: Mesh | None) -> None:
    """Add the animals, in the air."""
    animal = fitted(shapes.blob(faces=FACES) if mesh is None else mesh, LENGTH, _standing)
    world.add_plane(friction=0.6)
    side = _side_of_cube(count)
    x, y, z = animal.vertices.max(axis=0) - animal.vertices.min(axis=0)
    s, c = sines_cosines(TURN)
    pitch = GAP * np.array([c * x + s * y, s * x + c * y, z])
    start = -(side - 1) / 2 * pitch * (1, 1, 0) + (0, 0, HEIGHT + z / 2)
    angles = np.random.default_rng(0).uniform(-TURN, TURN, count)
    for k in range(count):
        at = start + pitch * (k % side, k // side % side, k // side**2)
        pose = compose(translation(*at), rotation("z", float(angles[k])))
        world.add_body(animal, pose, friction=0.5, name=f"cow {k}")


def _standing(sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotation that lays the longest side along x and makes the next one upright."""
    across, upright, along = np.argsort(sides, kind="stable")
    turn = np.eye(3)[[along, across, upright]]
    turn[1] = np.cross(turn[2], turn[0])  # a rotation, not a reflection
    return turn


def _side_of_cube(count: int) -> int:
    side = round(count ** (1 / 3))
    return side if side**3 >= count else side + 1


SUMMARY = "animals in a grid fall on a plane and form a heap (paper `binary-stack`)"
KIND = WorldKind("cows", SUMMARY, 400, fill, count=512)
