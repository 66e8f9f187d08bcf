"""Two meshes by `method="front"`: a first frame, which starts at the roots."""

from __future__ import annotations

from typing import Any

from tumble.core.parallel import thread_count
from tumble.errors import OptionError
from tumble.hierarchy.implicit import implicit_trees
from tumble.query.answer import Collision
from tumble.query.front_settings import DEFAULT, FrontSettings
from tumble.traversal.bulk.query import ONE_PAIR, judged, refuse_others
from tumble.traversal.front.follow import front_pairs


def collide_front(
    a: Any,
    b: Any,
    pose_a: Any,
    pose_b: Any,
    *,
    tree: str = "auto",
    first: bool = False,
    stats: bool = False,
    settings: FrontSettings | None = None,
    others: dict[str, Any] | None = None,
) -> Collision:
    """Return the touching triangles of two meshes; `others` are options that only other methods have."""
    chosen = checked_front(settings)
    refuse_others(a, b, tree, others or {}, "front")
    workers = thread_count(None)
    trees = implicit_trees([a, b], [pose_a, pose_b], padded=chosen.padded, threads=workers)
    candidates, _, work = front_pairs(trees, None, ONE_PAIR, chosen, adjacent=True, threads=workers)
    return judged(trees.posed, candidates, work, first=first, stats=stats, threads=workers)


def checked_front(settings: Any) -> FrontSettings:
    """Return settings that a user gave, or the defaults for None."""
    if settings is None:
        return DEFAULT
    if not isinstance(settings, FrontSettings):
        raise OptionError(f"front= takes tumble.FrontSettings(...), not {settings!r}")
    return settings
