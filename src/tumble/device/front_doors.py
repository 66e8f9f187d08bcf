"""What `collide` and `Tracker` call to follow a front on a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.core.parallel import thread_count
from tumble.device.bulk_doors import DeviceTrees, device_trees
from tumble.device.front import DeviceFront, device_front_pairs
from tumble.device.front_streams import FrontRoom
from tumble.device.timings import current_timings, phase
from tumble.query.answer import Collision
from tumble.query.front_settings import FrontSettings
from tumble.traversal.bulk.query import ONE_PAIR, judged, refuse_others
from tumble.traversal.front.query import checked_front

__all__ = ["DeviceFront", "DeviceTrees", "FrontRoom", "collide_two_by_front", "device_front_pairs", "device_trees"]


def collide_two_by_front(
    device: str,
    sides: tuple[Any, Any],
    poses: tuple[Any, Any],
    *,
    tree: str = "auto",
    first: bool = False,
    stats: bool = False,
    settings: FrontSettings | None = None,
    others: dict[str, Any] | None = None,
) -> Collision:
    """Return the touching triangles of two meshes; `others` are options that only other methods have."""
    chosen = checked_front(settings)
    refuse_others(*sides, tree, others or {}, "front")
    trees = device_trees(sides, poses, device=device, padded=chosen.padded)
    found, _, work = device_front_pairs(trees, None, np.array(ONE_PAIR), chosen, adjacent=True, counting=bool(stats))
    with phase(current_timings(), "confirm"):
        return judged(trees.posed, found, work, first=first, stats=stats, threads=thread_count(None))
