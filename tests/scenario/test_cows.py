"""The scene of paper `binary-stack`: animals fall on a plane and come to rest above it."""

import numpy as np
import pytest

from tumble import shapes
from tumble.errors import DeviceError, InputError, MeshError, OptionError
from tumble.scenario.worlds import WORLDS, build

ANIMAL = shapes.blob(faces=2000)


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
    world = build("cows", mesh=ANIMAL, count=8)
    for _ in range(100):
        world.step(10)
        assert np.abs(world.velocities()).max() < 10
        if world.asleep.all():
            break
    assert world.asleep.all()
    assert lowest(world).min() > -0.001
    assert lowest(world).max() < 2.0


def test_threads_and_devices_give_the_same_states():
    pytest.importorskip("pyopencl")
    worlds = []
    for options in ({"threads": 1}, {"threads": 2}, {"device": "opencl"}):
        try:
            worlds.append(build("cows", mesh=ANIMAL, count=8, **options))
        except DeviceError as error:
            pytest.skip(str(error))
    for world in worlds:
        world.step(90)
    assert worlds[0].counts["touching pairs"] > 0
    for other in worlds[1:]:
        np.testing.assert_array_equal(worlds[0].poses(), other.poses())
        np.testing.assert_array_equal(worlds[0].velocities(), other.velocities())


@pytest.mark.slow
def test_512_animals_come_to_rest_above_the_floor():
    world = build("cows")
    for _ in range(300):
        world.step(10)
        assert np.abs(world.velocities()).max() < 20
        assert lowest(world).min() > -0.1
        if world.asleep.all():
            break
    assert world.asleep.all()
    assert lowest(world).min() > -0.005


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
