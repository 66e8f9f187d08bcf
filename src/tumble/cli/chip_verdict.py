"""What `tumble chip` found, as text and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tumble.chip.result import ChipRun
from tumble.chip.sweep import Point, equation_cycles
from tumble.cli.output import amount, json_object, printable, styled, table
from tumble.report import plots
from tumble.report.chip.facts import bus_share, difference, facts, units
from tumble.report.chip.page import PLOTS_LEFT_OUT
from tumble.report.chip.sweep import COLUMNS, sweep_rows

_AS_THEY_ARE = ("lists", "aligned_nodes", "tumbled_nodes", "polygon_checks", "unsure", "busy", "utilisation", "waits")
"""fields of a run that the JSON object has by the same names"""


@dataclass(frozen=True)
class ChipVerdict:
    """A run, and what was written about it."""

    files: Sequence[str]
    triangles: Sequence[int]
    run: ChipRun
    plain: ChipRun
    """the same with its triangles left to the host"""
    points: Sequence[Point]
    page: Path | None
    trace: Path | None

    def render(self, json: bool) -> str:
        """Return one JSON object, or text."""
        return as_json(self) if json else as_text(self)


def as_json(verdict: ChipVerdict) -> str:
    """Return one JSON object; docs/chip.md lists its fields."""
    run = verdict.run
    fields = {
        "files": list(verdict.files),
        "triangles": list(verdict.triangles),
        "touching": bool(run),
        "pairs": run.pairs.tolist(),
        **_counts(run, verdict.plain),
        "setup_cycles": run.setup_cycles,
        **{name: getattr(run, name) for name in _AS_THEY_ARE},
        "design": asdict(run.design),
        "sweep": [
            {"measure": point.knob, "setting": point.label, "base": point.is_base, **_counts(point.run, point.plain)}
            for point in verdict.points
        ],
        "page": None if verdict.page is None else str(verdict.page),
        "plots": verdict.page is not None and plots.have_matplotlib(),
    }
    return json_object(fields)


def _counts(run: ChipRun, plain: ChipRun) -> dict[str, Any]:
    return {
        "cycles": run.cycles,
        "microseconds": run.seconds * 1e6,
        "cycles_without_triangles": plain.cycles,
        "equation_cycles": equation_cycles(plain),
        "difference": difference(plain),
        "bus_bytes": run.bus_bytes,
        "bus_share": bus_share(run),
        "bottleneck": run.bottleneck,
    }


def as_text(verdict: ChipVerdict) -> str:
    """Return tables of the run, of its units and of the sweep, and the conclusion."""
    run = verdict.run
    names = " and ".join(
        f"{printable(file)} ({amount(triangles, 'triangle')})"
        for file, triangles in zip(verdict.files, verdict.triangles, strict=True)
    )
    parts = [styled(names), table(("what", "value"), facts(run, verdict.plain))]
    parts.append(table(("unit", "busy cycles", "share"), units(run), numbers=("busy cycles", "share")))
    if verdict.points:
        titles = [column.full_title for column in COLUMNS]
        numbers = [column.full_title for column in COLUMNS if column.number]
        parts.append(table(titles, sweep_rows(verdict.points), numbers=numbers))
    hits = f"They touch in {amount(len(run.pairs), 'pair')} of triangles." if run else "Clear: they do not touch."
    conclusion = styled(hits, "bold red" if run else "bold green")
    if verdict.trace is not None:
        conclusion += f"The trace: {verdict.trace}\n"
    if verdict.page is not None:
        conclusion += f"The full page: {verdict.page}\n"
        if not plots.have_matplotlib():
            conclusion += f"{PLOTS_LEFT_OUT}\n"
    return "\n".join([*parts, conclusion])
