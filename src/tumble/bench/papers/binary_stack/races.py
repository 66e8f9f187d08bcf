"""Races over recorded moments: Table 1, and the traversals and descent rules beside each other.

Contestants answer for all pairs of bodies of a moment: the default engine, traversals of turned boxes, devices. Trees
and prepared queries are there before the clock starts; a timed call ends with the triangles of every pair of bodies on
the host.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.api.ask import ask
from tumble.bench.framework.answers import Pairs, counted, pair_keys, wrong_answers
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort, race
from tumble.bench.leaf_pairs import of_leaf_pairs
from tumble.bench.papers.binary_stack.ascent import by_parents, noted
from tumble.bench.papers.binary_stack.fall import Moment
from tumble.bench.papers.binary_stack.published import at_step
from tumble.bench.papers.binary_stack.slots import copy_slots
from tumble.device import Device, DeviceTimings, measured
from tumble.device.host.candidates import CANDIDATE_BYTES
from tumble.mesh import Mesh
from tumble.query.answer import PairTable, Stats
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import DeviceSettings
from tumble.traversal import prepare
from tumble.traversal.query import Query
from tumble.traversal.rules import DEFAULT_RULE, RULES

COLLISIONS, SPEEDUPS, TRAVERSALS = "collisions", "speed-ups", "traversals"
# What a device is compared in: its kernel alone and everything, with the CPU; its pool, with one work-item per pair.
KERNEL, WITH_COPIES, POOL = "kernel", "with copies", "pool"
# Steps from which the heap is there: the paper's sentences are about those.
FROM_STEP = 100
# Work-items that walk in step on a GPU: Nvidia's warp, since before the paper.
WARP = 32
COUNTED = {"node pairs": "tests", "overlapping": "overlaps", "leaf pairs": "leaf_overlaps"}
DEFAULT, DEFAULT_ONE = "default engine, all cores", "default engine, one core"
BINARY, STACK, PARENTS = "binary stack", "ordinary stack", "binary stack by parents"
# The paper's own measure: pairs of possibly overlapping triangles, which are not tested.
LEAVES = "binary stack, leaf pairs"
SLOTS_STUDY = "slots"
METHODS = {BINARY: "binary-stack", STACK: "stack"}
PAPERS_WAY = DeviceSettings(pool=False)
# Where the time of a call on a device goes: relative poses sent, traversal, candidates back, exact tests.
PARTS = ("upload", "kernel", "copy", "confirm")
EACH = "one work-item per pair"

Ask = Callable[[], Any]


def default_engine(mesh: Mesh, moment: Moment, threads: int | None) -> Ask:
    """The fast path, as the simulator calls it."""
    bodies = _bodies(mesh, moment)
    return lambda: ask(TOUCHING, bodies, bodies, moment.pairs, Options(threads=threads))


def _bodies(mesh: Mesh, moment: Moment) -> Bodies:
    return Bodies([mesh], np.zeros(len(moment.poses), np.int64), moment.poses)


def queries(mesh: Mesh, moment: Moment, method: str, rule: str = DEFAULT_RULE) -> list[Any]:
    """A prepared query for each pair of bodies; trees of turned boxes with one triangle per leaf, as on devices."""
    tree, poses = tumble.build(mesh, "obb", leaf_size=1), moment.poses
    return [prepare(tree, tree, poses[i], poses[j], method=method, rule=rule) for i, j in moment.pairs.tolist()]


def traversal(prepared: Sequence[Any]) -> Ask:
    """All pairs of all queries, on one core."""
    return lambda: [query.collect() for query in prepared]


def one_each(device: str) -> str:
    """How a device is called where it works as in the paper; where it draws from a pool it has its own name."""
    return f"{device}, {EACH}"


@dataclass
class OnDevice:
    """A device's answers, and where the time of each call went."""

    device: Device
    mesh: Mesh
    moment: Moment
    settings: DeviceSettings = field(default_factory=DeviceSettings)
    noted: list[DeviceTimings] = field(default_factory=list)

    def __call__(self) -> PairTable:
        """Ask once."""
        bodies = _bodies(self.mesh, self.moment)
        with measured() as timings:
            options = Options(device=self.device.name, settings=self.settings)
            found = ask(TOUCHING, bodies, bodies, self.moment.pairs, options)
        self.noted.append(timings)
        return found

    def times(self) -> dict[str, float]:
        """Seconds by part, the medians of all calls but the first, in which buffers grow."""
        noted = self.noted[1:] or self.noted
        return {name: float(np.median([getattr(one, name) for one in noted])) for name in PARTS}

    def counts(self) -> dict[str, float]:
        """Candidates of the last call, and those that float32 could not decide."""
        return {"candidates": self.noted[-1].candidates, "unsure": self.noted[-1].unsure}


