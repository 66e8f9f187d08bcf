"""The run as a list of things to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tumble import chip
from tumble.bench.chip.listing import list_gain
from tumble.bench.chip.records import Findings
from tumble.bench.chip.rotating import chip_tree, long_lists, rotate
from tumble.bench.chip.scope import Scope
from tumble.bench.chip.stand_ins import SELDOM, StandIn, close_distance
from tumble.bench.chip.triangles import triangle_tests
from tumble.bench.peers.objects import RealPair, real_duo
from tumble.bench.peers.tumbling import tumbling_poses
from tumble.bench.tasks import Say, Task
from tumble.chip.sweep import sweep
from tumble.report import count


@dataclass(frozen=True)
class Run:
    """Everything that a task needs to know."""

    scope: Scope
    data: Path | None
    findings: Findings = field(default_factory=Findings)


def agenda(run: Run) -> list[Task]:
    """All tasks of a run, in the order of the page."""
    scope = run.scope
    tasks = [Task(f"Table 1: {one.name}", partial(_rotate, run, one)) for one in scope.stand_ins]
    if run.data is not None:
        tasks += [Task(f"Table 1: {pair.name}", partial(_rotate_real, run, pair)) for pair in scope.real]
    tasks.append(Task("Long lists", partial(_long_lists, run)))
    tasks += [Task(f"Lists: {one.name}", partial(_list, run, one)) for one in scope.stand_ins]
    tasks.append(Task("Triangle tests", partial(_triangles, run)))
    tasks.append(Task("Sweep", partial(_sweep, run)))
    return tasks


def _rotate(run: Run, one: StandIn, say: Say) -> None:
    scope, duo = run.scope, one.duo(run.scope.shrink)
    distance = close_distance(duo, one.touching, scope.steps)
    run.findings.rotations.append(rotate(duo, one.why, distance, scope.steps, scope.samples))


def _rotate_real(run: Run, pair: RealPair, say: Say) -> None:
    duo = real_duo(pair, run.data or Path())
    if isinstance(duo, str):
        run.findings.notes.append(duo)
        return
    distance = close_distance(duo, SELDOM, run.scope.steps)
    run.findings.rotations.append(rotate(duo, "real", distance, run.scope.steps, run.scope.real_samples))


def _long_lists(run: Run, say: Say) -> None:
    run.findings.others += [long_lists(one.duo(run.scope.long_shrink)) for one in run.scope.stand_ins]


def _list(run: Run, one: StandIn, say: Say) -> None:
    scope, duo = run.scope, one.duo(run.scope.list_shrink)
    distance = close_distance(duo, one.touching, scope.list_steps)
    list_gain(duo, distance, scope.list_steps, scope.effort, scope.volumes, run.findings)


def _triangles(run: Run, say: Say) -> None:
    """The object that reaches deep into its copy has the most pairs of triangles."""
    scope, one = run.scope, run.scope.stand_ins[0]
    duo = one.duo(scope.list_shrink)
    distance = close_distance(duo, one.touching, scope.list_steps)
    run.findings.triangle_tests += triangle_tests(duo, distance, scope.triangle_pairs)


def _sweep(run: Run, say: Say) -> None:
    """The dearest pose of a rotation, on every design."""
    scope = run.scope
    one = next(one for one in scope.stand_ins if one.name == scope.sweep_of)
    duo = one.duo(scope.sweep_shrink)
    distance = close_distance(duo, one.touching, scope.steps)
    step = rotate(duo, one.why, distance, scope.steps, 1).samples[0].step
    run.findings.swept = (
        f"{one.name}, {count(duo.faces)} triangles, step {step + 1} of {scope.steps} at a distance of {distance:.2f}"
    )
    run.findings.sweep += sweep(
        duo.a,
        duo.b,
        pose_b=tumbling_poses(distance, scope.steps)[step],
        image=lambda mesh, k: chip.load(chip_tree(mesh, f"kdop{k}"), k=k),
        progress=lambda done, total, label: say(f"Sweep: {label}"),
    )
