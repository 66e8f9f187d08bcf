"""Broad phases of others on whole scenes, as one mesh: IPC Toolkit's and Embree's, from vertices to candidates.

Who wants triangles that may touch asks for face-face candidates; who simulates contact asks for face-vertex and
edge-edge ones. Both leave out what shares a vertex. IPC Toolkit, and `tumble.candidates` which keeps to its convention,
widen boxes by one float64 step, so that they may list a pair more where boxes nearly touch.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np

import tumble
from tumble.bench.framework.table import TIME, Study, Table
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.bsp.embree import LOW, MEDIUM, Embree
from tumble.bench.papers.bsp.scenes import Scene
from tumble.bench.papers.bsp.ways import add_answer
from tumble.mesh import Mesh

TWIN, WIDE = "tumble, CPU twin", "tumble.candidates"
IPC, EMBREE = "IPC Toolkit", "Embree"
FACES, ELEMENTS = "face-face candidates", "face-vertex and edge-edge candidates"
TOO_MANY_FOR_BRUTE_FORCE = 5_000
# Kinds of BroadPhase that are not on the CPU, or that are only the base of others.
LEFT_OUT = ("BroadPhase", "SweepAndTiniestQueue")

# How long to look at what objects cost, and how much slower than the fastest of all a broad phase may be to stay in a
# race for more than a few rounds.
OBJECT_EFFORT = Effort(0.5, least_rounds=3, most_rounds=5)
FAR_BEHIND = 4.0

Contestants = dict[str, Callable[[], Any]]


class Ipc:
    """IPC Toolkit's broad phases; ImportError where it is not installed."""

    def __init__(self) -> None:
        self.module: Any = import_module("ipctk")
        self.names = sorted(
            name
            for name, kind in vars(self.module).items()
            if isinstance(kind, type) and issubclass(kind, self.module.BroadPhase) and name not in LEFT_OUT
        )

    def contestants(self, mesh: Mesh, faces: bool) -> Contestants:
        """Build and detect, for each broad phase; faces come as Python objects, the others stay in C++."""
        names = [name for name in self.names if name != "BruteForce" or len(mesh) <= TOO_MANY_FOR_BRUTE_FORCE]
        arrays = self._arrays(mesh)

        def ask(name: str) -> Any:
            phase = getattr(self.module, name)()
            phase.build(*arrays)
            return phase.detect_face_face_candidates() if faces else phase.detect_collision_candidates()

        return {f"{IPC}, {name}": lambda name=name: ask(name) for name in names}  # type: ignore[misc]

    def seconds_per_object(self, mesh: Mesh) -> float:
        """What it takes to make a Python object of a candidate, which face-face candidates cannot be had without."""
        phase = self.module.LBVH()
        phase.build(*self._arrays(mesh))
        found = phase.detect_collision_candidates()
        seconds = race({"objects": lambda: found.ee_candidates}, OBJECT_EFFORT)["objects"]
        return min(seconds) / max(1, len(found.ee_candidates))

    def _arrays(self, mesh: Mesh) -> tuple[Any, Any, Any]:
        """Vertices, edges and triangles as they are wanted."""
        triangles = np.asfortranarray(mesh.faces.astype(np.int32))
        return np.asfortranarray(mesh.vertices), np.asfortranarray(self.module.edges(triangles)), triangles


def race_faces(scene: Scene, ipc: Ipc | None, embree: Embree | None, effort: Effort, table: Table) -> None:
    """Race for face-face candidates without neighbours."""
    mesh = scene.whole

    def twin() -> int:
        return int(tumble.collide_all([_fresh(mesh)], within=True, candidates=True).counts.sum())

    truth = twin()
    asks: Contestants = {TWIN: twin, WIDE: lambda: tumble.candidates(_fresh(mesh), "face-face")}
    if embree is not None:
        for name, quality in (("default", MEDIUM), ("Morton", LOW)):
            asks[f"{EMBREE}, {name}"] = partial(embree.candidates, mesh, truth + 16, neighbours=False, quality=quality)
    if ipc is not None:
        asks |= ipc.contestants(mesh, faces=True)
        table.study(FACES).add(scene.name, "", "per object", ipc.seconds_per_object(mesh), "s")
    _race(scene.name, asks, TWIN, effort, table.study(FACES))
    for name in asks:
        if not name.startswith((IPC, WIDE)):
            found = table.study(FACES).count(scene.name, name, "candidates")
            add_answer(table, f"{scene.name}, {FACES}", name, found == truth, found, truth)


def race_elements(scene: Scene, ipc: Ipc, effort: Effort, table: Table) -> None:
    """Race for face-vertex and edge-edge candidates, in IPC Toolkit's convention."""
    mesh = scene.whole
    asks: Contestants = {
        WIDE: lambda: tumble.candidates(_fresh(mesh), ("face-vertex", "edge-edge")),
        **ipc.contestants(mesh, faces=False),
    }
    _race(scene.name, asks, WIDE, effort, table.study(ELEMENTS))


def _race(scene: str, asks: Contestants, base: str, effort: Effort, study: Study) -> None:
    costs = {}
    for name, ask in asks.items():
        ask()
        start = perf_counter()
        study.add(scene, name, "candidates", _number(ask()))
        costs[name] = perf_counter() - start
    slow = [name for name in asks if costs[name] > FAR_BEHIND * min(costs.values())]
    study.add_race(scene, race(asks, effort, slow), [(name, base) for name in asks if name != base])


def _number(answer: Any) -> int:
    """How many candidates an answer has."""
    if isinstance(answer, tumble.Candidates):
        kinds = (answer.face_face, answer.face_vertex, answer.edge_edge)
        return sum(len(found) for found in kinds if found is not None)
    if isinstance(answer, tuple):
        return int(answer[1])  # Embree's: its keys, and how many there are
    return answer if isinstance(answer, int) else len(answer)


def _fresh(mesh: Mesh) -> Mesh:
    """A mesh that remembers nothing."""
    return Mesh(mesh.vertices, mesh.faces)


def lead_over(study: Study, scene: str, family: str, ours: str = TWIN) -> tuple[str, float] | None:
    """The fastest of a family of contestants, and how many times as long as ours it takes."""
    names = [name for name in study.contestants(scene) if name.startswith(family)]
    rival = min(names, key=lambda name: study.value(scene, name, TIME), default=None)
    return None if rival is None else (rival, study.ratio(scene, rival, ours))


def object_seconds(table: Table) -> float | None:
    """What IPC Toolkit takes to make one candidate a Python object; None where it did not compete."""
    study = table.study(FACES)
    found = [study.value(scene, "", "per object") for scene in study.cases() if study.has(scene, "", "per object")]
    return float(np.median(found)) if found else None
