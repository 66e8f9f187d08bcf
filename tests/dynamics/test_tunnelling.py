"""Fast bodies: what moves less than half its thickness in a step, relative to what it meets, does not pass through it.

Contacts are looked for once per step, where free flight would lead. With a way d per step the first one is seen at a
depth from 0 to d, depending on the phase: how long before that moment the surfaces meet. Up to half the thickness w the
way back is the shorter one. So d < w/2 is safe in every phase, and beyond it there are phases in which a box passes a
thin plate. Two boxes that meet pass only beyond 0.7 w. That is about every point: an impact at a corner can double
the speed of the far side, so bodies that tumble have half of it.
"""

import numpy as np
import pytest

import tumble
import worlds
from covering import crossed, sized
from tumble import shapes
from tumble.dynamics import World
from tumble.mesh import random_pose

SIZE, STEP = 0.1, 0.01
STEPS, MANY_STEPS = 25, 40  # bodies meet within five
BELOW, ABOVE, BELOW_TURNED, ABOVE_BOXES = 0.45, 0.7, 0.225, 1.3
"""ways per step in thicknesses, on both sides of the limit of a half, below that of a quarter for corners first, and so
far that two boxes pass"""


def phases_of(count):
    return (np.arange(count) + 0.5) / count


def steps_for(count):
    return STEPS if count <= 5 else MANY_STEPS


def stopped_by_a_plate(way, thickness, phase, pose, steps):
    """Whether a box is outside a plate, on the side from which it came, after it hit it."""
    world = World(gravity=(0, 0, 0), step=STEP, settings=worlds.AWAKE)
    world.add_body(shapes.box((1.0, 1.0, thickness)), static=True)
    height = tumble.translation(0, 0, 0.5 * thickness + SIZE + phase * way * SIZE)
    world.add_body(shapes.box(SIZE), height @ pose, velocity=(0, 0, -way * SIZE / STEP))
    world.step(steps)
    return world.positions()[1, 2] > 0.5 * thickness


@sized(2, 20)
@crossed(1, thickness=[0.002, 0.02, 0.1, 0.2], turned=[False, True])
def test_a_box_that_moves_less_than_half_its_thickness_in_a_step_is_stopped(thickness, turned, count):
    rng, way = np.random.default_rng(3), BELOW_TURNED if turned else BELOW
    for phase in phases_of(count):
        turn = random_pose(rng, 0.0) if turned else np.eye(4)
        pose = tumble.translation(*rng.uniform(-0.2, 0.2, 2), 0) @ turn
        assert stopped_by_a_plate(way, thickness, phase, pose, steps_for(count))


@sized(5, 20)
def test_a_box_that_moves_farther_is_not_stopped_in_some_phases(count):
    pose = tumble.translation(0.01, 0.02, 0)
    stopped = [stopped_by_a_plate(ABOVE, 0.02, phase, pose, steps_for(count)) for phase in phases_of(count)]
    assert 0 < sum(stopped) < len(stopped)


def distance_when_passing(way, phase, offset, turn, steps):
    """How far apart the centres of two boxes are when they are side by side, in their width; inf if they never are.

    A sphere of their width fits into each, so boxes that go around each other are at least one width apart.
    """
    world = World(gravity=(0, 0, 0), step=STEP, settings=worlds.AWAKE)
    for side in (0.5, -0.5):
        place = side * np.array([*offset, 1.02 * SIZE + phase * way * SIZE])
        pose = tumble.translation(*place) @ tumble.rotation("z", turn * (side > 0))
        world.add_body(shapes.box(SIZE), pose, velocity=(0, 0, -side * way * SIZE / STEP))
    for _ in range(steps):
        world.step()
        apart = np.subtract(*world.positions())
        if apart[2] < 0.0:
            return np.hypot(apart[0], apart[1]) / SIZE
    return np.inf


MEETINGS = [((0.0, 0.0), 0.0), ((0.01, 0.005), 0.0), ((0.01, 0.005), 0.4), ((0.02, 0.01), 0.0), ((0.03, 0.02), 0.0)]


@sized(2, 20)
@pytest.mark.parametrize(
    "offset, turn", [*MEETINGS[::2], *(pytest.param(*each, marks=pytest.mark.slow) for each in MEETINGS[1::2])]
)
def test_two_boxes_do_not_pass_below_half_their_thickness(offset, turn, count):
    for phase in phases_of(count):
        assert (
            distance_when_passing(BELOW, phase, offset, turn, steps_for(count)) > 0.95
        )  # 1 but for the depth that is left


@sized(5, 20)
def test_two_boxes_that_move_farther_pass_through_each_other_in_some_phases(count):
    def distances_for(way):
        return [distance_when_passing(way, phase, *MEETINGS[1], steps_for(count)) for phase in phases_of(count)]

    assert min(distances_for(ABOVE)) > 0.95
    distances = distances_for(ABOVE_BOXES)
    assert min(distances) < 0.8
    assert max(distances) > 0.95
