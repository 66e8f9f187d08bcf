"""The triangle test of bulk and front on the device: of the leaf pairs there, only hits and doubtful ones come back."""

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.kinds import defaults_for, fitting_group
from tumble.device.host.scratch import KEY_BYTES, Segments, spare_buffers
from tumble.device.protocol import program
from tumble.device.timings import current_timings, phase
from tumble.hierarchy.implicit.posed import Posed
from tumble.traversal.bulk.boxes import keep_leaves
from tumble.traversal.bulk.rounds import LeafPairs, RoundCounts

CODE = program("search", "boxes", "triangles", "leaf_triangles")
BATCH = 8  # pairs that a work-item tests, as in the kernel
TOUCHES = np.uint64(1 << 31)


class LeafTriangles:
    """The test of leaf pairs of some trees; use it while working with the device."""

    def __init__(self, trees: DeviceTrees, exact_count: bool) -> None:
        """Test leaf pairs of some trees; `exact_count`: those may come back untested that are none in float64."""
        self._trees, self._device, self._exact_count = trees, trees.device, int(exact_count)

    def read(self, leaves: Segments) -> NDArray[np.uint64]:
        """Return those of the leaf pairs that touch, marked by TOUCHES, and those that the host has to test."""
        count, device, trees = leaves.size, self._device, self._trees
        if count == 0:
            return np.empty(0, np.uint64)
        counted, kept = np.zeros(1, np.uint32), spare_buffers(device).take(KEY_BYTES * count)
        counter, firsts = device.empty(counted.nbytes), device.upload(leaves.firsts.astype(np.uint32))
        device.fill(counter, 0)
        items, default = -(-count // BATCH), defaults_for(device).plain_group
        _, group = fitting_group(device, "leaf_triangles", default, lambda _: CODE, given=False)
        launch = device.launch(
            CODE, "leaf_triangles", items, group, trees.faces, trees.vertices,
            leaves.buffer, firsts, leaves.stride, len(leaves.counts), count, self._exact_count, items, kept, counter,
        )  # fmt: skip
        current_timings().launched(device.wait(launch))
        with phase("copy"):
            device.read(counter, counted)
            found = np.empty(int(counted[0]), np.uint64)
            device.read(kept, found)
        spare_buffers(device).give(kept)
        return found


def leaves_after_test(
    posed: Posed, found: NDArray[np.uint64], count: int, work: RoundCounts, counting: bool
) -> LeafPairs:
    """Return what came back of `count` leaf pairs; those are not counted that came back untested and are none."""
    with phase("confirm"):
        sure = found & TOUCHES != 0
        hits, rest = (found[sure] & ~TOUCHES).view(np.int64), found[~sure]
        kept, _, lost = keep_leaves(rest, posed.world.vertices, posed.bodies.faces)
    timings = current_timings()
    timings.candidates += len(found)
    timings.unsure += len(rest)
    if counting:
        work.leaf_overlaps -= lost
        work.overlaps -= lost
    return LeafPairs(rest[:kept].view(np.int64), hits, count - lost)
