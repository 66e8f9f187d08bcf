"""The page of a run: goals and claims first, then the sections of the benchmark, then how it was measured."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tumble.bench.framework.table import Study, Table
from tumble.report import Document, plots

WHAT_IS_KEPT = (
    "The command writes everything on this page, the published values included, as one table to `results.csv`; "
    "`tumble bench NAME --from results.csv` makes the page of it. `results.json` holds the verdicts as well. Beside "
    "the pages that are kept in the repository there is only `results.csv`."
)


@dataclass(frozen=True)
class Page:
    """What a section needs: the document to write to, the table to read from, the folder for figures."""

    document: Document
    table: Table
    folder: Path

    def study(self, name: str) -> Study:
        """One study of the table."""
        return self.table.study(name)

    def figure(self, stem: str, canvas: Any, caption: str) -> None:
        """Save a figure as SVG and PNG, and show it."""
        self.document.figure(plots.save(canvas, self.folder, stem), f"{stem}.svg", caption)


def run_items(page: Page) -> list[str]:
    """The last items of every page: the notes of the run, the machine, and what is kept."""
    run = page.study("run")
    versions = [f"{name} {run.text('versions', '', name)}" for name in run.quantities("versions")]
    return [
        *page.table.notes,
        f"**Machine.** {machine_text(page.table)}, {run.text('machine', '', 'system')}, "
        f"Python {run.text('machine', '', 'python')}, {', '.join(versions)}. "
        f"Finished {run.text('run', '', 'finished')}.",
        WHAT_IS_KEPT,
    ]


def machine_text(table: Table) -> str:
    """Processor and cores in words."""
    run = table.study("run")
    return f"{run.text('machine', '', 'processor')}, {run.count('machine', '', 'cores')} cores"
