"""Traversals that stop at pairs of leaves whose volumes overlap: the triangles are not looked at.

Papers `chip` and `binary-stack` measure that: Equation 5 of the one leaves triangle tests out, and the other finds
“pairs of possibly overlapping triangles”. A query of leaf pairs counts or collects them with the kernels of its method.
"""

from typing import NamedTuple

from tumble.narrow.touch import touch
from tumble.traversal.query import Query


class EveryPair(NamedTuple):
    """Takes all triangles of two leaves that overlap for touching."""


@touch.register(EveryPair)
def _touch(test, a, i, b, j, poses):  # type: ignore[no-untyped-def]
    return True


def of_leaf_pairs(query: Query) -> Query:
    """The same query without its triangle tests; both share the memory of the method."""
    return Query(*query._arguments, EveryPair(), query.extent)
