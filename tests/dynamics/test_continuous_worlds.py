"""Worlds with fast bodies: crowds in a box of thin walls, sliding, sleep, joints, planes; and worlds without any."""

import numpy as np
import pytest

import tumble
import worlds
from covering import sized, thinned
from tumble import shapes
from tumble.dynamics import Ball, Hinge, Settings, World
from tumble.errors import InputError, OptionError

CONTINUOUS = Settings(continuous=True)
AWAKE = Settings(continuous=True, sleep_time=np.inf)
ROUNDING = 1e-9  # of the energy, per step
SIDE, WALL = 2.0, 0.001  # m, of the box and its walls


def box_of_walls(**options):
    """Six thin plates around a cube about the origin."""
    world = World(step=1 / 60, settings=CONTINUOUS, **options)
    for axis in range(3):
        for sign in (-1, 1):
            size, place = np.full(3, SIDE + 2 * WALL), np.zeros(3)
            size[axis], place[axis] = WALL, sign * (SIDE + WALL) / 2
            world.add_body(shapes.box(size), tumble.translation(*place), static=True)
    return world


def crowd(count, seed=5, **options):
    """A box of walls full of fast bodies."""
    world, rng = box_of_walls(**options), np.random.default_rng(seed)
    meshes = shapes.icosphere(1, 0.08), shapes.box(0.12), shapes.box((0.05, 0.05, 0.3))
    places = [(x, y, z) for x in range(5) for y in range(5) for z in range(5)]
    for k in rng.permutation(len(places))[:count]:
        direction = rng.standard_normal(3)
        velocity = 100.0 * direction / np.linalg.norm(direction)
        where = tumble.translation(*(0.36 * (np.array(places[k]) - 2)))
        pose = where @ tumble.rotation(rng.standard_normal(3), rng.uniform(0, 6))
        spin = rng.uniform(-30, 30, 3)
        world.add_body(meshes[k % 3], pose, velocity=velocity, spin=spin, mass=1.0, friction=0.2, restitution=0.7)
    return world


@sized(4, 100)
def test_none_of_many_fast_bodies_gets_out_of_a_box_of_thin_walls(count):
    world, steps = crowd(count), 8 if count < 100 else 200
    start = last = world.energy()
    for _ in range(steps):
        world.step()
        assert np.abs(world.positions()[6:]).max() < SIDE / 2
        energy = world.energy()
        assert energy <= last + world.lift + ROUNDING * start
        last = energy
    assert energy < start


def test_without_the_option_they_do():
    world = crowd(4)
    world.settings = Settings()
    world.step(20)
    assert np.abs(world.positions()[6:]).max() > SIDE


def test_threads_and_snapshots_make_no_difference_to_fast_bodies():
    one, other = crowd(4, threads=1), crowd(4, threads=3)
    one.step(4)
    other.step(4)
    state = one.snapshot()
    assert worlds.same_bits(state, other.snapshot())
    one.step(3)
    after = one.snapshot()
    one.restore(state)
    one.step(3)
    assert worlds.same_bits(one.snapshot(), after)


def test_where_nothing_is_fast_the_option_changes_no_bit():
    states = []
    for settings in (Settings(), CONTINUOUS):
        world = worlds.tower(4, (0.5, 0.5, 0.5), 0.05, settings=settings)
        world.add_body(shapes.box(0.4), tumble.translation(0.1, 0, 2.3), spin=(0.3, 0.2, 0))
        world.step(60)
        assert "impacts" not in world.counts
        states.append(world.snapshot())
    assert worlds.same_bits(*states)


