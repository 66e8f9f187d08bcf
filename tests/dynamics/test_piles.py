"""Many bodies at once: energy never grows, nothing gets out, nothing explodes."""

import numpy as np
import pytest

import tumble
import worlds
from covering import sized
from tumble import shapes
from tumble.mesh import random_pose

MESHES = (shapes.box(0.4), shapes.icosphere(1, 0.25), shapes.torus(0.25, 0.09, 12, 8), shapes.box((0.2, 0.3, 0.6)))


def pile(count, side=2.0, **material):
    """Bodies of four kinds in a closed cube, in a grid so that they start apart."""
    world = worlds.closed_box(side, **material)
    rng = np.random.default_rng(4)
    for k in range(count):
        place = (np.array([k % 3, k // 3 % 3, k // 9]) - [1, 1, 0]) * 0.65 + [0, 0, 0.35]
        pose = tumble.translation(*place) @ random_pose(rng, 0.0)
        world.add_body(MESHES[k % 4], pose, velocity=rng.uniform(-1, 1, 3), spin=rng.uniform(-3, 3, 3), **material)
    return world


def check_pile(world, steps, side=2.0):
    """Energy may rise within a step by what it takes to lift one body out of the slop, and over all not at all."""
    start = last = world.energy()
    heaviest = world.roster.column("mass").max()
    allowed = heaviest * 9.81 * world.settings.slop
    for _ in range(steps):
        world.step()
        energy = world.energy()
        assert energy <= last + allowed
        assert energy <= start
        last = energy
        assert (np.abs(world.positions() - [0, 0, side / 2]) < side / 2).all()
    return last


@pytest.mark.parametrize("restitution", [pytest.param(0.0, marks=pytest.mark.slow), 0.4])
def test_energy_never_grows_in_a_closed_pile(restitution):
    world = pile(18, restitution=restitution, friction=0.4)
    check_pile(world, 200)


@pytest.mark.slow
@pytest.mark.parametrize("restitution", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("friction", [0.0, 0.3, 1.0])
def test_energy_never_grows_over_many_steps(restitution, friction):
    world = pile(27, restitution=restitution, friction=friction)
    check_pile(world, 800)


@sized(100, 200)
def test_without_gravity_kinetic_energy_never_grows(count):
    world = pile(18, restitution=0.5, friction=0.3)
    world.gravity = np.zeros(3)
    last = world.kinetic_energy()
    for _ in range(count):
        world.step()
        assert world.kinetic_energy() <= last * (1 + 1e-9)
        last = world.kinetic_energy()


@pytest.mark.slow
def test_a_pile_comes_to_rest_above_the_floor():
    world = pile(27, friction=0.5)
    world.step(1000)
    assert np.abs(world.velocities()).max() < 0.05
    for pose, entry in zip(world.poses(), world.roster.entries, strict=True):
        assert (entry.mesh.vertices @ pose[:3, :3].T + pose[:3, 3])[:, 2].min() > -0.002
