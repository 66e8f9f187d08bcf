"""The first frontier on a device: made on the host, uploaded once, and kept with the trees. Paper `bsp`, Section 5.2.

It depends on the layout of the trees, the pairs of trees and the entry level, not on where the meshes are, so it serves
all frames. One frontier is kept for each set of trees, unless it is large: then it is entered and uploaded in parts.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.protocol import Buffer
from tumble.device.timings import phase
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import enter, first_frontiers
from tumble.traversal.bulk.rounds import Keys

MOST_KEPT = 1 << 22
"""pairs of a frontier that is kept, 32 MB"""


class Source(NamedTuple):
    """A frontier on the device, or a part of one."""

    buffer: Buffer
    begin: int
    pairs: int


class FirstFrontier(NamedTuple):
    """A frontier that is kept, and what it is for."""

    tree_pairs: NDArray[np.int64]
    level: int
    most: int
    source: Source | None  # None where it is empty


def first_sources(trees: DeviceTrees, tree_pairs: NDArray[np.int64], settings: BulkSettings) -> Iterator[Source]:
    """Yield the first frontier, or its parts if it is too large, on the device."""
    kept = trees.first_frontier
    if kept is not None and (kept.level, kept.most) == (settings.entry_level, settings.most):
        if np.array_equal(kept.tree_pairs, tree_pairs):
            yield from [] if kept.source is None else [kept.source]
            return
    trees.first_frontier = None
    parts = 0
    for first in _entered(trees, tree_pairs, settings):
        source = None
        if len(first):
            with phase("upload"):
                source = Source(trees.device.upload(first), 0, len(first))
            yield source
        parts += 1
    if parts == 1 and len(first) <= MOST_KEPT:
        trees.first_frontier = FirstFrontier(tree_pairs.copy(), settings.entry_level, settings.most, source)


def _entered(trees: DeviceTrees, tree_pairs: NDArray[np.int64], settings: BulkSettings) -> Iterator[Keys]:
    layout = trees.layout

    def enter_range(start: int, stop: int, level: int, pairs: Keys) -> int:
        where = layout.starts, layout.active, layout.first_row, layout.depth
        return int(enter(*where, None, tree_pairs, start, stop, level, pairs))

    return first_frontiers(enter_range, len(tree_pairs), settings, settings.capacity(1))