def test_fast_bodies_that_meet_bounce_off_each_other_and_keep_their_momentum():
    world = World(gravity=(0, 0, 0), step=1 / 60, settings=AWAKE)
    for side in (-1, 1):
        pose = tumble.translation(2.0 * side, 0.02 * side, 0) @ tumble.rotation((1, 2, 3), 0.3)
        world.add_body(shapes.icosphere(2, 0.1), pose, velocity=(-90.0 * side, 0, 0), restitution=0.5, friction=0.0)
    linear, angular = world.momentum()
    start, last = world.energy(), world.energy()
    for _ in range(6):
        world.step()
        assert world.energy() <= last * (1 + ROUNDING)
        last = world.energy()
        assert world.positions()[0, 0] < world.positions()[1, 0]
    now = world.momentum()
    np.testing.assert_allclose(now[0], linear, atol=1e-9 * 90)
    np.testing.assert_allclose(now[1], angular, atol=1e-3 * np.linalg.norm(angular))
    assert world.velocities()[0, 0] < -30.0
    assert world.velocities()[1, 0] > 30.0
    assert last < 0.5 * start


@pytest.mark.parametrize(("spin", "passes"), [(60.0, True), (250.0, False)])
def test_the_ends_of_a_rod_that_spins_do_not_pass_a_plate(spin, passes):
    """Its centre of mass stays where it is: only its ends are fast. In some phases the default stops it, too."""
    ends = {}
    for settings in (Settings(), AWAKE):
        world = World(gravity=(0, 0, 0), step=1 / 60, settings=settings)
        world.add_body(shapes.box((1.0, 0.001, 1.0)), tumble.translation(0.8, 0, 0), static=True)
        rod = shapes.box((1.0, 0.02, 0.02))
        world.add_body(rod, tumble.rotation("z", -0.8), spin=(0, 0, spin), axle=(0, 0, 1))
        # towards the plate it may turn by 0.8, and back until the other end meets it: by π − 0.8
        angles = []
        for _ in range(30):
            before = world.poses()[1]
            world.step()
            turn = before[:3, :3].T @ world.poses()[1][:3, :3]
            angles.append(np.arctan2(turn[1, 0], turn[0, 0]))
        ends[settings.continuous] = np.sum(angles), np.abs(world.spins()[1]).max()
    assert ends[True][0] < 0.8 + 0.05
    assert ends[True][1] < 1e-6
    assert (ends[False][1] > 1.0) == passes


@pytest.mark.slow
def test_a_body_that_slides_on_a_floor_of_triangles_at_full_speed_goes_on():
    world = World(step=1 / 60, settings=AWAKE)
    world.add_body(shapes.box((200.0, 2.0, 0.5)), tumble.translation(90, 0, -0.25), static=True, friction=0.0)
    world.add_body(shapes.box(0.2), tumble.translation(0, 0, 0.0992), velocity=(100, 0, 0), friction=0.0)
    world.step(60)
    assert world.counts["fast bodies"] == 1
    np.testing.assert_allclose(world.positions()[1], [100.0, 0.0, 0.1], atol=0.01)
    np.testing.assert_allclose(world.velocities()[1], [100.0, 0.0, 0.0], atol=0.1)


@pytest.mark.slow
def test_friction_slows_it_as_it_should():
    world = World(step=1 / 60, settings=AWAKE)
    world.add_body(shapes.box((200.0, 2.0, 0.5)), tumble.translation(90, 0, -0.25), static=True, friction=0.5)
    world.add_body(shapes.box((0.4, 0.4, 0.1)), tumble.translation(0, 0, 0.0495), velocity=(80, 0, 0), friction=0.5)
    world.step(60)
    assert world.velocities()[1, 0] == pytest.approx(80 - 0.5 * 9.81, abs=0.05)
    assert abs(world.positions()[1, 2] - 0.05) < 0.005


def test_a_body_that_rests_on_a_thin_plate_and_is_thrown_against_it_stays_above():
    for settings, passes in ((Settings(), True), (CONTINUOUS, False)):
        world = World(step=1 / 60, settings=settings)
        world.add_body(shapes.box((2.0, 2.0, 0.001)), static=True)
        world.add_body(shapes.box(0.2), tumble.translation(0, 0, 0.1))
        world.step(30)
        world.set_velocity(1, (0, 0, -100))
        world.step(10)
        assert (world.positions()[1, 2] < 0.0) == passes


