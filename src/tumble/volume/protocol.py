"""What every bounding volume offers: five functions over a record of arrays, chosen by the record's type.

A volume kind is a NamedTuple with one float64 array, a row for each node. To add one, write a file like `sphere.py`
with the five implementations and name it in `tumble.volume.KINDS`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from tumble.core.jit import generic, kernel


@generic
def fit(volumes, node, vertices, faces, order, start, stop):
    """Make volumes[node] enclose the triangles order[start:stop]."""


@generic
def merge(volumes, node, first, second):
    """Make volumes[node] enclose volumes[first] and volumes[second]; node may be one of them."""


@generic
def overlap(volumes, i, others, j, relative):
    """Tell whether volumes[i] and others[j], seen through the relative pose, may share a point."""


@generic
def measure(volumes, i):
    """Return the volume of volumes[i]."""


@generic
def longest_side(volumes, i):
    """Return how long volumes[i] is where it is longest, at least about."""


@kernel
def span(vertices, faces, order, start, stop, axis):
    """Return the lowest and the highest coordinate of the triangles order[start:stop] along an axis."""
    low = high = vertices[faces[order[start], 0], axis]
    for k in range(start, stop):
        for corner in range(3):
            value = vertices[faces[order[k], corner], axis]
            low = min(low, value)
            high = max(high, value)
    return low, high


class VolumeKind(NamedTuple):
    """A bounding volume by name."""

    name: str
    record: type
    width: int
    """float64 numbers in a row"""
    fit_inner: bool
    """whether inner nodes are fitted to their triangles (tighter, n log n) or merged from their children (exact, n)"""
    moved: int
    """numbers of a volume as the other mesh's frame sees it; see `tumble.traversal.moved`"""
    aim: Callable[[Any], Any] | None = None
    """takes the flat array of `tumble.volume.relative` and returns it with more numbers behind: what tests of this kind
    need once for each pose"""
