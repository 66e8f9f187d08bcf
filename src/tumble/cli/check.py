"""`tumble check`: which parts of an assembly touch, cross or are inside another, as text and as JSON."""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tumble.api.touching_parts import Contact, contacts_of
from tumble.cli.errors import CLEAR, TOUCHING, Debug
from tumble.cli.options import Json
from tumble.cli.output import amount, json_object, printable, styled, table, write_out
from tumble.cli.progress import Bar, progress_bar, run_interruptibly
from tumble.mesh import Part, load_parts
from tumble.mesh.edges import edges_of
from tumble.query.plan import Options
from tumble.scenario import assembly
from tumble.solid.evidence import Effort, Relation

FILES_HELP = (
    "An assembly of several parts (GLB, glTF, 3MF, 3DXML, OBJ …) or a file for each part (STL, PLY …); "
    'STEP needs pip install "tumble[cad]".'
)

RELATIONS_HELP = "Decide how all parts that touch lie to each other, however long it takes."
# how the first part of a row lies to the second
WORDS = {
    None: "undecided",
    Relation.TOUCHING: "touching",
    Relation.CROSSING: "crossing",
    Relation.A_INSIDE_B: "inside",
    Relation.B_INSIDE_A: "contains",
    Relation.EQUAL: "equal",
}
KINDS = {
    "touching": (Relation.TOUCHING,),
    "crossing": (Relation.CROSSING,),
    "inside": (Relation.A_INSIDE_B, Relation.B_INSIDE_A),
    "equal": (Relation.EQUAL,),
    "undecided": (None,),
}
EACH, ALL = 1000, 4000
"""lines along which surfaces meet that are looked at, for a pair of parts and for all, unless all relations are asked
for: a line takes about 0.3 ms"""
MOST_NAMED = 3
"""open parts that are named"""


@dataclass(frozen=True)
class CheckVerdict:
    """The parts that were compared and those that touch or are inside another."""

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
    open_parts: tuple[int, ...] = ()
    """parts with open edges, which have no inside"""

    @property
    def triangles(self) -> int:
        """The triangles of all parts."""
        return sum(len(part.mesh) for part in self.parts)

    @property
    def kinds(self) -> dict[str, int]:
        """How many pairs of parts there are of each relation."""
        counts = Counter(contact.relation for contact in self.contacts)
        return {kind: sum(counts[relation] for relation in relations) for kind, relations in KINDS.items()}

    @property
    def part_pairs(self) -> int:
        """All pairs of parts that there are."""
        return len(self.parts) * (len(self.parts) - 1) // 2

    def render(self, json: bool) -> str:
        """Return one JSON object, or text."""
        return as_json(self) if json else as_text(self)


def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help=FILES_HELP, show_default=False)] = None,
    json: Json = False,
    whole: Annotated[bool, typer.Option("--whole", help="Take each file as one part.")] = False,
    relations: Annotated[bool, typer.Option("--relations", help=RELATIONS_HELP)] = False,
    debug: Debug = False,
) -> None:
    """Tell which parts touch, cross or contain which, exactly; without a file, on a sample assembly.

    Parts touch when their surfaces share at least a point. A closed part is a solid: what is buried in it is found, but
    not what floats in a cavity of it. Nothing is inside a part with open edges.

    The exit code is 0 when there is nothing to report, 1 when parts touch or are inside another, 2 on an error.
    """
    with progress_bar("reading") as bar:
        effort = None if relations else Effort(EACH, ALL)
        verdict = run_interruptibly(lambda: _look(files or [], whole, effort, bar))
    write_out(verdict.render(json))
    raise typer.Exit(TOUCHING if verdict.contacts else CLEAR)


def _look(files: list[Path], whole: bool, effort: Effort | None, bar: Bar) -> CheckVerdict:
    started = time.perf_counter()
    parts = _read(files, whole)
    bar.update(0, None, "loading the kernels")
    looked_at = 0

    def show(done: int, total: int) -> None:
        nonlocal looked_at
        looked_at = total
        bar.update(done, total, "checking")

    contacts = contacts_of(parts, show, Options().checked(), True, effort)
    open_parts = tuple(k for k, part in enumerate(parts) if not edges_of(part.mesh).closed)
    seconds = time.perf_counter() - started
    names = [str(file) for file in files]
    return CheckVerdict(names, parts, contacts, looked_at, seconds, bar.compiled > 0, open_parts)


def _read(files: list[Path], whole: bool) -> list[Part]:
    return load_parts(files, split=not whole) if files else assembly()


