"""Every scene measured with the five algorithms: counters from one run each, times from many runs in turn.

A round's repetitions run inside one kernel call: what a call from Python costs is not part of the algorithm. All that
compete on a scene run equally often, and take turns in every round, so that times are compared within rounds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from tumble.bench.framework.benchmark import NO_DEVICE, Run, Say, Task
from tumble.bench.framework.statistics import DECIDING_ROUNDS
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.framework.timing import Plan, plan_within, seconds_in_turn, seconds_per_repetition
from tumble.bench.papers.stackless.devices import DEVICES, Crowd, race_crowd
from tumble.bench.papers.stackless.new_stack import repeat_with_new_stacks
from tumble.bench.papers.stackless.published import COUNTERS, METHODS, SPREAD
from tumble.device import Device, devices
from tumble.errors import OptionError
from tumble.scenario import PairScene, pair_scene, pair_scene_names
from tumble.traversal.every import prepare
from tumble.traversal.rules import RULES

QUERIES = "queries"
TREE = "aabb"
# The traversals that need a stack, and the groups of scenes whose tables the paper explains by its set-up.
STACKS = ("stack", "alternating")
SET_UP = ("separation", "small-proximity")
# What the paper looks forward to in Section 11: another predictable rule, a stack in a few bytes.
OUTLOOK = ("stackless-merge", "binary-stack")
RULES_STUDY = "rules"
EXCHANGED = "leaf, sides exchanged"

Repeats = dict[str, Callable[[int], object]]


def new_memory(method: str) -> str:
    """The name of a traversal whose stack is made for each query."""
    return f"{method}, memory per query"


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
    outlook: Sequence[str] = OUTLOOK
    crowds: Sequence[Crowd] = (Crowd(0, 0, 512), Crowd(2, 2, 128), Crowd(2, 0, 128))
    """what devices are given"""
    device_rounds: int = 25

    def plan(self, repetitions: int, costs: Mapping[str, float]) -> Plan:
        """How to measure a scene: the paper's repetitions, and what one costs each method.

        All get the same number, as in the paper: they are cut by tens together. Fewer rounds than a claim about
        times needs are never run.
        """
        if self.repetitions is not None and self.rounds is not None:
            return Plan(dict.fromkeys(costs, self.repetitions), self.rounds)
        together = plan_within(self.seconds, {"all": sum(costs.values())}, repetitions)
        return Plan(dict.fromkeys(costs, together.repetitions["all"]), max(DECIDING_ROUNDS, together.rounds))


FULL = Sizes(seconds=30.0)
QUICK = Sizes(seconds=2.0, crowds=(Crowd(0, 0, 128), Crowd(1, 0, 64)), device_rounds=6)


def tasks(run: Run[Sizes]) -> list[Task]:
    """One task per scene, and one per device and crowd."""
    known = pair_scene_names()
    strangers = [name for name in run.sizes.scenes if name not in known]
    if strangers:
        raise OptionError(f"unknown scene {strangers[0]!r}: choose from {', '.join(known)}")
    chosen = [name for name in known if name in run.sizes.scenes]
    found = [Task(f"{name}: trees and kernels", partial(_measure, run, name)) for name in chosen]
    return found + (_on_devices(run) if run.sizes.crowds else [])


def _on_devices(run: Run[Sizes]) -> list[Task]:
    available = devices()
    if not available:
        run.table.note(NO_DEVICE)
    return [
        Task(f"{device.name}: {crowd.poses} poses", partial(_race_crowd, run, device, crowd))
        for device in available
        for crowd in run.sizes.crowds
    ]


def _race_crowd(run: Run[Sizes], device: Device, crowd: Crowd, say: Say) -> None:
    race_crowd(run.study(DEVICES), device, crowd, run.sizes.device_rounds)


def _measure(run: Run[Sizes], name: str, say: Say) -> None:
    scene, study, paper = pair_scene(name), run.study(QUERIES), run.study(PUBLISHED)
    queries = {method: prepare_query(scene, method) for method in (*METHODS, *run.sizes.outlook)}
    if scene.group == "different-sizes":
        queries[EXCHANGED] = prepare_query(exchanged(scene), "leaf")
    faces = {"faces a": len(scene.mesh_a.faces), "faces b": len(scene.mesh_b.faces)}
    study.add_values(name, "", {"title": scene.title, "table": paper.value(name, "", "table"), **faces})
    for method, query in queries.items():
        stats = query.stats()
        study.add_values(name, method, {what: getattr(stats, field) for what, field in COUNTERS.items()})
        study.add(name, method, "memory", query.nbytes, "bytes")
    if run.sizes.outlook:
        _count_by_rule(run.study(RULES_STUDY), scene)
    repeats: Repeats = {method: query.repeat for method, query in queries.items()}
    if scene.group in SET_UP:
        repeats |= _with_new_memory(queries)
    _race(run, name, repeats, say)


def _count_by_rule(study: Study, scene: PairScene) -> None:
    """The iterations of each descent rule, all of which can be followed without a stack."""
    for rule in RULES:
        stats = prepare_query(scene, "stackless-merge", rule).stats()
        study.add(scene.name, rule, "iterations", stats.iterations)


def _with_new_memory(queries: Mapping[str, Any]) -> Repeats:
    return {new_memory(method): partial(repeat_with_new_stacks, queries[method], method) for method in STACKS}


def _race(run: Run[Sizes], name: str, repeats: Repeats, say: Say) -> None:
    study, paper = run.study(QUERIES), run.study(PUBLISHED)
    plan = run.sizes.plan(paper.count(name, "stack", "repetitions"), seconds_per_repetition(repeats))
    seconds = seconds_in_turn(repeats, plan, lambda done: say(name, done / plan.rounds))
    for method, values in seconds.items():
        study.add(name, method, "repetitions", plan.repetitions[method])
        study.add_values(name, method, {part: SPREAD[part](values) for part in SPREAD}, "s")
    per_query = {method: [value / plan.repetitions[method] for value in values] for method, values in seconds.items()}
    study.add_race(name, per_query, combinations(repeats, 2))


def exchanged(scene: PairScene) -> PairScene:
    """The scene with A and B in each other's place."""
    return PairScene(
        scene.name, scene.title, scene.group, scene.pose_a, scene.make_b, scene.make_a, scene.pose_b
    )  # fmt: skip


def prepare_query(scene: PairScene, method: str, rule: str | None = None) -> Any:
    """The query of one algorithm on one scene, trees built, ready to repeat."""
    return prepare(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b, method=method, tree=TREE, rule=rule)
