"""Which bodies of a scene touch or come too near: the question about pairs of bodies, the answer by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.query.answer import PairTable
from tumble.query.engine import CLEARANCE, TOUCHING
from tumble.query.plan import Options
from tumble.query.run import any_of
from tumble.query.scene_answer import SceneCollisions
from tumble.scene.moments import Compared
from tumble.scene.relations import buried_pairs

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment

Pairs = NDArray[np.int64]
Numbers = NDArray[np.float64]


def _found(
    a: Moment, b: Moment, pairs: Pairs, options: Options, clearances: Numbers | None, curves: bool = False
) -> PairTable:
    if clearances is None:
        return ask(TOUCHING, a.bodies, b.bodies, pairs, options, curves=curves)
    return ask(CLEARANCE, a.bodies, b.bodies, pairs, options, clearances=clearances)


def colliding(
    compared: Compared,
    options: Options,
    *,
    solid: bool = False,
    curves: bool = False,
    found: PairTable | None = None,
) -> SceneCollisions:
    """Ask about pairs of bodies, unless it is known what is found; return those that touch, are too near or buried."""
    a, b, pairs, clearances = compared
    if found is None:
        found = _found(a, b, pairs, options, clearances, curves)
    hit, buried = found.hit, None
    if solid:
        touching = hit.copy()
        if clearances is not None:  # what is near may touch, or not
            only_one = options._replace(first=True, stats=False, client=None)
            touching[hit] = ask(TOUCHING, a.bodies, b.bodies, pairs[hit], only_one).hit
        buried = buried_pairs(a, b, pairs, touching)
        hit = hit | buried
        buried = buried[hit]
        buried.flags.writeable = False
    names = [(a.names[i], b.names[j]) for i, j in pairs[hit].tolist()]
    # pairs of bodies that are not hit have no rows among the triangles
    columns = found.triangles, found.stats, found.contacts, found.distances, found.curves
    return SceneCollisions(found.counts[hit], *columns, _names=names, buried=buried)


def any_collide(compared: Compared, options: Options, solid: bool = False) -> bool:
    """Tell whether any of the pairs of bodies touch, are too near or buried; stops soon after the first that are."""
    a, b, pairs, clearances = compared

    def hit(rows: NDArray[np.int64]) -> bool:
        return bool(_found(a, b, pairs[rows], options, None if clearances is None else clearances[rows]))

    if any_of(np.arange(len(pairs)), hit):
        return True
    return solid and bool(buried_pairs(a, b, pairs, np.zeros(len(pairs), bool)).any())
