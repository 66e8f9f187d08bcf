"""What was found as plain values: the lists of results.json, and one long table for results.csv."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tumble.bench.binary_stack.published import CPU, GPU, published
from tumble.bench.binary_stack.records import Compared, Findings, Row, Simulation
from tumble.bench.boxtree.records import Raced
from tumble.bench.framework.statistics import Quantiles

CSV_COLUMNS = ("part", "object", "step", "contestant", "what", "value", "unit")


def entries(findings: Findings) -> dict[str, Any]:
    """Lists of plain values, by the name of what they are about."""
    return {
        "devices": [asdict(device) for device in findings.devices],
        "simulation": None if findings.simulation is None else _simulation(findings.simulation),
        "rows": [_row(row, findings) for row in findings.rows],
        "published": {name: [row._asdict() for row in published(name).values()] for name in (CPU, GPU)},
        "compared": [_compared(one) for one in findings.compared],
        "memory": [asdict(one) for one in findings.memory],
        "obb": [_raced(one) for one in findings.obb],
        "answers": [asdict(one) for one in findings.answers],
        "notes": list(findings.notes),
    }


def _simulation(fall: Simulation) -> dict[str, Any]:
    names = ("what", "real", "triangles", "bodies", "length", "slop", "free_fall", "start_energy", "mean_seconds")
    return {
        **{name: getattr(fall, name) for name in names},
        "rest": asdict(fall.rest),
        "steps": [
            {
                "step": one.step,
                "seconds": _rounded(one.seconds),
                "phases": {name: _rounded(value) for name, value in one.phases.items()},
                "counts": dict(one.counts),
                **{name: _rounded(getattr(one, name)) for name in ("lowest", "fastest", "energy")},
            }
            for one in fall.steps
        ],
    }


def _rounded(value: float) -> float:
    return float(f"{value:.6g}")


def _row(row: Row, findings: Findings) -> dict[str, Any]:
    fall = findings.simulation
    return {
        "step": row.step,
        "broad": row.broad,
        "colliding": row.colliding,
        "faces": row.faces,
        "simulation": None if fall is None else fall.at(row.step).seconds,
        "contact": None if fall is None else fall.at(row.step).contact,
        "rounds": len(next(iter(row.rounds.values()))),
        "seconds": {name: asdict(Quantiles.of(rounds)) for name, rounds in row.rounds.items()},
        "devices": {name: asdict(times) for name, times in row.devices.items()},
    }


def _compared(one: Compared) -> dict[str, Any]:
    return {
        "step": one.step,
        "body_pairs": one.body_pairs,
        "counts": {rule: asdict(counts) for rule, counts in one.counts.items()},
        "equal": dict(one.equal),
        "seconds": {name: asdict(Quantiles.of(rounds)) for name, rounds in one.rounds.items()},
        "idle": one.idle,
        "longest": one.longest,
    }


def _raced(one: Raced) -> dict[str, Any]:
    return {
        **asdict(one.case),
        "answer": one.answer,
        "seconds_per_item": {name: asdict(one.seconds(name)) for name in one.rounds},
    }


def csv_rows(findings: Findings) -> Iterator[list[Any]]:
    """One row for each number that was counted or measured."""
    fall = findings.simulation
    if fall is not None:
        for step in fall.steps:
            head = ["simulation", fall.what, step.step, "simulator"]
            yield [*head, "step", f"{step.seconds:.6g}", "s"]
            for name, value in step.phases.items():
                yield [*head, name, f"{value:.6g}", "s"]
            for name, number in step.counts.items():
                yield [*head, name, number, ""]
    for row in findings.rows:
        for name in row.rounds:
            yield ["table 1", "", row.step, name, "collision", f"{row.seconds(name):.6g}", "s"]
        for name, times in row.devices.items():
            for what in ("upload", "kernel", "copy", "confirm"):
                yield ["table 1", "", row.step, name, what, f"{getattr(times, what):.6g}", "s"]
    for one in findings.compared:
        for rule, counts in one.counts.items():
            yield ["traversals", "", one.step, f"binary stack, {rule}", "node pairs", counts.node_pairs, ""]
        for name, rounds in one.rounds.items():
            yield ["traversals", "", one.step, name, "collision", f"{Quantiles.of(rounds).median:.6g}", "s"]
    for tree in findings.memory:
        head = ["memory", tree.name, "", f"{tree.children} children"]
        for what in ("bound_1", "stack", "seen", "bound_2", "binary"):
            yield [*head, what, f"{getattr(tree, what):g}", "bytes"]
    for raced in findings.obb:
        for name in raced.rounds:
            yield ["obb", raced.case.name, "", name, raced.case.query, f"{raced.seconds(name).median:.6g}", "s"]
