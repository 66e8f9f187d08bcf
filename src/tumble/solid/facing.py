"""Which faces of a solid have it behind them and nothing before them: what `narrow.triangles.facing` rests on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.solid.body import Body
from tumble.solid.overlap.faces import plain_weights
from tumble.solid.overlap.sheets import patches_of

KEY = ("outward faces",)
FEWEST_PAIRS = 16
"""touching pairs of triangles below which it costs more to know this than it saves"""

Truths = NDArray[np.bool_]
SelfPairs = Callable[[Body], NDArray[np.int64]]


def outward_faces(
    bodies: tuple[Body, Body], pairs: NDArray[np.int64], self_pairs: SelfPairs
) -> tuple[Truths, Truths] | None:
    """Return for each body which faces are the boundary of its solid, turned outward; None where that is not known.

    pairs   all touching triangles of the two
    """
    if len(pairs) < FEWEST_PAIRS or not all(body.solid and body.surface.oriented for body in bodies):
        return None
    one, other = (_known(body, len(pairs), self_pairs) for body in bodies)
    return (one, other) if len(one) and len(other) else None


def _known(body: Body, most: int, self_pairs: SelfPairs) -> Truths:
    """Return the same for one body, kept by a mesh without a pose; no faces where it is not known."""
    if body.rows is not None:
        return _outward(body, most, self_pairs)
    known: Truths | None = body.mesh._trees.get(KEY)
    if known is None:
        known = body.mesh._trees.setdefault(KEY, _outward(body, most, self_pairs))
    return known


def _outward(body: Body, most: int, self_pairs: SelfPairs) -> Truths:
    patches = patches_of(body.surface)
    if patches.max(initial=0) >= most or len(self_pairs(body)):
        return np.zeros(0, bool)
    weights, _ = plain_weights(body, patches)
    return np.asarray(weights[patches] == 1)
