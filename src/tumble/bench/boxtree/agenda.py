"""The run as a list of things to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tumble.bench.boxtree import contestants
from tumble.bench.boxtree.building import build
from tumble.bench.boxtree.contestants import Contestant
from tumble.bench.boxtree.emptiness import emptiness
from tumble.bench.boxtree.node_costs import node_costs
from tumble.bench.boxtree.racing import Stable, race_at
from tumble.bench.boxtree.records import AHEAD, TESTS, TREES, Findings
from tumble.bench.boxtree.scope import Scope
from tumble.bench.boxtree.turning import turn
from tumble.bench.tasks import Say, Task
from tumble.scenario.objects import Duo, RealPair, real_duo, shape_duo

# Objects of Table 1 and of the races about work done ahead.
TYPICAL = "knot"


@dataclass(frozen=True)
class Run:
    """Everything that a task needs to know."""

    scope: Scope
    data: Path | None
    findings: Findings = field(default_factory=Findings)


def agenda(run: Run) -> list[Task]:
    """All tasks of a run, in the order of the page."""
    scope, findings = run.scope, run.findings
    real = scope.real if run.data is not None else ()
    tests = contestants.overlap_tests()
    trees, missing = contestants.trees()
    pairs, unmeasured = contestants.ahead_elsewhere()
    findings.notes += [*missing, *unmeasured]
    tasks = [Task("Table 1", lambda say: findings.nodes.extend(node_costs(shape_duo(TYPICAL, scope.node_faces).a)))]
    tasks += [Task(f"Figure 1: {kind}", partial(_empty_shape, run, kind)) for kind in scope.kinds]
    tasks += [Task(f"Figure 1: {pair.name}", partial(_empty_real, run, pair)) for pair in real]
    sizes = [(kind, faces) for faces in scope.build_sizes for kind in scope.kinds]
    if scope.large not in sizes:
        sizes.append(scope.large)
    tasks += [Task(f"Figure 6: {kind} {faces}", partial(_build, run, kind, faces)) for kind, faces in sizes]
    tasks += [Task(f"Figure 8: {kind}", partial(_turn, run, kind)) for kind in scope.kinds]
    tasks += [
        Task(f"Figure 9: {kind} {faces}", partial(_race_shape, run, TESTS, tests, kind, faces))
        for faces in scope.test_sizes
        for kind in scope.test_kinds
    ]
    tasks += [
        Task(f"Figure 10: {kind} {faces}", partial(_race_shape, run, TREES, trees, kind, faces))
        for faces in scope.tree_sizes
        for kind in scope.kinds
    ]
    tasks += [Task(f"Figure 10: {pair.name}", partial(_race_real, run, trees, pair)) for pair in real]
    both = [one for pair in pairs for one in pair]
    if both:
        tasks += [
            Task(f"Work ahead: {kind}", partial(_race_shape, run, AHEAD, both, kind, scope.turn_faces))
            for kind in scope.kinds
        ]
    return tasks


def _empty_shape(run: Run, kind: str, say: Say) -> None:
    run.findings.emptiness.append(emptiness(kind, shape_duo(kind, run.scope.node_faces).a))


def _empty_real(run: Run, pair: RealPair, say: Say) -> None:
    duo = _read(run, pair)
    if duo is not None:
        run.findings.emptiness.append(emptiness(pair.name, duo.a))


def _build(run: Run, kind: str, faces: int, say: Say) -> None:
    run.findings.built.append(build(shape_duo(kind, faces), faces, run.scope.build_effort))


def _turn(run: Run, kind: str, say: Say) -> None:
    duo = shape_duo(kind, run.scope.turn_faces)
    for distance in run.scope.turn_distances:
        say(f"Figure 8: {duo.name} at {distance:g}")
        run.findings.turns += [turn(duo, distance, run.scope.turn_steps, first) for first in (False, True)]


def _race_shape(run: Run, query: str, field: Sequence[Contestant], kind: str, faces: int, say: Say) -> None:
    _race(run, query, field, shape_duo(kind, faces), faces, say)


def _race_real(run: Run, field: Sequence[Contestant], pair: RealPair, say: Say) -> None:
    duo = _read(run, pair)
    if duo is not None:
        _race(run, TREES, field, duo, duo.faces, say)


def _race(run: Run, query: str, field: Sequence[Contestant], duo: Duo, size: int, say: Say) -> None:
    say(f"{duo.name}: build")
    stable, steps = Stable(duo, size, field), run.scope.steps_for(duo.faces)
    if query == TREES:
        run.findings.tree_bytes.append(stable.node_bytes())
    for distance in run.scope.distances:
        say(f"{duo.name} at {distance:g}")
        race_at(query, stable, distance, steps, run.scope.effort, run.findings)


def _read(run: Run, pair: RealPair) -> Duo | None:
    """A pair of real meshes, or None with a note that says why."""
    duo = real_duo(pair, run.data or Path())
    if not isinstance(duo, str):
        return duo
    if duo not in run.findings.notes:
        run.findings.notes.append(duo)
    return None
