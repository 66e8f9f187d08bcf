"""A block on a slope sticks below the friction angle and slides above it, as it should, whichever way it heads."""

import numpy as np
import pytest

from covering import crossed, sized
from tumble import shapes
from tumble.dynamics import World
from worlds import AWAKE, G, slope

HEADINGS = np.radians([0, 17, 45, 90, 133, 251])
FEW = [*HEADINGS[[0, 1, 4]], *(pytest.param(each, marks=pytest.mark.slow) for each in HEADINGS[[2, 3, 5]])]


@sized(50, 200)
@crossed(1, heading=FEW, friction=[0.2, 0.6])
def test_it_sticks_below_the_friction_angle(heading, friction, count):
    world, down = slope(0.98 * np.arctan(friction), heading, friction)
    start = world.positions()[0]
    world.step(count)
    assert np.abs(world.positions()[0] - start).max() < 1e-4
    assert abs(world.velocities()[0] @ down) < 1e-6


@sized(30, 50)
@crossed(1, heading=FEW, friction=[0.2, 0.6])
def test_it_slides_above_the_friction_angle(heading, friction, count):
    angle = 1.02 * np.arctan(friction)
    world, down = slope(angle, heading, friction)
    world.step(count)
    start, before = world.velocities()[0], world.time
    world.step(count)
    gained = (world.velocities()[0] - start) / (world.time - before)
    assert gained @ down == pytest.approx(G * (np.sin(angle) - friction * np.cos(angle)), rel=0.02)
    assert np.linalg.norm(gained - (gained @ down) * down) < 1e-4


@crossed(1, heading=[*HEADINGS[:2], pytest.param(HEADINGS[2], marks=pytest.mark.slow)], friction=[0.0, 0.3])
def test_it_slides_down_a_steep_slope_as_the_closed_form_says(heading, friction):
    angle = np.radians(35)
    world, down = slope(angle, heading, friction)
    start = world.positions()[0] @ down
    world.step(100)
    expected = G * (np.sin(angle) - friction * np.cos(angle))
    assert world.velocities()[0] @ down == pytest.approx(expected, rel=0.01)
    assert world.positions()[0] @ down - start == pytest.approx(expected / 2, rel=0.02)


@sized(100, 150)
@pytest.mark.parametrize(
    "heading", [HEADINGS[1], *(pytest.param(each, marks=pytest.mark.slow) for each in HEADINGS[[0, 2, 3, 4, 5]])]
)
def test_a_block_on_level_ground_slides_straight_and_stops_where_it_should(heading, count):
    """From 3 m/s with friction 0.4: v² / 2μg."""
    world = World(settings=AWAKE)
    world.add_plane(friction=0.4)
    way = np.array([np.cos(heading), np.sin(heading), 0.0])
    pose = np.eye(4)
    pose[2, 3] = 0.1
    world.add_body(shapes.box((1, 1, 0.2)), pose, velocity=3 * way, friction=0.4)
    world.step(count)
    np.testing.assert_allclose(world.positions()[0][:2], (9 / (2 * 0.4 * G) * way)[:2], atol=0.02 * 9 / (2 * 0.4 * G))
    np.testing.assert_allclose(world.velocities()[0], 0, atol=1e-6)


@sized(50, 100)
def test_friction_of_two_materials_is_their_geometric_mean(count):
    angle = np.arctan(0.3)
    for other, sticks in ((0.91, True), (0.89, False)):
        world, down = slope(angle, 0.3, 0.1)
        world.planes = world.planes._replace(friction=np.array([other]))
        world.step(count)
        assert (world.velocities()[0] @ down < 1e-5) == sticks
