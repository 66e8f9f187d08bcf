"""`tumble chip`: one query on the cycle model of the CollisionChip, with its cycles and bottlenecks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from tumble.cli.errors import CLEAR, TOUCHING, Debug
from tumble.cli.options import Json, takes
from tumble.cli.output import write_out
from tumble.cli.progress import Bar, progress_bar, run_interruptibly
from tumble.errors import FileError, OptionError
from tumble.mesh import compose, load, rotation, translation
from tumble.report.document import output_folder

if TYPE_CHECKING:
    from tumble.cli.chip_verdict import ChipVerdict

POSE_HELP = (
    "Where the second mesh stands: X,Y,Z; or X,Y,Z,RX,RY,RZ with degrees about x, then y, then z; "
    "or the 16 numbers of a matrix, row by row."
)
MEMORY_HELP = "Memory cycles to precharge, RAS to CAS, CAS."
measure = partial(typer.Option, rich_help_panel="The chip (defaults: the paper's, unless it says otherwise)")
MEASURES = (
    "k", "clock_ns", "bus_bits", "banks", "dotadd_stages", "tumbled", "buffer_pairs", "triangle_unit", "leaf_dops",
)  # fmt: skip


@dataclass(frozen=True)
class ChipOptions:
    """The options of the command; the measures of the chip have the names that `Design` gives them."""

    file_a: Annotated[Path, typer.Argument(metavar="FILE_A", help="The mesh that stands still.")]
    file_b: Annotated[Path, typer.Argument(metavar="FILE_B", help="The mesh whose tree is tumbled.")]
    pose_b: Annotated[
        str | None,
        typer.Option("--pose-b", metavar="NUMBERS", help=POSE_HELP, show_default="as the files are placed"),
    ] = None
    sweep: Annotated[bool, typer.Option("--sweep", help="Run many designs: one measure changed at a time.")] = False
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder for the page.")] = Path("chip-results")
    page: Annotated[
        bool, typer.Option("--page/--no-page", help="Write a page; with a timeline where Matplotlib is installed.")
    ] = True
    json: Json = False
    trace: Annotated[
        Path | None,
        typer.Option("--trace", metavar="FILE", help="Write a line for each cycle, a column for each unit."),
    ] = None
    cycles: Annotated[int, typer.Option("--cycles", metavar="N", min=1, help="Lines of the trace at most.")] = 2000
    k: Annotated[int, measure("--k", help="Half-spaces of a DOP.")] = 24
    clock_ns: Annotated[float, measure("--clock", metavar="NS", help="Nanoseconds per cycle.")] = 3.76
    bus_bits: Annotated[int, measure("--bus", metavar="BITS", help="Bits moved per cycle.")] = 256
    banks: Annotated[int, measure("--banks", help="Banks of the memory.")] = 4
    memory: Annotated[str, measure("--memory", metavar="P-R-C", help=MEMORY_HELP)] = "2-2-2"
    dotadd_stages: Annotated[int, measure("--stages", help="Stages of the DOTADD unit.")] = 6
    tumbled: Annotated[int, measure("--tumbled", help="Tumbled nodes compared at once.")] = 2
    triangle_unit: Annotated[
        bool, measure("--triangle-unit/--no-triangle-unit", help="Test triangles on the chip.")
    ] = True
    buffer_pairs: Annotated[
        int, measure("--buffer", metavar="N", help="Node pairs in the buffer; the paper has 1.")
    ] = 2
    leaf_dops: Annotated[
        bool, measure("--leaf-dops/--no-leaf-dops", help="Leaves have DOPs; the paper's have none.")
    ] = True
    debug: Debug = False


@takes(ChipOptions)
def chip(options: ChipOptions) -> None:
    """Run two meshes through the CollisionChip, cycle by cycle, and tell what it took.

    The answer is that of `tumble check`. The exit code is 0 when the meshes are clear of each other, 1 when they touch,
    2 on an error.
    """
    measures = {name: getattr(options, name) for name in MEASURES} | _timing(options.memory)
    pose_b = as_pose_of(options.pose_b)
    with progress_bar("reading") as bar:
        verdict = run_interruptibly(lambda: _look(options, pose_b, measures, bar))
    write_out(verdict.render(options.json))
    raise typer.Exit(TOUCHING if verdict.run else CLEAR)


def _timing(memory: str) -> dict[str, int]:
    """The three numbers of a memory's timing, as in 2-2-2."""
    numbers = memory.split("-")
    if len(numbers) != 3 or not all(number.isdecimal() for number in numbers):
        raise OptionError(f"--memory {memory!r}: give three whole numbers, as in 2-2-2 (precharge, RAS to CAS, CAS)")
    return dict(zip(("precharge", "ras_cas", "cas"), map(int, numbers), strict=True))


def as_pose_of(numbers: str | None) -> Any:
    """The 4×4 pose that `--pose-b` describes; None where it is left out."""
    if numbers is None:
        return None
    try:
        values = [float(number) for number in numbers.replace(",", " ").split()]
    except ValueError:
        raise OptionError(f"--pose-b {numbers!r}: give 3, 6 or 16 numbers, separated by commas") from None
    if len(values) == 16:
        return np.array(values).reshape(4, 4)
    if len(values) not in (3, 6):
        raise OptionError(f"--pose-b has {len(values)} numbers: give 3 (a shift), 6 (shift and turns) or 16 (a matrix)")
    turns = [rotation(axis, radians(angle)) for axis, angle in zip("xyz", values[3:], strict=False)]
    return compose(translation(*values[:3]), *reversed(turns))


def _look(options: ChipOptions, pose_b: Any, measures: dict[str, Any], bar: Bar) -> ChipVerdict:
    from tumble import chip as model
    from tumble.chip.sweep import load_for, run_twice, sweep
    from tumble.cli.chip_verdict import ChipVerdict
    from tumble.report.chip.page import write_page

    design, files = model.Design(**measures), [options.file_a, options.file_b]
    folder = output_folder(options.out) if options.page else None
    a = load(options.file_a)
    b = a if options.file_b == options.file_a else load(options.file_b)
    bar.update(0, None, "building trees")
    first = load_for(a, design)
    images = first, first if b is a else load_for(b, design)
    bar.update(0, None, "running the chip")

    def show(cycles: int, lists: int) -> None:
        bar.update(cycles, None, f"running the chip: {lists:,} lists, cycles")

    with line_file(options.trace, options.cycles) as trace:
        run, plain = run_twice(*images, None, pose_b, design, trace=trace, progress=show)
    points = sweep(a, b, pose_b=pose_b, design=design, progress=bar.update) if options.sweep else []
    page = None
    if folder is not None:
        page = write_page(folder, [file.stem for file in files], run, plain, points)
    return ChipVerdict([str(file) for file in files], [len(a), len(b)], run, plain, points, page, options.trace)


@contextmanager
def line_file(path: Path | None, most: int) -> Iterator[Callable[[str], None] | None]:
    """A function that writes lines of the trace to a file, at most `most`; None without a trace."""
    if path is None:
        yield None
        return
    try:
        with path.open("w", encoding="utf-8") as file:
            left = iter(range(most + 1))  # the first line names the columns
            yield lambda line: None if next(left, None) is None else print(line, file=file)
    except OSError as error:
        raise FileError(f"the trace cannot be written to {path}: {error.strerror}") from error
