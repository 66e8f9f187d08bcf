"""`World(device=…)` beside the CPU: a small heap of the falling bodies, stepped from the same states in turn.

A state is written down before a step. Every world goes back to it and makes that step, round after round, so all do the
same work; the states after it must be the same, bit for bit. The paper's CPU has one core, and so has the host here.

Section 6 asks for contact points on the GPU: the device makes them from pairs of triangles that stay there, or the host
makes them from pairs that were copied back. Both then form manifolds on the host.
"""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.binary_stack.published import at_step
from tumble.device import Device
from tumble.dynamics import World
from tumble.dynamics.contacts import Contacts
from tumble.dynamics.state import State
from tumble.dynamics.step import mesh_contacts
from tumble.mesh import Mesh
from tumble.scenario.worlds import build

STEPPING, CONTACTS = "stepping", "contact points"
ONE_CORE, ALL_CORES = "CPU, one core", "CPU, all cores"
STEP = "step"
THERE, HERE = "made there", "made on the host"


class Heap(NamedTuple):
    """How many bodies, before which steps their states are written down, and how long each is raced."""

    bodies: int
    steps: tuple[int, ...]
    effort: Effort


def points(device: str, where: str) -> str:
    """How contact points of pairs that a device found are called in the study."""
    return f"{device}, points {where}"


def race_heap(mesh: Mesh, devices: Sequence[Device], heap: Heap, study: Study, contacts: Study, say: Say) -> None:
    """Step the heap on, and race every recorded state."""
    worlds = {ONE_CORE: build("cows", mesh=mesh, count=heap.bodies, threads=1)}
    worlds[ALL_CORES] = build("cows", mesh=mesh, count=heap.bodies)
    for device in devices:
        worlds[device.name] = build("cows", mesh=mesh, count=heap.bodies, threads=1, device=device.name)
    leading = worlds[ALL_CORES]
    for number in range(max(heap.steps) + 1):
        if number in heap.steps:
            say(f"World(device=…): step {number} of {heap.bodies} bodies", number / max(heap.steps))
            state = leading.snapshot()
            _race_state(worlds, state, number, heap, study)
            for device in devices:
                if device.fp64:
                    _race_contacts(worlds[device.name], state, number, heap.effort, contacts)
            leading.restore(state)
        leading.step()


def _race_state(worlds: Mapping[str, World], state: State, number: int, heap: Heap, study: Study) -> None:
    case, after = at_step(number), {}
    for name, world in worlds.items():  # trees, kernels and buffers are made at the first
        _stepped(world, state)
        after[name] = np.concatenate([world.poses().ravel(), world.velocities().ravel(), world.spins().ravel()])
        study.add(case, name, "other states", int(not np.array_equal(after[name], after[ONE_CORE])))
    counts = worlds[ONE_CORE].counts
    study.add_values(case, "", {"step": number, "bodies": heap.bodies, "awake": counts["awake"]})
    study.add_values(case, "", {"touching": counts["touching pairs"], "points": counts["contact points"]})
    seconds = _in_turn(worlds, state, heap.effort)
    gpus = [name for name in worlds if name not in (ONE_CORE, ALL_CORES)]
    pairs = [(base, name) for base in (ONE_CORE, ALL_CORES) for name in gpus]
    for phase, rounds in seconds.items():
        study.add_race(case, rounds, pairs if phase == STEP else (), quantity=phase)


def _stepped(world: World, state: State) -> float:
    """Make the step after a state; return its seconds."""
    world.restore(state)
    began = perf_counter()
    world.step()
    return perf_counter() - began


def _in_turn(worlds: Mapping[str, World], state: State, effort: Effort) -> dict[str, dict[str, list[float]]]:
    """Seconds of the whole step and of its phases, by world and round."""
    a_round = sum(_stepped(world, state) for world in worlds.values())
    rounds = min(effort.most_rounds, max(effort.least_rounds, int(effort.seconds / a_round)))
    seconds: dict[str, dict[str, list[float]]] = {}
    for _ in range(rounds):
        for name, world in worlds.items():
            whole = _stepped(world, state)
            for phase, value in {STEP: whole, **world.timings}.items():
                seconds.setdefault(phase, {}).setdefault(name, []).append(value)
    return seconds


def _race_contacts(world: World, state: State, number: int, effort: Effort, study: Study) -> None:
    """Touching triangles from the device and contacts of them, with points made there or on the host."""
    world.restore(state)
    ahead = world._ahead()
    world._update_scene(ahead)
    scene, given, case = world._scene, world.conditions, at_step(number)

    def there() -> Contacts:
        return mesh_contacts(given, ahead, scene.collisions_and_curves(device=world.device, threads=1))

    def here() -> Contacts:
        return mesh_contacts(given, ahead, scene.collisions(device=world.device, threads=1))

    ways: dict[str, Callable[[], Any]] = {points(world.device, THERE): there, points(world.device, HERE): here}
    made = [way() for way in ways.values()]
    same = all(np.array_equal(one, other) for one, other in zip(*made, strict=True))
    study.add_values(case, "", {"step": number, "points": len(made[0].keys)})
    for name in ways:
        study.add(case, name, "wrong answers", int(not same))
    study.add_race(case, race(ways, effort), [(points(world.device, HERE), points(world.device, THERE))])
