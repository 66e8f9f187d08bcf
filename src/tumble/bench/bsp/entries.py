"""What was found as plain values: the lists of results.json, and one long table for results.csv."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from tumble.bench.bsp.judging import mean, speedups
from tumble.bench.bsp.published import TABLE_1
from tumble.bench.bsp.records import Findings, Grown, Moved, Raced, Swept
from tumble.bench.bsp.sweeps import FIGURES
from tumble.bench.framework.statistics import Quantiles

CSV_COLUMNS = ("part", "scene", "question", "way", "what", "value", "unit")


def entries(findings: Findings) -> dict[str, Any]:
    """Lists of plain values, by the name of what they are about."""
    return {
        "devices": [asdict(device) for device in findings.devices],
        "published": {name: row._asdict() for name, row in TABLE_1.items()},
        "loads": [{**asdict(one), "ordered": one.ordered} for one in findings.loads],
        "table": [_raced(one) for one in findings.table],
        "streams": [_raced(one) for one in findings.streams],
        "speedups": {way: _speedups(findings, way) for way in findings.ways},
        "swept": [_swept(one) for one in findings.swept],
        "faces": [_raced(one) for one in findings.faces],
        "elements": [_raced(one) for one in findings.elements],
        "object_seconds": list(findings.object_seconds),
        "trees": [_grown(one) for one in findings.grown],
        "sheet": [_moved(one) for one in findings.moved],
        "sheet_megabytes": [findings.early_megabytes, findings.late_megabytes],
        "answers": _answers(findings),
        "notes": list(findings.notes),
    }


def _speedups(findings: Findings, way: str) -> dict[str, Any]:
    walls, kernels = speedups(findings, way), speedups(findings, way, kernels=True)
    return {
        "scenes": walls,
        "mean": mean(walls) if walls else None,
        "kernels": kernels,
        "kernels_mean": mean(kernels) if kernels else None,
    }


def _seconds(rounds: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    return {name: asdict(Quantiles.of(values)) for name, values in rounds.items()}


def _raced(one: Raced) -> dict[str, Any]:
    return {
        "scene": one.scene,
        "question": one.question,
        "rounds": len(next(iter(one.rounds.values()))),
        "seconds": _seconds(one.rounds),
        "kernel_seconds": {name: one.kernel(name) for name in one.kernels},
        "counts": dict(one.counts),
    }


def _swept(one: Swept) -> dict[str, Any]:
    first, second = FIGURES[one.figure]
    return {
        "figure": one.figure,
        "scene": one.scene,
        "way": one.way,
        "seconds": [{first: a, second: b, "seconds": value} for (a, b), value in one.seconds.items()],
        "refused": [{first: a, second: b, "why": why} for (a, b), why in one.refused.items()],
    }


def _grown(one: Grown) -> dict[str, Any]:
    names = ("scene", "padded_nodes", "compressed_nodes", "padded_bytes", "compressed_bytes")
    return {**{name: getattr(one, name) for name in names}, "seconds": _seconds(one.rounds)}


def _moved(one: Moved) -> dict[str, Any]:
    values = {name: value for name, value in vars(one).items() if name != "milliseconds"}
    return {
        **values,
        "milliseconds": {name: [float(f"{x:.4g}") for x in series] for name, series in one.milliseconds.items()},
    }


def _answers(findings: Findings) -> dict[str, Any]:
    return {
        "compared": len(findings.answers),
        "differ": [asdict(one) for one in findings.answers if not one.same],
    }


def csv_rows(findings: Findings) -> Iterator[list[Any]]:
    """One row for each number that was counted or measured."""
    for load in findings.loads:
        head = ["leaf pairs", load.scene, f"frame {load.frame}" if load.frame else "stand-in", ""]
        for what in ("between", "within", "within_apart", "ordered"):
            yield [*head, what, getattr(load, what), ""]
    named = (("table 1", findings.table), ("figure 7", findings.streams))
    for part, cases in (*named, ("broad phases", [*findings.faces, *findings.elements])):
        for one in cases:
            for name in one.rounds:
                yield [part, one.scene, one.question, name, "time", f"{one.seconds(name):.6g}", "s"]
                if one.kernel(name) is not None:
                    yield [part, one.scene, one.question, name, "kernels", f"{one.kernel(name):.6g}", "s"]
                if name in one.counts:
                    yield [part, one.scene, one.question, name, "found", one.counts[name], ""]
    for swept in findings.swept:
        first, second = FIGURES[swept.figure]
        for (a, b), value in swept.seconds.items():
            at = f"{first} {a}, {second} {b}"
            yield [f"figure {swept.figure}", swept.scene, at, swept.way, "time", f"{value:.6g}", "s"]
    for grown in findings.grown:
        for what in ("padded_nodes", "compressed_nodes", "padded_bytes", "compressed_bytes"):
            yield ["trees", grown.scene, "", "", what, getattr(grown, what), ""]
        for name in grown.rounds:
            yield ["trees", grown.scene, "", name, "time", f"{grown.seconds(name):.6g}", "s"]
    for moved in findings.moved:
        for what, series in moved.milliseconds.items():
            yield ["sheet", "", "", moved.rule, what, f"{float(np.mean(series)):.6g}", "ms a frame"]
