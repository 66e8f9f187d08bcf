"""Scenes do what their names say: a stack stands, dominoes fall in order, gears mesh, knots stay in the bowl."""

import numpy as np
import pytest

import worlds
from tumble import shapes
from tumble.errors import MeshError, OptionError
from tumble.scenario.worlds import WORLDS, bowl, build, gears


def check_stack(count, steps):
    world = build("stack", count=count)
    start = world.positions()
    world.step(steps)
    moved = world.positions() - start
    assert np.abs(moved[:, :2]).max() < 0.04
    falls = moved[:, 2] + 0.08 * np.arange(1, count + 1)  # the air under each box is gone, and no more
    assert np.abs(falls).max() < 0.05
    assert (world.poses()[:, 2, 2] > 0.999).all()
    return world


def test_a_stack_settles_and_stands():
    check_stack(4, 100)


@pytest.mark.slow
def test_the_whole_stack_stands_to_the_end():
    assert check_stack(10, 1000).asleep.all()


def times_of_fall(world, steps):
    """Step and return when each body has leant over by 45°; never is inf."""
    fell = np.full(len(world.names), np.inf)
    for step in range(steps):
        world.step()
        fell[(world.poses()[:, 2, 2] < np.sqrt(0.5)) & np.isinf(fell)] = step
    return fell


@pytest.mark.parametrize(("count", "steps"), [(4, 200), pytest.param(None, 1200, marks=pytest.mark.slow)])
def test_dominoes_fall_one_after_the_other(count, steps):
    world = build("dominoes", count=count)
    fell = times_of_fall(world, steps)
    assert np.isfinite(fell).all()
    assert (np.diff(fell) > 0).all()


def test_dominoes_wait_until_they_are_hit():
    world = build("dominoes", count=3)
    world.set_velocity(0, velocity=(0, 0, 0), spin=(0, 0, 0))
    assert np.isinf(times_of_fall(world, 80)).all()


@pytest.mark.parametrize(("count", "steps"), [(2, 80), pytest.param(5, 2000, marks=pytest.mark.slow)])
def test_gears_turn_against_each_other_by_the_ratio_of_their_teeth(count, steps):
    world = build("gears", count=count)
    world.step(100)  # the first one has caught the others
    angles = np.zeros(count)
    for _ in range(steps):
        world.step()
        angles += world.spins()[:, 1]
    teeth = np.array(gears.TEETH[:count])
    np.testing.assert_allclose(angles / angles[0], (-1.0) ** np.arange(count) * teeth[0] / teeth, rtol=0.02)
    assert world.spins()[0, 1] == pytest.approx(-gears.SPIN, rel=0.05)
    assert world.contacts.depths.max(initial=0.0) < 0.01


def test_gears_start_with_teeth_in_gaps():
    world = build("gears", count=5)
    world.set_velocity(0, spin=(0, 0, 0))  # contacts are looked for where bodies are on their way to
    world.step()
    assert world.counts["broad pairs"] >= 4
    assert world.counts["touching pairs"] == 0


@pytest.mark.parametrize("count", [2, *(pytest.param(count, marks=pytest.mark.slow) for count in (1, 3, 4, 5, 6))])
def test_knots_come_to_rest_in_the_bowl(count):
    """All inside: nothing of a knot is in or below the wall, nor beyond the rim."""
    steps, world = 1500, build("bowl", count=count)
    for _ in range(steps // 10):
        world.step(10)
        if world.asleep[1:].all():
            break
    assert world.asleep[1:].all()
    for entry, pose in zip(world.roster.entries[1:], world.poses()[1:], strict=True):
        from_centre = entry.mesh.vertices @ pose[:3, :3].T + pose[:3, 3] - (0.0, 0.0, bowl.RADIUS)
        below_the_rim = from_centre[from_centre[:, 2] < 0]
        assert len(below_the_rim) > 0
        assert np.linalg.norm(below_the_rim, axis=1).max() < bowl.RADIUS - bowl.WALL / 2
        assert np.hypot(from_centre[:, 0], from_centre[:, 1]).max() < bowl.RADIUS
    assert not worlds.deeper_than(world, 0.005)


def test_any_closed_mesh_falls_into_the_bowl():
    world = build("bowl", mesh=shapes.box((10, 20, 30)), count=2)
    mesh = world.roster.entries[1].mesh
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), bowl.SIZE * np.array([1, 2, 3]) / 3)
    assert world.roster.entries[2].mesh is mesh


@pytest.mark.parametrize(
    ("name", "count", "steps"), [("stack", 3, 25), ("dominoes", 4, 25), ("gears", 2, 12), ("linkage", 1, 12)]
)
def test_threads_make_no_difference_to_a_scene(name, count, steps):
    states = []
    for threads in (1, 2):
        world = build(name, count=count, threads=threads)
        world.step(steps)
        states.append(world.snapshot())
    assert worlds.same_bits(*states)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stack", "dominoes", "gears", "linkage", "bowl"])
def test_threads_make_no_difference_to_a_whole_scene(name):
    states = []
    for threads in (1, 2, 3):
        world = build(name, threads=threads)
        world.step(300)
        states.append(world.snapshot())
    assert worlds.same_bits(states[0], states[1])
    assert worlds.same_bits(states[0], states[2])


def test_scenes_refuse_what_makes_no_sense():
    for name in ("stack", "dominoes", "gears"):
        with pytest.raises(OptionError, match=r"a mesh cannot be chosen here: .*cows and bowl"):
            build(name, mesh=shapes.box())
    for name in ("dominoes", "gears"):
        with pytest.raises(OptionError, match="count must be a whole number from 2, not 1"):
            build(name, count=1)
    with pytest.raises(MeshError, match="no faces"):
        build("bowl", mesh=(np.empty((0, 3)), np.empty((0, 3), int)))
    with pytest.raises(MeshError, match="open"):
        build("bowl", mesh=shapes.cloth())


def test_every_scene_has_a_name_a_line_and_a_length():
    assert set(WORLDS) >= {"cows", "stack", "dominoes", "gears", "bowl"}
    for name, kind in WORLDS.items():
        assert kind.name == name
        assert "\n" not in kind.summary
        assert kind.steps > 0
