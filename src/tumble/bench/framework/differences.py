"""By how much answers differ from the truth, where they may: libraries that compute with tolerances err."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tumble.bench.framework.answers import Pairs, pair_keys
from tumble.bench.framework.table import Study


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


def add_difference(study: Study, case: str, contestant: str, found: Difference) -> None:
    """Write it; what is missing and invented only where answers differ."""
    study.add(case, "", "answers", found.answers)
    study.add(case, contestant, "differ", found.differ)
    if found.differ:
        study.add_values(case, contestant, {"missing": found.missing, "invented": found.invented})


def differences(study: Study) -> dict[tuple[str, str], Difference]:
    """Read all of a study, by case and contestant."""
    compared = [(case, name) for case in study.cases() for name in study.contestants(case)]
    return {key: _difference(study, *key) for key in compared if study.has(*key, "differ")}


def _difference(study: Study, case: str, contestant: str) -> Difference:
    parts = [round(study.value(case, contestant, part, 0)) for part in ("differ", "missing", "invented")]
    return Difference(study.count(case, "", "answers"), *parts)
