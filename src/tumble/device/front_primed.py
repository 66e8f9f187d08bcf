"""One step of a front by itself, for benchmarks: the front of a frame is made, the traversal of the next is timed.

    step = primed_front(frame_92, frame_93, device="opencl")
    for _ in range(8):
        with tumble.device.measured() as timings:   # timings.kernel, and timings.confirm: the host's float64 tests
            keys, size = step.run()                 # leaf pairs, and pairs of the new front

Paper `bsp`, Section 6.1: trees of both frames are built, the traversal of the first gives the front, and that of the
second starts from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.options import is_cpu
from tumble.core.parallel import thread_count
from tumble.device.engines import device_trees
from tumble.device.host.front import device_front_pairs
from tumble.hierarchy.implicit import implicit_trees
from tumble.mesh import MeshLike, as_mesh
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.entry import every_tree_pair, tree_pairs
from tumble.traversal.bulk.rounds import Keys
from tumble.traversal.front.follow import front_pairs


@dataclass
class PrimedFront:
    """Trees of a frame, and the front of the frame before it."""

    trees: Any
    follow: Callable[..., Any]  # takes trees, front and pairs of trees; returns leaf pairs, the new front and the work
    pairs: NDArray[np.int64]
    front: Any = None

    def run(self) -> tuple[Keys, int]:
        """Traverse from the front of the frame before, which stays; return leaf pairs and the size of the new front."""
        keys, new, _ = self.follow(self.trees, self.front, self.pairs)
        if hasattr(new, "release"):  # on a device
            new.release()
        return keys, new.size


def primed_front(
    before: Sequence[MeshLike],
    after: Sequence[MeshLike],
    *,
    within: bool = False,
    adjacent: bool = True,
    rebuild: bool = True,
    every: bool = False,
    device: str = "cpu",
    settings: FrontSettings | None = None,
) -> PrimedFront:
    """Build trees of two frames of the same meshes, and make the front of the first.

    within            also each mesh with itself
    adjacent          whether triangles of a mesh that share a vertex count as leaf pairs
    rebuild           build the trees of the second frame anew, as the paper did; False: fit the boxes of those of the
                      first, which moves fewer pairs of the front
    every             start with all pairs of meshes, as the paper does; False: with those whose boxes overlap
    """
    chosen, workers = settings or FrontSettings(), thread_count(None)
    pairs_of = every_tree_pair if every else tree_pairs
    trees: Any
    if is_cpu(device):
        trees = implicit_trees(before, padded=chosen.padded, threads=workers)
    else:
        trees = device_trees(before, device=device, padded=chosen.padded, threads=workers)

    def follow(there: Any, front: Any, pairs: NDArray[np.int64]) -> Any:
        if is_cpu(device):
            return front_pairs(there, front, pairs, chosen, adjacent=adjacent, threads=workers)
        return device_front_pairs(there, front, pairs, chosen, adjacent=adjacent, counting=False)

    _, front, _ = follow(trees, None, pairs_of(trees.posed, within))
    trees.move([as_mesh(mesh).vertices for mesh in after], rebuild=rebuild)
    return PrimedFront(trees, follow, pairs_of(trees.posed, within), front)
