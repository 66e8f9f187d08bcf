"""Following a front on a device; `tumble.traversal.front.follow` is the CPU twin.

Fronts stay on the device, in streams of pairs: buffers in segments with a counter each. A round is one launch. After it
the host reads how far each segment of each stream is filled and whether a stream was too small: then the stream is
replaced by a larger one and the round is repeated, as its source is still there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.device.host.bulk_rounds import OTHER_LOCAL_BYTES, confirmed_leaves
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.scratch import KEY_BYTES, spare_buffers
from tumble.device.protocol import Buffer, OpenDevice, program
from tumble.device.timings import current_timings, phase
from tumble.errors import DeviceError, OptionError
from tumble.hierarchy.implicit import Layout
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.rounds import BOXES, Keys, RoundCounts
from tumble.traversal.front.follow import start_of

FRONT, LEAVES, REST = range(3)
STREAMS = 3
TESTS, OVERLAPS, LEAF_OVERLAPS = range(3)
SPREAD = 16  # counters are 64 bytes apart, so that cores do not take each other's cache lines away


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
        self.stride = self.buffer.size // KEY_BYTES // segments  # pairs from the start of a segment to that of the next


class DeviceFront(NamedTuple):
    """Where a traversal ended; it fits all trees on this device over as many triangles."""

    stored: Segments
    tree_pairs: NDArray[np.int64]  # (n, 2) pairs of trees below whose roots it lies, sorted
    layout: Layout
    device: OpenDevice

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return self.stored.size

    def release(self) -> None:
        """Hand its buffer to the next query; the front must not be used any more."""
        spare_buffers(self.device).give(self.stored.buffer)


def device_front_pairs(
    trees: DeviceTrees,
    front: DeviceFront | None,
    tree_pairs: NDArray[np.int64],
    settings: FrontSettings,
    *,
    adjacent: bool,
    counting: bool = True,
) -> tuple[Keys, DeviceFront, RoundCounts]:
    """Return the leaf pairs of pairs of trees, the new front and the work, as `front_pairs` does on the CPU.

    counting   whether tests and overlaps are counted, which costs atomic additions
    """
    device = trees.device
    current_timings().pairs += len(tree_pairs)
    with phase("trees"):
        trees.ready()
    covered, roots = start_of(trees.layout, front, tree_pairs)
    if front is not None and front.device is not device:
        raise OptionError(f"the front is on {front.device.info.name}, the trees are on {device.info.name}")
    with device.working():
        posed = trees.posed
        walk = FrontWalk(trees, settings, adjacent, counting, 0 if front is None else front.size)
        sources = [front.stored] if front is not None and front.size else []
        if len(roots):
            sources.append(Segments(device.upload(roots), len(roots), np.array([len(roots)], np.int64)))
        walk.run(sources)
        with phase("copy"):
            found = walk.streams[LEAVES].stored().read(device)
        spare_buffers(device).give(walk.streams[LEAVES].buffer, walk.streams[REST].buffer)
    current_timings().candidates += len(found)
    stored = walk.streams[FRONT].stored()
    walk.work.largest = stored.size
    keys = confirmed_leaves(posed, found, walk.work, counting)
    return keys, DeviceFront(stored, covered, trees.layout, device), walk.work


class FrontWalk:
    """The streams of one traversal, and what was done so far; use it while working with the device."""

    def __init__(
        self, trees: DeviceTrees, settings: FrontSettings, adjacent: bool, counting: bool, before: int
    ) -> None:
        device = trees.device
        _check_limits(device, settings)
        self.device, self.settings, self.work = device, settings, RoundCounts()
        triangles = len(trees.posed.bodies.faces)
        capacity = settings.capacity(triangles, before)
        self.streams = [Stream(device, settings.segments, capacity) for _ in range(STREAMS)]
        if triangles == 0:
            return
        options = {"STACK": settings.stack, "STEPS": settings.steps, "GROUP": settings.group}
        options |= {"SEGMENTS": settings.segments, "SPREAD": SPREAD, "COUNTING": int(counting)}
        self.program = program("search", "leaf_pairs", "front", **options)
        self.arguments = *trees.arguments, int(adjacent)
        # of each segment of each stream, what each stream has lost, and what was counted
        self.counts = np.zeros((STREAMS * settings.segments + 2 * STREAMS, SPREAD), np.uint32)
        self.counters = device.empty(self.counts.nbytes)

    def run(self, sources: list[Segments]) -> None:
        """Walk down from all pairs of all sources, and from the rest that each round leaves, until nothing is left."""
        for source in sources:
            self._round(source, tested=False)
        while (rest := self.streams[REST].handed_over()).size:
            self._round(rest, tested=True)
            spare_buffers(self.device).give(rest.buffer)

    def _round(self, source: Segments, tested: bool) -> None:
        """Walk down from all pairs of a source; what is left to the next round is in the stream of the rest."""
        segments = self.settings.segments
        firsts = self.device.upload(source.firsts.astype(np.uint32))
        while True:
            counts = self._launch(source, [firsts, source.stride, len(source.counts), source.size, int(tested)])
            filled = counts[: STREAMS * segments].reshape(STREAMS, segments)
            lost, done = counts[STREAMS * segments :].reshape(2, STREAMS)
            # counters go on beyond the end of a segment, where pairs are tried before they go to the next one
            stored = np.minimum(filled[LEAVES], self.streams[LEAVES].stride).sum(dtype=np.int64)
            check_pairs(int(stored) + int(lost[LEAVES]), BOXES)
            if not lost.any():
                break
            self.work.repeated += 1
            current_timings().grown += 1
            for stream, missing in zip(self.streams, lost.tolist(), strict=True):
                if missing:
                    stream.grow(missing)
        for stream, its in zip(self.streams, filled, strict=True):
            stream.take(its)
        self.work.rounds += 1
        self.work.tests += int(done[TESTS])
        self.work.overlaps += int(done[OVERLAPS])
        self.work.leaf_overlaps += int(done[LEAF_OVERLAPS])

    def _launch(self, source: Segments, described: list[object]) -> NDArray[np.uint32]:
        """Launch a round and return its counters."""
        device, group = self.device, self.settings.group
        self.counts[:] = 0
        self.counts[: STREAMS * self.settings.segments, 0] = np.concatenate([stream.counts for stream in self.streams])
        device.write(self.counters, self.counts)
        targets = [part for stream in self.streams for part in (stream.buffer, stream.stride)]
        launch = device.launch(
            self.program, "front_walk", source.size, group, *self.arguments,
            source.buffer, *described, *targets, self.counters,
        )  # fmt: skip
        current_timings().launched(device.wait(launch))
        device.read(self.counters, self.counts)
        return self.counts[:, 0]


def _check_limits(device: OpenDevice, settings: FrontSettings) -> None:
    """Refuse stacks that the device has no room for."""
    device.check_group(settings.group)
    room = device.limits.local_bytes - OTHER_LOCAL_BYTES
    if KEY_BYTES * settings.stack * settings.group > room:
        raise OptionError(
            f"stack={settings.stack}: {device.info.name} has local memory for {room // (KEY_BYTES * settings.group)} "
            f"pairs in each of group={settings.group} stacks"
        )
