"""Every scene measured with the five algorithms: counters from one run each, times from many runs in turn.

A round's repetitions run inside one kernel call: what a call from Python costs is not part of the algorithm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from tumble.bench.framework.benchmark import Run, Say, Task
from tumble.bench.framework.table import PUBLISHED
from tumble.bench.framework.timing import Plan, plan_within, seconds_in_turn, seconds_per_repetition
from tumble.bench.papers.stackless.published import COUNTERS, METHODS, SPREAD
from tumble.errors import OptionError
from tumble.scenario import PairScene, pair_scene, pair_scene_names

QUERIES = "queries"
TREE = "aabb"


@dataclass(frozen=True)
class Sizes:
    """Which scenes, and how long each is measured.

    The paper runs 1000 to 100 000 repetitions a hundred times over; as much of that as fits into `seconds` is kept,
    unless `repetitions` and `rounds` fix the numbers. Trees and first compilation come on top.
    """

    seconds: float
    scenes: Sequence[str] = tuple(pair_scene_names())
    repetitions: int | None = None
    rounds: int | None = None

    def plan(self, repetitions: int, costs: Mapping[str, float]) -> Plan:
        """How to measure a scene: the paper's repetitions, and what one costs each method."""
        if self.repetitions is None or self.rounds is None:
            return plan_within(self.seconds, costs, repetitions)
        return Plan(dict.fromkeys(costs, self.repetitions), self.rounds)


FULL = Sizes(seconds=60.0)
QUICK = Sizes(seconds=2.0)


def tasks(run: Run[Sizes]) -> list[Task]:
    """One task per scene."""
    known = pair_scene_names()
    strangers = [name for name in run.sizes.scenes if name not in known]
    if strangers:
        raise OptionError(f"unknown scene {strangers[0]!r}: choose from {', '.join(known)}")
    chosen = [name for name in known if name in run.sizes.scenes]
    return [Task(f"{name}: trees and kernels", partial(_measure, run, name)) for name in chosen]


def _measure(run: Run[Sizes], name: str, say: Say) -> None:
    scene, study, paper = pair_scene(name), run.study(QUERIES), run.study(PUBLISHED)
    queries = {method: prepare_query(scene, method) for method in METHODS}
    repeats = {method: query.repeat for method, query in queries.items()}
    plan = run.sizes.plan(paper.count(name, "stack", "repetitions"), seconds_per_repetition(repeats))
    seconds = seconds_in_turn(repeats, plan, lambda done: say(name, done / plan.rounds))
    faces = {"faces a": len(scene.mesh_a.faces), "faces b": len(scene.mesh_b.faces)}
    study.add_values(name, "", {"title": scene.title, "table": paper.value(name, "", "table"), **faces})
    for method in METHODS:
        spread = {part: SPREAD[part](seconds[method]) for part in SPREAD}
        study.add_values(name, method, {"repetitions": plan.repetitions[method], "rounds": plan.rounds})
        study.add_values(name, method, spread, "s")
        study.add(name, method, "time", median(seconds[method]) / plan.repetitions[method], "s")
        stats = queries[method].stats()
        study.add_values(name, method, {what: getattr(stats, field) for what, field in COUNTERS.items()})


def prepare_query(scene: PairScene, method: str) -> Any:
    """The query of one algorithm on one scene, trees built, ready to repeat."""
    from tumble.traversal import prepare

    return prepare(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b, method=method, tree=TREE)
