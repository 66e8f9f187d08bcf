"""Memory of a device that queries write to: buffers that grow, and spare ones for the next query.

Every traversal writes as far as there is room and goes on counting. When a launch has counted more rows than a buffer
holds, the buffer is replaced by one that is large enough, and the launch is repeated. Fresh memory is slow to write to,
so buffers are handed to the next query. A query that fails simply drops its buffers.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.locks import new_lock
from tumble.device.protocol import Buffer, OpenDevice

KEY_BYTES = 8  # of a pair of nodes or triangles
SPARE_BUFFERS = 8
SPARE_BYTES = 1 << 28  # of all spare buffers together, but no more than a sixteenth of the device's memory


class SpareBuffers:
    """Buffers of a device that no query uses: at most SPARE_BUFFERS, of SPARE_BYTES together."""

    def __init__(self, device: OpenDevice) -> None:
        self._device, self._lock = device, new_lock()
        self._most_bytes = min(SPARE_BYTES, device.info.memory // 16)
        self._buffers: list[Buffer] = []  # by size

    def take(self, size: int) -> Buffer:
        """Return a buffer of at least so many bytes: the largest one, so that a repeated query need not grow again."""
        with self._lock:
            if self._buffers and self._buffers[-1].size >= size:
                return self._buffers.pop()
        return self._device.empty(size)

    def give(self, *buffers: Buffer) -> None:
        """Take buffers that are no longer used. Of too many the smallest go, of too many bytes the largest."""
        with self._lock:
            spare = sorted([*self._buffers, *buffers], key=lambda buffer: buffer.size)[-SPARE_BUFFERS:]
            while sum(buffer.size for buffer in spare) > self._most_bytes:
                spare.pop()
            self._buffers = spare

    def release_idle(self) -> bool:
        """Free all of them; return whether there were any."""
        with self._lock:
            spare, self._buffers = self._buffers, []
        return len(spare) > 0


def spare_buffers(device: OpenDevice) -> SpareBuffers:
    """Return the spare buffers of a device."""
    return device.keep(SpareBuffers)


class GrowingBuffer:
    """A buffer of rows that can be replaced by a larger one."""

    def __init__(self, device: OpenDevice, row_bytes: int, capacity: int) -> None:
        self._device, self._row_bytes = device, row_bytes
        self.buffer = spare_buffers(device).take(row_bytes * capacity)

    @property
    def capacity(self) -> int:
        """How many rows there is room for; at least as many as were wanted."""
        return self.buffer.size // self._row_bytes

    def grow(self, capacity: int, kept: int = 0) -> None:
        """Replace the buffer by one for at least so many rows, with the first rows of before."""
        larger = spare_buffers(self._device).take(self._row_bytes * capacity)
        if kept:
            self._device.copy(self.buffer, larger, self._row_bytes * kept)
        self.buffer = larger

    def release(self) -> None:
        """Hand the buffer to the next query; this one must not use it any more."""
        spare_buffers(self._device).give(self.buffer)


class Segments(NamedTuple):
    """Pairs that are stored in the segments of a buffer."""

    buffer: Buffer
    stride: int  # pairs from the start of a segment to that of the next
    counts: NDArray[np.int64]  # pairs in each segment

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
        pairs = np.empty(self.size, np.uint64)
        for k, (first, count) in enumerate(zip(self.firsts.tolist(), self.counts.tolist(), strict=True)):
            if count:
                device.read(self.buffer, pairs[first : first + count], KEY_BYTES * k * self.stride, wait=False)
        device.finish()
        return pairs
