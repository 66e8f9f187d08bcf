"""Questions to implicit trees: which pairs of trees, their leaf pairs, and which of those touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.parallel import thread_count
from tumble.errors import OptionError
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.implicit import implicit_trees
from tumble.hierarchy.implicit.posed import Posed
from tumble.query.answer import Collision, Stats, pairs_of_keys, unique_pairs
from tumble.query.bulk_settings import DEFAULT, BulkSettings
from tumble.traversal.bulk.confirm import touching
from tumble.traversal.bulk.entry import meeting_trees
from tumble.traversal.bulk.rounds import Keys, Work, leaf_pairs

ONE_PAIR = np.array([[0, 1]], np.int64)


def collide_bulk(
    a: Any,
    b: Any,
    pose_a: Any,
    pose_b: Any,
    *,
    tree: str = "auto",
    first: bool = False,
    stats: bool = False,
    settings: BulkSettings | None = None,
    others: dict[str, Any] | None = None,
) -> Collision:
    """Return the touching triangles of two meshes; `others` are options that only other methods have."""
    chosen = checked_settings(settings)
    refuse_others(a, b, tree, others or {})
    workers = thread_count(None)
    trees = implicit_trees([a, b], [pose_a, pose_b], padded=chosen.padded, threads=workers)
    candidates, work = leaf_pairs(trees, ONE_PAIR, chosen, adjacent=True, threads=workers)
    return judged(trees.posed, candidates, work, first=first, stats=stats, threads=workers)


def judged(posed: Posed, candidates: Keys, work: Work, *, first: bool, stats: bool, threads: int) -> Collision:
    """Return which leaf pairs of two meshes touch; the array of candidates is used up."""
    count = len(candidates)
    keys = touching(posed, candidates, threads) - posed.bodies.first_face[1]
    pairs = pairs_of_keys(keys[: 1 if first else None])
    return Collision(pairs, stats_of(work, len(pairs), count) if stats else None)


def refuse_others(a: Any, b: Any, tree: str, others: dict[str, Any], method: str = "bulk") -> None:
    """Refuse trees and options that are not for a method with implicit trees."""
    for side in (a, b):
        if isinstance(side, Tree | BoxTree):
            raise OptionError(f"method {method!r} has implicit trees of its own; pass the mesh instead of {side!r}")
    if tree != "auto":
        raise OptionError(f"method {method!r} has implicit trees of its own, not tree={tree!r}; leave tree='auto'")
    for name, value in others.items():
        if value is not None:
            raise OptionError(f"{name}={value!r} is for other methods than {method!r}; leave it out")


def wanted_pairs(
    posed: Posed, between: bool | ArrayLike = True, within: bool | Sequence[int] = False
) -> NDArray[np.int64]:
    """Return (n, 2) pairs of trees that a question is about: of different meshes, and of meshes with themselves.

    between   True: all pairs whose roots overlap; False: none; or (n, 2) numbers of meshes
    within    True: all meshes; False: none; or numbers of meshes
    """
    count = len(posed.bodies.first_face) - 1
    parts = [np.empty((0, 2), np.int64)]
    if isinstance(between, bool | np.bool_):
        parts += [meeting_trees(posed)] if between else []
    else:
        parts.append(np.sort(_numbers(between, count, "between", 2), axis=1))
        if (parts[-1][:, 0] == parts[-1][:, 1]).any():
            raise OptionError("between= pairs a mesh with itself; name it in within= instead")
    if isinstance(within, bool | np.bool_):
        own = np.arange(count if within else 0)
    else:
        own = _numbers(within, count, "within", 1)
    parts.append(np.stack([own, own], axis=1))
    return unique_pairs(np.concatenate(parts))


def stats_of(work: Work, hits: int, triangle_tests: int) -> Stats:
    """Return what a traversal did in the columns of all methods: rounds are its iterations."""
    return Stats(work.rounds, work.tests, work.overlaps, work.leaf_overlaps, hits, 0, triangle_tests)


def checked_settings(settings: Any, default: BulkSettings = DEFAULT) -> BulkSettings:
    """Return settings that a user gave, or the defaults for None."""
    if settings is None:
        return default
    if not isinstance(settings, BulkSettings):
        raise OptionError(f"bulk= takes tumble.BulkSettings(...), not {settings!r}")
    return settings


def _numbers(given: Any, count: int, name: str, columns: int) -> NDArray[np.int64]:
    shape = (-1, columns) if columns > 1 else (-1,)
    try:
        array = np.array(given)  # a copy: what is checked must not change before it is used
    except (ValueError, TypeError, OverflowError):  # rows of different lengths
        array = np.array(None)
    if array.size == 0:
        return np.empty((0, columns) if columns > 1 else 0, np.int64)
    if array.dtype.kind not in "iu" or array.ndim != len(shape) or (columns > 1 and array.shape[1] != columns):
        what = "pairs of numbers of meshes, (n, 2)" if columns > 1 else "a list of numbers of meshes"
        raise OptionError(f"{name}= takes True, False or {what}, not {given!r}")
    wrong = array[(array < 0) | (array >= count)]
    if len(wrong):
        raise OptionError(f"{name}= names mesh {wrong[0]}, but there are {count}, counted from 0")
    return array.astype(np.int64)
