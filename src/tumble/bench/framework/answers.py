"""Whether answers are the same, and by how much they differ where they may: libraries that compute with tolerances err.

The order in which triangle pairs are reported does not matter.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.table import Study
from tumble.query.answer import Stats
from tumble.traversal.query import Query, new_counters, stats_of

Pairs = NDArray[np.int64]

# How far numbers of other libraries may be off before they count as other answers.
TOLERANCE, SINGLE_TOLERANCE = 1e-9, 1e-5


def pair_keys(pairs: Pairs) -> NDArray[np.int64]:
    """The (k, 2) triangle pairs of an answer as sorted numbers, one for each pair."""
    return np.sort(pairs[:, 0] << 32 | pairs[:, 1])


def wrong_answers(answers: Sequence[Pairs], truth: Sequence[Pairs]) -> int:
    """How many answers have other triangle pairs than the truth; a pair that comes twice is another."""
    both = zip(answers, truth, strict=True)
    return sum(not np.array_equal(pair_keys(found), pair_keys(right)) for found, right in both)


def counted(query: Query) -> tuple[Pairs, Stats]:
    """The pairs of a query and what it did, as `tumble.collide` counts it, from one specialisation of its kernel."""
    counters = new_counters()
    pairs = query.collect(counters)
    return pairs, stats_of(counters, len(pairs))


class Difference(NamedTuple):
    """How many answers differ from the truth, and what they lack and invent in all."""

    answers: int
    differ: int
    missing: int
    invented: int


def compare_hits(truth: Sequence[bool], answers: Sequence[bool]) -> Difference:
    """Whether two objects touch, pose by pose."""
    right, found = np.asarray(truth, dtype=bool), np.asarray(answers, dtype=bool)
    missing, invented = int((right & ~found).sum()), int((found & ~right).sum())
    return Difference(len(right), missing + invented, missing, invented)


def compare_pairs(truth: Sequence[Pairs], answers: Sequence[Pairs]) -> Difference:
    """Sets of triangle pairs, pose by pose: neither order nor repetition matters."""
    differ = missing = invented = 0
    for right, found in zip(truth, answers, strict=True):
        a, b = np.unique(pair_keys(right)), np.unique(pair_keys(found))
        lost, extra = len(np.setdiff1d(a, b)), len(np.setdiff1d(b, a))
        differ += bool(lost or extra)
        missing, invented = missing + lost, invented + extra
    return Difference(len(truth), differ, missing, invented)


def compare_values(truth: Sequence[float], answers: Sequence[float]) -> Difference:
    """Numbers such as distances, of objects of about length 1; single precision may be off by more than double.

    Missing are those that are too large, as if something nearer was missed; invented are those that are too small.
    """
    right, found = np.asarray(truth, dtype=np.float64), np.asarray(answers)
    tolerance = SINGLE_TOLERANCE if found.dtype == np.float32 else TOLERANCE
    with np.errstate(invalid="ignore"):
        change = np.where(right == found, 0.0, found - right)
    too_large, too_small = int((~(change <= tolerance)).sum()), int((change < -tolerance).sum())
    return Difference(len(right), too_large + too_small, too_large, too_small)


def add_difference(study: Study, case: str, contestant: str, found: Difference) -> None:
    """Write it; what is missing and invented only where answers differ."""
    if study.count(case, "", "answers", found.answers) == found.answers:
        study.add(case, "", "answers", found.answers)
    else:  # some are asked less
        study.add(case, contestant, "answers", found.answers)
    study.add(case, contestant, "differ", found.differ)
    if found.differ:
        study.add_values(case, contestant, {"missing": found.missing, "invented": found.invented})


def differences(study: Study) -> dict[tuple[str, str], Difference]:
    """Read all of a study, by case and contestant."""
    compared = [(case, name) for case in study.cases() for name in study.contestants(case)]
    found = {}
    for key in compared:
        if study.has(*key, "differ"):
            parts = [round(study.value(*key, part, 0)) for part in ("differ", "missing", "invented")]
            found[key] = Difference(study.count(*key, "answers", study.count(key[0], "", "answers")), *parts)
    return found
