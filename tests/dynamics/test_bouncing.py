"""A ball that bounces on a plane, against the closed form; and impacts that are too slow to bounce."""

import numpy as np
import pytest

import tumble
from tumble import shapes
from tumble.dynamics import Settings, World

SLOW = Settings(bounce_speed=0.02)


def heights_of_bounces(world, steps, radius):
    """The tops between bounces, found from the last two heights: parabolas between steps."""
    tops, before = [], 0.0
    for _ in range(steps):
        world.step()
        rise = world.velocities()[0, 2]
        if before > 0 >= rise:
            tops.append(world.positions()[0, 2] - radius + rise**2 / (2 * 9.81))
        before = rise
    return np.array(tops)


@pytest.mark.parametrize(
    ("restitution", "steps"), [(0.5, 140), pytest.param(0.8, 300, marks=pytest.mark.slow), (1.0, 280)]
)
def test_each_bounce_has_the_height_of_the_last_times_e_squared(restitution, steps):
    """The ball stands on one vertex, right under its centre, so it does not begin to spin."""
    world = World(settings=SLOW)
    world.add_plane(restitution=restitution)
    world.add_body(shapes.icosphere(2, 0.1), tumble.translation(0, 0, 1.1), restitution=restitution)
    tops = heights_of_bounces(world, steps, 0.1)
    assert len(tops) >= 3
    count = min(len(tops), 4)
    np.testing.assert_allclose(tops[:count], restitution ** (2 * np.arange(1, count + 1)), rtol=1e-3)
    assert world.positions()[0, 2] > 0.1 - 1e-6


def test_the_larger_restitution_counts():
    world = World(settings=SLOW)
    world.add_plane(restitution=0.0)
    world.add_body(shapes.icosphere(2, 0.1), tumble.translation(0, 0, 1.1), restitution=0.5)
    assert heights_of_bounces(world, 90, 0.1)[0] == pytest.approx(0.25, rel=1e-3)


def test_without_restitution_it_stays():
    world = World()
    world.add_plane()
    world.add_body(shapes.box(0.2), tumble.translation(0, 0, 1.1))
    lowest = 1.0
    for _ in range(100):
        world.step()
        lowest = min(lowest, world.positions()[0, 2])
    assert lowest > 0.1 - 1e-4
    assert world.positions()[0, 2] == pytest.approx(0.1, abs=1e-6)
    np.testing.assert_allclose(world.velocities()[0], 0, atol=1e-9)


def test_slow_impacts_do_not_bounce():
    for speed, bounces in ((0.1, False), (0.4, True)):
        world = World(gravity=(0, 0, 0), settings=Settings(bounce_speed=0.2))
        world.add_plane(restitution=1.0)
        world.add_body(shapes.icosphere(1, 0.1), tumble.translation(0, 0, 0.11), velocity=(0, 0, -speed))
        world.step(30)
        assert (world.velocities()[0, 2] > 0.9 * speed) == bounces


@pytest.mark.parametrize("speed", [10.0, 300.0, 5000.0])
def test_no_speed_is_enough_to_pass_a_plane(speed):
    world = World()
    world.add_plane()
    world.add_body(
        shapes.box(0.2), tumble.translation(0, 0, 5.0) @ tumble.rotation((1, 1, 0), 0.4), velocity=(1, 0, -speed)
    )
    for _ in range(60):
        world.step()
        pose = world.poses()[0]
        corners = shapes.box(0.2).vertices @ pose[:3, :3].T + pose[:3, 3]
        assert corners[:, 2].min() > (-0.02 if speed < 1000 else -0.2)  # it may land at thousands of turns a second
    assert corners[:, 2].min() > -0.01


def test_a_body_that_starts_below_is_pushed_out_without_a_jump():
    world = World()
    world.add_plane()
    world.add_body(shapes.box(0.2), tumble.translation(0, 0, -0.5))
    fastest = 0.0
    for _ in range(200):
        world.step()
        fastest = max(fastest, np.abs(world.velocities()).max())
    assert world.positions()[0, 2] == pytest.approx(0.1, abs=1e-3)
    assert fastest < 0.05
