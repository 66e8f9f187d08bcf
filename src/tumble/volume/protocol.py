"""What every bounding volume offers: functions over a record of arrays, chosen by the record's type.

The record is a NamedTuple with one float64 array, a row for each node. All that is known about a volume stands in its
`VolumeKind`: kernels, the form that its volumes have in the other mesh's frame, and what the validator asks. To add a
volume, write a file like `sphere.py` and name it in `kinds.py`.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import generic, kernel

Rows = NDArray[np.float64]
Flags = NDArray[np.bool_]

SAFE_SQUARE = 1e-250  # squares below this may have lost bits to underflow


@generic
def fit(volumes, node, vertices, faces, order, start, stop):
    """Make volumes[node] enclose the triangles order[start:stop]."""


@generic
def merge(volumes, node, first, second):
    """Make volumes[node] enclose volumes[first] and volumes[second]; node may be one of them."""


@generic
def measure(volumes, i):
    """Return the volume of volumes[i]."""


@generic
def longest_side(volumes, i):
    """Return how long volumes[i] is where it is longest, approximately."""


@generic
def overlap(volumes, i, others, j, relative):
    """Tell whether volumes[i] and others[j], seen through the relative pose, may share a point."""


@generic
def bound(volumes, i, others, j, relative):
    """Return a lower bound of the distance of anything in volumes[i] from anything in others[j].

    It is 0 where they overlap, but for the rounding of that test.
    """


# Volumes of tree b in a's frame, computed once for many tests: the part of a test that depends on one node only.
# Paper `boxtree`, Section 3.2.5: work for a node is done one level up and handed down, instead of again for each pair
# that the node is in. Writing and comparing together do what `overlap` and `bound` do, with the same margin.


@generic
def into_frame_of_a(volumes, j, relative, rows, k):
    """Write the volume of node j of tree b, in a's frame, into row k."""


@generic
def overlap_in_frame_of_a(volumes, i, rows, k, relative):
    """Tell whether node i of tree a may overlap the volume in row k."""


@generic
def bound_in_frame_of_a(volumes, i, rows, k, relative):
    """Return a lower bound of the distance of node i of tree a from the volume in row k, as `bound` does."""


class InFrameOfA(NamedTuple):
    """Volumes of tree b in a's frame: what `into_frame_of_a` writes, and how it is compared."""

    width: int
    """float64 numbers in a row"""
    write: Callable[..., Any]
    overlap: Callable[..., Any]
    bound: Callable[..., Any]


class VolumeKind(NamedTuple):
    """A bounding volume by name, with all that there is to know about it."""

    name: str
    record: type
    width: int
    """float64 numbers in a row"""
    fit_inner: bool
    """whether inner nodes are fitted to their triangles (tighter, n log n) or merged from their children (exact, n)"""
    fit: Callable[..., Any]
    merge: Callable[..., Any]
    measure: Callable[..., Any]
    longest_side: Callable[..., Any]
    overlap: Callable[..., Any]
    bound: Callable[..., Any]
    in_frame_of_a: InFrameOfA
    contains: Callable[[Rows, Rows], Flags]
    """tells which points, (..., 3), the volumes in rows, (..., width), certainly contain; NumPy only"""
    sound: Callable[[Rows, float], Flags]
    """tells which rows are proper volumes, no larger than a mesh with that largest coordinate makes them: the margins
    of overlap tests follow it; NumPy only"""
    prepare_pose: Callable[[Any], Any] | None = None
    """takes the flat array of `tumble.volume.relative` and returns it with more numbers behind: what tests of this kind
    need once for each pose"""


KINDS: dict[str, VolumeKind] = {}
"""the volumes by name"""


def add_kind(kind: VolumeKind) -> None:
    """Make a volume known: to kernels by its record, to users by its name."""
    kernels = {
        fit: kind.fit, merge: kind.merge, measure: kind.measure, longest_side: kind.longest_side,
        overlap: kind.overlap, bound: kind.bound,
        into_frame_of_a: kind.in_frame_of_a.write,
        overlap_in_frame_of_a: kind.in_frame_of_a.overlap,
        bound_in_frame_of_a: kind.in_frame_of_a.bound,
    }  # fmt: skip
    for function, implementation in kernels.items():
        function.register(kind.record)(implementation)
    KINDS[kind.name] = kind


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


@kernel
def length_of_gaps(x, y, z):
    """Return the length of a vector of gaps along perpendicular axes, where negative ones count as zero.

    Rounded by a few units in the last place, which the scale of `tumble.volume.relative` covers. The largest gap alone
    is a lower bound too; it is taken where squares would have lost digits to underflow.
    """
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    square = x * x + y * y + z * z
    return sqrt(square) if square > SAFE_SQUARE else max(x, y, z)
