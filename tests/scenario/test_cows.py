"""The scene of paper `binary-stack`: animals fall on a plane and come to rest above it."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tumble
from tumble import shapes
from tumble.dynamics.contacts import WORLD
from tumble.errors import DeviceError, InputError, MeshError, OptionError
from tumble.scenario.worlds import WORLDS, build

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / ".." / "shared" / "meshes"))
COW = MESHES / "cgal-data/Data/data/meshes/cow.off"
ROUNDING = 1e-9  # of the energy at the start
AT_REST = 0.005  # m, how deep two bodies are in each other at most, as in the piles of tests/dynamics


@cache
def animal():
    return shapes.blob(faces=2000)


class Watch:
    """Steps a world; no step makes more energy than its lift, and no two bodies are deeper in each other than allowed.

    Bodies may be found as deep in each other as the highest one falls in a step when it is down.
    """

    def __init__(self, world):
        self.world, self.start, self.last = world, world.energy(), world.energy()
        self.fall = np.sqrt(2 * 9.81 * world.positions()[:, 2].max())
        self.deepest = 0.0

    def step(self, count):
        for _ in range(count):
            self.world.step()
            energy = self.world.energy()
            assert energy <= self.last + self.world.lift + ROUNDING * self.start
            contacts = self.world.contacts
            self.last, self.deepest = energy, contacts.depths[contacts.body_b != WORLD].max(initial=0.0)
            assert self.deepest < self.fall * self.world.time_step
        assert np.abs(self.world.velocities()).max() < 1.25 * self.fall


def lowest(world):
    """Return the height of the lowest corner of each body."""
    meshes = [entry.mesh for entry in world.roster.entries]
    return np.array(
        [(m.vertices @ pose[2, :3]).min() + pose[2, 3] for m, pose in zip(meshes, world.poses(), strict=True)]
    )


@pytest.mark.parametrize(
    "mesh",
    [pytest.param(shapes.box((2, 1, 1.5)), id="boxes"), pytest.param(None, marks=pytest.mark.slow, id="animals")],
)
def test_there_are_512_of_them_apart_and_in_the_air(mesh):
    world = build("cows", mesh=mesh)
    assert len(world.names) == 512
    assert len(np.unique(world.positions().round(9), axis=0)) == 512
    assert lowest(world).min() > 0.4
    world.step()
    assert world.counts["touching pairs"] == 0


def test_any_closed_mesh_serves_whatever_its_units_and_its_upright_axis():
    size = np.array([300.0, 700.0, 500.0])
    world = build("cows", mesh=shapes.box(size), count=2)
    mesh = world.roster.entries[0].mesh
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), np.array([7, 3, 5]) * 2 / 7)
    assert world.bodies.inverse_mass[0] > 0  # inside out it would have been refused


@pytest.mark.parametrize(("count", "levels"), [(1, 1), (8, 2), (9, 1), (27, 3), (28, 2)])
def test_a_cube_is_filled_from_below(count, levels):
    world = build("cows", mesh=shapes.box((2, 1, 1.5)), count=count)
    assert len(np.unique(world.positions()[:, 2].round(9))) == levels


def test_a_heap_comes_to_rest_above_the_floor():
    world = build("cows", mesh=animal(), count=8)
    watch = Watch(world)
    for _ in range(100):
        watch.step(10)
        if world.asleep.all():
            break
    assert world.asleep.all()
    assert lowest(world).min() > -0.001
    assert lowest(world).max() < 2.0
    assert watch.deepest < AT_REST


def test_threads_and_devices_give_the_same_states():
    pytest.importorskip("pyopencl")
    worlds = []
    for options in ({"threads": 1}, {"threads": 2}, {"device": "opencl"}):
        try:
            worlds.append(build("cows", mesh=animal(), count=8, **options))
        except DeviceError as error:
            pytest.skip(str(error))
    for world in worlds:
        world.step(60)
    assert worlds[0].counts["touching pairs"] > 0
    for other in worlds[1:]:
        np.testing.assert_array_equal(worlds[0].poses(), other.poses())
        np.testing.assert_array_equal(worlds[0].velocities(), other.velocities())


@pytest.mark.slow
def test_512_animals_come_to_rest_above_the_floor():
    world = build("cows")
    watch = Watch(world)
    for _ in range(300):
        watch.step(10)
        assert lowest(world).min() > -0.1
        if world.asleep.all():
            break
    assert world.asleep.all()
    assert lowest(world).min() > -0.001
    assert watch.deepest < AT_REST


@pytest.mark.slow
@pytest.mark.skipif(not COW.is_file(), reason=f"{COW} is not there; set TUMBLE_MESHES")
def test_what_looks_deep_ahead_is_not_deep():
    """The deepest contact of the kept run of `tumble bench binary-stack`, in step 86: a leg that swings in."""
    world = build("cows", mesh=tumble.load(COW))
    world.step(85)
    depths = []
    for _ in range(2):
        meshes, poses, contacts = [entry.mesh for entry in world.roster.entries], world.poses(), world.contacts
        deepest = np.where(contacts.body_b == WORLD, 0.0, contacts.depths).argmax()
        depths.append((contacts.body_a[deepest], contacts.body_b[deepest], contacts.depths[deepest], poses))
        world.step()
    a, b, found, after = depths[1]
    assert 0.15 < found < 0.2
    for poses in (depths[0][3], after):
        assert tumble.penetration(meshes[a], meshes[b], poses[a], poses[b]).depth < 0.01


def test_errors_say_what_is_wrong():
    with pytest.raises(InputError, match=f"no scene 'cats'; choose one of: {', '.join(WORLDS)}"):
        build("cats")
    with pytest.raises(OptionError, match="count must be a whole number from 1, not 0"):
        build("cows", count=0)
    with pytest.raises(MeshError, match="no faces"):
        build("cows", mesh=(np.empty((0, 3)), np.empty((0, 3), int)))
    with pytest.raises(MeshError, match="open"):
        build("cows", mesh=shapes.cloth())
    with pytest.raises(DeviceError, match="unknown device 'gpu'"):
        build("cows", device="gpu")
