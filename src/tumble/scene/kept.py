"""What a scene keeps of its last answer: the triangles of two bodies that have not moved since are not tested again.

    pairs of the query → those that were in the last one, both bodies where they were: their rows are copied
                       → the others are asked about

In a plant where one robot moves, almost all pairs are of the first kind. Two bodies are known by their slots in one
generation of the table (see `tumble.scene.bodies`): a slot keeps its mesh. An answer is kept as it is, with the arrays
that the caller has anyway, and replaced by one store.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.core.keys import Keys, keys_of_pairs
from tumble.core.parallel import thread_count
from tumble.query.answer import PairTable
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.scene.moments import Compared


class Kept(NamedTuple):
    """The answer about all pairs of bodies at one moment."""

    generation: int
    poses: NDArray[np.float64]
    """(n, 4, 4): of the slots"""
    keys: Keys
    """(k,) the pairs of slots, sorted"""
    table: PairTable


def can_be_kept(options: Options) -> bool:
    """Tell whether an answer is all touching triangles, and nothing else, from the engine that is chosen by default."""
    method, _, device, _, first, contacts, stats, settings, client = options
    return (method, device) == ("auto", "cpu") and not (first or contacts or stats) and settings is client is None


def found_again(compared: Compared, generation: int, kept: Kept | None, options: Options) -> Kept:
    """Return the touching triangles of all pairs of a scene's bodies, by an earlier answer as far as it holds."""
    from tumble.scene.rows import copy_rows

    thread_count(options.threads)  # refuses what is not a number, whether anything is asked or not
    poses, pairs = compared.a.bodies.poses, compared.pairs
    keys = keys_of_pairs(pairs)
    if kept is None or kept.generation != generation or len(kept.keys) == 0:
        return Kept(generation, poses, keys, ask(TOUCHING, compared.a.bodies, compared.b.bodies, pairs, options))
    places = np.minimum(np.searchsorted(kept.keys, keys), len(kept.keys) - 1)
    still = _unmoved(kept.poses, poses)
    known = still[pairs[:, 0]] & still[pairs[:, 1]] & (kept.keys[places] == keys)
    if known.all() and len(keys) == len(kept.keys):
        return kept._replace(poses=poses)
    asked = np.flatnonzero(~known)
    fresh = ask(TOUCHING, compared.a.bodies, compared.b.bodies, pairs[asked], options)
    counts, starts = kept.table.counts[places], kept.table.offsets[places]
    counts[asked], starts[asked] = fresh.counts, fresh.offsets[:-1]
    triangles = np.empty((int(counts.sum()), 2), np.int64)
    copy_rows(known, counts, starts, kept.table.triangles, fresh.triangles, triangles)
    return Kept(generation, poses, keys, PairTable(counts, triangles))


def _unmoved(before: NDArray[np.float64], now: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) whether each body is where it was; those added since are not."""
    still, count = np.zeros(len(now), bool), min(len(before), len(now))
    still[:count] = (before[:count] == now[:count]).all(axis=(1, 2))
    return still
