"""`tumble check`: which parts of an assembly touch, as text and as JSON."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from tumble.api.touching_parts import Contact, touching_parts
from tumble.cli.errors import CLEAR, TOUCHING, Debug
from tumble.cli.options import Json
from tumble.cli.output import amount, json_object, printable, styled, table, write_out
from tumble.cli.progress import Bar, progress_bar, run_interruptibly
from tumble.mesh import Part, load_parts
from tumble.scenario import assembly

FILES_HELP = (
    "An assembly of several parts (GLB, glTF, 3MF, 3DXML, OBJ …) or a file for each part (STL, PLY …); "
    'STEP needs pip install "tumble[cad]".'
)


@dataclass(frozen=True)
class CheckVerdict:
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

    def render(self, json: bool) -> str:
        """Return one JSON object, or text."""
        return as_json(self) if json else as_text(self)


def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help=FILES_HELP, show_default=False)] = None,
    json: Json = False,
    whole: Annotated[bool, typer.Option("--whole", help="Take each file as one part.")] = False,
    debug: Debug = False,
) -> None:
    """Tell which parts touch which, exactly; without a file, on a sample assembly.

    Parts touch when their surfaces share at least a point: a part that floats inside a hollow one does not.

    The exit code is 0 when no parts touch, 1 when some do, 2 on an error.
    """
    with progress_bar("reading") as bar:
        verdict = run_interruptibly(lambda: _look(files or [], whole, bar))
    write_out(verdict.render(json))
    raise typer.Exit(TOUCHING if verdict.contacts else CLEAR)


def _look(files: list[Path], whole: bool, bar: Bar) -> CheckVerdict:
    started = time.perf_counter()
    parts = _read(files, whole)
    bar.update(0, None, "loading the kernels")
    looked_at = 0

    def show(done: int, total: int) -> None:
        nonlocal looked_at
        looked_at = total
        bar.update(done, total, "checking")

    contacts = touching_parts(parts, show)
    seconds = time.perf_counter() - started
    return CheckVerdict([str(file) for file in files], parts, contacts, looked_at, seconds, compiled=bar.compiled > 0)


def _read(files: list[Path], whole: bool) -> list[Part]:
    return load_parts(files, split=not whole) if files else assembly()


def as_json(verdict: CheckVerdict) -> str:
    """Return one JSON object; docs/check.md lists its fields."""
    fields = {
        "sample": not verdict.files,
        "files": verdict.files,
        "parts": [
            {
                "name": part.name,
                "triangles": len(part.mesh),
                "bounds": None if part.mesh.bounds is None else part.mesh.bounds.tolist(),
                "units": part.units,
            }
            for part in verdict.parts
        ],
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
    return json_object(fields)


def as_text(verdict: CheckVerdict) -> str:
    """Return a table of the parts that touch, the conclusion, and the number of pairs that were tested."""
    sample = "" if verdict.files else styled("No file named: this is the sample assembly, a gear train.\n")
    rows = [(printable(one.part_a), printable(one.part_b), f"{one.triangle_pairs:,}") for one in verdict.contacts]
    found = table(("part", "touches", "triangle pairs"), rows, numbers=("triangle pairs",)) + "\n" if rows else ""
    conclusion = styled(_conclusion(verdict), "bold red" if verdict.contacts else "bold green")
    return sample + found + conclusion + _units_warning(verdict) + styled(_effort(verdict))


def _conclusion(verdict: CheckVerdict) -> str:
    if len(verdict.parts) < 2:
        return "There is only one part, so there is nothing to compare."
    if not verdict.contacts:
        return "Clear: no parts touch."
    pairs = len(verdict.contacts)
    where = amount(sum(contact.triangle_pairs for contact in verdict.contacts), "pair")
    return f"{amount(pairs, 'pair')} of parts {'touches' if pairs == 1 else 'touch'}, in {where} of triangles."


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
