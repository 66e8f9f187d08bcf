"""What `tumble check` prints: a table of findings, the conclusion and notes, or one JSON object."""

from __future__ import annotations

from dataclasses import dataclass, field

from tumble.clash import as_text
from tumble.clash.as_json import fields_of
from tumble.clash.baseline import Known
from tumble.clash.check import Checked
from tumble.clash.finding import Finding
from tumble.clash.groups import grouped
from tumble.cli.output import amount, json_object, printable, styled, table
from tumble.mesh import Assembly

SAMPLE = "the sample assembly, a gearbox with press fits, and three faults to find."
MOST_SKIPPED = 5
"""things that were not read and are named"""


@dataclass(frozen=True)
class CheckVerdict:
    """What was checked, and what was found."""

    files: list[str]
    """none for the sample assembly"""
    checked: Checked
    assembly: Assembly = field(default_factory=lambda: Assembly([]))
    """what was read"""
    resolved: tuple[Known, ...] = ()
    known: tuple[Known, ...] = ()
    """the baseline as it was"""
    group_by: str | None = None
    reading_seconds: float = 0.0
    seconds: float = 0.0
    """for reading, compiling if need be, and checking"""
    compiled: bool = False
    """whether kernels had to be compiled"""

    @property
    def unit(self) -> str | None:
        """The unit of all lengths."""
        return self.assembly.units

    def render(self, json: bool) -> str:
        """Return one JSON object, or text."""
        return self.as_json() if json else self.as_text()

    def as_json(self) -> str:
        """Return one JSON object; docs/check.md lists its fields."""
        read = self.assembly
        fields = {"sample": not self.files, "files": self.files, "unit": self.unit, "origin": read.origin}
        fields |= {"notes": read.notes, "skipped": [{"what": one.what, "why": one.why} for one in read.skipped]}
        fields |= fields_of(self.checked, self.resolved)
        if self.group_by is not None:
            groups = grouped(self.checked, self.group_by)
            fields["groups"] = [{"name": name, "findings": [one.id for one in found]} for name, found in groups]
        times = {"seconds": round(self.seconds, 6), "reading_seconds": round(self.reading_seconds, 6)}
        return json_object(fields | times)

    def as_text(self) -> str:
        """Return a table of findings, worst first, the conclusion, and notes."""
        checked = self.checked
        sample = "" if self.files else styled(f"No file named: this is {SAMPLE}\n")
        conclusion = styled(as_text.conclusion(checked), "bold red" if checked.faults else "bold green")
        notes = [styled(printable(note)) for note in (*as_text.notes(checked, self.resolved), *self._reading())]
        return sample + self._tables() + conclusion + "".join(notes) + styled(self._effort())

    def how(self) -> list[str]:
        """Return what was checked and how, in sentences."""
        settings = self.checked.settings
        lengths = {"tolerance": settings.tolerance, "clearance": settings.clearance}
        given = [f"{name} {as_text.measure(value, self.unit)}" for name, value in lengths.items() if value]
        files = [f"Files: {', '.join(self.files)}."] if self.files else []
        return [*files, *([f"Settings: {', '.join(given)}."] if given else []), *self._reading(), f"{self._effort()}."]

    def _tables(self) -> str:
        if not self.checked.findings:
            return ""
        if self.group_by is None:
            return self._table(self.checked.findings)
        groups = grouped(self.checked, self.group_by)
        rows = [tuple(map(printable, row)) for row in as_text.group_rows(groups)]
        tables = [styled(printable(group.name), "bold") + self._table(group.findings) for group in groups]
        return table(as_text.GROUP_COLUMNS, rows, as_text.GROUP_NUMBERS) + "\n" + "".join(tables)

    def _table(self, findings: list[Finding]) -> str:
        rows = [tuple(map(printable, row)) for row in as_text.rows_of(findings, self.unit, self.checked.frames)]
        return table(as_text.COLUMNS, rows, as_text.NUMBERS) + "\n"

    def _reading(self) -> list[str]:
        """Say what was done to what the files have, and what was not read."""
        skipped = self.assembly.skipped
        listed = [f"Not read: {one.what}: {one.why}." for one in skipped[:MOST_SKIPPED]]
        if len(skipped) > MOST_SKIPPED:
            listed.append(f"Not read: {len(skipped) - MOST_SKIPPED:,} more; --json lists all.")
        return [*self.assembly.notes, *listed]

    def _effort(self) -> str:
        checked = self.checked
        triangles = sum(len(part.mesh) for part in checked.parts)
        size = f"{amount(len(checked.parts), 'part')}, {amount(triangles, 'triangle')}"
        looked = f"looked at {checked.looked_at:,} of {amount(checked.part_pairs, 'pair')} of parts"
        compiling = " with compiling, this first time" if self.compiled else ""
        return f"{size}; {looked}; {self.seconds:.2f} s{compiling}"
