"""Each kind of joint moves as mechanics says: periods, accelerations, torques in closed form; and nothing drifts."""

import numpy as np
import pytest

import tumble
import worlds
from covering import sized
from tumble import shapes
from tumble.dynamics import Ball, Fixed, Hinge, Motor, Slider, World

G = worlds.G
ROD = (1.0, 0.1, 0.1)
NO_DRIFT = 1e-11
"""m or rad: a trial move ends when 1e-9 m/s mends what is left, within a substep of 1.25 ms; the rest is rounding"""


def rods(count, joint, **options):
    """A chain of rods along x from the origin, the first joint with the world."""
    world = World(settings=worlds.AWAKE, **options)
    for k in range(count):
        body = world.add_body(shapes.box(ROD), tumble.translation(0.5 + k, 0, 0), density=1000.0)
        world.add_joint(joint(body, body - 1 if k else None, (float(k), 0.0, 0.0)))
    return world


def hinge_about_y(a, b, anchor):
    return Hinge(a, b, anchor, (0, 1, 0))


def inertia_about_the_end(size):
    return (size[0] ** 2 + size[2] ** 2) / 12 + (size[0] / 2) ** 2  # per mass


def test_a_pendulum_has_its_period_and_keeps_its_energy():
    world = rods(1, hinge_about_y, gravity=(G, 0, 0))  # hangs along x
    swing = 0.05
    world.set_velocity(0, velocity=(0, 0, -0.5 * swing), spin=(0, swing, 0))
    before, moving, crossings = world.energy(), world.kinetic_energy(), []
    for _ in range(350):
        last = world.joint_positions()[0]
        world.step()
        now = world.joint_positions()[0]
        if last < 0.0 <= now:
            crossings.append(world.time - world.time_step * now / (now - last))
    period = 2 * np.pi * np.sqrt(inertia_about_the_end(ROD) / (G * 0.5))
    # The scheme is off by (ω h)²/24, 1e-6 here, and the amplitude of swing/ω lengthens a swing by its square / 16.
    amplitude = swing * period / (2 * np.pi)
    assert np.diff(crossings).mean() == pytest.approx(period * (1 + amplitude**2 / 16), rel=2e-6)
    assert abs(world.energy() - before) < 1e-5 * moving
    assert world.joint_errors().max() < NO_DRIFT


@sized(100, 150)
def test_a_chain_of_balls_hangs_together_and_keeps_energy_and_momentum(count):
    world = rods(4, Ball)
    for body in range(4):
        world.set_velocity(body, velocity=(0, 0.5 + body, 0), spin=(0, 0, 1.0))  # turns about z as a whole
    energy, turning = world.energy(), world.momentum()[1][2]
    for _ in range(count):
        world.step()
        assert world.joint_errors().max() < NO_DRIFT
    assert world.momentum()[1][2] == pytest.approx(turning, rel=1e-9)  # gravity has no moment about z
    assert abs(world.energy() - energy) < 1e-4 * world.kinetic_energy()
    assert world.positions()[-1, 2] < -1.0
    assert np.isnan(world.joint_positions()).all()


def test_a_slider_falls_along_its_rail():
    world, slope = World(settings=worlds.AWAKE), 0.4
    body = world.add_body(shapes.box(ROD), tumble.rotation((1, 2, 3), 0.7))
    rail = np.array([np.cos(slope), 0.0, -np.sin(slope)])
    world.add_joint(Slider(body, None, 5.0 * rail))
    rotation = world.bodies.rotation[0].copy()
    world.step(100)
    way = 0.5 * G * np.sin(slope) * world.time**2
    np.testing.assert_allclose(world.joint_positions()[0], way, rtol=1e-12)
    np.testing.assert_allclose(world.positions()[0], way * rail, atol=NO_DRIFT)
    np.testing.assert_allclose(world.bodies.rotation[0], rotation, atol=NO_DRIFT)


