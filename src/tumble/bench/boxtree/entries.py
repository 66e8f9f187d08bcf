"""What was found as plain values: the lists of results.json, and one long table for results.csv."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from tumble.bench.boxtree.building import fits
from tumble.bench.boxtree.contestants import BUILDS, DEFAULT_BUILD
from tumble.bench.boxtree.published import EMPTY_SHARE, TABLE_1, TOUCHING_SIDES
from tumble.bench.boxtree.records import Emptiness, Findings, Raced, Turn
from tumble.bench.framework.statistics import HIGH, LOW, Quantiles

CSV_COLUMNS = (
    *("figure", "query", "object", "triangles", "distance", "contestant", "samples"),
    *("seconds", "seconds_low", "seconds_high", "box_pairs", "overlapping", "leaf_pairs"),
)
FIGURES = {"tests": "9", "trees": "10", "ahead": "ahead"}


def entries(findings: Findings) -> dict[str, Any]:
    """Lists of plain values, by the name of what they are about."""
    return {
        "nodes": [
            {**asdict(cost), "published": TABLE_1[cost.name]._asdict() if cost.name in TABLE_1 else None}
            for cost in findings.nodes
        ],
        "emptiness": [_emptiness(one) for one in findings.emptiness],
        "built": [
            {
                "object": one.name,
                "triangles": one.triangles,
                "seconds": {name: one.seconds(name) for name in one.rounds},
            }
            for one in findings.built
        ],
        "fits": [
            {"builder": name, "object": kind, **asdict(fit), "holds": fit.holds}
            for name in BUILDS
            for kind, fit in fits(findings.built, name).items()
        ],
        "turns": [_turn(one) for one in findings.turns],
        "tree_bytes": [asdict(one) for one in findings.tree_bytes],
        "cases": [_raced(one) for one in findings.raced],
        "differences": [asdict(one) for one in (*findings.own_differences, *findings.fcl_differences)],
        "notes": list(findings.notes),
    }


def _emptiness(one: Emptiness) -> dict[str, Any]:
    inner = one.shares[~one.leaf]
    return {
        "object": one.name,
        "triangles": one.triangles,
        "nodes": len(one.shares),
        "median": _median(one.shares),
        "median_of_inner": _median(inner),
        "close": _part(one.shares <= EMPTY_SHARE),
        "close_of_inner": _part(inner <= EMPTY_SHARE),
        "touching": _part(one.touching >= TOUCHING_SIDES),
    }


def _median(values: Any) -> float | None:
    return float(np.median(values)) if len(values) else None


def _part(flags: Any) -> float | None:
    return float(np.mean(flags)) if len(flags) else None


def _turn(one: Turn) -> dict[str, Any]:
    low, high = np.percentile(one.seconds, [LOW, HIGH])
    return {
        "object": one.name,
        "triangles": one.triangles,
        "distance": one.distance,
        "first": one.first,
        "steps": len(one.seconds),
        "hits": one.hits,
        "mean": one.mean,
        "low": float(low),
        "high": float(high),
    }


def _raced(one: Raced) -> dict[str, Any]:
    return {
        **asdict(one.case),
        "answer": one.answer,
        "rounds": len(next(iter(one.rounds.values()))),
        "seconds_per_item": {name: asdict(one.seconds(name)) for name in one.rounds},
        "work": {name: asdict(work) for name, work in one.work.items()},
    }


def csv_rows(findings: Findings) -> Iterator[list[Any]]:
    """One row for each time that was measured: builds, turns, and every contestant of every race."""
    for built in findings.built:
        for name, rounds in built.rounds.items():
            times = _times(Quantiles.of(rounds))
            yield ["6", "build", built.name, built.triangles, "", name, len(rounds), *times, "", "", ""]
    for one in findings.turns:
        entry, query = _turn(one), "first" if one.first else "all"
        times = [f"{entry[name]:.6g}" for name in ("mean", "low", "high")]
        yield ["8", query, one.name, one.triangles, one.distance, DEFAULT_BUILD, entry["steps"], *times, "", "", ""]
    for raced in findings.raced:
        case = raced.case
        query, race = ("first" if case.query.startswith("first ") else "all"), case.query.split()[-1]
        for name, rounds in raced.rounds.items():
            work = raced.work.get(name)
            counts = [f"{value:.6g}" for value in asdict(work).values()] if work else [""] * 3
            head = [FIGURES[race], query, case.thing, case.faces, case.distance, name, len(rounds)]
            yield [*head, *_times(raced.seconds(name)), *counts]


def _times(values: Quantiles) -> list[str]:
    return [f"{value:.6g}" for value in (values.median, values.low, values.high)]
