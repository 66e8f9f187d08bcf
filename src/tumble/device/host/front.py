"""Following a front on a device; `tumble.traversal.front.follow` is the CPU twin.

Fronts stay on the device, in streams of pairs: buffers in segments with a counter each. A round is one launch. After it
the host reads how far each segment of each stream is filled and whether a stream was too small: then the stream is
replaced by a larger one and the round is repeated, as its source is still there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.device.host.bulk_rounds import OTHER_LOCAL_BYTES, confirmed_leaves
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.kinds import fitting_group
from tumble.device.host.leaf_triangles import LeafTriangles, leaves_after_test
from tumble.device.host.scratch import KEY_BYTES, Segments, spare_buffers
from tumble.device.protocol import OpenDevice, program
from tumble.device.timings import current_timings, phase
from tumble.errors import DeviceError, OptionError
from tumble.hierarchy.implicit import Layout
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.rounds import BOXES, GROUP, Keys, LeafPairs, RoundCounts
from tumble.traversal.front.follow import start_of

FRONT, LEAVES, REST = range(3)
STREAMS = 3
DONE = 3  # tests, overlaps, overlaps of leaves: counters of 64 bits
PER_TRIANGLE = 8  # pairs of a stream for which there is room at first; those of Figure 7 of paper `bsp` have 2 to 12
SPREAD = 16  # counters are 64 bytes apart, so that cores do not take each other's cache lines away


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

    def grow(self, needed: int) -> None:
        """Make room for so many pairs, and as many again if there can be; keep what was there before the round."""
        old = self.stored()
        self._renew(2 * needed, needed)
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

    def _renew(self, capacity: int, needed: int = 0) -> None:
        """Take a buffer for as many pairs as are wanted, or as a buffer can have, which must be enough for `needed`."""
        segments = len(self.counts)
        most = self._device.limits.buffer_bytes // KEY_BYTES // segments * segments
        if needed > most:
            raise DeviceError(
                f"{self._device} has buffers for {most} pairs, but a front takes {needed}; "
                "use method='bulk', which keeps none, or device='cpu'"
            )
        pairs = min(-(-capacity // segments) * segments, most)
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
    walk, found, new = _follow(trees, front, tree_pairs, settings, adjacent, counting, None)
    return confirmed_leaves(trees.posed, found, walk.work, counting), new, walk.work


def device_front_touching(
    trees: DeviceTrees,
    front: DeviceFront | None,
    tree_pairs: NDArray[np.int64],
    settings: FrontSettings,
    *,
    counting: bool = True,
    exact_count: bool = True,
) -> tuple[LeafPairs, DeviceFront, RoundCounts]:
    """Return the same, with the triangles of leaf pairs tested on the device.

    exact_count   whether leaf pairs are counted exactly; or those too whose boxes touch in float32 alone
    """
    tester = LeafTriangles(trees, counting or exact_count)
    walk, found, new = _follow(trees, front, tree_pairs, settings, True, counting, tester)
    count = walk.streams[LEAVES].stored().size
    return leaves_after_test(trees.posed, found, count, walk.work, counting), new, walk.work


def _follow(
    trees: DeviceTrees,
    front: DeviceFront | None,
    tree_pairs: NDArray[np.int64],
    settings: FrontSettings,
    adjacent: bool,
    counting: bool,
    tester: LeafTriangles | None,
) -> tuple[FrontWalk, NDArray[np.uint64], DeviceFront]:
    """Return the walk, what was read of its leaf pairs, and the new front."""
    device = trees.device
    current_timings().pairs += len(tree_pairs)
    with phase("trees"):
        trees.ready()
    covered, roots = start_of(trees.layout, front, tree_pairs)
    if front is not None and front.device is not device:
        raise OptionError(f"the front is on {front.device.info.name}, the trees are on {device.info.name}")
    with device.working():
        walk = FrontWalk(trees, settings, adjacent, counting, 0 if front is None else front.size)
        sources = [front.stored] if front is not None and front.size else []
        if len(roots):
            sources.append(Segments(device.upload(roots), len(roots), np.array([len(roots)], np.int64)))
        walk.run(sources)
        leaves = walk.streams[LEAVES].stored()
        if tester is not None:
            found = tester.read(leaves)
        else:
            with phase("copy"):
                found = leaves.read(device)
        spare_buffers(device).give(walk.streams[LEAVES].buffer, walk.streams[REST].buffer)
    stored = walk.streams[FRONT].stored()
    walk.work.largest = stored.size
    return walk, found, DeviceFront(stored, covered, trees.layout, device)


class FrontWalk:
    """The streams of one traversal, and what was done so far; use it while working with the device."""

    def __init__(
        self, trees: DeviceTrees, settings: FrontSettings, adjacent: bool, counting: bool, before: int
    ) -> None:
        device = trees.device
        self.device, self.settings, self.work = device, settings, RoundCounts()
        triangles = len(trees.posed.bodies.faces)
        capacity = settings.capacity(triangles, before, PER_TRIANGLE)
        self.streams = [Stream(device, settings.segments, capacity) for _ in range(STREAMS)]
        if triangles == 0:
            return
        options = {"STACK": settings.stack, "STEPS": settings.steps}
        options |= {"SEGMENTS": settings.segments, "SPREAD": SPREAD, "COUNTING": int(counting)}
        self.program, self.group = fitting_group(
            device, "front_walk", _group_for(device, settings),
            lambda group: program("counters", "search", "leaf_pairs", "front", GROUP=group, **options),
            given=settings.group is not None,
        )  # fmt: skip
        self.arguments = *trees.arguments, int(adjacent)
        # of each segment of each stream, what each stream has lost, and what was counted
        self.counts = np.zeros((STREAMS * settings.segments + STREAMS + DONE, SPREAD), np.uint32)
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
            filled = counts[: STREAMS * segments, 0].reshape(STREAMS, segments)
            lost = counts[STREAMS * segments : STREAMS * segments + STREAMS, 0].astype(np.int64)
            # counters go on beyond the end of a segment, where pairs are tried before they go to the next one
            strides = np.array([stream.stride for stream in self.streams])
            needed = np.minimum(filled, strides[:, None]).sum(axis=1, dtype=np.int64) + lost
            check_pairs(int(needed[LEAVES]), BOXES)
            if not lost.any():
                break
            self.work.repeated += 1
            current_timings().grown += 1
            for stream, missing, pairs in zip(self.streams, lost.tolist(), needed.tolist(), strict=True):
                if missing:
                    stream.grow(pairs)
        for stream, its in zip(self.streams, filled, strict=True):
            stream.take(its)
        self.work.rounds += 1
        tests, overlaps, leaf_overlaps = _long(counts[-DONE:]).tolist()
        self.work.tests += tests
        self.work.overlaps += overlaps
        self.work.leaf_overlaps += leaf_overlaps

    def _launch(self, source: Segments, described: list[object]) -> NDArray[np.uint32]:
        """Launch a round and return its counters."""
        device = self.device
        self.counts[:] = 0
        self.counts[: STREAMS * self.settings.segments, 0] = np.concatenate([stream.counts for stream in self.streams])
        device.write(self.counters, self.counts)
        targets = [part for stream in self.streams for part in (stream.buffer, stream.stride)]
        launch = device.launch(
            self.program, "front_walk", source.size, self.group, *self.arguments,
            source.buffer, *described, *targets, self.counters,
        )  # fmt: skip
        current_timings().launched(device.wait(launch))
        device.read(self.counters, self.counts)
        return self.counts


def _long(rows: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return counters of two words, the lower one first."""
    return np.ascontiguousarray(rows[:, :2]).view(np.uint64)[:, 0]


def _group_for(device: OpenDevice, settings: FrontSettings) -> int:
    """Return the size of groups whose stacks fit into local memory; refuse stacks, or a given group, that do not."""
    room = (device.limits.local_bytes - OTHER_LOCAL_BYTES) // (KEY_BYTES * settings.stack)
    group = settings.group or GROUP
    if settings.group is not None:
        device.check_group(group)
    while settings.group is None and group > max(1, room):
        group //= 2
    if group > room:
        pairs = (device.limits.local_bytes - OTHER_LOCAL_BYTES) // (KEY_BYTES * group)
        raise OptionError(
            f"stack={settings.stack}: {device.info.name} has local memory for {pairs} pairs in each of group={group} "
            "stacks"
        )
    return group
