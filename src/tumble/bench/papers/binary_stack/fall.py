"""The simulation of Section 5, run once: every step under the clock, now and then the poses written down."""

from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import Study
from tumble.dynamics import World
from tumble.dynamics.contacts import WORLD
from tumble.dynamics.hull import hull_vertices
from tumble.mesh import Mesh, shapes, translation
from tumble.scenario.worlds import build
from tumble.scene import Scene

# The study, and its contestant: everything about the steps is a series of this one.
FALL, SIMULATOR = "fall", "simulator"
# The phases of a step that find what touches, and the one that finds contact points.
COLLISION, CONTACT = ("broad phase", "narrow phase"), "contacts"
MADE = "energy made beyond the lift"


@dataclass(frozen=True, eq=False)
class Moment:
    """Where the bodies were before a step, and the pairs of them that this step looked at."""

    step: int
    poses: NDArray[np.float64]
    pairs: NDArray[np.int64]


@dataclass
class Recording:
    """What later tasks need of the simulation: the body, scaled and turned as it falls, and the recorded moments."""

    body: Mesh | None = None
    moments: dict[int, Moment] = field(default_factory=dict)


class Fall(NamedTuple):
    """How much to simulate: bodies, the last step, every how many a moment is recorded, most steps until all rest."""

    bodies: int
    steps: int
    every: int
    patience: int


def simulate(mesh: Mesh, what: str, real: bool, fall: Fall, study: Study, say: Say) -> Recording:
    """Let the bodies fall: steps 0 to the last, as the paper counts, then on until all rest.

    A moment is written down before its step: its poses are those that the step looks at.
    """
    _compile()
    world = build("cows", mesh=mesh, count=fall.bodies)
    body = world.roster.entries[0].mesh
    corners = body.vertices[hull_vertices(body)]
    start = world.snapshot()
    world.step()  # trees and hulls are made at the first
    world.restore(start)
    top, start_energy = float(_heights(world, corners).max()), world.energy()
    recording, recorder = Recording(body), _Recorder(world)
    for number in range(fall.steps + 1):
        say(f"simulation: step {number} of {fall.steps}", 0.5 * number / fall.steps)
        if number % fall.every == 0:
            recording.moments[number] = recorder.moment(number)
        energy, began = world.energy(), perf_counter()
        world.step()
        _add_step(study, what, number, perf_counter() - began, energy, world, corners)
    facts = {"real": real, "triangles": len(body), "bodies": len(world.roster), "steps": fall.steps + 1}
    study.add_values(what, "", facts)
    study.add(what, "", "length", float((corners.max(axis=0) - corners.min(axis=0)).max()), "m")
    study.add(what, "", "slop", world.settings.slop, "m")
    study.add(what, "", "time step", world.time_step, "s")
    study.add(what, "", "free fall", sqrt(2 * 9.81 * max(top, 0.0)), "m/s")
    study.add(what, "", "start energy", start_energy, "J")
    _settle(world, fall.patience, say)
    rest = {"steps until rest": world.steps, "asleep": int((~world.moving).sum())}
    study.add_values(what, "", {**rest, "lowest at rest": _lowest(world, corners), "fastest at rest": _fastest(world)})
    study.add(what, "", "deepest at rest", deepest(world), "m")
    return recording


def _add_step(
    study: Study, what: str, step: int, seconds: float, energy: float, world: World, corners: NDArray[np.float64]
) -> None:
    """Write one step: its time and its phases', its counts, and where and how fast the bodies are afterwards.

    What the step made of the energy before it is written as such: the table keeps nine figures of a number, so the
    difference of two energies from the table is off by 10⁻⁸ of them.
    """
    values = [("step", seconds, "s"), *((name, value, "s") for name, value in world.timings.items())]
    values += [(name, value, "") for name, value in world.counts.items()]
    values += [("lowest", _lowest(world, corners), "m"), ("fastest", _fastest(world), "m/s")]
    after = world.energy()
    values += [("deepest", deepest(world), "m"), ("lift", world.lift, "J"), ("energy", after, "J")]
    values += [(MADE, after - energy - world.lift, "J")]
    for quantity, value, unit in values:
        study.add(what, SIMULATOR, quantity, value, unit, step)


def _compile() -> None:
    """Let two boxes touch each other and a plane: afterwards all kernels are there."""
    world, box = World(), shapes.box()
    world.add_plane()
    world.add_body(box, translation(0.0, 0.0, 0.499))
    world.add_body(box, translation(0.2, 0.2, 1.498))
    world.step(2)


class _Recorder:
    """Writes down moments of a world: poses, and the pairs of bodies that its next step looks at."""

    def __init__(self, world: World) -> None:
        self.world, self.scene = world, Scene()
        self.names = [str(number) for number in range(len(world.roster))]
        for name, entry in zip(self.names, world.roster.entries, strict=True):
            self.scene.add(name, entry.mesh, entry.pose)

    def moment(self, step: int) -> Moment:
        poses, moving = self.world.poses_ahead(), self.world.moving
        self.scene.move_many(self.names, poses)
        pairs = np.array([(int(a), int(b)) for a, b in self.scene.candidates()], np.int64).reshape(-1, 2)
        # sleepers do not look at each other
        return Moment(step, poses, pairs[moving[pairs].any(axis=1)])


def _heights(world: World, corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The height of every corner of every body above the plane z = 0."""
    poses = world.poses()
    return poses[:, 2, :3] @ corners.T + poses[:, 2, 3:]


def _lowest(world: World, corners: NDArray[np.float64]) -> float:
    return float(_heights(world, corners).min())


def deepest(world: World) -> float:
    """How deep bodies are in each other at most, by the contacts of the last step; planes are `_lowest`'s."""
    contacts = world.contacts
    return float(contacts.depths[contacts.body_b != WORLD].max(initial=0.0))


def _fastest(world: World) -> float:
    return float(np.linalg.norm(world.velocities(), axis=1).max())


def _settle(world: World, patience: int, say: Say) -> None:
    last = world.steps + patience
    while world.steps < last and world.moving.any():
        if world.steps % 10 == 0:
            done = 1 - 0.5 * (last - world.steps) / patience
            say(f"simulation: until all rest, step {world.steps}, {int(world.moving.sum())} awake", done)
        world.step()
