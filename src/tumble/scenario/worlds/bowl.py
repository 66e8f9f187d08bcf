"""Knots fall into a bowl, roll to and fro and come to rest: two bodies that are anything but convex."""

from math import sqrt

import numpy as np

from tumble.dynamics import World
from tumble.mesh import Mesh, compose, rotation, shapes, translation
from tumble.scenario.worlds.kind import WorldKind, fitted

RADIUS, WALL = 1.7, 0.13
"""m, of the bowl"""
SIZE = 1.5
"""m, the longest side of the bodies that fall, up to `ROOM` of them; more are smaller, so that all have room"""
ROOM = 3
KNOTS = ((2, 3), (3, 2), (2, 5))
"""how often they wind around the axis and through the hole"""


def fill(world: World, count: int, mesh: Mesh | None) -> None:
    """Add the bowl, and the knots above it."""
    sources = [shapes.knot(p, q, thickness=0.18) for p, q in KNOTS] if mesh is None else [mesh]
    size = SIZE * sqrt(min(1.0, ROOM / max(count, 1)))
    meshes = [fitted(source, size) for source in sources]
    world.add_plane()
    bowl = shapes.bowl(RADIUS, WALL, segments=72, rings=48)
    world.add_body(bowl, translation(0.0, 0.0, RADIUS), static=True, friction=0.5, name="bowl")
    rng = np.random.default_rng(3)
    for k in range(count):
        x, y = 0.4 * RADIUS * rng.uniform(-1.0, 1.0, 2)
        turn = rotation(rng.standard_normal(3), float(rng.uniform(0.0, 6.0)))
        pose = compose(translation(x, y, RADIUS + 0.2 + size * (0.6 + 0.9 * k)), turn)
        name = f"knot {k}" if mesh is None else f"body {k}"
        world.add_body(meshes[k % len(meshes)], pose, friction=0.4, restitution=0.2, name=name)


KIND = WorldKind("bowl", "knots drop into a bowl and come to rest", 600, fill, count=3)