def triangle_pairs(answer: Any) -> list[Pairs]:
    """The triangle pairs of every pair of bodies."""
    if isinstance(answer, PairTable):
        return [answer.triangles[answer.rows(i)] for i in range(len(answer))]
    return list(answer)


def leaf_traversal(prepared: Sequence[Any]) -> Ask:
    """The pairs of leaves of all queries, on one core: no triangle is looked at."""
    return traversal([of_leaf_pairs(query) for query in prepared])


def race_moment(mesh: Mesh, moment: Moment, devices: Sequence[Device], effort: Effort, study: Study) -> None:
    """A row of Table 1: every contestant answers for all pairs of bodies, in turn."""
    case = at_step(moment.step)
    everywhere: dict[str, OnDevice] = {}
    for device in devices:  # in the paper's way, and with the pool of work
        everywhere[one_each(device.name)] = OnDevice(device, mesh, moment, PAPERS_WAY)
        everywhere[device.name] = OnDevice(device, mesh, moment)
    prepared = queries(mesh, moment, METHODS[BINARY])
    asks: dict[str, Ask] = {
        DEFAULT: default_engine(mesh, moment, None),
        DEFAULT_ONE: default_engine(mesh, moment, 1),
        BINARY: traversal(prepared),
        **everywhere,
    }
    truth = triangle_pairs(asks[DEFAULT]())
    _compare_answers(asks, truth, case, study)
    touching, faces = sum(len(pairs) > 0 for pairs in truth), sum(map(len, truth))
    study.add_values(case, "", {"step": moment.step, "broad": len(truth), "narrow": touching, "faces": faces})
    asks[LEAVES] = leaf_traversal(prepared)
    _add_leaf_pairs(asks[LEAVES](), truth, case, study)
    ratios = [(BINARY, one_each(device.name)) for device in devices]
    ratios += [(one_each(device.name), device.name) for device in devices]
    study.add_race(case, race(asks, effort), ratios)
    for name, one in everywhere.items():
        study.add_values(case, name, one.times(), "s")
        study.add_values(case, name, one.counts())


def _add_leaf_pairs(leaves: Sequence[Pairs], truth: Sequence[Pairs], case: str, study: Study) -> None:
    """Write how many there are; all touching triangles must be among them."""
    counts = {"leaf narrow": sum(len(pairs) > 0 for pairs in leaves), "leaf pairs": sum(map(len, leaves))}
    study.add_values(case, "", counts)
    among = [np.isin(pair_keys(right), pair_keys(found)).all() for found, right in zip(leaves, truth, strict=True)]
    wrong = sum(not each for each in among)
    study.add_values(case, LEAVES, {"body pairs": len(truth), "wrong answers": wrong})


def copy_moment(mesh: Mesh, moment: Moment, devices: Sequence[Device], collisions: Study, study: Study) -> None:
    """What copying whole areas of slots takes on each device, beside the candidates that Tumble copies."""
    case = at_step(moment.step)
    answer = default_engine(mesh, moment, None)()
    for device in devices:
        copied = copy_slots(device, answer)
        if copied is None:
            continue
        wrong = wrong_answers(copied.found, triangle_pairs(answer)) if not copied.lost else 0
        each = one_each(device.name)
        dense = collisions.value(case, each, "candidates") * CANDIDATE_BYTES
        study.add_values(case, "", {"step": moment.step, "body pairs": len(answer)})
        study.add_values(
            case, device.name, {"slots": copied.seconds, "dense": collisions.value(case, each, "copy")}, "s"
        )
        study.add_values(case, device.name, {"slot bytes": copied.size, "dense bytes": dense})
        study.add_values(case, device.name, {"lost": copied.lost, "wrong answers": wrong})