def as_json(verdict: CheckVerdict) -> str:
    """Return one JSON object; docs/check.md lists its fields."""
    open_parts = set(verdict.open_parts)
    fields = {
        "sample": not verdict.files,
        "files": verdict.files,
        "parts": [
            {
                "name": part.name,
                "triangles": len(part.mesh),
                "bounds": None if part.mesh.bounds is None else part.mesh.bounds.tolist(),
                "units": part.units,
                "closed": k not in open_parts,
            }
            for k, part in enumerate(verdict.parts)
        ],
        "contacts": [
            {
                "part_a": contact.part_a,
                "part_b": contact.part_b,
                "index_a": contact.index_a,
                "index_b": contact.index_b,
                "relation": None if contact.relation is None else str(contact.relation),
                "triangle_pairs": contact.triangle_pairs,
            }
            for contact in verdict.contacts
        ],
        "counts": {
            "parts": len(verdict.parts),
            "triangles": verdict.triangles,
            "part_pairs": verdict.part_pairs,
            "looked_at": verdict.looked_at,
            "touching": sum(contact.triangle_pairs > 0 for contact in verdict.contacts),
            "triangle_pairs": sum(contact.triangle_pairs for contact in verdict.contacts),
            "relations": verdict.kinds,
            "open_parts": len(open_parts),
        },
        "seconds": round(verdict.seconds, 6),
    }
    return json_object(fields)


def as_text(verdict: CheckVerdict) -> str:
    """Return a table of the parts that touch or are inside another, the conclusion, and the number of pairs tested."""
    sample = "" if verdict.files else styled("No file named: this is the sample assembly, a gear train.\n")
    rows = [
        (printable(one.part_a), WORDS[one.relation], printable(one.part_b), f"{one.triangle_pairs:,}")
        for one in verdict.contacts
    ]
    columns = "part", "relation", "other part", "triangle pairs"
    found = table(columns, rows, numbers=columns[3:]) + "\n" if rows else ""
    conclusion = styled(_conclusion(verdict), "bold red" if verdict.contacts else "bold green")
    notes = _undecided(verdict) + _open_parts(verdict) + _units_warning(verdict)
    return sample + found + conclusion + notes + styled(_effort(verdict))


def _conclusion(verdict: CheckVerdict) -> str:
    if len(verdict.parts) < 2:
        return "There is only one part, so there is nothing to compare."
    if not verdict.contacts:
        return "Clear: no parts touch, and none is inside another."
    pairs, triangles = len(verdict.contacts), sum(contact.triangle_pairs for contact in verdict.contacts)
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in verdict.kinds.items() if count)
    where = f"{amount(triangles, 'pair')} of triangles {'touches' if triangles == 1 else 'touch'}"
    return f"{amount(pairs, 'pair')} of parts {'meets' if pairs == 1 else 'meet'}: {kinds}; {where}."


def _undecided(verdict: CheckVerdict) -> str:
    """Say how to learn what was not decided."""
    if not verdict.kinds["undecided"]:
        return ""
    return styled("Undecided: surfaces that meet along many lines; --relations decides all, which takes longer.")


def _open_parts(verdict: CheckVerdict) -> str:
    """Say which parts have no inside, so that nothing can be found there."""
    found = verdict.open_parts
    if not found or len(verdict.parts) < 2:
        return ""
    names = [printable(verdict.parts[k].name) for k in found[:MOST_NAMED]]
    more = ", …" if len(found) > MOST_NAMED else ""
    number = f"{len(found):,} of {amount(len(verdict.parts), 'part')}"
    is_open = "has open edges" if len(found) == 1 else "have open edges"
    return styled(f"{number} {is_open} ({', '.join(names)}{more}), so no inside: what is buried there is not found.")


def _units_warning(verdict: CheckVerdict) -> str:
    """Warn of parts whose files state different units of length: their coordinates are compared as they are."""
    units = sorted({part.units for part in verdict.parts if part.units is not None})
    if len(units) < 2:
        return ""
    return styled(f"The files use different units ({', '.join(units)}), and nothing was converted.", "bold yellow")


def _effort(verdict: CheckVerdict) -> str:
    size = f"{amount(len(verdict.parts), 'part')}, {amount(verdict.triangles, 'triangle')}"
    looked = f"looked at {verdict.looked_at:,} of {amount(verdict.part_pairs, 'pair')} of parts"
    compiling = " with compiling, this first time" if verdict.compiled else ""
    return f"{size}; {looked}; {verdict.seconds:.2f} s{compiling}"
