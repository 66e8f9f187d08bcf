"""What `tumble check` found, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from tumble import __version__
from tumble.api.touching_parts import Contact
from tumble.cli.output import amount, printable, styled, table
from tumble.mesh import Part

# Goes up when a field changes its meaning or goes away; new fields may appear without notice.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Verdict:
    """The parts that were compared and those that touch."""

    files: list[str]
    """none for the sample assembly"""
    parts: list[Part]
    contacts: list[Contact]
    looked_at: int
    """pairs of parts whose boxes meet, which are those that need a closer look"""
    seconds: float
    """for reading, compiling if need be, and checking"""
    compiled: bool = False
    """whether kernels had to be compiled"""

    @property
    def triangles(self) -> int:
        """The triangles of all parts."""
        return sum(len(part.mesh) for part in self.parts)

    @property
    def part_pairs(self) -> int:
        """All pairs of parts that there are."""
        return len(self.parts) * (len(self.parts) - 1) // 2


def as_json(verdict: Verdict) -> str:
    """Return one JSON object; docs/check.md lists its fields."""
    record = {
        "schema_version": SCHEMA_VERSION,
        "tumble": __version__,
        "sample": not verdict.files,
        "files": verdict.files,
        "parts": [_part_record(part) for part in verdict.parts],
        "contacts": [asdict(contact) for contact in verdict.contacts],
        "counts": {
            "parts": len(verdict.parts),
            "triangles": verdict.triangles,
            "part_pairs": verdict.part_pairs,
            "looked_at": verdict.looked_at,
            "touching": len(verdict.contacts),
            "triangle_pairs": sum(contact.triangle_pairs for contact in verdict.contacts),
        },
        "seconds": round(verdict.seconds, 6),
    }
    return json.dumps(record, indent=2) + "\n"


def _part_record(part: Part) -> dict[str, Any]:
    bounds = part.mesh.bounds
    return {
        "name": part.name,
        "triangles": len(part.mesh),
        "bounds": None if bounds is None else bounds.tolist(),
        "units": part.units,
    }


def as_text(verdict: Verdict) -> str:
    """Return a table of the parts that touch, what that amounts to, and what was looked at."""
    sample = "" if verdict.files else styled("No file named: this is the sample assembly, a gear train.\n")
    found = _table(verdict.contacts) + "\n" if verdict.contacts else ""
    conclusion = styled(_conclusion(verdict), "bold red" if verdict.contacts else "bold green")
    return sample + found + conclusion + _units_warning(verdict) + styled(_effort(verdict))


def _table(contacts: list[Contact]) -> str:
    rows = [
        (printable(contact.part_a), printable(contact.part_b), f"{contact.triangle_pairs:,}") for contact in contacts
    ]
    return table(("part", "touches", "triangle pairs"), rows, numbers=("triangle pairs",))


def _conclusion(verdict: Verdict) -> str:
    if len(verdict.parts) < 2:
        return "There is only one part, so there is nothing to compare."
    if not verdict.contacts:
        return "Clear: no parts touch."
    pairs = len(verdict.contacts)
    where = amount(sum(contact.triangle_pairs for contact in verdict.contacts), "pair")
    return f"{amount(pairs, 'pair')} of parts {'touches' if pairs == 1 else 'touch'}, in {where} of triangles."


def _units_warning(verdict: Verdict) -> str:
    """Warn of parts whose files state different units of length: their coordinates are compared as they are."""
    units = sorted({part.units for part in verdict.parts if part.units is not None})
    if len(units) < 2:
        return ""
    return styled(f"The files use different units ({', '.join(units)}), and nothing was converted.", "bold yellow")


def _effort(verdict: Verdict) -> str:
    size = f"{amount(len(verdict.parts), 'part')}, {amount(verdict.triangles, 'triangle')}"
    looked = f"looked at {verdict.looked_at:,} of {amount(verdict.part_pairs, 'pair')} of parts"
    compiling = " with compiling, this first time" if verdict.compiled else ""
    return f"{size}; {looked}; {verdict.seconds:.2f} s{compiling}"
