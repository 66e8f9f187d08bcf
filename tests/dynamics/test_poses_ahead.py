"""Where a step looks for touching triangles can be asked for before it."""

import numpy as np

import tumble
import worlds
from tumble import shapes
from tumble.dynamics import Hinge, World


def test_a_step_counts_the_triangles_that_touch_at_the_poses_ahead():
    world, ball = World(settings=worlds.AWAKE), shapes.icosphere(1, 0.5)
    world.add_body(shapes.box(1.0), static=True)
    world.add_body(ball, tumble.translation(0.1, 0, 1.1), velocity=(0, 0, -4), spin=(1, 2, 3))
    found = []
    for _ in range(6):
        ahead = world.poses_ahead()
        expected = len(tumble.collide(shapes.box(1.0), ball, *ahead))
        world.step()
        assert world.counts["triangle pairs"] == expected
        found.append(expected)
    assert min(found) == 0 < max(found)


def test_free_bodies_fall_and_held_ones_do_not():
    world = World(settings=worlds.AWAKE)
    for name in ("free", "held"):
        world.add_body(shapes.box(1.0), tumble.translation(3.0 * (name == "held"), 0, 5), velocity=(0, 2, 0), name=name)
    world.add_joint(Hinge("held", None, (3, 0, 5), (0, 0, 1)))
    ways = (world.poses_ahead() - world.poses())[:, :3, 3]
    time = world.time_step
    np.testing.assert_allclose(ways[0], [0, 2 * time, -0.5 * 9.81 * time**2], rtol=1e-3)
    np.testing.assert_allclose(ways[1], [0, 2 * time, 0], atol=1e-12)
