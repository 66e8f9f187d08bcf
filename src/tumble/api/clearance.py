"""`clearance`: the triangles of two meshes that are nearer to each other than they may be."""

import numpy as np
from numpy.typing import ArrayLike

from tumble.api.ask import ask
from tumble.api.collide import ONE_PAIR
from tumble.api.come_near import direct_hit, load_kernel
from tumble.core.interrupts import check, forget
from tumble.hierarchy import Tree
from tumble.mesh import MeshLike
from tumble.query.bodies import one_body
from tumble.query.clearance import Clearance, checked_clearance, clearance_of_table, nothing_near
from tumble.query.engine import CLEARANCE
from tumble.query.plan import Options
from tumble.query.settings import WalkSettings


def clearance(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    d: float,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
    stats: bool = False,
    settings: WalkSettings | None = None,
) -> Clearance:
    """Return all pairs of triangles that are nearer to each other than d, with their distances.

    A pair counts when its exact distance is less than d, or zero: then it touches. So d = 0 gives the pairs of
    `collide`, and a pair that is exactly d apart respects the clearance and is not listed. The decision at d is exact
    for the posed vertices (docs/exactness.md); the distances are those of `tumble.distance`, within its bound. Only
    surfaces count: a part inside another is as near as the surfaces are.

    d         a finite number from 0
    method    the traversal: auto (which is packed), brute, leaf, stack, stack-ahead, alternating, stackless,
              stackless-post, stackless-merge, lists, lists-pairs, binary-stack; all give the same pairs
    tree      the trees that it walks: auto, packed, aabb, sphere, obb, obb-covariance, kdop6, … kdop26
    threads   how many threads share the work, at most; None: all cores. The result does not depend on it.
    stats     also count iterations, tests, overlaps and moved volumes
    settings  the parameters of the method: `tumble.WalkSettings`
    """
    number = checked_clearance(d, "d")
    numbers = np.array([number])
    if method is _AUTO and tree is _AUTO and settings is None and threads is None and stats is False:
        # Most meshes keep their clearance, and one call of a kernel tells.
        try:
            found = direct_hit(a, b, pose_a, pose_b, numbers)
            if found == 0:
                return nothing_near(number)
            if found < 0:
                check()  # refused, or the call is to end
        except BaseException:
            forget()
            raise
    options = Options(method, tree, "cpu", threads, stats=stats, settings=settings)
    sides = one_body(a, pose_a), one_body(b, pose_b)
    table = ask(CLEARANCE, *sides, ONE_PAIR, options, clearances=numbers)
    load_kernel()
    return clearance_of_table(table, number)


_AUTO = "auto"
