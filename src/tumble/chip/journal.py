"""What units did: busy cycles of each, and intervals of the first cycles for a timeline."""

from tumble.chip.result import Interval

TIMELINE_CYCLES = 4000


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