@pytest.mark.parametrize("floor", ["plate", pytest.param("sheet", marks=pytest.mark.slow)])
def test_what_rests_on_a_floor_without_thickness_stays_above_it(floor):
    """Bodies rest in floors deeper than these are thick: the surfaces meet on both sides."""
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    sheet = tumble.Mesh(corners, np.array([(0, 1, 2), (0, 2, 3)]))
    world = World(settings=AWAKE)
    world.add_body(shapes.box((2.0, 2.0, 0.0001)) if floor == "plate" else sheet, static=True)
    world.add_body(shapes.icosphere(2, 0.1), tumble.translation(0.5, 0, 0.3) @ tumble.rotation((1, 2, 3), 0.4))
    world.add_body(shapes.box(0.2), tumble.translation(-0.5, 0, 0.3) @ tumble.rotation((1, 2, 3), 0.4))
    for _ in range(225):  # the ball has facets, and rocks on them for 1.8 s, on a thick floor as well
        world.step()
        assert world.positions()[1:, 2].min() > 0.09
    assert world.positions()[1:, 2].max() < 0.11
    assert np.abs(world.velocities()).max() < 0.02


def test_what_presses_a_rod_against_a_thin_floor_does_not_press_it_through():
    """The depth of the rod is more than the floor is thick."""
    world = World(step=1 / 60, settings=AWAKE)
    world.add_body(shapes.box((2.0, 2.0, 0.001)), tumble.translation(0, 0, -0.0005), static=True)
    world.add_body(shapes.box((0.3, 0.05, 0.05)), tumble.translation(0, 0, 0.025), mass=1.0)
    world.step(20)
    world.add_body(shapes.box(0.2), tumble.translation(0, 0, 0.15), mass=5.0)
    for _ in range(60):
        world.step()
        assert world.positions()[1, 2] > 0.022
    assert world.positions()[2, 2] > 0.145
    assert np.abs(world.velocities()).max() < 0.02


def test_a_sleeping_body_that_is_hit_wakes_up():
    world = World(step=1 / 60, settings=CONTINUOUS)
    world.add_plane()
    world.add_body(shapes.box(0.3), tumble.translation(0, 0, 0.15), mass=10.0)
    world.step(90)
    assert world.asleep[0]
    world.add_body(shapes.icosphere(1, 0.05), tumble.translation(-1.7, 0, 0.15), velocity=(100, 0, 0), mass=0.5)
    world.step(4)
    assert not world.asleep[0]
    assert world.velocities()[0, 0] > 1.0
    assert world.positions()[1, 0] < world.positions()[0, 0]


def test_a_plane_behind_a_bounce_holds():
    """It is thrown away from the plane, and only what it hits sends it there."""
    world = World(step=1 / 60, settings=AWAKE)
    world.add_plane(restitution=0.5)
    world.add_body(shapes.box((4.0, 4.0, 0.001)), tumble.translation(0, 0, 1.0), static=True, restitution=1.0)
    world.add_body(shapes.box(0.2), tumble.translation(0, 0, 0.4), velocity=(3, 0, 100), friction=0.0)
    for _ in range(20):
        world.step()
        pose = world.poses()[1]
        heights = shapes.box(0.2).vertices @ pose[2, :3] + pose[2, 3]
        assert heights.min() > -0.01
        assert heights.max() < 1.004


@pytest.mark.parametrize("size", thinned([(0.4, 0.06, 0.06), (0.2, 0.2, 0.2), (0.3, 0.3, 0.02)], by=3))
def test_what_turns_by_radians_in_a_step_does_not_sink_into_a_plane(size):
    """Other corners come down than those that are low when a step begins."""
    mesh = shapes.box(size)
    for seed in range(4):
        rng, world = np.random.default_rng(seed), World(step=1 / 60, settings=AWAKE)
        world.add_plane(restitution=0.5)
        pose = tumble.translation(0, 0, rng.uniform(0.4, 2.0)) @ tumble.rotation(rng.standard_normal(3), 3.0)
        velocity = *rng.uniform(-5, 5, 2), -rng.uniform(5, 60)
        world.add_body(mesh, pose, velocity=velocity, spin=rng.uniform(-250, 250, 3), friction=0.3, restitution=0.5)
        start = last = world.energy()
        for _ in range(30):
            world.step()
            pose = world.poses()[0]
            assert (mesh.vertices @ pose[2, :3] + pose[2, 3]).min() > -1e-3
            assert world.energy() <= last + world.lift + ROUNDING * start
            last = world.energy()


