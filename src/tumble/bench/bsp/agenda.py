"""The run as a list of things to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tumble.bench.bsp.broad_phases import Ipc, race_elements, race_faces
from tumble.bench.bsp.embree import Embree
from tumble.bench.bsp.records import Findings
from tumble.bench.bsp.scenes import Scene
from tumble.bench.bsp.scope import Scope
from tumble.bench.bsp.sheet import follow_sheet
from tumble.bench.bsp.streams import race_streams
from tumble.bench.bsp.sweeps import sweep
from tumble.bench.bsp.table import count_load, race_queries
from tumble.bench.bsp.trees import race_trees
from tumble.bench.tasks import Say, Task
from tumble.device import devices

NO_DEVICE = (
    "No OpenCL device was measured, as there is none. `pip install tumble[gpu]` brings PyOpenCL and, on Linux, PoCL, "
    "which runs the kernels on the CPU."
)


@dataclass(frozen=True)
class Run:
    """Everything that a task needs to know."""

    scope: Scope
    scenes: Sequence[Scene]
    embree: str | Path | None = None
    findings: Findings = field(default_factory=Findings)


def agenda(run: Run) -> list[Task]:
    """All tasks of a run, in the order of the page."""
    scope, findings, all_scenes = run.scope, run.findings, run.scenes
    findings.devices += devices()
    if not findings.devices:
        findings.notes.append(NO_DEVICE)
    ipc, embree = _ipc(findings), _embree(run.embree, findings)
    tasks = [Task(f"Leaf pairs: {one.name}", partial(_load, run, one)) for one in all_scenes]
    tasks += [Task(f"Table 1: {one.name}", partial(_query, run, one)) for one in all_scenes]
    tasks += [Task(f"Figure 7: {one.name}", partial(_streams, run, one)) for one in all_scenes]
    tasks += [
        Task(f"Figure {figure}: {one.name}", partial(_sweep, run, one, figure))
        for figure in (8, 9)
        for one in all_scenes
    ]
    tasks += [Task(f"Broad phases: {one.name}", partial(_faces, run, one, ipc, embree)) for one in all_scenes]
    if ipc is not None:
        tasks += [Task(f"Contact candidates: {one.name}", partial(_elements, run, one, ipc)) for one in all_scenes]
    tasks += [Task(f"Trees: {one.name}", partial(_trees, run, one)) for one in all_scenes]
    tasks.append(Task("Sheet", lambda say: follow_sheet(scope.sheet_cells, scope.sheet_every, findings, say)))
    return tasks


def _load(run: Run, scene: Scene, say: Say) -> None:
    count_load(scene, run.findings)


def _query(run: Run, scene: Scene, say: Say) -> None:
    race_queries(scene, run.scope.effort, run.findings)


def _streams(run: Run, scene: Scene, say: Say) -> None:
    race_streams(scene, run.scope.streams_effort, run.findings)


def _sweep(run: Run, scene: Scene, figure: int, say: Say) -> None:
    sweep(scene, figure, run.scope, run.findings, say)


def _faces(run: Run, scene: Scene, ipc: Ipc | None, embree: Embree | None, say: Say) -> None:
    race_faces(scene, ipc, embree, run.scope.effort, run.findings)


def _elements(run: Run, scene: Scene, ipc: Ipc, say: Say) -> None:
    race_elements(scene, ipc, run.scope.effort, run.findings)


def _trees(run: Run, scene: Scene, say: Say) -> None:
    race_trees(scene, run.scope.effort, run.findings)


def _ipc(findings: Findings) -> Ipc | None:
    try:
        found = Ipc()
    except ImportError as error:
        findings.notes.append(f'IPC Toolkit did not compete: {error}. Install it with `pip install "tumble[bench]"`.')
        findings.versions["ipctk"] = "not installed"
        return None
    try:
        findings.versions["ipctk"] = version("ipctk")
    except PackageNotFoundError:
        findings.versions["ipctk"] = "unknown"
    return found


def _embree(library: str | Path | None, findings: Findings) -> Embree | None:
    try:
        found = Embree(library)
    except ImportError as error:
        findings.notes.append(f"Embree did not compete: {error}.")
        findings.versions["embree"] = "not installed"
        return None
    findings.versions["embree"] = found.version
    return found
