"""`collide_chunks`: `collide_many` for answers that are larger than memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import ask, planned
from tumble.api.collide import posed_twice
from tumble.core.options import checked_integer
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import MeshLike
from tumble.query.answer import Collisions, PairTable
from tumble.query.bodies import Bodies
from tumble.query.clearance import checked_clearances
from tumble.query.engine import CLEARANCE, TOUCHING, Request
from tumble.query.plan import Options
from tumble.query.settings import AnySettings

MOST_ROWS = 1 << 40


def collide_chunks(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    threads: int | None = None,
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    settings: AnySettings | None = None,
    clearance: ArrayLike | None = None,
    client: object = None,
    rows: int = 100_000,
) -> Iterator[tuple[int, Collisions]]:
    """Yield the answer of `collide_many` in parts: the number of a part's first query, and the collisions of the part.

    client  a Dask client, or a `tumble.cluster.Cluster`: its workers answer, and no more is computed ahead than they
            need to be busy; docs/cluster.md
    rows    queries in a part; with a client, parts are as large as suits the workers

    The other options are those of `collide_many`. The number of pairs is limited for each part, not for all together
    (`tumble.limits`). `tumble.cluster.save` writes the parts to a file.
    """
    size = checked_integer("rows", rows, 1, MOST_ROWS)
    body_a, body_b, pairs = posed_twice(a, b, poses_b, poses_a)
    options = Options(method, tree, "cpu", threads, first, contacts, stats, settings, client).checked()
    question, clearances = TOUCHING, None
    if clearance is not None:
        question, clearances = CLEARANCE, checked_clearances(clearance, len(pairs))
    if client is not None:
        return _by_workers(question, (body_a, body_b, pairs), options, clearances)
    body_a.check_poses()
    body_b.check_poses()
    planned([question], options, (body_a, body_b))  # refuses options now, not with the first part
    return (
        (start, _collisions(ask(question, body_a, body_b, pairs[start : start + size], options, clearances=near)))
        for start in range(0, len(pairs), size)
        for near in [None if clearances is None else clearances[start : start + size]]
    )


def _by_workers(
    question: str,
    sides: tuple[Bodies, Bodies, NDArray[np.int64]],
    options: Options,
    clearances: NDArray[np.float64] | None,
) -> Iterator[tuple[int, Collisions]]:
    from tumble.cluster.pairs import tables_of

    a, b, pairs = sides
    chosen = planned([question], options, (a, b))
    request = Request(question, a, b, pairs, chosen.tree, "cpu", chosen.settings, clearances=clearances)
    return ((part.start, _collisions(part.result)) for part in tables_of(ask, request, options, chosen.engine))


def _collisions(table: PairTable) -> Collisions:
    return Collisions(table.counts, table.triangles, table.stats, table.contacts, table.distances)
