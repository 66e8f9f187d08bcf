"""What becomes of a query when one measure of the chip changes: by Equation 5, and by the cycle model.

    points = sweep(a, b, pose_b=pose)         every knob in turn, the others as in `design`

Each point shows how much faster the chip is, what that costs in bytes over the bus, and which unit is the busiest.
Equation 5 is fed with what the model read at that point, so both speak of the same work. It does not include
triangles: every point is also run without the triangle unit, which is what the equation describes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from tumble.chip.cost import cycles_of_reads, seconds
from tumble.chip.design import KDOPS, Design
from tumble.chip.memory import Memory, load
from tumble.chip.result import ChipRun
from tumble.chip.run import run
from tumble.errors import OptionError

Progress = Callable[[int, int, str], None]
Setting = tuple[str, Callable[[Design], Design]]  # a label, and what it changes in a design


@dataclass(frozen=True)
class Knob:
    """One measure of the chip and the values that are tried."""

    name: str
    title: str
    settings: Sequence[Setting]


@dataclass(frozen=True)
class Point:
    """One setting of one knob, with what the model found and what Equation 5 says."""

    knob: str
    label: str
    is_base: bool
    run: ChipRun
    plain: ChipRun
    """the same without triangles"""

    @property
    def equation_seconds(self) -> float:
        """The time by Equation 5 for the lists and nodes that the model read."""
        return seconds(equation_cycles(self.plain), self.plain.design)


def equation_cycles(run: ChipRun) -> float:
    """Equation 5 for the nodes and lists that a run read."""
    return cycles_of_reads(run.aligned_nodes, run.tumbled_nodes, run.lists, run.design)


def _setting(label: object, **changes: Any) -> Setting:
    return str(label), lambda design: replace(design, **changes)


def _clock(megahertz: int) -> Setting:
    """A faster clock with the same memory chips: their nanoseconds stay, so they take more cycles."""

    def change(design: Design) -> Design:
        clock_ns = 1000 / megahertz
        timing = {
            name: max(1, ceil(round(getattr(design, name) * design.clock_ns / clock_ns, 1)))
            for name in ("precharge", "ras_cas", "cas")
        }
        return replace(design, clock_ns=clock_ns, **timing)

    return f"{megahertz} MHz", change


KNOBS = (
    Knob("clock", "clock, same memory chips", [_clock(value) for value in (133, 266, 400, 533, 800)]),
    Knob(
        "memory",
        "memory timing, in memory cycles",
        [_setting(f"{n}-{n}-{n}", precharge=n, ras_cas=n, cas=n) for n in (1, 2, 3, 4)],
    ),
    Knob("banks", "memory banks", [_setting(n, banks=n) for n in (1, 2, 4, 8)]),
    Knob("bus", "bus width", [_setting(f"{n} bits", bus_bits=n) for n in (64, 128, 256, 512)]),
    Knob("buffer", "node pairs in the buffer", [_setting(n, buffer_pairs=n) for n in (1, 2, 4)]),
    Knob("tumbled", "tumbled nodes compared at once", [_setting(n, tumbled=n) for n in (1, 2, 4, 8)]),
    Knob("k", "half-spaces of a DOP", [_setting(k, k=k) for k in KDOPS]),
    Knob("leaves", "leaves", [_setting("with DOPs", leaf_dops=True), _setting("without", leaf_dops=False)]),
    Knob("operands", "IT-unit, cycles per operands", [_setting(n, operand_cycles=n) for n in (1, 2, 4, 8)]),
    Knob(
        "triangles",
        "triangle unit",
        [_setting("on the chip", triangle_unit=True), _setting("left to the host", triangle_unit=False)],
    ),
)


def designs(base: Design, knobs: Sequence[Knob] = KNOBS) -> Iterator[tuple[Knob, str, Design]]:
    """Every knob's settings; the base's own value is among them even where it is none of the usual ones.

    A setting that cannot be built with the base's other measures is left out.
    """
    for knob in knobs:
        changed = list(_built(base, knob))
        if not any(_alike(design, base) for _, design in changed):
            yield knob, "as given", base
        for label, design in changed:
            yield knob, label, base if _alike(design, base) else design


def _built(base: Design, knob: Knob) -> Iterator[tuple[str, Design]]:
    for label, change in knob.settings:
        try:
            yield label, change(base)
        except OptionError:  # eight tumbled nodes and a short queue, or a clock that memory of this base cannot follow
            continue


def _alike(one: Design, other: Design) -> bool:
    """Whether two designs differ by no more than a rounded clock."""
    near = abs(one.clock_ns - other.clock_ns) <= 0.002 * other.clock_ns
    return near and replace(one, clock_ns=1.0) == replace(other, clock_ns=1.0)


def load_for(mesh: Any, design: Design) -> Memory:
    """Return the image of a mesh for a design, with a tree that `load` chooses."""
    return load(mesh, design.k, design.leaf_dops)


def sweep(
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    design: Design | None = None,
    knobs: Sequence[Knob] = KNOBS,
    image: Callable[[Any, Design], Any] = load_for,
    progress: Progress | None = None,
) -> list[Point]:
    """Run one query on every design; equal designs run once.

    `image(mesh, design)` makes what the memory of a design holds of a mesh.
    """
    base = design or Design()
    wanted = list(designs(base, knobs))
    images: dict[tuple[int, bool], tuple[Any, Any]] = {}
    runs: dict[Design, tuple[ChipRun, ChipRun]] = {}
    points = []
    for done, (knob, label, variant) in enumerate(wanted):
        if progress is not None:
            progress(done, len(wanted), f"{knob.title}: {label}")
        if variant not in runs:
            held = variant.k, variant.leaf_dops
            if held not in images:
                first = image(a, variant)
                images[held] = first, first if b is a else image(b, variant)
            runs[variant] = run_twice(*images[held], pose_a, pose_b, variant)
        points.append(Point(knob.name, label, variant == base, *runs[variant]))
    return points


def run_twice(
    a: Any, b: Any, pose_a: Any, pose_b: Any, design: Design, trace: Any = None, progress: Any = None
) -> tuple[ChipRun, ChipRun]:
    """A query as it is, and with all triangles left to the host; the trace is of the first time."""
    first = run(a, b, pose_a, pose_b, design=design, trace=trace, progress=progress)
    if not design.triangle_unit or not first.polygon_checks:
        return first, first
    return first, run(a, b, pose_a, pose_b, design=replace(design, triangle_unit=False), progress=progress)
