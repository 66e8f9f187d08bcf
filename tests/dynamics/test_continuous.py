"""Fast bodies and thin walls: with `continuous` nothing passes, whatever the speed, the step, the shape and the spin.

A body is thrown so that, without the option, it is well before the wall after one step and well behind it after the
next: so it passes, and the tests can fail.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tumble
from covering import crossed
from tumble import shapes
from tumble.dynamics import Settings, World
from tumble.dynamics.cores import DEPTH, THINNEST

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[2] / "shared" / "meshes"))
SPEED = 100.0
WIDE = 20.0  # m, of the wall; nothing slides off it
ROUNDING = 1e-9  # of the energy, per step
NEAR = 1e-4  # m, more than how near counts as an impact


def sheet(turned):
    """A square of two triangles in the plane x = 0, which looks towards −x, or away."""
    corners = 0.5 * WIDE * np.array([(0, -1, -1), (0, 1, -1), (0, 1, 1), (0, -1, 1)])
    faces = np.array([(0, 2, 1), (0, 3, 2)])
    return tumble.Mesh(corners, faces[:, ::-1] if turned else faces)


@cache
def body(name):
    if name == "cow":
        files = sorted(MESHES.rglob("*cow*.o[bf]*"))
        if not files:
            pytest.skip("no cow among the real meshes")
        mesh = tumble.load(files[0])
        low, high = mesh.bounds
        return tumble.Mesh((mesh.vertices - (low + high) / 2) * (0.4 / (high - low).max()), mesh.faces)
    made = {
        "ball": lambda: shapes.icosphere(2, 0.1),
        "box": lambda: shapes.box((0.2, 0.15, 0.1)),
        "animal": lambda: tumble.Mesh(0.2 * shapes.blob(faces=2000).vertices, shapes.blob(faces=2000).faces),
        "rod": lambda: shapes.box((0.02, 0.02, 0.6)),
    }
    return made[name]()


WALLS = {
    "1 mm": lambda: shapes.box((0.001, WIDE, WIDE)),
    "0.1 mm": lambda: shapes.box((0.0001, WIDE, WIDE)),
    "sheet": lambda: sheet(False),
    "sheet from behind": lambda: sheet(True),
}
WAYS = {"head-on": (1.0, 0.0, 0.0), "slanting": (0.8, 0.4, 0.45)}
SPINS = {"straight": (0.0, 0.0, 0.0), "spinning": (40.0, -90.0, 150.0)}


def thrown(name, wall, way, spin, step, *, continuous=True, heavy=False, restitution=0.0):
    """A body on its way to a wall, half a step before and half a step behind which it would be."""
    world = World(step=step, settings=Settings(continuous=continuous))
    about = {"mass": 5000.0} if heavy else {"static": True}
    world.add_body(WALLS[wall](), **about, name="wall", restitution=restitution)
    velocity = SPEED * np.array(WAYS[way]) / np.linalg.norm(WAYS[way])
    start = tumble.translation(*(-1.5 * step * velocity)) @ tumble.rotation((1, 2, 3), 0.0 if way == "head-on" else 0.7)
    world.add_body(body(name), start, velocity=velocity, spin=SPINS[spin], mass=2.0, name="body")
    return world


def behind(world):
    """How far the body's centre and its farthest corner are behind the wall, along the wall's own x axis."""
    wall, pose = world.poses()
    corners = world.roster.entries[1].mesh.vertices @ pose[:3, :3].T + pose[:3, 3]
    centre = world.positions()[1]
    return tuple(((np.atleast_2d(each) - wall[:3, 3]) @ wall[:3, 0]).max() for each in (centre, corners))


def check_energy(world, last, start):
    energy = world.energy()
    assert energy <= last + world.lift + ROUNDING * start
    return energy


def deepest(world):
    """How far a corner of the body can be behind a wall that its core does not touch."""
    roster, settings = world.roster, world.settings
    depth = min(DEPTH * settings.slop, THINNEST * roster.sizes.reaches[1])
    return tumble.closest_points(roster.core(1, depth), roster.entries[1].mesh.vertices).distances.max() + NEAR


@crossed(
    1,
    name=["ball", "box", "animal", "rod", pytest.param("cow", marks=pytest.mark.slow)],
    wall=list(WALLS),
    way=list(WAYS),
    spin=list(SPINS),
    step=[1 / 60, 1 / 240],
    heavy=[False, True],
)
def test_a_thin_wall_stops_what_is_thrown_at_it(name, wall, way, spin, step, heavy):
    heavy = heavy and not wall.startswith("sheet")  # what moves must bound a volume
    passing = thrown(name, wall, way, spin, step, continuous=False, heavy=heavy)
    passing.step(3)
    if step == 1 / 60:  # with shorter steps the default stops some of them, too
        assert behind(passing)[0] > 0.1
    world = thrown(name, wall, way, spin, step, heavy=heavy)
    start = last = world.energy()
    impacts, sink = 0, deepest(world)
    assert sink < 0.0062
    for _ in range(round(0.1 / step)):
        world.step()
        impacts += world.counts.get("impacts", 0)
        assert world.counts.get("held bodies", 0) == 0
        last = check_energy(world, last, start)
        centre, farthest = behind(world)
        assert centre < 0.0
        assert farthest < sink
    assert impacts > 0
