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
from tumble.bench.framework.statistics import Interval, mean_interval
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort, race
from tumble.bench.leaf_pairs import of_leaf_pairs
from tumble.bench.papers.binary_stack.ascent import by_numbering, by_parents, noted
from tumble.bench.papers.binary_stack.fall import Moment
from tumble.bench.papers.binary_stack.published import at_step
from tumble.device import Device, DeviceTimings, measured
from tumble.mesh import Mesh
from tumble.query.answer import PairTable, Stats
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import DeviceSettings
from tumble.traversal.every import prepare
from tumble.traversal.query import Query
from tumble.traversal.rules import DEFAULT_RULE, RULES

COLLISIONS, SPEEDUPS, TRAVERSALS = "collisions", "speed-ups", "traversals"
# What a device is compared in: its kernel alone and everything, with the CPU; its pool, with one work-item per pair.
KERNEL, WITH_COPIES, POOL = "kernel", "with copies", "pool"
BY_KERNEL = "time by kernel"
# Steps from which the heap is there: the paper's sentences are about those.
FROM_STEP = 100
# Work-items that walk in step on a GPU: Nvidia's warp, since before the paper.
WARP = 32
COUNTED = {"node pairs": "tests", "overlapping": "overlaps", "leaf pairs": "leaf_overlaps"}
DEFAULT, DEFAULT_ONE = "default engine, all cores", "default engine, one core"
BINARY, STACK, PARENTS = "binary stack", "ordinary stack", "binary stack by parents"
# The ascent by numbering with its reads counted, which is not raced: counting takes time.
NUMBERED = "binary stack, reads counted"
# The paper's own measure: pairs of possibly overlapping triangles, which are not tested.
LEAVES = "binary stack, leaf pairs"
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

    def rounds_of(self, part: str, since: int, rounds: int) -> list[float]:
        """Seconds of a part in each round of a race; the first call after `since` is the look before it."""
        seconds = [getattr(one, part) for one in self.noted[since + 1 :]]
        return [float(each.mean()) for each in np.array_split(np.array(seconds), rounds)]

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


def race_moment(mesh: Mesh, moment: Moment, devices: Sequence[Device], effort: Effort, study: Study) -> list[Pairs]:
    """A row of Table 1: every contestant answers for all pairs of bodies, in turn; return what touches."""
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
    called = {name: len(one.noted) for name, one in everywhere.items()}
    seconds = race(asks, effort)
    study.add_race(case, seconds, ratios)
    for name, one in everywhere.items():
        study.add_values(case, name, one.times(), "s")
        study.add_values(case, name, one.counts())
        kernel, copy = (one.rounds_of(part, called[name], len(seconds[name])) for part in ("kernel", "copy"))
        _add_ratio(study, case, (BINARY, f"{BY_KERNEL} / {name}"), seconds[BINARY], kernel)
        _add_ratio(study, case, (name, "copy / time"), copy, seconds[name])
    return truth


def _add_ratio(study: Study, case: str, where: tuple[str, str], above: Sequence[float], below: Sequence[float]) -> None:
    """Write a ratio within rounds and between what it lies, as `Study.interval` reads it."""
    name, ratio = where
    if min(below, default=0.0) > 0:
        known = Interval.of([a / b for a, b in zip(above, below, strict=True)])
        study.add_values(case, name, {ratio: known.value, f"{ratio}, from": known.low, f"{ratio}, to": known.high})


def _add_leaf_pairs(leaves: Sequence[Pairs], truth: Sequence[Pairs], case: str, study: Study) -> None:
    """Write how many there are; all touching triangles must be among them."""
    counts = {"leaf narrow": sum(len(pairs) > 0 for pairs in leaves), "leaf pairs": sum(map(len, leaves))}
    study.add_values(case, "", counts)
    among = [np.isin(pair_keys(right), pair_keys(found)).all() for found, right in zip(leaves, truth, strict=True)]
    wrong = sum(not each for each in among)
    study.add_values(case, LEAVES, {"body pairs": len(truth), "wrong answers": wrong})


def _compare_answers(asks: Mapping[str, Ask], truth: Sequence[Pairs], case: str, study: Study) -> None:
    for name, contestant in asks.items():
        wrong = wrong_answers(triangle_pairs(contestant()), truth)
        study.add_values(case, name, {"body pairs": len(truth), "wrong answers": wrong})


def heap(study: Study) -> list[str]:
    """The moments of the paper's sentences, or all where the simulation was shorter."""
    return [case for case in study.cases() if study.value(case, "", "step") >= FROM_STEP] or study.cases()


def add_speedups(study: Study, devices: Sequence[Device], found: Study) -> None:
    """Write what each device gains: geometric means over the moments with a heap, and between what they lie."""
    for name in [device.name for device in devices]:
        each = one_each(name)
        known = [case for case in heap(study) if study.has(case, BINARY, f"{BY_KERNEL} / {each}")]
        gains = {
            KERNEL: mean_interval([study.interval(case, BINARY, each, BY_KERNEL) for case in known]),
            WITH_COPIES: study.mean_of_intervals(BINARY, each, heap(study)),
            POOL: study.mean_of_intervals(each, name, heap(study)),
        }
        for quantity, gain in gains.items():
            values = {"speed-up": gain.value, "speed-up, from": gain.low, "speed-up, to": gain.high}
            found.add_values(name, quantity, values)


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
    """The queries with the ascent of Figure 4; writes whether they count alike, and what each ascent reads."""
    upward, numbered = ([ascent(query) for query in binary] for ascent in (by_parents, by_numbering))
    for name, queries_ in ((PARENTS, upward), (NUMBERED, numbered)):
        same = sum(counted(query)[1] == mine for query, mine in zip(queries_, ours, strict=True))
        study.add_values(case, name, {"counted alike": same, "node pairs": sum(one.tests for one in ours)})
        read = [noted(query) for query in queries_]
        sums = {"read on ways up": sum(one.read for one in read), "steps up": sum(one.steps_up for one in read)}
        study.add_values(case, name, {**sums, "links read": sum(one.links for one in read)})
    return [by_parents(query, counting=False) for query in binary]


def idle_part(turns: NDArray[np.int64], group: int = WARP) -> float:
    """The part of a group's turns that wait for its longest walk, one walk per work-item, in the order of the list."""
    groups = np.zeros((-(-len(turns) // group), group))
    groups.flat[: len(turns)] = turns
    paid = group * float(groups.max(axis=1, initial=0.0).sum())
    return 1 - float(groups.sum()) / paid if paid else 0.0
