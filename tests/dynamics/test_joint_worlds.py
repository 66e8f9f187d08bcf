"""Joints and the rest of a world: collisions, sleep, snapshots, threads, refusals."""

import numpy as np
import pytest

import tumble
import worlds
from tumble import shapes
from tumble.dynamics import Ball, Fixed, Hinge, Motor, Settings, Slider, World
from tumble.dynamics.contacts import LAST
from tumble.errors import InputError


def door(**options):
    """A post that stands and a door that overlaps it, hinged at an edge."""
    world = World(gravity=(0, 0, 0), settings=worlds.AWAKE)
    world.add_body(shapes.box((0.2, 0.2, 1.0)), static=True, name="post")
    world.add_body(shapes.box((1.0, 0.1, 0.9)), tumble.translation(0.55, 0, 0), name="door")
    world.add_joint(Hinge("door", "post", (0.0, 0.0, 0.0), (0, 0, 1), **options))
    return world


def test_connected_bodies_do_not_collide_unless_it_is_asked_for():
    apart, together = door(), door(collide=True)
    for world in (apart, together):
        world.step(2)
    assert len(apart.contacts.keys) == 0
    assert len(together.contacts.keys) > 0


def flail(threads=None):
    """Three rods in a chain fall on a plane and on a box, one of them driven."""
    world = World(threads=threads)
    world.add_plane()
    world.add_body(shapes.box(0.5), tumble.translation(0.4, 0, 0.25))
    for k in range(3):
        world.add_body(shapes.box((0.6, 0.1, 0.1)), tumble.translation(0.6 * k, 0.02 * k, 0.8))
    world.add_joint(Ball(2, 1, (0.3, 0, 0.8)))
    world.add_joint(Hinge(3, 2, (0.9, 0, 0.8), (0, 1, 0), motor=Motor(1.0, 2.0)))
    return world


def test_threads_make_no_difference():
    states = []
    for threads in (1, 3):
        world = flail(threads)
        world.step(60)
        states.append(world.snapshot())
    assert len(states[0].contacts.keys) > 4
    assert worlds.same_bits(*states)


def test_back_to_a_snapshot_and_on_again():
    world = flail()
    world.step(30)
    state = world.snapshot()
    world.step(30)
    later = world.snapshot()
    world.restore(state)
    world.step(30)
    assert worlds.same_bits(world.snapshot(), later)


def test_bodies_with_joints_sleep_and_wake_together():
    world = World()
    world.add_plane()
    for k in range(2):
        world.add_body(shapes.box((0.6, 0.1, 0.1)), tumble.translation(0.6 * k, 0, 0.05))
    world.add_joint(Hinge(1, 0, (0.3, 0, 0.05), (0, 0, 1)))
    world.add_body(shapes.box(0.2), tumble.translation(0, 3.0, 0.1))
    hanging = world.add_body(shapes.box((0.1, 0.1, 0.6)), tumble.translation(0, 6, 2))
    world.add_joint(Ball(hanging, None, (0, 6, 2.3)))  # touches nothing, and rests
    world.step(80)
    assert world.asleep.all()
    resting = world.positions()
    world.step(20)
    np.testing.assert_array_equal(world.positions(), resting)
    world.set_velocity(0, velocity=(0, 1.0, 0))
    world.step(2)
    assert world.asleep.tolist() == [False, False, True, True]


def test_a_slow_motor_does_not_fall_asleep():
    world = World(gravity=(0, 0, 0))
    hand = world.add_body(shapes.box((1.0, 0.1, 0.1)))
    joint = world.add_joint(Hinge(hand, None, (0, 0, 0), (0, 0, 1), motor=Motor(0.01)))
    world.step(80)
    assert world.joint_positions()[joint] == pytest.approx(0.008, abs=1e-9)
    world.set_motor(joint, Motor(0.0))
    world.step(80)
    assert world.asleep.all()


def test_a_seesaw_falls_to_the_heavier_side():
    for masses, lower in (((30.0, 20.0), 0), ((20.0, 30.0), 1)):
        world = World(settings=worlds.AWAKE)
        world.add_plane()
        plank = world.add_body(shapes.box((4.0, 0.4, 0.1)), tumble.translation(0, 0, 0.8), mass=10.0)
        world.add_joint(Hinge(plank, None, (0, 0, 0.8), (0, 1, 0)))
        for mass, x in zip(masses, (-1.5, 1.5), strict=True):
            world.add_body(shapes.box(0.3), tumble.translation(x, 0, 1.0), mass=mass)
        world.step(60)
        assert np.argmin(world.positions()[1:, 2]) == lower
        assert world.joint_errors().max() < 1e-9
        assert world.contacts.depths.max() < 0.01


BOX = shapes.box()


