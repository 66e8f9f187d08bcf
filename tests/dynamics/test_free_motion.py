"""Bodies that touch nothing: parabolas, and tops."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tumble
from covering import sized
from tumble import shapes
from tumble.dynamics import World


@pytest.mark.parametrize("step", [pytest.param(0.002, marks=pytest.mark.slow), 0.01, 0.05])
def test_free_fall_is_a_parabola(step):
    """The mean velocity of a substep moves the body, so positions are those of nature, at any step."""
    world = World(gravity=(0.5, 0, -9.81), step=step)
    start, velocity = np.array([1.0, 2.0, 3.0]), np.array([0.3, -2.0, 4.0])
    world.add_body(shapes.box(), tumble.translation(*start), velocity=velocity)
    for _ in range(4):
        world.step(round(0.25 / step))
        t = world.time
        np.testing.assert_allclose(world.positions()[0], start + velocity * t + 0.5 * world.gravity * t * t, atol=1e-12)
        np.testing.assert_allclose(world.velocities()[0], velocity + world.gravity * t, atol=1e-12)
    assert world.time == pytest.approx(1.0)


def test_the_centre_of_mass_falls_not_the_origin_of_the_mesh():
    world = World()
    mesh = tumble.transformed(shapes.box((1, 2, 3)), tumble.translation(5, 0, 0))
    world.add_body(mesh, tumble.rotation("z", 0.4), spin=(0, 0, 2.0))
    centre = world.positions()[0]
    np.testing.assert_allclose(centre, [5 * np.cos(0.4), 5 * np.sin(0.4), 0], atol=1e-12)
    world.step(100)
    np.testing.assert_allclose(world.positions()[0], centre - [0, 0, 9.81 / 2], atol=1e-10)
    pose = world.poses()[0]
    np.testing.assert_allclose(pose[:3, :3], tumble.rotation("z", 0.4 + 2.0)[:3, :3], atol=1e-10)
    np.testing.assert_allclose(pose[:3, :3] @ [5, 0, 0] + pose[:3, 3], world.positions()[0], atol=1e-12)


@sized(100, 200)
def test_energy_of_free_fall_is_kept(count):
    world = World()
    world.add_body(shapes.box((1, 2, 3)), velocity=(1, 2, 3), spin=(1, 0, 0))
    before = world.energy()
    world.step(count)
    assert world.energy() == pytest.approx(before, rel=1e-12)


SPINS = (0.01, 6.0, 0.01), (6.0, 0.1, 0.1), (2.0, 3.0, 4.0)


@pytest.mark.parametrize(
    ("spin", "steps"),
    [((0.05, 6.0, 0.05), 280), *(pytest.param(each, 500, marks=pytest.mark.slow) for each in SPINS)],
)
def test_a_free_top_keeps_momentum_and_energy(spin, steps):
    """The first spins about its middle axis and turns over again and again."""
    world = World(gravity=(0, 0, 0))
    world.add_body(shapes.box((1, 2, 3)), tumble.rotation((1, 2, 3), 0.5), spin=spin)
    energy, momentum = world.energy(), world.momentum()[1]
    energies, axis = [], []
    for _ in range(steps):
        world.step()
        energies.append(world.energy())
        axis.append(world.poses()[0, :3, 1] @ momentum)
        np.testing.assert_allclose(world.momentum()[1], momentum, atol=1e-10 * np.linalg.norm(momentum))
    np.testing.assert_allclose(energies, energy, rtol=1e-11)
    if spin[1] == 6.0:
        assert min(axis) < 0 < max(axis)


@pytest.mark.parametrize("size", [(0.2, 0.15, 0.1), (0.02, 0.02, 0.6), (0.02, 0.05, 0.6)])
@pytest.mark.parametrize("speed", [120.0, 5000.0])
def test_a_rod_that_turns_fast_keeps_its_energy(size, speed):
    """It turns by many radians in a substep; without pieces it would gain energy without end."""
    world = World(gravity=(0, 0, 0))
    for k, way in enumerate(np.random.default_rng(1).normal(size=(3, 3))):
        world.add_body(shapes.box(size), tumble.translation(k, 0, 0), spin=speed * way / np.linalg.norm(way), mass=2.0)
    energy, momentum = world.energy(), world.momentum()[1]
    world.step(60)
    assert world.energy() == pytest.approx(energy, rel=1e-11)
    np.testing.assert_allclose(world.momentum()[1], momentum, rtol=1e-9)


@pytest.mark.parametrize("speed", [5.0, 80.0])
def test_a_free_top_is_where_the_equations_of_motion_put_it(speed):
    """Euler's equations by a Runge-Kutta method, in the frame of the body."""
    size, spin = np.array([0.1, 0.25, 0.6]), speed * np.array([0.6, 0.6, 0.53])
    world = World(gravity=(0, 0, 0), step=1 / 240)
    world.add_body(shapes.box(size), spin=spin, mass=2.0)
    moments = 2.0 / 12.0 * ((size**2).sum() - size**2)

    def rate(_, state):
        turn, spin = state[:9].reshape(3, 3), state[9:]
        x, y, z = spin
        skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return np.concatenate([(turn @ skew).ravel(), np.cross(moments * spin, spin) / moments])

    world.step(24)
    start = np.concatenate([np.eye(3).ravel(), spin])
    found = solve_ivp(rate, (0.0, world.time), start, method="DOP853", rtol=1e-12, atol=1e-12).y[:9, -1]
    np.testing.assert_allclose(world.poses()[0, :3, :3], found.reshape(3, 3), atol=2e-4 * speed)


@sized(120, 400)
def test_a_symmetric_top_precesses_as_the_closed_form_says(count):
    """With moments A, A, C the axis goes round the momentum L at the rate L / A."""
    world = World(gravity=(0, 0, 0), step=0.005)
    world.add_body(shapes.box((1, 1, 3)), spin=(0.5, 0.0, 4.0), density=1.0)
    momentum = world.momentum()[1]
    rate = np.linalg.norm(momentum) / (3 * 10 / 12)
    along = momentum / np.linalg.norm(momentum)
    start = np.array([0.0, 0.0, 1.0])
    world.step(count)
    angle = rate * world.time
    expected = (
        start * np.cos(angle) + np.cross(along, start) * np.sin(angle) + along * (along @ start) * (1 - np.cos(angle))
    )
    np.testing.assert_allclose(world.poses()[0, :3, 2], expected, atol=2e-4)


def test_an_axle_lets_a_body_turn_and_nothing_else():
    world = World()
    world.add_body(
        shapes.box((1, 2, 3)), tumble.rotation("x", 0.3), axle=(0, 0, 1), spin=(0, 0, 2.0), velocity=(1, 1, 1)
    )
    world.step(100)
    np.testing.assert_allclose(world.positions()[0], 0, atol=1e-12)
    np.testing.assert_allclose(world.spins()[0], [0, 0, 2], atol=1e-9)
    np.testing.assert_allclose(
        world.poses()[0, :3, :3], (tumble.rotation("z", 2.0) @ tumble.rotation("x", 0.3))[:3, :3], atol=1e-9
    )