@pytest.mark.parametrize("kind", [Hinge, Slider])
def test_a_motor_drives_with_its_strength_until_it_has_its_speed(kind):
    world = World(gravity=(0, 0, 0), settings=worlds.AWAKE)
    body = world.add_body(shapes.box(ROD), mass=3.0)
    strength, speed = 0.75 if kind is Hinge else 6.0, 1.2
    place = {"anchor": (0, 0, 0)} if kind is Hinge else {}
    world.add_joint(kind(body, None, axis=(0, 0, 1), motor=Motor(speed, strength), **place))
    against = 3.0 if kind is Slider else 3.0 * (1.0 + 0.01) / 12
    time_to_speed = speed * against / strength
    for _ in range(90):
        world.step()
        accelerated = min(world.time, time_to_speed)
        way = 0.5 * strength / against * accelerated**2 + speed * (world.time - accelerated)
        missing = world.joint_positions()[0] - way
        # the last substep of the acceleration is shared: half of it at full speed is the most that can be gained
        assert abs(missing) <= 0.5 * speed * world.time_step / world.settings.substeps
    moving = world.spins()[0] if kind is Hinge else world.velocities()[0]
    np.testing.assert_allclose(moving, (0, 0, speed), atol=1e-9)


def test_a_motor_that_is_too_weak_does_not_lift():
    torque = 10.0 * 0.5 * G  # to hold a rod of 10 kg level
    for share, rises in ((0.99, False), (1.01, True)):
        world = World(settings=worlds.AWAKE)
        rod = world.add_body(shapes.box(ROD), tumble.translation(0.5, 0, 0), mass=10.0)
        world.add_joint(Hinge(rod, None, (0, 0, 0), (0, -1, 0), motor=Motor(0.5, share * torque)))
        world.step(50)
        assert (world.positions()[0, 2] > 0.0) == rises


def test_a_motor_is_changed_and_switched_off():
    world = World(gravity=(0, 0, 0), settings=worlds.AWAKE)
    wheel = world.add_body(shapes.box(ROD))
    joint = world.add_joint(Hinge(wheel, None, (0, 0, 0), (0, 0, 1), motor=Motor(2.0)))
    world.step(3)
    world.set_motor(joint, Motor(-1.0))
    world.step(3)
    assert world.spins()[0, 2] == pytest.approx(-1.0, abs=1e-9)
    world.set_motor(joint, Motor(9.0, 0.0))  # no strength: it coasts
    world.step(3)
    assert world.spins()[0, 2] == pytest.approx(-1.0, abs=1e-9)


def test_limits_stop_a_hinge_and_a_slider():
    world = World(settings=worlds.AWAKE)
    rod = world.add_body(shapes.box(ROD), tumble.translation(0.5, 0, 0))
    world.add_joint(Hinge(rod, None, (0, 0, 0), (0, 1, 0), limits=(-0.1, 0.6)))
    lift = world.add_body(shapes.box(0.2), tumble.translation(0, 3, 0))
    world.add_joint(Slider(lift, None, (0, 0, 1), limits=(-0.5, 0.2)))
    for _ in range(150):
        world.step()
        angle, height = world.joint_positions()
        assert -0.1 - NO_DRIFT <= angle <= 0.6 + NO_DRIFT
        assert -0.5 - NO_DRIFT <= height <= 0.2 + NO_DRIFT
    assert angle == pytest.approx(0.6, abs=1e-9)
    assert height == pytest.approx(-0.5, abs=1e-9)
    np.testing.assert_allclose(world.velocities(), 0.0, atol=1e-9)
    world.set_velocity(lift, velocity=(0, 0, 2.0))  # a limit pushes and does not hold
    world.step(2)
    assert world.joint_positions()[1] > -0.49


