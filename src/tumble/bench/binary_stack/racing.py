"""Races over recorded moments: Table 1, and the traversals and descent rules beside each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.bench.binary_stack.contestants import (
    BINARY,
    DEFAULT,
    DEFAULT_ONE,
    METHODS,
    STACK,
    Ask,
    as_keys,
    default_engine,
    differing,
    on_devices,
    queries,
    traversal,
)
from tumble.bench.binary_stack.records import Compared, Counts, Disagreement, Findings, Moment, Row
from tumble.bench.framework.timing import Effort, race
from tumble.device import Device
from tumble.mesh import Mesh
from tumble.query.answer import Stats
from tumble.traversal.query import Query, new_counters, stats_of
from tumble.traversal.rules import DEFAULT_RULE, RULES

# Work-items that walk in step on a GPU: Nvidia's warp, since before the paper.
WARP = 32


def race_moment(mesh: Mesh, moment: Moment, devices: Sequence[Device], effort: Effort, findings: Findings) -> None:
    """A row of Table 1: every contestant answers for all pairs of bodies, in turn."""
    everybody = on_devices(devices, mesh, moment)
    asks: dict[str, Ask] = {
        DEFAULT: default_engine(mesh, moment, None),
        DEFAULT_ONE: default_engine(mesh, moment, 1),
        BINARY: traversal(queries(mesh, moment, METHODS[BINARY])),
        **everybody,
    }
    truth = as_keys(asks[DEFAULT]())
    for name, ask in asks.items():
        findings.answers.append(Disagreement(moment.step, name, len(truth), differing(ask(), truth)))
    rounds = race(asks, effort)
    touching, faces = sum(len(keys) > 0 for keys in truth), sum(map(len, truth))
    times = {name: one.times() for name, one in everybody.items()}
    findings.rows.append(Row(moment.step, len(truth), touching, faces, rounds, times))


def by_rule(method: str, rule: str) -> str:
    """How a traversal with a descent rule is called in races."""
    return f"{method}, {rule}"


def compare_moment(mesh: Mesh, moment: Moment, effort: Effort, findings: Findings) -> None:
    """The binary stack with every descent rule, the ordinary stack and the default engine."""
    counts, equal, asks = {}, {}, {}
    walks = np.zeros(len(moment.pairs), np.int64)
    for rule in RULES:
        binary, stack = (queries(mesh, moment, METHODS[name], rule) for name in (BINARY, STACK))
        ours, theirs = ([counted(query) for query in each] for each in (binary, stack))
        counts[rule] = _summed(ours)
        equal[rule] = sum(mine == other for mine, other in zip(ours, theirs, strict=True))
        asks[by_rule(BINARY, rule)] = traversal(binary)
        if rule == DEFAULT_RULE:
            asks[by_rule(STACK, rule)] = traversal(stack)
            walks = np.array([each.iterations for each in ours], np.int64)
    asks[DEFAULT_ONE] = default_engine(mesh, moment, 1)
    truth = as_keys(asks[DEFAULT_ONE]())
    for name, ask in asks.items():
        findings.answers.append(Disagreement(moment.step, name, len(truth), differing(ask(), truth)))
    longest = int(walks.max(initial=0))
    findings.compared.append(
        Compared(moment.step, len(truth), counts, equal, race(asks, effort), idle_part(walks), longest)
    )


def counted(query: Query) -> Stats:
    """What a query does to collect all pairs, as `tumble.collide` counts it."""
    counters = new_counters()
    return stats_of(counters, len(query.collect(counters)))


def _summed(stats: Sequence[Stats]) -> Counts:
    return Counts(*(sum(getattr(one, name) for one in stats) for name in ("tests", "overlaps", "leaf_overlaps")))


def idle_part(turns: NDArray[np.int64], group: int = WARP) -> float:
    """The part of a group's turns that wait for its longest walk, one walk a work-item, in the order of the list."""
    groups = np.zeros((-(-len(turns) // group), group))
    groups.flat[: len(turns)] = turns
    paid = group * float(groups.max(axis=1, initial=0.0).sum())
    return 1 - float(groups.sum()) / paid if paid else 0.0
