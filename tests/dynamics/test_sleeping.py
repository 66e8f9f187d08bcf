"""Bodies at rest sleep together, and wake when they are touched."""

import numpy as np
import pytest

import tumble
import worlds
from covering import sized
from tumble import shapes
from tumble.dynamics import World


def a_tower_and_a_box():
    """A tower of three, and a box beside it that touches nothing."""
    world = worlds.tower(3)
    world.add_body(shapes.box(), tumble.translation(5, 0, 0.5))
    return world


@pytest.fixture(scope="module")
def state_asleep():
    world = a_tower_and_a_box()
    world.step(80)
    assert world.asleep.all()
    return world.snapshot()


@pytest.fixture
def asleep(state_asleep):
    world = a_tower_and_a_box()
    world.restore(state_asleep)
    assert world.asleep.all()
    return world


def test_sleepers_stay_where_they_are_at_no_cost(asleep):
    poses = asleep.poses()
    asleep.step(20)
    np.testing.assert_array_equal(asleep.poses(), poses)
    assert asleep.kinetic_energy() == 0
    assert asleep.counts["broad pairs"] == 0
    assert asleep.counts["contact points"] > 0
    assert asleep.counts["awake"] == 0


@sized(150, 300)
def test_what_touches_a_sleeper_wakes_its_island_and_no_other(asleep, count):
    asleep.add_body(shapes.box(0.5), tumble.translation(0, 0, 3.5), name="falling")
    while not len(asleep.contacts.keys) or 4 not in asleep.contacts.body_b:
        asleep.step()
        assert asleep.steps < 300
        if 4 not in asleep.contacts.body_b:
            assert asleep.asleep.tolist() == [True] * 4 + [False]
    assert asleep.asleep.tolist() == [False, False, False, True, False]
    asleep.step(count)
    assert asleep.asleep.all()
    assert asleep.positions()[4, 2] > 3.2


def test_a_push_wakes_and_waking_disturbs_nothing(asleep):
    before = asleep.positions()
    asleep.wake("body 1")
    asleep.step(5)
    assert asleep.asleep.tolist() == [False, False, False, True]
    np.testing.assert_allclose(asleep.positions(), before, atol=1e-3)
    asleep.set_velocity(3, (1, 0, 0))
    asleep.step(2)
    assert not asleep.asleep[3]
    assert asleep.positions()[3, 0] > before[3, 0]


def test_a_new_plane_wakes_all(asleep):
    asleep.add_plane((1, 0, 0), -0.3)
    asleep.step(3)
    assert not asleep.asleep.any()


def test_a_new_static_body_wakes_all(asleep):
    asleep.add_body(shapes.box(), tumble.translation(9, 0, 0), static=True)
    asleep.step()
    assert not asleep.asleep[:4].any()


@sized(100, 200)
def test_what_drifts_slowly_in_free_space_drifts_on(count):
    world = World(gravity=(0, 0, 0))
    world.add_body(shapes.box(), velocity=(0, 0, 0.01))
    world.step(count)
    assert not world.asleep.any()
    assert world.positions()[0, 2] == pytest.approx(0.01 * world.time)
