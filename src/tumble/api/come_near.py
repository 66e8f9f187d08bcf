"""Whether two meshes come nearer than a clearance, as `collides` asks: prepared meshes go straight into the kernel."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.core.interrupts import REFUSED, check
from tumble.query.bodies import IDENTITY, one_body
from tumble.query.engine import CLEARANCE
from tumble.query.plan import Options


def _not_loaded(*arguments: Any) -> int:
    """Stand in for the kernel until the first query has loaded it."""
    return REFUSED


_near_hit = _not_loaded


def direct_hit(a: Any, b: Any, pose_a: Any, pose_b: Any, numbers: NDArray[np.float64]) -> int:
    """Return whether meshes are nearer than a clearance, 0 or 1, or REFUSED where the kernel cannot be asked as is."""
    try:
        return _near_hit(a._packed_header, b._packed_header, pose_a, pose_b, IDENTITY, None, numbers)
    except AttributeError:
        return REFUSED


def come_near(a: Any, b: Any, pose_a: Any, pose_b: Any, numbers: NDArray[np.float64]) -> bool:
    """Tell whether meshes are nearer than a clearance, or touch; it is given as an array of one number."""
    found = direct_hit(a, b, pose_a, pose_b, numbers)
    if found >= 0:
        return found > 0
    # refused, as in `collides`: what has no tree or slabs yet, or is to be checked or converted; or the call is to end
    check()
    sides, pairs = (one_body(a, pose_a), one_body(b, pose_b)), np.zeros((1, 2), np.int64)
    table = ask(CLEARANCE, *sides, pairs, Options(first=True), clearances=numbers)
    load_kernel()
    return bool(table)


def load_kernel() -> None:
    """Load the kernel that `direct_hit` asks."""
    from tumble.traversal.packed.near_query import near_hit

    global _near_hit
    _near_hit = near_hit
