"""The sweep over designs in the table, and back: what `tumble.report.chip` needs to show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tumble.bench.framework.table import Study
from tumble.bench.papers.chip.rotation import AS_IT_IS, WITHOUT
from tumble.chip import ChipRun, Design
from tumble.chip.sweep import Point, designs

SWEEP = "sweep"
COUNTS = ("cycles", "bus_bytes", "aligned_nodes", "tumbled_nodes", "lists", "polygon_checks", "unsure")
BUSY = "busy: "


def add_points(points: Sequence[Point], study: Study) -> None:
    """Write every point of a sweep."""
    for point in points:
        case = f"{point.knob}: {point.label}"
        for contestant, run in ((AS_IT_IS, point.run), (WITHOUT, point.plain)):
            study.add_values(case, contestant, {name: getattr(run, name) for name in COUNTS})
            study.add_values(case, contestant, {BUSY + unit: cycles for unit, cycles in run.busy.items()}, "cycles")


def points_of(study: Study) -> list[Point]:
    """The points that were written; a design follows from its knob and its label."""
    points = []
    for knob, label, design in designs(Design()):
        case = f"{knob.name}: {label}"
        if study.has(case, AS_IT_IS, "cycles"):
            runs = [_run(study, case, contestant, design) for contestant in (AS_IT_IS, WITHOUT)]
            points.append(Point(knob.name, label, design == Design(), *runs))
    return points


def _run(study: Study, case: str, contestant: str, design: Design) -> ChipRun:
    counts: dict[str, Any] = {name: study.count(case, contestant, name) for name in COUNTS}
    units = [name for name in study.quantities(case, contestant) if name.startswith(BUSY)]
    busy = {name.removeprefix(BUSY): study.count(case, contestant, name) for name in units}
    return ChipRun(np.empty((0, 2), np.int64), busy=busy, design=design, **counts)
