"""From leaf pairs as a device marks them to leaf pairs in float64."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.device.timings import current_timings, phase
from tumble.hierarchy.implicit.posed import Posed
from tumble.traversal.bulk.leaves import keep_leaves
from tumble.traversal.bulk.rounds import Keys, RoundCounts


def confirmed_leaves(posed: Posed, found: NDArray[np.uint64], work: RoundCounts, counting: bool) -> Keys:
    """Return the leaf pairs whose float64 boxes meet; the array is used up, and overlaps are corrected if counted."""
    with phase("confirm"):
        count, unsure, lost = keep_leaves(found, posed.world.vertices, posed.bodies.faces)
    current_timings().unsure += unsure
    if counting:
        work.leaf_overlaps -= lost
        work.overlaps -= lost
    return found[:count].view(np.int64)
