"""Ten thousand poses: one call of Tumble's, against Python loops over the others with everything made beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from tumble.bench.framework.timing import Effort, race
from tumble.bench.peers.agreement import compare_hits
from tumble.bench.peers.contract import Poses
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.records import Case, Findings, Timed
from tumble.scenario.tumbling import motion_poses, scattered_poses


def batches(entrants: Entrants, poses: int, threads: int, effort: Effort, findings: Findings) -> None:
    """Hit flags along a motion, where neighbours are alike, and of poses that have nothing to do with each other."""
    _batch("batch", entrants, motion_poses(poses), threads, effort, findings)
    _batch("scattered", entrants, scattered_poses(poses), threads, effort, findings)


def _batch(query: str, entrants: Entrants, matrices: Poses, threads: int, effort: Effort, findings: Findings) -> None:
    """Hit flags of many poses, on one thread and, where wanted, on several."""
    ours: Any = entrants.pairs[OURS]
    single: dict[str, Callable[[], Any]] = {OURS: lambda: ours.batch(matrices, 1)}
    for name, ask in entrants.first_hits(matrices).items():
        if name != OURS:
            single[name] = _as_array(ask)
    several: dict[str, Callable[[], Any]] = {}
    with ThreadPoolExecutor(threads) as pool:
        if threads > 1:
            several[OURS] = lambda: ours.batch(matrices, threads)
            loops = entrants.first_hits_on(pool, threads, matrices)
            several |= {name: loops[name] for name in loops if name != OURS}
        _race(query, entrants, single, several, threads, effort, findings)


def _race(
    query: str,
    entrants: Entrants,
    single: Mapping[str, Callable[[], Any]],
    several: Mapping[str, Callable[[], Any]],
    threads: int,
    effort: Effort,
    findings: Findings,
) -> None:
    suffix = f" on {threads} threads"
    contestants = {**single, **{name + suffix: ask for name, ask in several.items()}}
    answers = {name: ask() for name, ask in contestants.items()}
    hits = answers[OURS]
    case = Case(query, entrants.duo.name, entrants.duo.name, entrants.duo.faces, len(hits))
    findings.differences += [compare_hits(case, name, hits, answers[name]) for name in contestants if name != OURS]
    rounds = race(contestants, effort)
    found = f"{np.mean(hits):.0%} of the poses touch"
    findings.timed.append(Timed(case, {name: rounds[name] for name in single}, found))
    if several:
        # With threads, Tumble on several meets every loop there is: plain ones, and those on as many threads.
        rivals = {name: values for name, values in rounds.items() if not name.startswith(OURS)}
        findings.timed.append(
            Timed(replace(case, query=f"{query}-threads"), {OURS: rounds[OURS + suffix], **rivals}, found)
        )


def _as_array(ask: Callable[[], list[bool]]) -> Callable[[], np.ndarray]:
    return lambda: np.array(ask(), dtype=bool)
