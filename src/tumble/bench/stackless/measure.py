"""One scene measured with the five algorithms: counters from one run each, times from many runs in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tumble.bench.stackless.published import published
from tumble.bench.stackless.rows import METHODS, Row
from tumble.bench.timing import Plan, Timing, plan_within, seconds_per_repetition, time_in_turn
from tumble.scenario import PairScene

# A round's repetitions run inside one kernel call: what a call from Python costs is no part of the algorithm.
TREE = "aabb"

PlanChooser = Callable[[int, Mapping[str, float]], Plan]


def measure_scene(scene: PairScene, choose_plan: PlanChooser, after_round: Callable[[int, int], object]) -> list[Row]:
    """One row per algorithm; `choose_plan` gets the paper's repetitions and what one costs each method."""
    queries = {method: prepare_query(scene, method) for method in METHODS}
    repeats = {method: query.repeat for method, query in queries.items()}
    plan = choose_plan(published()[scene.name, "stack"].repetitions, seconds_per_repetition(repeats))
    timings = time_in_turn(repeats, plan, lambda done: after_round(done, plan.rounds))
    return [_row(scene, method, plan, timings[method], queries[method].stats()) for method in METHODS]


def prepare_query(scene: PairScene, method: str) -> Any:
    """The query of one algorithm on one scene, trees built, ready to repeat."""
    from tumble.traversal import prepare

    return prepare(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b, method=method, tree=TREE)


def budgeted(seconds: float) -> PlanChooser:
    """A chooser of plans: up to the paper's repetitions and rounds, within so many seconds a scene."""
    return lambda repetitions, costs: plan_within(seconds, costs, repetitions)


def fixed(repetitions: int, rounds: int) -> PlanChooser:
    """A chooser that always gives the same plan."""
    return lambda _repetitions, costs: Plan(dict.fromkeys(costs, repetitions), rounds)


def _row(scene: PairScene, method: str, plan: Plan, timing: Timing, stats: Any) -> Row:
    return Row(
        table=published()[scene.name, method].table,
        scene=scene.name,
        algorithm=method,
        faces_a=len(scene.mesh_a.faces),
        faces_b=len(scene.mesh_b.faces),
        repetitions=plan.repetitions[method],
        rounds=plan.rounds,
        **timing.as_dict(),
        iterations=int(stats.iterations),
        overlaps=int(stats.overlaps),
        leaf_overlaps=int(stats.leaf_overlaps),
        geometry_overlaps=int(stats.hits),
    )
