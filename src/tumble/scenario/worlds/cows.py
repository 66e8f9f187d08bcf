"""512 animals in a grid of 8 × 8 × 8 fall on a plane: the scene of paper `binary-stack`, Section 5."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics import World
from tumble.mesh import as_mesh, compose, rotation, shapes, translation
from tumble.scenario.worlds.kind import WorldKind, WorldOptions, fitted

COUNT = 512
FACES = 5800
LENGTH = 2.0
"""m, the longest side of the animal's bounding box"""
TURN = radians(15)
"""animals look to the same side up to this angle, or they would fall in neat columns"""
GAP = 1.1
"""from one animal to the next, in lengths of the box in which it can turn"""
HEIGHT = 0.5
"""m, of the lowest feet above the plane"""


def make(options: WorldOptions) -> World:
    """Return the animals in the air."""
    count = options.count_or(COUNT)
    animal = as_mesh(shapes.blob(faces=FACES) if options.mesh is None else options.mesh)
    mesh = fitted(animal, LENGTH, _standing)
    world = options.empty_world()
    world.add_plane(friction=0.6)
    side = _side_of_cube(count)
    x, y, z = mesh.vertices.max(axis=0) - mesh.vertices.min(axis=0)
    pitch = GAP * np.array([cos(TURN) * x + sin(TURN) * y, sin(TURN) * x + cos(TURN) * y, z])
    start = -(side - 1) / 2 * pitch * (1, 1, 0) + (0, 0, HEIGHT + z / 2)
    angles = np.random.default_rng(0).uniform(-TURN, TURN, count)
    for k in range(count):
        at = start + pitch * (k % side, k // side % side, k // side**2)
        pose = compose(translation(*at), rotation("z", float(angles[k])))
        world.add_body(mesh, pose, friction=0.5, name=f"cow {k}")
    return world


def _standing(sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotation that lays the longest side along x and makes the next one upright."""
    across, upright, along = np.argsort(sides, kind="stable")
    turn = np.eye(3)[[along, across, upright]]
    turn[1] *= np.linalg.det(turn)  # a rotation, not a reflection
    return turn


def _side_of_cube(count: int) -> int:
    side = round(count ** (1 / 3))
    return side if side**3 >= count else side + 1


KIND = WorldKind("cows", "animals in a grid fall on a plane and form a heap (paper `binary-stack`)", 400, make)
