"""The run as a list of things to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from tumble.bench.binary_stack.falling import simulate
from tumble.bench.binary_stack.memory import memory_of
from tumble.bench.binary_stack.obb_race import race_obb
from tumble.bench.binary_stack.racing import compare_moment, race_moment
from tumble.bench.binary_stack.records import Findings, Moment
from tumble.bench.binary_stack.scope import Scope
from tumble.bench.tasks import Say, Task
from tumble.device import devices
from tumble.mesh import Mesh, shapes
from tumble.report import count
from tumble.scenario.objects import SHAPES, Duo, in_unit_cube, shape_duo

NO_DEVICE = (
    "No OpenCL device was measured, as there is none. `pip install tumble[gpu]` brings PyOpenCL and, on Linux, PoCL, "
    "which runs the kernels on the CPU."
)


@dataclass(frozen=True)
class Run:
    """Everything that a task needs to know."""

    scope: Scope
    mesh: Mesh | None
    """the body that was read; None for the animal made by code"""
    what: str
    """the body in words"""
    findings: Findings = field(default_factory=Findings)

    @property
    def body(self) -> Mesh:
        """What falls, as it is before the scene scales and turns it."""
        return shapes.blob(faces=self.scope.animal or 5_800) if self.mesh is None else self.mesh


def agenda(run: Run) -> list[Task]:
    """All tasks of a run; moments are raced as soon as the simulation has recorded them."""
    scope, findings = run.scope, run.findings
    findings.devices += devices()
    if not findings.devices:
        findings.notes.append(NO_DEVICE)
    recorded = range(0, scope.steps + 1, scope.every)
    tasks = [Task(f"Memory: {tree.name}", partial(_memory, run, tree)) for tree in _trees(run)]
    tasks.append(Task("Simulation", partial(_simulate, run)))
    tasks += [Task(f"Table 1: step {step}", partial(_race, run, step)) for step in recorded]
    tasks += [Task(f"Traversals: step {step}", partial(_compare, run, step)) for step in scope.compared]
    tasks += [Task(f"Coal's OBB tree: {name}", partial(_race_obb, run, name)) for name in (*scope.obb_shapes, run.what)]
    return tasks


class _TreeKind(NamedTuple):
    """A tree to take the memory of."""

    name: str
    faces: int
    """of a knot; 0: the body that falls"""
    children: int = 2
    split: str = "median"


def _trees(run: Run) -> Iterator[_TreeKind]:
    for faces in run.scope.memory_sizes:
        yield _TreeKind(f"knot {count(faces)}", faces)
    for children in run.scope.memory_children:
        yield _TreeKind(run.what, 0, children)
    yield _TreeKind(f"{run.what}, by surface", 0, split="sah")


def _memory(run: Run, tree: _TreeKind, say: Say) -> None:
    mesh = SHAPES["knot"](tree.faces) if tree.faces else run.body
    run.findings.memory.append(memory_of(tree.name, mesh, tree.children, tree.split))


def _simulate(run: Run, say: Say) -> None:
    run.findings.simulation = simulate(run.body, run.what, run.mesh is not None, run.scope, say)


def _moment(run: Run, step: int) -> tuple[Mesh, Moment]:
    simulation = run.findings.simulation
    assert simulation is not None
    return simulation.body, next(moment for moment in simulation.moments if moment.step == step)


def _race(run: Run, step: int, say: Say) -> None:
    race_moment(*_moment(run, step), run.findings.devices, run.scope.effort, run.findings)


def _compare(run: Run, step: int, say: Say) -> None:
    compare_moment(*_moment(run, step), run.scope.compared_effort, run.findings)


def _race_obb(run: Run, name: str, say: Say) -> None:
    scope = run.scope
    body = in_unit_cube(run.body)
    duo = shape_duo(name, scope.obb_faces) if name in scope.obb_shapes else Duo(name, "body", body, body)
    try:
        for distance in scope.obb_distances:
            say(f"Coal's OBB tree: {duo.name} at {distance:g}")
            run.findings.obb += race_obb(duo, distance, scope)
    except ImportError as error:
        note = f'Coal did not compete: {error}. Install it with `pip install "tumble[bench]"`.'
        if note not in run.findings.notes:
            run.findings.notes.append(note)
