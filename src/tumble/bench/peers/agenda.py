"""The run as a list of things to do, in an order that prepares every object once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tumble.bench.peers import building, crowd, memory, pair_queries, start
from tumble.bench.peers.batch import batches
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.records import Findings
from tumble.bench.peers.scope import Scope
from tumble.bench.tasks import Say, Task
from tumble.scenario.objects import SHAPES, Duo, RealPair, real_duo, shape_duo

# Asked at this distance when one is enough: some poses touch and some do not.
TYPICAL_DISTANCE = 0.8
SWEEP_OF = "knot"
ABOUT_PAIRS = {"first-hit", "all-pairs", "far-apart", "aligned", "python-threads"}
# Aligned objects touch in so many triangles that larger ones would take all the time.
ALIGNED_FACES = 12_000


@dataclass(frozen=True)
class Run:
    """Everything that a task needs to know."""

    scope: Scope
    # Tumble first, then those that are installed.
    peers: Sequence[Peer]
    queries: Sequence[str]
    threads: int
    findings: Findings = field(default_factory=Findings)

    @property
    def pair_peers(self) -> list[Peer]:
        """Those that answer questions about two objects."""
        return [peer for peer in self.peers if peer.name != "trimesh"]


def agenda(run: Run, data: Path | None) -> list[Task]:
    """All tasks of a run."""
    tasks: list[Task] = []
    scope, wants = run.scope, set(run.queries)
    if wants & ABOUT_PAIRS:
        for faces in scope.sizes:
            tasks += [Task(f"{kind} {faces}", partial(_shape, run, kind, faces)) for kind in SHAPES]
        if data is not None:
            tasks += [Task(pair.name, partial(_real, run, pair, data)) for pair in scope.real]
    if "sweep" in wants:
        tasks.append(Task("time over distance", partial(_sweep, run)))
    if "batch" in wants:
        tasks += [
            Task(f"{scope.batch_poses} poses: {kind}", partial(_batch, run, kind, n)) for kind, n in scope.batch_of
        ]
    if "build" in wants:
        for faces in scope.build_sizes:
            tasks += [Task(f"build {kind} {faces}", partial(_build, run, kind, faces)) for kind in SHAPES]
    if "scene" in wants:
        label = f"scene of {scope.bodies} bodies"
        tasks += [Task(label, partial(_crowd, run, spacing)) for spacing in scope.spacings]
    if "memory" in wants:
        tasks.append(Task("bytes a triangle", lambda say: memory.memory(run.peers, scope.memory_faces, run.findings)))
    if "start" in wants:
        tasks.append(Task("cold and warm start", lambda say: start.start(run.peers, run.findings)))
    return tasks


def _shape(run: Run, kind: str, faces: int, say: Say) -> None:
    _tumble(run, shape_duo(kind, faces), say)


def _real(run: Run, pair: RealPair, data: Path, say: Say) -> None:
    duo = real_duo(pair, data)
    if isinstance(duo, str):
        run.findings.notes.append(duo)
    else:
        _tumble(run, duo, say)


def _tumble(run: Run, duo: Duo, say: Say) -> None:
    """One pair of objects through all distances and all questions about pairs."""
    say(f"{duo.name}: build")
    entrants = Entrants(duo, run.pair_peers)
    steps, effort, findings = run.scope.steps_for(duo.faces), run.scope.pair_effort, run.findings
    if "far-apart" in run.queries:
        say(f"{duo.name}: far apart")
        pair_queries.far_apart(entrants, steps, effort, findings)
    if "aligned" in run.queries and duo.faces <= ALIGNED_FACES:
        say(f"{duo.name}: aligned")
        pair_queries.aligned(entrants, effort, findings)
    if "python-threads" in run.queries and run.threads > 1:
        say(f"{duo.name}: threads")
        pair_queries.on_threads(entrants, TYPICAL_DISTANCE, run.threads, effort, findings)
    for distance in run.scope.distances_for(duo.faces):
        say(f"{duo.name} at {distance:g}")
        if "first-hit" in run.queries:
            pair_queries.first_hit(entrants, distance, steps, effort, findings)
        if "all-pairs" in run.queries:
            pair_queries.all_pairs(entrants, distance, steps, effort, findings)


def _sweep(run: Run, say: Say) -> None:
    """Time over distance for one object, as the paper plots it; no part of the means."""
    duo = shape_duo(SWEEP_OF, run.scope.sweep_faces)
    entrants, steps = Entrants(duo, run.pair_peers), run.scope.steps_for(duo.faces)
    for distance in run.scope.sweep:
        say(f"{duo.name} at {distance:g}")
        pair_queries.first_hit(entrants, distance, steps, run.scope.pair_effort, run.findings, "sweep-first-hit")
        pair_queries.all_pairs(entrants, distance, steps, run.scope.pair_effort, run.findings, "sweep-all-pairs")


def _batch(run: Run, kind: str, faces: int, say: Say) -> None:
    judged = [peer for peer in run.pair_peers if peer.judged]
    entrants = Entrants(shape_duo(kind, faces), judged)
    batches(entrants, run.scope.batch_poses, run.threads, run.scope.long_effort, run.findings)


def _build(run: Run, kind: str, faces: int, say: Say) -> None:
    building.build(shape_duo(kind, faces), run.peers, run.scope.pair_effort, run.findings)


def _crowd(run: Run, spacing: float, say: Say) -> None:
    crowd.crowd(run.peers, run.scope.bodies, spacing, run.threads, run.scope.long_effort, run.findings)
