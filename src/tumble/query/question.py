"""The question of a traversal: a record of arrays, and a few generic kernels that are chosen by its type.

    begin               set the answer to what it is before any pair was looked at
    keep                may this pair of nodes still matter to the answer?
    keep_in_frame_of_a  the same, where b's volume is in a's frame already
    keep_bound          the same, where a lower bound of the nodes' distance is known already
    at_leaves           two triangles: add them to the answer; say whether to stop
    pairs_kept          how many pairs the answer contains so far, for the limit on them

Traversals know nothing else, so a question works with every method and every volume. The record brings the memory of
the answer, and a Python function in the question's file makes it, asks and returns the answer. A question asks either
whether volumes overlap (`by_overlap`), whether they are near enough (`within_distance`), or how far they are from each
other (`by_distance`). The last is quicker when near pairs come first: methods that can choose their order do that.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import generic, inlined_generic
from tumble.volume.protocol import bound, bound_in_frame_of_a, overlap, overlap_in_frame_of_a


@generic
def begin(question):
    """Set the answer to what it is before any pair was looked at."""


@inlined_generic
def keep(question, volumes, i, others, j, relative):
    """Tell whether nodes i and j may still matter; the other tree is seen through the relative pose."""


@inlined_generic
def keep_in_frame_of_a(question, volumes, i, rows, k, relative):
    """Tell whether node i of a and the volume of b in row k, in a's frame, may still matter."""


@inlined_generic
def keep_bound(question, distance):
    """Tell whether nodes that are at least so far from each other may still matter."""


@inlined_generic
def at_leaves(question, a, p, b, q, poses):
    """Look at triangle p of a and triangle q of b; return whether to stop."""


@generic
def pairs_kept(question):
    """Return how many pairs the answer keeps so far: those that a limit counts."""


class Asker(Protocol):
    """What answers questions: two prepared meshes and a method."""

    narrow: Any
    """the test of two triangles, see `tumble.narrow.touch`"""
    extent: float
    """the largest coordinate of a posed vertex, or more"""

    def ask(self, question: Any, counters: Any = None) -> None:
        """Put a question; the answer is in its arrays then."""


class WaitingBounds(NamedTuple):
    """How far the pairs that wait in a method's memory are from each other at least: what nearest first needs."""

    values: NDArray[np.float64]


_nearest_first: set[type] = set()


def is_nearest_first(question: Any) -> bool:
    """Tell whether near pairs of nodes should be visited before far ones."""
    return type(question) in _nearest_first


def by_overlap(record: type) -> type:
    """Decorate the record of a question that keeps the nodes whose volumes overlap."""
    keep.register(record)(_overlap)
    keep_in_frame_of_a.register(record)(_overlap_in_frame_of_a)
    return record


def by_distance(record: type) -> type:
    """Decorate the record of a question that keeps nodes by their distance, see `keep_bound`, nearest first."""
    _nearest_first.add(within_distance(record))
    return record


def within_distance(record: type) -> type:
    """Decorate the record of a question that keeps nodes by their distance, see `keep_bound`, in any order."""
    keep.register(record)(_near_enough)
    keep_in_frame_of_a.register(record)(_near_enough_in_frame_of_a)
    return record


def _overlap(question, volumes, i, others, j, relative):
    return overlap(volumes, i, others, j, relative)


def _overlap_in_frame_of_a(question, volumes, i, rows, k, relative):
    return overlap_in_frame_of_a(volumes, i, rows, k, relative)


def _near_enough(question, volumes, i, others, j, relative):
    return keep_bound(question, bound(volumes, i, others, j, relative))


def _near_enough_in_frame_of_a(question, volumes, i, rows, k, relative):
    return keep_bound(question, bound_in_frame_of_a(volumes, i, rows, k, relative))
