"""One step of a front by itself, for benchmarks: the front of a frame is made, the traversal of the next is timed.

    step = primed_front(frame_92, frame_93, device="opencl")
    for _ in range(8):
        timed = step.run()          # timed.wall, timed.kernel: seconds; timed.keys: leaf pairs; timed.work

Paper `bsp`, Section 6.1: trees of both frames are built, the traversal of the first gives the front, and that of the
second starts from it. Building trees, making the front and confirming leaf pairs in float64 are not in the times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.options import is_cpu
from tumble.core.parallel import thread_count
from tumble.device.engines import device_trees
from tumble.device.host.front import device_front_pairs
from tumble.device.timings import measured
from tumble.hierarchy.implicit import implicit_trees
from tumble.mesh import MeshLike, as_mesh
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.entry import tree_pairs
from tumble.traversal.bulk.rounds import Keys, RoundCounts
from tumble.traversal.front.follow import front_pairs


@dataclass(frozen=True)
class TimedFront:
    """What a traversal found, and how long it took."""

    keys: Keys
    """leaf pairs, in no order"""
    work: RoundCounts
    wall: float
    """seconds, without the confirmation of leaf pairs on the host"""
    kernel: float
    """seconds by the device's own clock; nan on the CPU"""
    front: int
    """pairs of the new front"""


@dataclass
class PrimedFront:
    """Trees of a frame, and the front of the frame before it."""

    trees: Any
    front: Any
    tree_pairs: NDArray[np.int64]
    settings: FrontSettings
    adjacent: bool
    threads: int

    def run(self, counting: bool = False) -> TimedFront:
        """Traverse from the front of the frame before; it stays, so that this can be done again."""
        if not hasattr(self.trees, "device"):
            start = perf_counter()
            keys, new, work = front_pairs(
                self.trees, self.front, self.tree_pairs, self.settings, adjacent=self.adjacent, threads=self.threads
            )
            return TimedFront(keys, work, perf_counter() - start, float("nan"), new.size)
        start = perf_counter()
        with measured() as timings:
            found, after, work = device_front_pairs(
                self.trees, self.front, self.tree_pairs, self.settings, adjacent=self.adjacent, counting=counting
            )
        wall = perf_counter() - start - timings.confirm
        after.release()
        return TimedFront(found, work, wall, timings.kernel, after.size)


def primed_front(
    before: Sequence[MeshLike],
    after: Sequence[MeshLike],
    *,
    within: bool = False,
    adjacent: bool = True,
    rebuild: bool = True,
    device: str = "cpu",
    settings: FrontSettings | None = None,
    threads: int | None = None,
) -> PrimedFront:
    """Build trees of two frames of the same meshes, and make the front of the first.

    within            also each mesh with itself
    adjacent          whether triangles of a mesh that share a vertex count as leaf pairs
    rebuild           build the trees of the second frame anew, as the paper did; False: fit the boxes of those of the
                      first, which moves fewer pairs of the front
    """
    chosen, workers = settings or FrontSettings(), thread_count(threads)
    vertices = [as_mesh(mesh).vertices for mesh in after]
    if is_cpu(device):
        trees = implicit_trees(before, padded=chosen.padded, threads=workers)
        wanted = tree_pairs(trees.posed, within)
        _, front, _ = front_pairs(trees, None, wanted, chosen, adjacent=adjacent, threads=workers)
        trees.move(vertices, rebuild=rebuild)
        return PrimedFront(trees, front, tree_pairs(trees.posed, within), chosen, adjacent, workers)
    there = device_trees(before, device=device, padded=chosen.padded, threads=workers)
    wanted = tree_pairs(there.posed, within)
    _, begun, _ = device_front_pairs(there, None, wanted, chosen, adjacent=adjacent, counting=False)
    there.move(vertices, rebuild=rebuild)
    return PrimedFront(there, begun, tree_pairs(there.posed, within), chosen, adjacent, workers)
