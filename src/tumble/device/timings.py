"""Where the time of device queries goes: `with measured() as timings: …`."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class DeviceTimings:
    """Seconds by phase, summed over the queries of the block, and what they did."""

    trees: float = 0.0
    """building trees, and copying those to the device that are not there yet"""
    upload: float = 0.0
    """relative poses: computed and copied to the device"""
    kernel: float = 0.0
    """the traversal itself, by the device's own clock"""
    copy: float = 0.0
    """candidates, counted and copied back"""
    confirm: float = 0.0
    """exact tests of what the device could not decide, and sorting, on the host"""
    contact: float = 0.0
    """contact points, copying included"""
    launches: int = 0
    """kernels launched: one, more where a pool is drawn from in rounds or a buffer had to grow"""
    grown: int = 0
    """how often a buffer was too small and the launch was repeated"""
    candidates: int = 0
    """triangle pairs that came back"""
    unsure: int = 0
    """of those, how many the device could not decide"""
    pairs: int = 0
    """pairs of bodies in the queries"""

    @property
    def total(self) -> float:
        """All phases together."""
        return self.trees + self.upload + self.kernel + self.copy + self.confirm + self.contact

    def launched(self, seconds: float, launches: int = 1) -> None:
        """Add launches of traversal kernels."""
        self.kernel += seconds
        self.launches += launches


_current: ContextVar[DeviceTimings | None] = ContextVar("tumble_device_timings", default=None)


@contextmanager
def measured() -> Iterator[DeviceTimings]:
    """Collect the timings of all device queries that this thread makes in the block."""
    timings = DeviceTimings()
    token = _current.set(timings)
    try:
        yield timings
    finally:
        _current.reset(token)


def current_timings() -> DeviceTimings:
    """Return the record of the innermost `measured` block, or one that is thrown away."""
    return _current.get() or DeviceTimings()


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Add the time of the block to a phase."""
    start = time.perf_counter()
    try:
        yield
    finally:
        timings = current_timings()
        setattr(timings, name, getattr(timings, name) + time.perf_counter() - start)