def one_body(joint):
    world = World()
    world.add_body(BOX, name="box")
    world.add_body(BOX, static=True, name="wall")
    world.add_body(BOX, static=True, name="floor")
    return world.add_joint(joint)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (Ball("box", "nobody", (0, 0, 0)), "there is no body 'nobody'"),
        (Ball("box", 0, (0, 0, 0)), "connects two bodies, and both are 'box'"),
        (Ball(None, "box", (0, 0, 0)), "the world, None, can only be b"),
        (Ball("wall", None, (0, 0, 0)), "neither of them can move"),
        (Ball("wall", "floor", (0, 0, 0)), "neither of them can move"),
        (Ball("box", None, (0, np.nan, 0)), "the anchor of a joint"),
        (Ball("box", None, (0, 0)), "the anchor of a joint"),
        (Ball("box", None, (0, 0, 0), collide=3), "collide of a joint must be True or False, not 3"),
        (Hinge("box", None, (0, 0, 0), (0, 0, 0)), "the axis of a Hinge must not be the zero vector"),
        (Slider("box", None, (0, np.inf, 0)), "the axis of a joint"),
        (Hinge("box", None, (0, 0, 0), (0, 0, 1), motor=2.0), "must be a tumble.dynamics.Motor or None, not 2.0"),
        (Hinge("box", None, (0, 0, 0), (0, 0, 1), limits=(0.1, 0.2)), "low ≤ 0 ≤ high, within −π to π"),
        (Hinge("box", None, (0, 0, 0), (0, 0, 1), limits=(-4.0, 0.2)), "low ≤ 0 ≤ high, within −π to π"),
        (Slider("box", None, (0, 0, 1), limits=(np.nan, 0.2)), "low ≤ 0 ≤ high"),
        (Slider("box", None, (0, 0, 1), limits=3), "must be two numbers, not 3"),
        (Fixed("box", "wall", anchor="here"), "the anchor of a joint"),
        ("hinge", "must be a Ball, Hinge, Slider or Fixed of tumble.dynamics, not 'hinge'"),
    ],
)
def test_joints_that_make_no_sense_are_refused(joint, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        one_body(joint)


@pytest.mark.parametrize("values", [(np.nan,), (np.inf,), ("fast",), (1.0, -1.0), (1.0, np.nan), (1.0, None)])
def test_motors_that_make_no_sense_are_refused(values):
    with pytest.raises(InputError, match="of a motor must be"):
        Motor(*values)


def test_only_joints_with_a_motor_get_another_one():
    world = World()
    box = world.add_body(BOX)
    world.add_joint(Hinge(box, None, (0, 0, 0), (0, 0, 1)))
    with pytest.raises(InputError, match="joint 0, a Hinge, was added without a motor"):
        world.set_motor(0, Motor(1.0))
    with pytest.raises(InputError, match="there is no joint 1 among the 1"):
        world.set_motor(1, Motor(1.0))


def test_a_refused_joint_changes_nothing():
    world = door()
    before = len(world.joints), len(world.joint_rows.kind)
    with pytest.raises(InputError):
        world.add_joint(Hinge("door", "post", (0, 0, 0), (0, 0, 0)))
    assert (len(world.joints), len(world.joint_rows.kind)) == before


ONE_SUBSTEP = {"step": 0.01 / 8, "settings": Settings(sleep_time=np.inf, substeps=1)}
ROUNDING = 1e-9
SWING = 3e-6
"""of the energy, in a substep of free rods: RATTLE's own error, of either sign"""


def fold(world, angle, **material):
    """Two rods on a ball joint, the first turned by an angle, the second along x."""
    pose = tumble.translation(0, 0, 0.6) @ tumble.rotation("y", angle)
    end = pose[:3, 3] + 0.5 * pose[:3, 0]
    first = world.add_body(shapes.box((1.0, 0.1, 0.1)), pose, **material)
    second = world.add_body(shapes.box((1.0, 0.1, 0.1)), tumble.translation(end[0] + 0.5, end[1], end[2]), **material)
    world.add_joint(Ball(first, second, end))


# the fifth and the tenth gain energy where only contacts are bounded
@pytest.mark.parametrize("chosen", [(4,), pytest.param(range(40), marks=pytest.mark.slow)], ids=["fifth", "all"])
def test_impacts_of_connected_rods_add_no_energy(chosen):
    """Without any bound they add up to 14 %; with one that ends before the move, 0.1 %."""
    draws = np.random.default_rng(5).uniform((0.5, 0, -1), 1, (40, 3))
    hits = 0
    for restitution, friction, angle in draws[list(chosen)]:
        world = World(**ONE_SUBSTEP)
        world.add_plane(restitution=restitution, friction=friction)
        fold(world, angle, velocity=(0, 0, -3), restitution=0.9, friction=0.8)
        start = last = world.energy()
        for _ in range(480):
            world.step()
            hit = bool((world.contacts.pressed[:, LAST] > 0.0).any())
            assert world.energy() <= last + world.lift + (ROUNDING if hit else SWING) * start
            last, hits = world.energy(), hits + hit
    assert hits >= 2 * len(chosen)


def test_rods_that_are_hit_in_free_space_keep_their_momentum():
    world = World(gravity=(0, 0, 0), **ONE_SUBSTEP)
    fold(world, 0.7, restitution=0.9, friction=0.5)
    world.add_body(shapes.icosphere(1, 0.3), tumble.translation(0.1, 0, 1.3), velocity=(0, 0, -4), restitution=0.9)
    momentum, start = world.momentum()[0], world.energy()
    last, hits = start, 0
    for _ in range(240):
        world.step()
        hit = bool((world.contacts.pressed[:, LAST] > 0.0).any())
        assert world.energy() <= last + (ROUNDING if hit else SWING) * start
        last, hits = world.energy(), hits + hit
    assert hits > 0
    assert last < 0.99 * start
    np.testing.assert_allclose(world.momentum()[0], momentum, rtol=1e-12, atol=1e-9)


def test_free_rods_are_not_lifted():
    world = World(settings=worlds.AWAKE)
    fold(world, 0.7, spin=(0, 3, 0))
    world.step(20)
    assert world.lift == 0.0
