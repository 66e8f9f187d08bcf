"""Boxes in a tower, each a little smaller and turned against the one below: they drop a hand's breadth and stand."""

from __future__ import annotations

from math import radians

from tumble.dynamics.scenes.kind import Options, SceneKind
from tumble.dynamics.scenes.refuse import refuse_mesh
from tumble.dynamics.settings import Settings
from tumble.dynamics.world import World
from tumble.mesh import compose, rotation, shapes, translation

COUNT = 10
BASE, TOP = 1.3, 0.8
"""m, the sides of the lowest box and of the highest"""
HEIGHT = 0.5
"""m, of each"""
GAP = 0.08
"""m, of air between two boxes at the start"""
TURN = radians(9)
PATIENCE = 8
"""sweeps that push boxes out of each other: a tall tower needs more of them than a heap, or its foot sinks in"""


def make(options: Options) -> World:
    """Return the boxes, one above the other and not yet touching."""
    refuse_mesh(options, "the stack is made of boxes")
    count = options.count_or(COUNT)
    world = World(threads=options.threads, device=options.device, settings=Settings(push_iterations=PATIENCE))
    world.add_plane(friction=0.6)
    for k in range(count):
        side = BASE + (TOP - BASE) * k / max(count - 1, 1)
        pose = compose(translation(0.0, 0.0, k * (HEIGHT + GAP) + GAP + HEIGHT / 2), rotation("z", k * TURN))
        world.add_body(shapes.box((side, side, HEIGHT)), pose, density=500.0, friction=0.6, name=f"box {k}")
    return world


SCENE = SceneKind("stack", "a tower of ten boxes, each turned against the one below, settles and stands", 400, make)
