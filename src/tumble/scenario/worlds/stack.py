"""Boxes in a tower, each a little smaller and turned against the one below: they drop a hand's breadth and stand."""

from math import radians

from tumble.dynamics import Settings, World
from tumble.mesh import Mesh, compose, rotation, shapes, translation
from tumble.scenario.worlds.kind import WorldKind

BASE, TOP = 1.3, 0.8
"""m, the sides of the lowest box and of the highest"""
HEIGHT = 0.5
"""m, of each"""
GAP = 0.08
"""m, of air between two boxes at the start"""
TURN = radians(9)
PUSH_ITERATIONS = 8
"""sweeps that push boxes out of each other: a tall tower needs more of them than a heap, or its foot sinks in"""


def fill(world: World, count: int, mesh: Mesh | None) -> None:
    """Add the boxes, one above the other and not yet touching."""
    world.add_plane(friction=0.6)
    for k in range(count):
        side = BASE + (TOP - BASE) * k / max(count - 1, 1)
        pose = compose(translation(0.0, 0.0, k * (HEIGHT + GAP) + GAP + HEIGHT / 2), rotation("z", k * TURN))
        world.add_body(shapes.box((side, side, HEIGHT)), pose, density=500.0, friction=0.6, name=f"box {k}")


SUMMARY = "a tower of ten boxes, each turned against the one below, settles and stands"
SETTINGS = Settings(push_iterations=PUSH_ITERATIONS)
KIND = WorldKind("stack", SUMMARY, 400, fill, count=10, no_mesh="the stack is made of boxes", settings=SETTINGS)
