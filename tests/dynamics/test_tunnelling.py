"""Fast bodies and plates: what moves less than half its thickness in a step is stopped, however thin the plate is."""

import numpy as np

import tumble
import worlds
from covering import crossed, sized
from tumble import shapes
from tumble.dynamics import World
from tumble.mesh import random_pose

SIZE, SPEED, STEP = 0.1, 4.0, 0.01


@sized(3, 6)
@crossed(1, thickness=[0.002, 0.02, 0.1, 0.2], turned=[False, True])
def test_a_box_that_moves_less_than_half_its_thickness_in_a_step_is_stopped(thickness, turned, count):
    rng = np.random.default_rng(3)
    for _ in range(count):
        world = World(gravity=(0, 0, 0), step=STEP, settings=worlds.AWAKE)
        world.add_body(shapes.box((1.0, 1.0, thickness)), static=True)
        # the distance decides how far the box is in when it is found to touch
        start = tumble.translation(*rng.uniform(-0.2, 0.2, 2), 0.5 * thickness + SIZE + rng.uniform(0, SPEED * STEP))
        pose = start @ random_pose(rng, 0.0) if turned else start
        world.add_body(shapes.box(SIZE), pose, velocity=(0, 0, -SPEED))
        world.step(40)
        assert world.positions()[1, 2] > 0.5 * thickness
