"""Following a front on a device; `tumble.traversal.front.follow` is the CPU twin.

Fronts stay on the device. A round is one launch. After it the host reads how far each segment of each stream is filled
and whether a stream was too small: then the stream is replaced by a larger one and the round is repeated, as its source
is still there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.device.host.bulk_rounds import OTHER_LOCAL_BYTES, confirmed_leaves
from tumble.device.host.front_streams import FRONT, LEAVES, REST, STREAMS, Segments, Stream
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.scratch import KEY_BYTES, spare_buffers
from tumble.device.protocol import OpenDevice, program
from tumble.device.timings import current_timings, phase
from tumble.errors import OptionError
from tumble.hierarchy.implicit import Layout
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.rounds import BOXES, Keys, RoundCounts
from tumble.traversal.front.follow import start_of

TESTS, OVERLAPS, LEAF_OVERLAPS = range(3)
SPREAD = 16
"""counters are 64 bytes apart, so that cores do not take each other's cache lines away"""


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
