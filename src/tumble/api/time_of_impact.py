"""`time_of_impact`, `swept` and their forms for many motions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import ask
from tumble.api.collide import ONE_PAIR
from tumble.core.limits import refuse
from tumble.errors import PoseError
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.packed import packed
from tumble.hierarchy.packed.header import RADIUS
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.motion import Motion, as_motion
from tumble.mesh.motions import Motions
from tumble.query.answer import PairTable
from tumble.query.bodies import Bodies, mesh_of, placed
from tumble.query.engine import IMPACT
from tumble.query.impact import (
    TOLERANCE,
    Impact,
    Impacts,
    checked_tolerance,
    impact_of_numbers,
    impact_of_row,
    impacts_of,
)
from tumble.query.plan import Options


def time_of_impact(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    motion_a: Motion | ArrayLike | None = None,
    motion_b: Motion | ArrayLike | None = None,
    *,
    tolerance: float | None = None,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
    stats: bool = False,
) -> Impact:
    """Return when two meshes that move touch first, from time 0 to time 1: the time, and where.

    The answer is conservative: the time is never later than the first contact, and no contact is missed, however thin
    the meshes and however fast they move. At that time they are within the tolerance of each other; it may be a near
    miss (docs/time-of-impact.md). The time is 0 where they touch at the start, as `collides` tells.

    motion_a, motion_b   a `tumble.Motion`; a 4×4 pose, at which the body is at rest; None: at rest where it was drawn
    tolerance            how near counts as touching; None: 2⁻²⁰ of the radius of the larger mesh. What is less than
                         2⁻³⁸ of the size of the motion is taken for that
    method, tree         auto or packed: no other method answers this
    threads              accepted like everywhere; one time is found by one thread
    stats                also count what the search does
    """
    number = checked_tolerance(tolerance)
    motions = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    if method is _AUTO and tree is _AUTO and threads is None and stats is False and not _is_tree(a, b):
        return impact_of_numbers(_directly(a, b, motions, number, False))
    options = Options(method, tree, "cpu", threads, stats=stats)
    table = _asked(a, b, _both(motions), ONE_PAIR, number, options)
    return Impact(*impact_of_row(table, 0)) if table else Impact(math.inf, stats=table.stats)


def swept(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    motion_a: Motion | ArrayLike | None = None,
    motion_b: Motion | ArrayLike | None = None,
    *,
    tolerance: float | None = None,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
) -> bool:
    """Return whether two meshes that move touch at any time from 0 to 1; stops at the first contact it finds.

    False is certain; True may be a near miss within the tolerance. The options are those of `time_of_impact`.
    """
    number = checked_tolerance(tolerance)
    motions = as_motion(motion_a, "motion_a"), as_motion(motion_b, "motion_b")
    if method is _AUTO and tree is _AUTO and threads is None and not _is_tree(a, b):
        return bool(_directly(a, b, motions, number, True)[0] < math.inf)
    return bool(_asked(a, b, _both(motions), ONE_PAIR, number, Options(method, tree, "cpu", threads, True)))


def time_of_impact_many(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    motions_b: Motions | Sequence[Motion | ArrayLike | None] | ArrayLike,
    motions_a: Motions | Sequence[Motion | ArrayLike | None] | Motion | ArrayLike | None = None,
    *,
    tolerance: float | None = None,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
    stats: bool = False,
) -> Impacts:
    """Ask for many motions in one call, on all cores: `.times` (n,), `.pairs`, `.points`, `.normals`, `.distances`.

    motions_b  `tumble.Motions`, or a sequence of what `time_of_impact` takes
    motions_a  None, one motion for all queries, or as many

    The answers do not depend on `threads`. The other options are those of `time_of_impact`.
    """
    number, motions, pairs = checked_tolerance(tolerance), *_many(motions_a, motions_b)
    return impacts_of(_asked(a, b, motions, pairs, number, Options(method, tree, "cpu", threads, stats=stats)))


def swept_many(
    a: MeshLike | Tree,
    b: MeshLike | Tree,
    motions_b: Motions | Sequence[Motion | ArrayLike | None] | ArrayLike,
    motions_a: Motions | Sequence[Motion | ArrayLike | None] | Motion | ArrayLike | None = None,
    *,
    tolerance: float | None = None,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
) -> NDArray[np.bool_]:
    """Return for each of many motions whether the meshes touch, (n,): see `swept` and `time_of_impact_many`."""
    number, motions, pairs = checked_tolerance(tolerance), *_many(motions_a, motions_b)
    return _asked(a, b, motions, pairs, number, Options(method, tree, "cpu", threads, True)).hit


_AUTO = "auto"


def _is_tree(*given: Any) -> bool:
    return any(isinstance(each, Tree | BoxTree) for each in given)


def _directly(
    a: Any, b: Any, motions: tuple[Motion, Motion], tolerance: float | None, first: bool
) -> NDArray[np.float64]:
    """Return what the kernel writes for one pair, past the road of every call: that costs more than many a search."""
    from tumble.traversal.packed.impact_query import NUMBERS, impact_many

    trees = packed(as_mesh(a)), packed(as_mesh(b))
    for tree in trees:
        _ = tree.slabs
    radius = max(float(tree.header[RADIUS]) for tree in trees)
    tolerances = np.array([TOLERANCE * radius if tolerance is None else tolerance])
    sides = [
        each
        for tree, motion in zip(trees, motions, strict=True)
        for each in (np.array([tree.address]), motion.addresses)
    ]
    numbers = np.empty((1, NUMBERS))
    ended = impact_many(*sides, _FIRST_PAIR, 0, 1, tolerances, int(first), numbers)
    if ended < 0:
        refuse(ended)
    return numbers[0]


_FIRST_PAIR = np.zeros((1, 2), np.int64)


def _both(motions: tuple[Motion, Motion]) -> tuple[Motions, Motions]:
    return Motions.of_one(motions[0]), Motions.of_one(motions[1])


def _many(given_a: Any, given_b: Any) -> tuple[tuple[Motions, Motions], NDArray[np.int64]]:
    """Return the motions of both bodies, and the pairs of them that belong together."""
    given_a, given_b = (np.asarray(each) if hasattr(each, "__array__") else each for each in (given_a, given_b))
    if isinstance(given_b, Motion) or given_b is None or not hasattr(given_b, "__len__"):
        raise PoseError(f"motions_b must be tumble.Motions or a sequence of motions, not {given_b!r}")
    b = given_b if isinstance(given_b, Motions) else Motions(given_b)
    one = given_a is None or isinstance(given_a, Motion) or (not isinstance(given_a, Motions) and _is_pose(given_a))
    a = given_a if isinstance(given_a, Motions) else Motions([given_a] if one else given_a)
    if not one and len(a) != len(b):
        raise PoseError(f"motions_a and motions_b must be as many; found {len(a)} and {len(b)}")
    numbers = np.arange(len(b))
    return (a, b), np.stack([0 * numbers if one else numbers, numbers], axis=1)


def _is_pose(given: Any) -> bool:
    """Tell one pose from a sequence of motions: only one of arrays or numbers has a shape."""
    return all(not isinstance(each, Motion) and each is not None for each in given) and np.ndim(given) == 2


def _asked(
    a: Any,
    b: Any,
    motions: tuple[Motions, Motions],
    pairs: NDArray[np.int64],
    tolerance: float | None,
    options: Options,
) -> PairTable:
    bodies = placed(a, motions[0].starts, checked=True), placed(b, motions[1].starts, checked=True)
    return ask(IMPACT, *bodies, pairs, options, motions=motions, tolerances=tolerances_of(*bodies, pairs, tolerance))


def tolerances_of(a: Bodies, b: Bodies, pairs: NDArray[np.int64], tolerance: float | None) -> NDArray[np.float64]:
    """Return the tolerance of each pair of bodies."""
    if tolerance is not None:
        return np.full(len(pairs), tolerance)
    radii = [_radii(bodies)[bodies.which[pairs[:, side]]] for side, bodies in enumerate((a, b))]
    return TOLERANCE * np.maximum(*radii)


def _radii(bodies: Bodies) -> NDArray[np.float64]:
    """Return the radius of each shape."""
    return np.array([0.0 if shape is None else packed(mesh_of(shape)).header[RADIUS] for shape in bodies.shapes])
