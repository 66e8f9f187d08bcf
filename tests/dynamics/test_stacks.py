"""Towers of boxes stand, and lean too far only when they should fall."""

import numpy as np
import pytest

import tumble
from covering import sized
from tumble import shapes
from tumble.dynamics import World
from worlds import AWAKE, tower


def stands(world, offset):
    start = np.array([[offset * (k % 2), 0.0, k + 0.5] for k in range(len(world.names))])
    return np.abs(world.positions() - start).max() < 0.06


@pytest.mark.parametrize("offset", [pytest.param(0.0, marks=pytest.mark.slow), 0.1])
@sized(120, 1000)
def test_ten_boxes_stand(offset, count):
    world = tower(10, offset=offset)
    world.step(count)
    assert stands(world, offset)


@pytest.mark.slow
@pytest.mark.parametrize("offset", [0.0, 0.1])
def test_they_stand_without_sleep_too(offset):
    world = tower(10, offset=offset, settings=AWAKE)
    world.step(1000)
    assert stands(world, offset)
    assert np.abs(world.velocities()).max() < 0.05


def test_a_box_beyond_its_edge_falls():
    """The upper box falls when its centre is past the edge of the lower one."""
    world = World()
    world.add_plane()
    for y, overhang in ((0, 0.44), (5, 0.56)):
        world.add_body(shapes.box(), tumble.translation(0, y, 0.5))
        world.add_body(shapes.box(), tumble.translation(overhang, y, 1.5))
    world.step(200)
    assert (world.positions()[[1, 3], 2] < 1.0).tolist() == [False, True]


def test_the_contacts_carry_the_weight():
    """Five boxes: the ground carries all, and each box what is above it."""
    world = tower(5, settings=AWAKE)
    world.step(100)
    time = world.time_step / world.settings.substeps
    upward = np.zeros(5)
    for a, b, impulse in zip(world.contacts.body_a, world.contacts.body_b, world.contacts.impulses[:, 2], strict=True):
        upper, sign = (a, 1) if b < a else (b, -1)
        upward[upper] += sign * impulse / time
    np.testing.assert_allclose(upward, 1000 * 9.81 * np.arange(5, 0, -1), rtol=0.03)
