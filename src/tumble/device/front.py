"""Following a front on a device, the host's part; `tumble.traversal.front.follow` is the twin.

Fronts stay on the device. A round is one launch, and after it one small copy says how far each segment of each stream
is filled, and whether a stream was too small: then it is made larger, and the round is done again, as its source is
still there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.limits import check_pairs
from tumble.device.bulk_trees import DeviceTrees
from tumble.device.device import OpenDevice, opencl, wait_for, working
from tumble.device.front_streams import FRONT, KEY_BYTES, LEAVES, REST, STREAMS, FrontRoom, Segments, Stream
from tumble.device.launch import copied
from tumble.device.program import kernel_of
from tumble.device.timings import DeviceTimings, current_timings, phase
from tumble.errors import OptionError
from tumble.hierarchy.implicit import Layout
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.leaves import take_leaves
from tumble.traversal.bulk.rounds import BOXES, Keys, Work
from tumble.traversal.front.follow import start_of

KERNEL = ("search", "leaf_pairs", "front")
TESTS, OVERLAPS, LEAF_OVERLAPS = range(3)
UNSURE = np.uint64(1 << 63)
SPREAD = 16
"""counters have 64 bytes each, so that cores do not take each other's cache lines away"""


class DeviceFront(NamedTuple):
    """Where a traversal ended; it goes with all trees on this device over as many triangles."""

    stored: Segments
    tree_pairs: NDArray[np.int64]
    """(n, 2) pairs of trees below whose roots it lies, sorted"""
    layout: Layout
    device: OpenDevice

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return self.stored.size

    def read(self) -> Keys:
        """Return the pairs of nodes, in no order."""
        with working(self.device):
            return self.stored.read(self.device).astype(np.int64)


def device_front_pairs(
    trees: DeviceTrees,
    front: DeviceFront | None,
    tree_pairs: NDArray[np.int64],
    settings: FrontSettings,
    *,
    adjacent: bool,
    counting: bool = True,
    room: FrontRoom | None = None,
) -> tuple[Keys, DeviceFront, Work]:
    """Return the leaf pairs of pairs of trees, the new front and the work, as `front_pairs` does on the CPU.

    counting   whether tests and overlaps are counted, which costs atomic additions
    room       buffers to be used again, of fronts that nobody wants any more; None: new ones
    """
    timings = current_timings()
    timings.pairs += len(tree_pairs)
    with phase(timings, "trees"):
        trees.ready()
    covered, roots = start_of(trees.layout, front, tree_pairs)
    if front is not None and front.device is not trees.device:
        raise OptionError(f"the front is on {front.device.info.name}, the trees are on {trees.device.info.name}")
    with working(trees.device):
        walk = _Walk(trees, settings, adjacent, counting, 0 if front is None else front.size, room, timings)
        try:
            sources = [front.stored] if front is not None and front.size else []
            if len(roots):
                sources.append(Segments(copied(trees.device, roots), len(roots), np.array([len(roots)], np.int64)))
            walk.run(sources)
            with phase(timings, "copy"):
                found = walk.streams[LEAVES].stored().read(trees.device)
            stored = walk.streams[FRONT].stored()
            walk.release(stored)
        except BaseException:
            walk.release()
            raise
    timings.candidates += len(found)
    with phase(timings, "confirm"):
        keys = np.empty(len(found), np.int64)
        count = take_leaves(found, UNSURE, trees.posed.world.vertices, trees.posed.bodies.faces, keys)
    timings.unsure += int((found & UNSURE != 0).sum())
    work = walk.work
    work.largest = stored.size
    if counting:
        refused = len(found) - count
        work.leaf_overlaps, work.overlaps = work.leaf_overlaps - refused, work.overlaps - refused
    return keys[:count], DeviceFront(stored, covered, trees.layout, trees.device), work


