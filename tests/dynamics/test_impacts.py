"""Two bodies that meet in free space: momentum is kept, and energy as far as it should be."""

import numpy as np
import pytest

import tumble
from covering import crossed
from tumble import shapes
from tumble.dynamics import World


def head_on(restitution, masses=(2.0, 3.0), friction=0.0):
    """Two cubes that meet face to face, at 3 m/s."""
    world = World(gravity=(0, 0, 0))
    material = {"restitution": restitution, "friction": friction}
    world.add_body(shapes.box(), tumble.translation(-0.8, 0, 0), velocity=(2, 0, 0), mass=masses[0], **material)
    world.add_body(shapes.box(), tumble.translation(0.8, 0, 0), velocity=(-1, 0, 0), mass=masses[1], **material)
    return world


@crossed(1, masses=[(2.0, 3.0), (1.0, 1.0), (1.0, 50.0)], restitution=[0.0, 0.5, 1.0])
def test_a_head_on_collision_has_the_velocities_of_the_closed_form(restitution, masses):
    world = head_on(restitution, masses)
    momentum = world.momentum()[0]
    world.step(40)
    np.testing.assert_allclose(world.momentum()[0], momentum, atol=1e-12 * sum(masses))
    common = (2 * masses[0] - masses[1]) / sum(masses)
    apart = 3 * restitution
    expected = [common - apart * masses[1] / sum(masses), common + apart * masses[0] / sum(masses)]
    np.testing.assert_allclose(world.velocities()[:, 0], expected, atol=0.03)
    np.testing.assert_allclose(world.velocities()[:, 1:], 0, atol=0.03)


def test_an_elastic_collision_keeps_energy_a_plastic_one_loses_what_it_must():
    for restitution in (0.0, 1.0):
        world = head_on(restitution)
        before = world.kinetic_energy()
        world.step(40)
        lost = 0.5 * (2 * 3 / 5) * 9 * (1 - restitution**2)
        assert before - world.kinetic_energy() == pytest.approx(lost, abs=0.01 * before)


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("restitution", [0.0, 1.0])
def test_balls_that_meet_off_centre_keep_both_momenta(restitution, friction):
    world = World(gravity=(0, 0, 0))
    material = {"restitution": restitution, "friction": friction}
    world.add_body(shapes.icosphere(2, 0.5), tumble.translation(-1, 0, 0), velocity=(2, 0, 0), mass=2.0, **material)
    world.add_body(shapes.icosphere(2, 0.5), tumble.translation(1, 0.2, 0), velocity=(-1, 0, 0), mass=1.0, **material)
    (linear, angular), energy = world.momentum(), world.kinetic_energy()
    world.step(60)
    np.testing.assert_allclose(world.momentum()[0], linear, atol=1e-12)
    np.testing.assert_allclose(world.momentum()[1], angular, atol=0.05 * np.linalg.norm(angular))
    assert world.kinetic_energy() <= energy * (1 + 1e-9)
    if restitution == 1.0 and friction == 0.0:
        assert world.kinetic_energy() == pytest.approx(energy, rel=0.01)


def test_a_static_body_stops_what_hits_it_and_does_not_move():
    world = World()
    pose = tumble.translation(0, 0, -0.5) @ tumble.rotation("z", 0.3)
    world.add_body(shapes.box((4, 4, 1)), pose, static=True)
    world.add_body(shapes.box(0.5), tumble.translation(0, 0, 1.0))
    world.step(150)
    np.testing.assert_array_equal(world.poses()[0], pose)
    assert world.positions()[1, 2] == pytest.approx(0.25 - world.settings.slop, abs=1e-3)
