"""The simulation of Section 5, run once: every step under the clock, every so often the poses written down."""

from __future__ import annotations

from math import sqrt
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tumble.bench.binary_stack.records import Moment, Rest, Simulation, Step
from tumble.bench.binary_stack.scope import Scope
from tumble.bench.tasks import Say
from tumble.dynamics import World
from tumble.dynamics.hull import hull_vertices
from tumble.dynamics.scenes import build
from tumble.mesh import Mesh, shapes, translation
from tumble.scene import Scene


def simulate(mesh: Mesh, what: str, real: bool, scope: Scope, say: Say) -> Simulation:
    """Let the bodies fall: steps 0 to `scope.steps`, as the paper counts, then on until all rest.

    A moment is written down before its step: its poses are those that the step looks at.
    """
    _compile()
    world = build("cows", mesh=mesh, count=scope.bodies)
    body = world.roster.entries[0].mesh
    corners = body.vertices[hull_vertices(body)]
    start = world.snapshot()
    world.step()  # trees and hulls are made at the first
    world.restore(start)
    top, start_energy = float(_heights(world, corners).max()), world.energy()
    steps, moments, recorder = [], [], _Recorder(world)
    for number in range(scope.steps + 1):
        say(f"simulation: step {number} of {scope.steps}")
        if number % scope.every == 0:
            moments.append(recorder.moment(number))
        began = perf_counter()
        world.step()
        seconds = perf_counter() - began
        facts = _lowest(world, corners), _fastest(world), world.energy()
        steps.append(Step(number, seconds, dict(world.timings), dict(world.counts), *facts))
    rest = _settle(world, corners, scope.patience, say)
    return Simulation(
        what=what,
        real=real,
        body=body,
        triangles=len(body),
        bodies=len(world.roster),
        length=float((corners.max(axis=0) - corners.min(axis=0)).max()),
        slop=world.settings.slop,
        free_fall=sqrt(2 * 9.81 * max(top, 0.0)),
        start_energy=start_energy,
        steps=steps,
        moments=moments,
        rest=rest,
    )


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
        poses, moving = self.world.poses(), self.world.moving
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


def _fastest(world: World) -> float:
    return float(np.linalg.norm(world.velocities(), axis=1).max())


def _settle(world: World, corners: NDArray[np.float64], patience: int, say: Say) -> Rest:
    last = world.steps + patience
    while world.steps < last and world.moving.any():
        if world.steps % 10 == 0:
            say(f"simulation: until all rest, step {world.steps}, {int(world.moving.sum())} awake")
        world.step()
    asleep = int((~world.moving).sum())
    return Rest(world.steps, asleep, _lowest(world, corners), _fastest(world))
