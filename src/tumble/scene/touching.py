"""Which bodies of a scene touch: the question put to pairs of bodies, and the answer by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.query.answer import SceneCollisions
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment

FIRST_ASKED = 64
"""pairs of bodies that `any_touch` tests first; then four times as many, and so on"""


def touching(a: Moment, b: Moment, pairs: NDArray[np.int64], options: Options, curves: bool = False) -> SceneCollisions:
    """Ask about pairs of bodies, and return those that touch by their names."""
    found = ask(TOUCHING, a.bodies, b.bodies, pairs, options, curves=curves)
    hit = found.hit
    names = [(a.names[i], b.names[j]) for i, j in pairs[hit].tolist()]
    # pairs of bodies that do not touch have no rows among the triangles
    columns = found.triangles, found.stats, found.contacts, found.distances, found.curves
    return SceneCollisions(found.counts[hit], *columns, _names=names)


def any_touch(moment: Moment, pairs: NDArray[np.int64], options: Options) -> bool:
    """Tell whether any of the pairs of bodies touch; stops soon after the first that do."""
    start, size = 0, FIRST_ASKED
    while start < len(pairs):
        if ask(TOUCHING, moment.bodies, moment.bodies, pairs[start : start + size], options):
            return True
        start, size = start + size, 4 * size
    return False
