"""What units did: busy cycles of each, and intervals of the first cycles for a timeline."""

from tumble.chip.result import Interval

TIMELINE_CYCLES = 4000


class Journal:
    """Busy cycles by unit, and intervals while they start early enough to be drawn."""

    __slots__ = ("busy", "intervals", "until", "waits")

    def __init__(self, until: int = TIMELINE_CYCLES) -> None:
        self.busy: dict[str, int] = {}
        self.waits: dict[str, int] = {}
        self.intervals: list[Interval] = []
        self.until = until

    def work(self, unit: str, start: int, stop: int, what: str) -> None:
        """Note that a unit was busy from one cycle to before another."""
        self.busy[unit] = self.busy.get(unit, 0) + stop - start
        if start < self.until:
            self.intervals.append((unit, start, stop, what))

    def wait(self, reason: str) -> None:
        """Note that the master controller waited for a cycle."""
        self.waits[reason] = self.waits.get(reason, 0) + 1
