"""512 animals in a grid of 8 × 8 × 8 fall on a plane: the scene of paper `binary-stack`, Section 5."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from tumble.dynamics.scenes.kind import Options, SceneKind
from tumble.dynamics.world import World
from tumble.errors import MeshError
from tumble.mesh import Mesh, as_mesh, compose, rotation, shapes, translation

COUNT = 512
FACES = 5800
LENGTH = 2.0
"""m, the longest side of the animal's box: other meshes are scaled to it, as their units are unknown"""
TURN = radians(15)
"""animals look to the same side up to this angle, or they would fall in neat columns"""
GAP = 1.1
"""from one animal to the next, in lengths of the box in which it can turn"""
HEIGHT = 0.5
"""m, of the lowest feet above the plane"""


def make(options: Options) -> World:
    """Return the animals in the air."""
    count = options.count_or(COUNT)
    mesh = _standing(as_mesh(shapes.blob(faces=FACES) if options.mesh is None else options.mesh))
    world = World(threads=options.threads, device=options.device)
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


def _standing(mesh: Mesh) -> Mesh:
    """Return an animal of LENGTH about the origin, its longest side along x and the next one upright."""
    used = mesh.vertices[np.unique(mesh.faces)]
    if len(used) == 0:
        raise MeshError("a scene needs a closed mesh, and this one has no faces")
    low, high = used.min(axis=0), used.max(axis=0)
    across, upright, along = np.argsort(high - low, kind="stable")
    turn = np.eye(3)[[along, across, upright]]
    turn[1] *= np.linalg.det(turn)  # a turn, and no mirror
    return Mesh((mesh.vertices - (low + high) / 2) @ turn.T * (LENGTH / float((high - low).max())), mesh.faces)


def _side_of_cube(count: int) -> int:
    side = round(count ** (1 / 3))
    return side if side**3 >= count else side + 1


SCENE = SceneKind("cows", "animals in a grid fall on a plane and form a heap (paper `binary-stack`)", 400, make)
