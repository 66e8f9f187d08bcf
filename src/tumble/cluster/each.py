"""One piece of work after the other, by threads here or by workers: `run_pieces` with pieces that can travel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.cluster import cluster_of
from tumble.cluster.job import Items, Job
from tumble.cluster.run import parts_of

Result = TypeVar("Result")
Work = Callable[[Items, Sequence[Any]], list[Result]]


class Pieces(NamedTuple):
    """Pieces of work for `each`."""

    what: str
    """what a piece is, for reports and errors"""
    pieces: Sequence[Any]
    """what `work` takes, besides the items; can be pickled"""
    needs: Sequence[Sequence[int]]
    """for each piece, the numbers of the items that it needs"""
    weights: NDArray[np.float64]
    """what each takes, in any unit"""


def each(work: Work[Result], items: Sequence[Any], pieces: Pieces, client: Any) -> list[Result]:
    """Return the results of all pieces, computed by the workers of a cluster, some pieces at a time.

    work    a function of a module, or a partial of one, that returns a result for each of some pieces
    items   what pieces need, by their numbers; they never change
    """
    given = pieces.pieces
    job = Job(
        pieces.what,
        work,
        len(given),
        lambda start, stop: list(given[start:stop]),
        items,
        lasting=True,
        needs=partial(_needed, pieces.needs),
        weights=pieces.weights,
        first=1,
    )
    return [result for part in parts_of(job, cluster_of(client)) for result in part.result]


def _needed(needs: Sequence[Sequence[int]], start: int, stop: int) -> NDArray[np.int64]:
    return np.unique(np.array([number for some in needs[start:stop] for number in some], np.int64))
