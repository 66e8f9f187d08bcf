"""Questions about two objects, one call a pose: first hit, all pairs, far apart, and calls from several threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tumble.bench.framework.timing import Effort, race
from tumble.bench.peers.agreement import compare_hits, compare_pairs
from tumble.bench.peers.contract import Poses
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.records import Case, Findings, Timed
from tumble.report import count
from tumble.scenario.tumbling import aligned_poses, tumbling_poses

FAR_APART = 3.0
ALIGNED = (0.9, 0.75, 0.5)


def first_hit(
    entrants: Entrants, distance: float, steps: int, effort: Effort, findings: Findings, query: str = "first-hit"
) -> None:
    """Does the second object touch the first? A bool for each pose of the turn."""
    case = _case(query, entrants, distance, steps)
    _race_for_hits(case, entrants.first_hits(tumbling_poses(distance, steps)), effort, findings, entrants.context)


def far_apart(entrants: Entrants, steps: int, effort: Effort, findings: Findings) -> None:
    """The same where a single look at the two boxes settles it: what a call costs."""
    case = _case("far-apart", entrants, FAR_APART, steps)
    _race_for_hits(case, entrants.first_hits(tumbling_poses(FAR_APART, steps)), effort, findings, entrants.context)


def on_threads(entrants: Entrants, distance: float, threads: int, effort: Effort, findings: Findings) -> None:
    """First hits asked for by several Python threads at once, each going through its part of a fine turn."""
    steps = 120 * threads
    case = _case("python-threads", entrants, distance, steps)
    with ThreadPoolExecutor(threads) as pool:
        _race_for_hits(case, entrants.first_hits_on(pool, threads, tumbling_poses(distance, steps)), effort, findings)


def all_pairs(
    entrants: Entrants, distance: float, steps: int, effort: Effort, findings: Findings, query: str = "all-pairs"
) -> None:
    """Which triangles touch? An array of ids for each pose of the turn."""
    case = _case(query, entrants, distance, steps)
    _race_for_pairs(case, entrants, tumbling_poses(distance, steps), effort, findings)


def aligned(entrants: Entrants, effort: Effort, findings: Findings) -> None:
    """All pairs of objects that were moved but not turned: many triangles only just touch, or lie in one plane."""
    case = Case("aligned", entrants.duo.name, entrants.duo.name, entrants.duo.faces, len(ALIGNED))
    _race_for_pairs(case, entrants, aligned_poses(ALIGNED), effort, findings)


def _race_for_pairs(case: Case, entrants: Entrants, poses: Poses, effort: Effort, findings: Findings) -> None:
    contestants = entrants.all_pairs(poses)
    answers = {name: ask() for name, ask in contestants.items()}
    ours = answers.pop(OURS)
    findings.differences += [compare_pairs(case, name, ours, theirs) for name, theirs in answers.items()]
    found = f"{count(round(np.mean([len(pairs) for pairs in ours])))} pairs a pose"
    findings.timed.append(Timed(case, race(contestants, effort, entrants.context), found))


def _race_for_hits(
    case: Case,
    contestants: dict[str, Callable[[], Any]],
    effort: Effort,
    findings: Findings,
    context: Sequence[str] = (),
) -> None:
    answers = {name: ask() for name, ask in contestants.items()}
    ours = answers.pop(OURS)
    findings.differences += [compare_hits(case, name, ours, theirs) for name, theirs in answers.items()]
    found = f"{sum(map(bool, ours))} of {len(ours)} touch"
    findings.timed.append(Timed(case, race(contestants, effort, context), found))


def _case(query: str, entrants: Entrants, distance: float, steps: int) -> Case:
    duo = entrants.duo
    return Case(query, f"{duo.name} at {distance:g}", duo.name, duo.faces, steps, distance)
