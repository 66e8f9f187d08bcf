"""How many rows a chunk has: few at first, then as many as take the time that pays.

A chunk should take 50 ms at least, of which the scheduler's part is then a few percent, and with many workers long
enough that the scheduler, which takes about a millisecond for a task, keeps up with all of them. While much is left,
chunks are longer, half of each thread's share: fewer messages. Toward the end they get shorter, so that all
workers end together. Results do not depend on any of this.
"""

from __future__ import annotations

from collections import deque
from statistics import median

import numpy as np

from tumble.cluster.job import Job

SECONDS = 0.05
"""of a chunk, at least"""
MOST_SECONDS = 2.0
"""of a chunk, unless so many workers are there that the scheduler needs longer ones: what a lost worker costs"""
SCHEDULER_SECONDS = 0.002
"""for a task, with a margin"""
SHARES = 2
"""chunks into which the rest of a thread's share is cut"""
GROWTH = 16
"""how many times as large as the largest that was measured a chunk may be"""
AHEAD = 2
"""chunks per thread that are on their way"""
FIRST_SENT = 32
"""chunks that are on their way while they are too small"""
REMEMBERED = 9
"""chunks whose median tells what a row takes"""
MOST_BYTES = 8_000_000
"""of rows in one message"""
MOST_RESULT_BYTES = 16_000_000
"""of the result of a chunk, about: some of them wait in the memory of each worker"""


class Chunks:
    """The sizes of chunks, from what earlier ones took."""

    def __init__(self, job: Job, slots: int, seconds: float = SECONDS, rows: int | None = None) -> None:
        self.rows, self._seconds = rows, seconds
        self.resize(slots)
        self.count, self.first, self.step = job.count, job.first, job.step
        self._until = None if job.weights is None else np.concatenate([[0.0], np.cumsum(job.weights)])
        """(count + 1,) the weight of all rows before each; None: all weigh 1"""
        self.most_rows = max(1, MOST_BYTES // max(job.row_bytes, 1))
        self._rates: deque[float] = deque(maxlen=REMEMBERED)
        self._sizes: deque[float] = deque(maxlen=REMEMBERED)
        self._largest = 0.0
        self._known = rows is not None

    def resize(self, slots: int) -> None:
        """Note how many chunks workers can do at a time."""
        self.slots = max(slots, 1)
        self.least = max(self._seconds, SCHEDULER_SECONDS * self.slots)

    @property
    def ahead(self) -> int:
        """How many chunks should be on their way: few until it is known what a row takes, as those are too small."""
        return AHEAD * self.slots if self._known else min(AHEAD * self.slots, FIRST_SENT)

    def note(self, start: int, stop: int, seconds: float, size: int = 0) -> None:
        """Learn what some rows took, and the size of their result."""
        self._sizes.append(size / (stop - start))
        weight = self._weight(start, stop)
        if weight > 0.0:
            self._rates.append(seconds / weight)
            self._largest = max(self._largest, weight)

    def stop(self, start: int, end: int) -> int:
        """Return where a chunk ends that begins at a row; `end` is that of the rows that are to be done."""
        return min(-(-self._stop(start) // self.step) * self.step, end)

    def _stop(self, start: int) -> int:
        if self.rows is not None:
            return start + self.rows
        if not self._rates:
            return start + self.first
        rate = max(median(self._rates), 1e-12)
        left = self._weight(start, self.count) * rate
        seconds = min(max(left / (self.slots * SHARES), self.least), max(MOST_SECONDS, self.least))
        weight = min(seconds / rate, GROWTH * self._largest)
        self._known = weight == seconds / rate
        stop = self._reached(start, weight)
        most = min(self.most_rows, int(MOST_RESULT_BYTES / max(median(self._sizes), 1.0)))
        return min(max(stop, start + 1), start + max(most, 1))

    def _weight(self, start: int, stop: int) -> float:
        return float(stop - start) if self._until is None else float(self._until[stop] - self._until[start])

    def _reached(self, start: int, weight: float) -> int:
        """Return the last row such that the rows before it, from the start on, weigh no more than this."""
        if self._until is None:
            return start + int(weight)
        return int(np.searchsorted(self._until, self._until[start] + weight, side="right")) - 1