def test_bodies_that_joints_connect_stop_together():
    world = World(gravity=(0, 0, 0), step=1 / 60, settings=AWAKE)
    world.add_body(shapes.box((0.001, 3.0, 3.0)), static=True)
    for k in range(3):
        pose = tumble.translation(-1.3 - 0.32 * k, 0.01 * k, 0)
        world.add_body(shapes.box((0.3, 0.06, 0.06)), pose, velocity=(100, 0, 0))
        if k:
            world.add_joint(Ball(k + 1, k, (-1.3 - 0.32 * (k - 0.5), 0.01 * (k - 0.5), 0)))
    start = world.energy()
    for _ in range(15):
        world.step()
        assert world.energy() < 0.1 * start  # and between impacts it swings: they turn by 0.3 in a substep
        assert world.positions()[1:, 0].max() < 0.0
        assert world.joint_errors().max() < 1e-6


def test_a_pendulum_does_not_swing_through_a_sheet():
    world = World(step=1 / 60, settings=AWAKE)
    corners = np.array([(0, -1, -1.5), (0, 1, -1.5), (0, 1, 2.5), (0, -1, 2.5)], float)
    world.add_body(tumble.Mesh(corners, np.array([(0, 1, 2), (0, 2, 3)])), static=True)
    world.add_body(shapes.box((0.04, 0.04, 1.0)), tumble.translation(-0.3, 0, 0.4), velocity=(0, 0, 0))
    world.add_joint(Hinge(1, None, (-0.3, 0, 0.9), (0, 1, 0)))
    world.set_velocity(1, (-40, 0, 0), (0, 80, 0))
    for _ in range(30):
        world.step()
        assert world.poses()[1, 0, 3] < 0.0
        pose = world.poses()[1]
        assert (shapes.box((0.04, 0.04, 1.0)).vertices @ pose[0, :3] + pose[0, 3]).max() < 0.004


@pytest.mark.parametrize("restitution", [0.3, 0.8])
def test_bounces_have_the_height_of_the_last_times_e_squared(restitution):
    """A small ball on a thin plate, fast for its size; the default world has planes with the same bound."""
    world = World(settings=Settings(continuous=True, bounce_speed=0.02, slop=1e-5))
    world.add_body(shapes.box((1.0, 1.0, 0.001)), tumble.translation(0, 0, -0.0005), static=True)
    ball = shapes.icosphere(2, 0.01)
    world.add_body(ball, tumble.translation(0.013, 0.007, 1.01), restitution=restitution, friction=0.0)
    tops, before, impacts = [], 0.0, 0
    for _ in range(90):
        world.step()
        impacts += world.counts.get("impacts", 0)
        rise = world.velocities()[1, 2]
        if before > 0 >= rise:
            tops.append(world.positions()[1, 2] - 0.01 + rise**2 / (2 * 9.81))
        before = rise
    assert impacts > 0
    assert tops[0] == pytest.approx(restitution**2, rel=1e-3)


def test_single_bodies_can_be_continuous():
    for thrown, wall in ((True, False), (False, True), (False, False)):
        world = World(gravity=(0, 0, 0), step=1 / 60)
        world.add_body(shapes.box((0.001, 3.0, 3.0)), static=True, continuous=wall)
        world.add_body(shapes.box(0.2), tumble.translation(-2.5, 0, 0), velocity=(100, 0, 0), continuous=thrown)
        world.step(6)
        assert (world.positions()[1, 0] < 0.0) == (thrown or wall)


def test_what_is_neither_true_nor_false_is_refused():
    with pytest.raises(OptionError, match="continuous must be True or False, not 1"):
        Settings(continuous=1)
    with pytest.raises(InputError, match="continuous must be True or False"):
        World().add_body(shapes.box(), continuous="yes")
