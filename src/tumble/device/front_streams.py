"""Streams of pairs on a device, in segments with a counter each, and buffers that are used again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.device import OpenDevice, opencl, require_memory
from tumble.errors import DeviceError

FRONT, LEAVES, REST = range(3)
STREAMS = 3
KEY_BYTES = 8
MOST_SPARE = 4


class Segments(NamedTuple):
    """Pairs that are stored in the segments of a buffer."""

    buffer: Any
    room: int
    """pairs from the start of a segment to that of the next"""
    counts: NDArray[np.int64]
    """pairs in each segment"""

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self.counts.sum())

    @property
    def firsts(self) -> NDArray[np.int64]:
        """The number of the first pair of each segment, counted through all."""
        return np.cumsum(self.counts) - self.counts

    def read(self, device: OpenDevice) -> NDArray[np.uint64]:
        """Copy all pairs to the host."""
        cl, pairs = opencl(), np.empty(self.size, np.uint64)
        for k, (first, count) in enumerate(zip(self.firsts.tolist(), self.counts.tolist(), strict=True)):
            if count:
                part, begin = pairs[first : first + count], KEY_BYTES * k * self.room
                cl.enqueue_copy(device.queue, part, self.buffer, src_offset=begin, is_blocking=False)
        device.queue.finish()
        return pairs


class FrontRoom:
    """Buffers that nobody reads any more."""

    def __init__(self) -> None:
        self._spare: list[tuple[Any, int]] = []

    def take(self, device: OpenDevice, pairs: int) -> tuple[Any, int]:
        """Return a buffer for at least so many pairs, and for how many."""
        for k, (buffer, size) in enumerate(self._spare):
            if size >= pairs:
                del self._spare[k]
                return buffer, size
        most = int(device.raw.max_mem_alloc_size) // KEY_BYTES
        if pairs > most:
            raise DeviceError(
                f"{device.info.name} ({device.info.device}) has buffers for {most} pairs, but a front takes {pairs}; "
                "use method='bulk', which keeps none, or device='cpu'"
            )
        cl = opencl()
        require_memory(device, KEY_BYTES * pairs)
        return cl.Buffer(device.context, cl.mem_flags.READ_WRITE, KEY_BYTES * pairs), pairs

    def give_back(self, segments: Segments) -> None:
        """Take a buffer that nobody reads any more; of many, the largest are kept."""
        self._spare.append((segments.buffer, segments.buffer.size // KEY_BYTES))
        self._spare = sorted(self._spare, key=lambda spare: spare[1])[-MOST_SPARE:]


class Stream:
    """A buffer that is being filled; use it with the device's lock held."""

    def __init__(self, device: OpenDevice, spare: FrontRoom, segments: int, capacity: int) -> None:
        self.device, self.spare = device, spare
        self.counts = np.zeros(segments, np.int64)
        self._new(-(-capacity // segments))

    def stored(self) -> Segments:
        """Return what is in it."""
        return Segments(self.buffer, self.room, self.counts.copy())

    def take(self, counts: NDArray[np.uint32]) -> None:
        """Note how far a round has filled the segments; what was tried behind the end of one is not there."""
        self.counts = np.minimum(counts.astype(np.int64), self.room)

    def grow(self, missing: int) -> None:
        """Make room for what a round has lost, and as much again; keep what was there before the round."""
        old = self.stored()
        self._new(-(-2 * (len(old.counts) * old.room + missing) // len(old.counts)))
        for k, count in enumerate(old.counts.tolist()):
            if count:
                opencl().enqueue_copy(
                    self.device.queue, self.buffer, old.buffer, byte_count=KEY_BYTES * count,
                    src_offset=KEY_BYTES * k * old.room, dst_offset=KEY_BYTES * k * self.room,
                )  # fmt: skip
        self.spare.give_back(old)

    def handed_over(self) -> Segments:
        """Return what is in it, and go on with an empty buffer."""
        full = self.stored()
        self.counts = np.zeros_like(self.counts)
        if full.size:
            self._new(self.room)
        return full

    def _new(self, room: int) -> None:
        segments = len(self.counts)
        self.buffer, size = self.spare.take(self.device, segments * room)
        self.room = size // segments
