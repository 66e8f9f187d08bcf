"""`distance` and `distance_many`.

With default options and prepared meshes `distance` goes into one kernel from one Python frame. Other arguments and
options take the road of every call: `tumble.api.ask`.
"""

from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import ask
from tumble.api.collide import ONE_PAIR, posed_twice
from tumble.api.distance_sign import closed_shape, wants_sign, with_exact_sign, with_signs
from tumble.core.interrupts import REFUSED, check, count_of, forget
from tumble.core.limits import refuse
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.packed import packed
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.query.bodies import IDENTITY, one_body
from tumble.query.engine import DISTANCE
from tumble.query.nearest import (
    NUMBERS,
    Nearest,
    NearestMany,
    checked_bound,
    nearest_many_of,
    nearest_of_numbers,
    nearest_of_row,
)
from tumble.query.plan import Options
from tumble.query.settings import WalkSettings


def distance(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    upper_bound: float = inf,
    signed: bool = False,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
    stats: bool = False,
    settings: WalkSettings | None = None,
) -> Nearest:
    """Return how far two meshes are apart: the distance, the nearest triangles and a point of each.

    The distance is 0 exactly when `collides` says True, and then both points are one common point. Otherwise it is
    within 2⁻⁴⁷ of the largest coordinate of the exact one (docs/distance.md). An empty mesh is at an infinite distance.

    upper_bound  meshes farther apart than this count as infinitely far, without a pair; a small one saves time
    signed       for closed meshes: the distance is negative where one solid is inside the other, without touching it
    method       the traversal: auto (which is packed), brute, leaf, stack, stack-ahead, alternating, stackless,
                 stackless-post, stackless-merge, lists, lists-pairs, binary-stack; all give the same distance
    tree         the trees that it walks: auto, packed, aabb, sphere, obb, obb-covariance, kdop6, … kdop26
    threads      accepted like everywhere; one distance is found by one thread
    stats        also count iterations, tests, overlaps and moved volumes
    settings     the parameters of the method: `tumble.WalkSettings`
    """
    solid = signed is not False and wants_sign(signed)
    bound = inf if upper_bound is inf else checked_bound(upper_bound)
    if method is _AUTO and tree is _AUTO and settings is None and threads is None and stats is False:
        numbers = np.empty(NUMBERS)
        find = _nearest_solids if solid else _nearest_pair
        numbers[0] = bound
        try:
            # as in `collides`: what is refused here is checked below
            try:
                found = find(a._packed_header, b._packed_header, pose_a, pose_b, IDENTITY, None, numbers)  # type: ignore[union-attr]
            except AttributeError:
                found = REFUSED
            if found < 0 and not isinstance(a, Tree | BoxTree) and not isinstance(b, Tree | BoxTree):
                found = _carefully(a, b, pose_a, pose_b, numbers, solid)
            if found == 1:
                return nearest_of_numbers(numbers)
            if found >= 0:
                return _at_infinity_or_unsure(found, numbers, a, b, pose_a, pose_b)
        except BaseException:
            forget()
            raise
    if solid:
        a, b = closed_shape(a, "a"), closed_shape(b, "b")
    options = Options(method, tree, "cpu", threads, stats=stats, settings=settings)
    body_a, body_b = one_body(a, pose_a), one_body(b, pose_b)
    table = ask(DISTANCE, body_a, body_b, ONE_PAIR, options, upper_bound=bound)
    nearest = nearest_of_row(table) if table else Nearest(inf, stats=table.stats)
    if not solid:
        return nearest
    many = with_signs(nearest_many_of(table), body_a, body_b, ONE_PAIR)
    return Nearest(float(many.distances[0]), nearest.pair, nearest.points, nearest.stats)


_AUTO = "auto"
_UNSURE = 2  # that of `tumble.traversal.points.buried`


def _not_loaded(*arguments: Any) -> int:
    """Stand in for the kernel until the first query has loaded it."""
    return REFUSED


_nearest_pair = _nearest_solids = _not_loaded


def _carefully(a: Any, b: Any, pose_a: Any, pose_b: Any, numbers: NDArray[np.float64], solid: bool) -> int:
    check()
    checked_a, checked_b = (IDENTITY if pose is None else pose for pose in map(as_rigid, (pose_a, pose_b)))
    a, b = as_mesh(a), as_mesh(b)
    if solid:
        a, b = closed_shape(a, "a"), closed_shape(b, "b")
    trees = packed(a), packed(b)
    for each in trees:
        each.ready_for_distances()
    find = _load_signed_kernel() if solid else _load_kernel()
    found = find(trees[0].header, trees[1].header, checked_a, checked_b, IDENTITY, None, numbers)
    if found == REFUSED:  # hulls are due by now: both meshes are one, or other threads have asked meanwhile
        for each in trees:
            _ = each.hulls
        found = find(trees[0].header, trees[1].header, checked_a, checked_b, IDENTITY, None, numbers)
    if found < REFUSED:
        refuse(found)
    return count_of(found)


def _at_infinity_or_unsure(
    found: int, numbers: NDArray[np.float64], a: Any, b: Any, pose_a: Any, pose_b: Any
) -> Nearest:
    """Return the answer where there is no pair, or where exact arithmetic has to tell the sign."""
    nearest = nearest_of_numbers(numbers) if found & 1 else Nearest(numbers.item(0))
    return nearest if found < _UNSURE else with_exact_sign(nearest, as_mesh(a), as_mesh(b), pose_a, pose_b)


def _load_kernel() -> Any:
    """Return the kernel, also for the calls that follow."""
    from tumble.traversal.packed.nearest_query import nearest_pair

    global _nearest_pair
    _nearest_pair = nearest_pair
    return nearest_pair


def _load_signed_kernel() -> Any:
    """Return the kernel of signed distances, also for the calls that follow."""
    from tumble.traversal.packed.nearest_signed import nearest_solids

    global _nearest_solids
    _nearest_solids = nearest_solids
    return nearest_solids


def distance_many(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    upper_bound: float = inf,
    signed: bool = False,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
    stats: bool = False,
    settings: WalkSettings | None = None,
    client: object = None,
) -> NearestMany:
    """Ask for many poses in one call, on all cores: `.distances` (n,), `.pairs` (n, 2), `.points` (n, 2, 3).

    poses_b  (n, 4, 4): where b is, one rigid pose for each query
    poses_a  None, one 4×4 pose for all queries, or (n, 4, 4)

    Each search begins with the pair that the one before it found, so poses of a motion are best given in their order;
    the answers do not depend on it, nor on `threads`. The other options are those of `distance`.

    client   a Dask client, or a `tumble.cluster.Cluster`: its workers answer, with the same bits; signs are found here
    """
    bound = checked_bound(upper_bound)
    solid = wants_sign(signed)
    if solid:
        a, b = closed_shape(a, "a"), closed_shape(b, "b")
    body_a, body_b, pairs = posed_twice(a, b, poses_b, poses_a)
    options = Options(method, tree, "cpu", threads, stats=stats, settings=settings, client=client)
    found = nearest_many_of(ask(DISTANCE, body_a, body_b, pairs, options, upper_bound=bound))
    return with_signs(found, body_a, body_b, pairs, threads) if solid else found
