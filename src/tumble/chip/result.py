"""What a run of the chip returns: the answer, and what it took, as the units noted it in the journal."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tumble.chip.cost import setup_cycles
from tumble.chip.design import Design

Interval = tuple[str, int, int, str]  # a unit, the first cycle, one past the last cycle, and what it did
TIMELINE_CYCLES = 4000  # intervals that start later are not kept


@dataclass(frozen=True, eq=False)
class ChipRun:
    """One query, run to its end."""

    pairs: NDArray[np.int64]
    """(n, 2): triangle of a and triangle of b, sorted; the pairs of `tumble.collide`"""
    cycles: int
    """from the first command to the last answer"""
    bus_bytes: int
    """read from the SDRAM"""
    aligned_nodes: int
    """nodes of a read, two for each pair, every visit counted"""
    tumbled_nodes: int
    """nodes of b read and moved, every visit counted"""
    lists: int
    """lists processed"""
    polygon_checks: int
    """pairs of triangles whose DOPs overlapped"""
    unsure: int
    """of those, the pairs that were left to the host's exact test"""
    busy: dict[str, int]
    """cycles in which each unit worked"""
    design: Design = field(default_factory=Design)
    """the chip that ran"""
    waits: dict[str, int] = field(default_factory=dict)
    """cycles in which the master controller waited, by what it waited for"""
    intervals: list[Interval] = field(default_factory=list)
    """what the units did in the first cycles, for a timeline"""
    different_tumbled_nodes: int = 0
    """of the nodes of b read, how many are different ones: all, if none is moved twice"""
    most_list_words: int = 0
    """entries that lay in the SRAM of the stack engine at once, at most"""

    @property
    def seconds(self) -> float:
        """The time of the chip, at its clock."""
        return self.cycles * self.design.clock_ns * 1e-9

    @property
    def setup_cycles(self) -> int:
        """Cycles before the first command, in which the host sends the set-up over its bus; not part of `cycles`."""
        return setup_cycles(self.design)

    @property
    def utilisation(self) -> dict[str, float]:
        """The share of the cycles in which each unit worked."""
        return {unit: cycles / self.cycles if self.cycles else 0.0 for unit, cycles in self.busy.items()}

    @property
    def bottleneck(self) -> str:
        """The unit that was busiest; "none" when there was nothing to do."""
        return max(self.busy, key=self.busy.__getitem__) if self.cycles and self.busy else "none"

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return len(self.pairs) > 0

    def __repr__(self) -> str:
        return f"<ChipRun of {self.cycles} cycles, {len(self.pairs)} triangle pairs, {self.bottleneck} the busiest>"


class Journal:
    """Busy cycles by unit, and intervals while they start early enough to be drawn."""

    __slots__ = ("_since", "busy", "intervals", "until", "waits")

    def __init__(self, until: int = TIMELINE_CYCLES) -> None:
        self.busy: dict[str, int] = {}
        self.waits: dict[str, int] = {}
        self.intervals: list[Interval] = []
        self.until = until
        self._since: dict[str, tuple[int, str]] = {}
        """of units that work without a break: the first cycle, and what they do"""

    def work(self, unit: str, start: int, stop: int, what: str) -> None:
        """Note that a unit was busy from one cycle to before another."""
        self.busy[unit] = self.busy.get(unit, 0) + stop - start
        if start < self.until:
            self.intervals.append((unit, start, stop, what))

    def works(self, unit: str, now: int, working: bool, what: str) -> None:
        """Note whether a unit works in this cycle; cycles without a break become one interval."""
        if working:
            self._since.setdefault(unit, (now, what))
        elif unit in self._since:
            start, what = self._since.pop(unit)
            self.work(unit, start, now, what)

    def finish(self, now: int) -> None:
        """Note what is still going on."""
        for unit in list(self._since):
            self.works(unit, now, False, "")

    def wait(self, reason: str) -> None:
        """Note that the master controller waited for a cycle."""
        self.waits[reason] = self.waits.get(reason, 0) + 1
