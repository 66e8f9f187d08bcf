"""What was found as plain values: the lists of results.json, and one long table for results.csv."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tumble.bench.chip.published import TABLE_1
from tumble.bench.chip.records import Findings, Rotation, Sample, plain

CSV_COLUMNS = ("part", "object", "triangles", "distance", "what", "step", "value", "unit")
COUNTS = ("aligned", "reads", "tumbled", "reached", "checks")
TIMES = ("hardware", "recursive", "listed")


def entries(findings: Findings) -> dict[str, Any]:
    """Lists of plain values, by the name of what they are about."""
    return {
        "rotations": [_rotation(one) for one in findings.rotations],
        "long_lists": [{"object": name, **_sample(sample)} for name, sample in findings.others],
        "lists": [
            {
                **asdict(one.case),
                "answer": one.answer,
                "rounds": len(next(iter(one.rounds.values()))),
                "seconds_per_item": {name: asdict(one.seconds(name)) for name in one.rounds},
                "counts": one.counts,
            }
            for one in findings.listed
        ],
        "triangle_tests": [asdict(one) for one in findings.triangle_tests],
        "swept": findings.swept,
        "sweep": [
            {
                "measure": point.knob,
                "setting": point.label,
                "base": point.is_base,
                "cycles": point.run.cycles,
                "seconds": point.run.seconds,
                "seconds_without_triangles": point.plain.seconds,
                "equation_seconds": point.equation_seconds,
                "bus_bytes": point.run.bus_bytes,
                "utilisation": point.run.utilisation,
                "bottleneck": point.run.bottleneck,
            }
            for point in findings.sweep
        ],
        "differences": [asdict(one) for one in findings.differences],
        "notes": list(findings.notes),
    }


def _sample(sample: Sample) -> dict[str, Any]:
    return {**asdict(sample), "difference": sample.difference}


def _rotation(one: Rotation) -> dict[str, Any]:
    published = TABLE_1.get(one.name)
    return {
        "object": one.name,
        "what": one.what,
        "triangles": one.triangles,
        "distance": one.distance,
        "steps": len(one.aligned),
        "touching": one.touching,
        **{name: plain(getattr(one, name)) for name in (*COUNTS, *TIMES)},
        "speedup": one.speedup,
        "worst_speedup": one.worst_speedup,
        "samples": [_sample(sample) for sample in one.samples],
        "published": None
        if published is None
        else {**published._asdict(), "average": published.average._asdict(), "worst": published.worst._asdict()},
    }


def csv_rows(findings: Findings) -> Iterator[list[Any]]:
    """One row for each number that was counted or measured."""
    for one in findings.rotations:
        head = ["table 1", one.name, one.triangles, f"{one.distance:.6g}"]
        for name in (*COUNTS, *TIMES):
            unit = "s" if name in TIMES else "nodes" if name != "checks" else "triangle pairs"
            for step, value in enumerate(getattr(one, name)):
                yield [*head, name, step, f"{value:.6g}", unit]
        for sample in one.samples:
            yield [*head, "cycle model", sample.step, sample.cycles, "cycles"]
    for race in findings.listed:
        head = ["lists", race.case.thing, race.case.faces, f"{race.case.distance:.6g}"]
        for name in race.rounds:
            yield [*head, name, "", f"{race.seconds(name).median:.6g}", "s"]
            for column, value in race.counts[name].items():
                yield [*head, f"{name} {column}", "", f"{value:.6g}", "a query"]
    for point in findings.sweep:
        yield ["sweep", findings.swept, "", "", f"{point.knob} {point.label}", "", point.run.cycles, "cycles"]
