"""Where the time of a step goes."""

from time import perf_counter


class StopWatch:
    """Seconds by phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def note(self, phase: str) -> None:
        """Count the time since the last note to a phase."""
        now = perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._last
        self._last = now