def _compare_answers(asks: Mapping[str, Ask], truth: Sequence[Pairs], case: str, study: Study) -> None:
    for name, contestant in asks.items():
        wrong = wrong_answers(triangle_pairs(contestant()), truth)
        study.add_values(case, name, {"body pairs": len(truth), "wrong answers": wrong})


def heap(study: Study) -> list[str]:
    """The moments of the paper's sentences, or all where the simulation was shorter."""
    return [case for case in study.cases() if study.value(case, "", "step") >= FROM_STEP] or study.cases()


def add_speedups(study: Study, devices: Sequence[Device], found: Study) -> None:
    """Write what each device gains: geometric means over the moments with a heap."""
    cases = heap(study)
    for name in [device.name for device in devices]:
        each = one_each(name)
        kernels = [(study.value(case, BINARY, "time"), study.value(case, each, "kernel")) for case in cases]
        found.add(name, KERNEL, "speed-up", geometric_mean([cpu / kernel for cpu, kernel in kernels if kernel]))
        found.add(name, WITH_COPIES, "speed-up", study.mean_ratio(BINARY, each, cases))
        found.add(name, POOL, "speed-up", study.mean_ratio(each, name, cases))


def by_rule(method: str, rule: str) -> str:
    """How a traversal with a descent rule is called in races."""
    return f"{method}, {rule}"


def rules_of(study: Study) -> list[str]:
    """The descent rules that were raced: a kept table may be older than a rule."""
    return [rule for rule in RULES if study.cases(by_rule(BINARY, rule))]


def compare_moment(mesh: Mesh, moment: Moment, effort: Effort, study: Study) -> None:
    """The binary stack with every descent rule, the ordinary stack and the default engine."""
    case, base = at_step(moment.step), by_rule(BINARY, DEFAULT_RULE)
    asks: dict[str, Ask] = {}
    walks = np.zeros(len(moment.pairs), np.int64)
    for rule in RULES:
        binary, stack = (queries(mesh, moment, METHODS[name], rule) for name in (BINARY, STACK))
        ours, theirs = ([counted(query)[1] for query in each] for each in (binary, stack))
        sums = {name: sum(getattr(one, field) for one in ours) for name, field in COUNTED.items()}
        same = sum(mine == other for mine, other in zip(ours, theirs, strict=True))
        study.add_values(case, by_rule(BINARY, rule), {**sums, "counted alike": same})
        asks[by_rule(BINARY, rule)] = traversal(binary)
        if rule == DEFAULT_RULE:
            asks[by_rule(STACK, rule)] = traversal(stack)
            asks[PARENTS] = traversal(_add_parents(binary, ours, case, study))
            walks = np.array([each.iterations for each in ours], np.int64)
    asks[DEFAULT_ONE] = default_engine(mesh, moment, 1)
    truth = triangle_pairs(asks[DEFAULT_ONE]())
    _compare_answers(asks, truth, case, study)
    facts = {"step": moment.step, "body pairs": len(truth), "idle": idle_part(walks)}
    study.add_values(case, "", {**facts, "longest walk": int(walks.max(initial=0))})
    study.add_race(case, race(asks, effort), [(name, base) for name in asks])


def _add_parents(binary: Sequence[Query], ours: Sequence[Stats], case: str, study: Study) -> list[Query]:
    """The queries with the ascent of Figure 4; writes whether they count alike, and what they read on ways up."""
    upward = [by_parents(query) for query in binary]
    same = sum(counted(query)[1] == mine for query, mine in zip(upward, ours, strict=True))
    study.add_values(case, PARENTS, {"counted alike": same, "node pairs": sum(one.tests for one in ours)})
    study.add(case, PARENTS, "read on ways up", sum(noted(query)[0] for query in upward))
    return upward


def idle_part(turns: NDArray[np.int64], group: int = WARP) -> float:
    """The part of a group's turns that wait for its longest walk, one walk per work-item, in the order of the list."""
    groups = np.zeros((-(-len(turns) // group), group))
    groups.flat[: len(turns)] = turns
    paid = group * float(groups.max(axis=1, initial=0.0).sum())
    return 1 - float(groups.sum()) / paid if paid else 0.0
