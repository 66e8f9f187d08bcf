"""Section 5's account of one list: when its pair is read, when results are there, when nodes are compared.

Cycles are counted from the read of the tumbled pair, in every list of a query that moves two nodes. The paper takes the
delay of address generator 2 to be 12 cycles; the host derives it from the pose, mostly a little less. Both are run.
"""

from collections.abc import Iterator

from tumble import chip
from tumble.bench.framework.table import Study
from tumble.bench.papers.chip import rotation
from tumble.bench.papers.chip.published import DELAY, MARKS
from tumble.chip.comparators import UNIT as COMPARATORS
from tumble.chip.cost import idle_latency
from tumble.chip.machine import Chip
from tumble.chip.run import _chip
from tumble.mesh import as_pose

LIST_MARKS = "marks of Section 5"
PAPERS, OWN = f"a delay of {DELAY} cycles", "a delay by the pose"
ENDLESS = 10**9
BUS = "memory bus"
# The aligned node whose comparison Section 5 puts into cycle 100.
COMPARED = 4


def run_marks(triangles: int, study: Study) -> None:
    """Write the earliest and the latest cycle of every mark, over the lists of a soup without triangle tests."""
    for name, delay in ((PAPERS, DELAY), (OWN, None)):
        found: dict[str, list[int]] = {mark: [] for mark in MARKS}
        for marks in _lists(_started(triangles, delay)):
            for mark, cycle in marks.items():
                found[mark].append(cycle)
        for mark, cycles in found.items():
            if cycles:
                study.add_values(mark, name, {"earliest": min(cycles), "latest": max(cycles)}, "cycles")
                study.add_values(mark, name, {"lists": len(cycles), "as printed": cycles.count(MARKS[mark])})


def _started(triangles: int, delay: int | None) -> Chip:
    """A chip before its query, which notes everything; a delay that is too short for the pose is not taken."""
    (duo, pose), design = rotation.soup_query(triangles), chip.Design(triangle_unit=False)
    image = chip.load(rotation.chip_tree(duo.a))
    machine = _chip(design, (image, image), None, as_pose(pose))
    machine.journal.until = ENDLESS
    if delay is not None:
        machine.generator2.delay = max(delay, machine.generator2.delay)
    return machine


def _lists(machine: Chip) -> Iterator[dict[str, int]]:
    """Run a query to its end, then name the marks of each list of two tumbled nodes."""
    written: dict[str, list[int]] = {"0": [], "1": []}
    while not machine.done:
        machine.tick()
        node = machine.generator3.shown.partition(":")[0]
        if node in written:
            written[node].append(machine.now - 1)
    machine.journal.finish(machine.now)
    intervals = machine.journal.intervals
    reads = [(start, stop) for unit, start, stop, what in intervals if unit == BUS and what.startswith("tumbled")]
    compared = [start for unit, start, _, _ in intervals if unit == COMPARATORS]
    begins = [start - idle_latency() for start, _ in reads]
    for begin, end, (_, read) in zip(begins, [*begins[1:], ENDLESS], reads, strict=True):
        first, second = ([cycle - begin for cycle in written[node] if begin <= cycle < end] for node in "01")
        if second:
            fourth = [cycle - begin for cycle in compared if begin <= cycle < end][COMPARED - 1 : COMPARED]
            cycles = [read - begin, first[0], first[-1] + 1, second[-1] + 1, *fourth]
            yield dict(zip(MARKS, cycles, strict=False))
