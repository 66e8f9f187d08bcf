"""Streams of pairs on a device, in segments with a counter each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.scratch import KEY_BYTES, spare_buffers
from tumble.device.protocol import Buffer, OpenDevice
from tumble.errors import DeviceError

FRONT, LEAVES, REST = range(3)
STREAMS = 3


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


class Stream:
    """A buffer that is being filled, segment by segment."""

    def __init__(self, device: OpenDevice, segments: int, capacity: int) -> None:
        self._device = device
        self.counts = np.zeros(segments, np.int64)
        self._renew(capacity)

    def stored(self) -> Segments:
        """Return what is in it."""
        return Segments(self.buffer, self.stride, self.counts.copy())

    def take(self, counts: NDArray[np.uint32]) -> None:
        """Note how far a round has filled the segments; counters go on beyond the end of a segment."""
        self.counts = np.minimum(counts.astype(np.int64), self.stride)

    def grow(self, missing: int) -> None:
        """Make room for what a round has lost, and as much again; keep what was there before the round."""
        old = self.stored()
        self._renew(2 * (len(old.counts) * old.stride + missing))
        for k, count in enumerate(old.counts.tolist()):
            if count:
                places = KEY_BYTES * k * old.stride, KEY_BYTES * k * self.stride
                self._device.copy(old.buffer, self.buffer, KEY_BYTES * count, *places)

    def handed_over(self) -> Segments:
        """Return what is in it, and go on with an empty buffer."""
        full = self.stored()
        self.counts = np.zeros_like(self.counts)
        if full.size:
            self._renew(len(full.counts) * full.stride)
        return full

    def _renew(self, capacity: int) -> None:
        segments, most = len(self.counts), self._device.limits.buffer_bytes // KEY_BYTES
        pairs = -(-capacity // segments) * segments
        if pairs > most:
            raise DeviceError(
                f"{self._device} has buffers for {most} pairs, but a front takes {pairs}; "
                "use method='bulk', which keeps none, or device='cpu'"
            )
        self.buffer = spare_buffers(self._device).take(KEY_BYTES * pairs)
        self.stride = self.buffer.size // KEY_BYTES // segments
        """pairs from the start of a segment to that of the next"""