class _Walk:
    """The streams of one traversal, and what was done so far; use it with the device's lock held."""

    def __init__(
        self,
        trees: DeviceTrees,
        settings: FrontSettings,
        adjacent: bool,
        counting: bool,
        before: int,
        room: FrontRoom | None,
        timings: DeviceTimings,
    ) -> None:
        device = trees.device
        _check_device(device, settings)
        self.device, self.settings, self.timings = device, settings, timings
        self.room = room or FrontRoom()
        self.work = Work()
        triangles = len(trees.posed.bodies.faces)
        capacity = settings.capacity(triangles, before)
        self.streams = [Stream(device, self.room, settings.segments, capacity) for _ in range(STREAMS)]
        self.kernel: Any = None
        if triangles == 0:
            return
        options = {"STACK": settings.stack, "STEPS": settings.steps, "GROUP": settings.group}
        options |= {"SEGMENTS": settings.segments, "SPREAD": SPREAD, "COUNTING": int(counting)}
        self.kernel = kernel_of(device, KERNEL, "front_walk", **options)
        with phase(timings, "upload"):
            self.arguments = [
                trees.boxes, trees.starts, trees.active, trees.left,
                copied(device, trees.layout.tree.astype(np.int32)), np.uint32(len(trees.layout.starts)),
                trees.first_leaf, trees.order, trees.faces, np.uint32(adjacent),
            ]  # fmt: skip
        self.counters = opencl().Buffer(
            device.context, opencl().mem_flags.READ_WRITE, 4 * SPREAD * (STREAMS * settings.segments + 2 * STREAMS)
        )

    def run(self, sources: list[Segments]) -> None:
        """Walk down from all pairs of all sources, and from what that leaves, until nothing is left."""
        for source in sources:
            self._round(source, tested=False)
        while (rest := self.streams[REST].handed_over()).size:
            self._round(rest, tested=True)
            self.room.give_back(rest)

    def release(self, kept: Segments | None = None) -> None:
        """Give back all buffers but one."""
        for stream in self.streams:
            if kept is None or stream.buffer is not kept.buffer:
                self.room.give_back(stream.stored())

    def _round(self, source: Segments, tested: bool) -> None:
        """Walk down from all pairs of a source; what is left to the next round is in the stream of the rest."""
        cl, queue, settings = opencl(), self.device.queue, self.settings
        firsts = copied(self.device, source.firsts.astype(np.uint32))
        group = settings.group
        while True:
            spread = np.zeros((STREAMS * settings.segments + 2 * STREAMS, SPREAD), np.uint32)
            counts = spread[:, 0]
            counts[: STREAMS * settings.segments] = np.concatenate([stream.counts for stream in self.streams])
            cl.enqueue_copy(queue, self.counters, spread)
            targets = [part for stream in self.streams for part in (stream.buffer, np.uint32(stream.room))]
            event = self.kernel(
                queue, (-(-source.size // group) * group,), (group,), *self.arguments, source.buffer, firsts,
                np.uint32(source.room), np.uint32(len(source.counts)), np.uint32(source.size), np.uint32(tested),
                *targets, self.counters,
            )  # fmt: skip
            queue.flush()
            wait_for(event)
            cl.enqueue_copy(queue, spread, self.counters)
            self.timings.kernel += 1e-9 * (event.profile.end - event.profile.start)
            self.timings.launches += 1
            lost = counts[STREAMS * settings.segments :][:STREAMS]
            if not lost.any():
                break
            leaves = counts[LEAVES * settings.segments : (LEAVES + 1) * settings.segments]
            check_pairs(int(leaves.sum(dtype=np.int64)) + int(lost[LEAVES]), BOXES)
            self.work.repeated += 1
            self.timings.grown += 1
            for stream, missing in zip(self.streams, lost.tolist(), strict=True):
                if missing:
                    stream.grow(missing)
        for k, stream in enumerate(self.streams):
            stream.take(counts[k * settings.segments : (k + 1) * settings.segments])
        done = counts[-STREAMS:]
        self.work.rounds += 1
        self.work.tests += int(done[TESTS])
        self.work.overlaps += int(done[OVERLAPS])
        self.work.leaf_overlaps += int(done[LEAF_OVERLAPS])


def _check_device(device: OpenDevice, settings: FrontSettings) -> None:
    """Refuse what a device has no room for."""
    most_items, local = int(device.raw.max_work_group_size), int(device.raw.local_mem_size)
    if settings.group > most_items:
        raise OptionError(f"group={settings.group}: {device.info.name} takes up to {most_items} work-items in a group")
    if KEY_BYTES * settings.stack * settings.group > local - 256:
        most = (local - 256) // (KEY_BYTES * settings.group)
        raise OptionError(
            f"stack={settings.stack}: {device.info.name} has local memory for {most} pairs in each of group="
            f"{settings.group} stacks"
        )