@sized(80, 120)
def test_fixed_bodies_carry_a_load_and_move_as_one(count):
    world = World(settings=worlds.AWAKE)
    world.add_plane()
    foot = world.add_body(shapes.box((1.0, 1.0, 0.5)), tumble.translation(0, 0, 0.25), density=4000.0)
    arm = world.add_body(shapes.box((2.0, 0.2, 0.2)), tumble.translation(1.2, 0, 0.6), density=1000.0)
    world.add_joint(Fixed(arm, foot))
    world.add_body(shapes.box(0.3), tumble.translation(1.9, 0, 0.85), mass=20.0)  # lies on the arm
    before = world.positions()[1] - world.positions()[0]
    for _ in range(count):
        world.step()
        assert world.joint_errors().max() < 1e-9
    np.testing.assert_allclose(world.positions()[1] - world.positions()[0], before, atol=1e-3)  # the whole may tilt
    assert world.positions()[2, 2] == pytest.approx(0.85, abs=0.01)
    assert world.contacts.depths.max() < 0.005


@sized(60, 100)
def test_two_fixed_halves_spin_like_one_body(count):
    whole, halves = (World(gravity=(0, 0, 0), settings=worlds.AWAKE) for _ in range(2))
    spin = np.array([0.3, 2.0, 0.5])
    whole.add_body(shapes.box((2.0, 0.6, 0.3)), spin=spin)
    for side in (-0.5, 0.5):
        velocity = np.cross(spin, (side, 0, 0))
        pose = tumble.translation(side, 0, 0)
        halves.add_body(shapes.box((1.0, 0.6, 0.3)), pose, spin=spin, velocity=velocity)
    halves.add_joint(Fixed(0, 1, anchor=(0.1, 0.2, 0.0)))
    whole.step(count)
    halves.step(count)
    np.testing.assert_allclose(halves.spins()[0], halves.spins()[1], atol=1e-9)
    # both schemes are of second order: the paths differ by less than (ω h)² per radian, 7e-6 here
    np.testing.assert_allclose(halves.spins()[0], whole.spins()[0], atol=5e-5)
    # a body on which a joint acts may not gain energy by turning: its spin is made smaller, which costs momentum
    size = np.linalg.norm(whole.momentum()[1])
    np.testing.assert_allclose(halves.momentum()[1], whole.momentum()[1], rtol=0.0, atol=1e-9 * size)


def test_a_hinge_through_the_centre_is_an_axle():
    spins = []
    for joint in (False, True):
        world = World(settings=worlds.AWAKE)
        axle = None if joint else (0, 1, 0)
        wheel = world.add_body(shapes.icosphere(1, 0.5), spin=(0, 2.0, 0), axle=axle)
        if joint:
            world.add_joint(Hinge(wheel, None, world.positions()[0], (0, 1, 0)))
        world.add_body(shapes.box(0.2), tumble.translation(0.1, 0, 0.65), friction=0.8)
        world.step(20)
        assert len(world.contacts.keys) > 0
        spins.append(world.spins()[0])
    np.testing.assert_allclose(spins[0], spins[1], atol=1e-6)
    assert abs(spins[0][1] - 2.0) > 0.01


@pytest.mark.parametrize(("brake", "stands"), [(5.0, False), (500.0, True)])
def test_motors_against_each_other_end_with_the_stronger(brake, stands):
    world = World(gravity=(0, 0, 0), settings=worlds.AWAKE)
    body = world.add_body(shapes.box(ROD), mass=10.0)
    world.add_joint(Slider(body, None, (1, 0, 0), motor=Motor(1.0, 50.0)))
    world.add_joint(Slider(body, None, (1, 0, 0), motor=Motor(0.0, brake)))
    world.step(10)
    # until it has its speed, the stronger accelerates with the difference
    due = 0.0 if stands else 0.5 * (50.0 - brake) / 10.0 * world.time**2
    assert world.positions()[0, 0] == pytest.approx(due, rel=1e-6, abs=1e-6)


def test_a_motor_without_limit_does_not_break_a_locked_mechanism():
    world = World(settings=worlds.AWAKE)
    rod = world.add_body(shapes.box(ROD), tumble.translation(0.5, 0, 0))
    world.add_joint(Hinge(rod, None, (0, 0, 0), (0, 1, 0), motor=Motor(3.0)))
    world.add_joint(Fixed(rod, None))
    world.step(20)
    assert world.joint_errors().max() < 1e-6
    assert world.positions()[0] == pytest.approx((0.5, 0, 0), abs=1e-6)
