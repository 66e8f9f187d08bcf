"""k-DOPs as bounding volumes: a row holds the low sides along all directions, then the high sides.

Sides along the axes are coordinates and exact. The other directions add two or three coordinates; what is rounded
there, 3 u (|x| + |y| + |z|) with the widening itself, is less than the 4 u by which each side is moved outward. Minima
and maxima are exact, so parents are merged from their children and hold the same slabs as if they had been fitted.

Two DOPs are compared along the directions of a only: b's is wrapped into one that is aligned with a's (`realign`), and
there is a gap in one of the slabs or they overlap. Six in ten tests of a query find no gap, so that all directions are
needed; of the gaps, six in ten show along the axes. Those come first, and then all others together: a branch for each
would cost more than it saves.

In a's frame, DOPs of b are wrapped into DOPs aligned with a's, as in paper `chip`; then comparing is all. Side by side
these are the same numbers as in `overlap`, so that both give the same answer.

One implementation serves all k: `kind_of` makes it for a record, and the compiler knows the number of directions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import address_of, float64_at, set_float64
from tumble.volume.kdop.directions import directions_of
from tumble.volume.kdop.prepare_pose import COLUMNS, prepare_pose_of
from tumble.volume.kdop.sides import EXACT, NUMBER_BYTES, bound_in_frame_of_a_of, bound_of, meeting, turned_sides_of
from tumble.volume.protocol import Flags, InFrameOfA, Rows, VolumeKind
from tumble.volume.relative import ALIGNED, SIZE, UNIT_ROUNDOFF

WIDENING = 4 * UNIT_ROUNDOFF
ROUNDED = 1 + 16 * UNIT_ROUNDOFF

Slabs = NDArray[np.float64]
"""a row for each node: the low sides along all directions, then the high sides"""


class KDops6(NamedTuple):
    """Boxes, turned like DOPs."""

    slabs: Slabs


class KDops14(NamedTuple):
    """Axes and corners."""

    slabs: Slabs


class KDops18(NamedTuple):
    """Axes and edges."""

    slabs: Slabs


class KDops24(NamedTuple):
    """Axes, edges and three corners."""

    slabs: Slabs


class KDops26(NamedTuple):
    """Axes, edges and corners."""

    slabs: Slabs


def kind_of(k: int, record: type) -> VolumeKind:
    """Return k-DOPs as a kind of volume."""
    half, directions = k // 2, directions_of(k)
    row_bytes, added = k * NUMBER_BYTES, half * COLUMNS * NUMBER_BYTES
    slabs_meet, turned_sides = meeting(half), turned_sides_of(half)

    def _fit(volumes, node, vertices, faces, order, start, stop):
        slabs = volumes.slabs
        for i in range(half):
            slabs[node, i], slabs[node, half + i] = np.inf, -np.inf
        for t in range(start, stop):
            for corner in range(3):
                v = faces[order[t], corner]
                for i in range(half):
                    x = directions[i, 0] * vertices[v, 0]
                    y = directions[i, 1] * vertices[v, 1]
                    z = directions[i, 2] * vertices[v, 2]
                    value = x + y + z
                    # by the rounding of this very sum, not by that of the largest coordinates of the mesh
                    widening = WIDENING * (abs(x) + abs(y) + abs(z)) if i >= EXACT else 0.0
                    slabs[node, i] = min(slabs[node, i], value - widening)
                    slabs[node, half + i] = max(slabs[node, half + i], value + widening)

    def _merge(volumes, node, first, second):
        slabs = volumes.slabs
        for i in range(half):
            slabs[node, i] = min(slabs[first, i], slabs[second, i])
            slabs[node, half + i] = max(slabs[first, half + i], slabs[second, half + i])

    def _measure(volumes, i):
        # of the box around it: by the sum of all widths the volume rule saves a few percent of the tests, no more
        slabs = volumes.slabs
        x, y, z = slabs[i, half] - slabs[i, 0], slabs[i, half + 1] - slabs[i, 1], slabs[i, half + 2] - slabs[i, 2]
        return x * y * z

    def _longest_side(volumes, i):
        slabs = volumes.slabs
        return max(slabs[i, half] - slabs[i, 0], slabs[i, half + 1] - slabs[i, 1], slabs[i, half + 2] - slabs[i, 2])

    def _overlap(volumes, i, others, j, relative):
        a, b = address_of(volumes.slabs) + i * row_bytes, address_of(others.slabs) + j * row_bytes
        prepared = address_of(relative) + SIZE * NUMBER_BYTES
        if relative[ALIGNED] != 0.0:
            return slabs_meet(a, b, prepared + added)
        return turned_slabs_meet(a, b, prepared)

    @kernel
    def turned_slabs_meet(a, b, prepared):
        if gap(a, b, prepared, 0) | gap(a, b, prepared, 1) | gap(a, b, prepared, 2):
            return False
        # bits joined without branches: a branch for each direction was a tenth slower (docs/kdop.md)
        gaps = 0
        for s in range(EXACT, half):
            gaps |= gap(a, b, prepared, s)
        return gaps == 0

    @inlined_kernel
    def gap(a, b, prepared, s):
        low, high = turned_sides(b, prepared, s)
        # as numbers, since `or` of truth values would be a branch
        return np.int64(low > float64_at(a, half + s)) | np.int64(float64_at(a, s) > high)

    def _into_frame_of_a(volumes, j, relative, rows, k):
        b, row = address_of(volumes.slabs) + j * row_bytes, address_of(rows) + k * rows.strides[0]
        prepared = address_of(relative) + SIZE * NUMBER_BYTES
        if relative[ALIGNED] != 0.0:
            shift(b, prepared + added, row)
        else:
            turn(b, prepared, row)

    @kernel
    def shift(b, added, row):
        for s in range(2 * half):
            set_float64(row, s, float64_at(b, s) + float64_at(added, s))

    @kernel
    def turn(b, prepared, row):
        for s in range(half):
            low, high = turned_sides(b, prepared, s)
            set_float64(row, s, low)
            set_float64(row, half + s, high)

    def _overlap_in_frame_of_a(volumes, i, rows, k, relative):
        a = address_of(volumes.slabs) + i * row_bytes
        return slabs_meet(a, address_of(rows) + k * rows.strides[0], None)

    in_frame_of_a = InFrameOfA(k, _into_frame_of_a, _overlap_in_frame_of_a, bound_in_frame_of_a_of(k))
    return VolumeKind(
        name=f"kdop{k}", record=record, width=k, fit_inner=False, fit=_fit, merge=_merge,
        measure=_measure, longest_side=_longest_side, overlap=_overlap, bound=bound_of(k),
        in_frame_of_a=in_frame_of_a, contains=_contains, sound=_sound, prepare_pose=prepare_pose_of(k),
    )  # fmt: skip


def _contains(rows: Rows, points: Rows) -> Flags:
    # inside by at least the rounding of the places along a direction
    half = rows.shape[-1] // 2
    terms = points[..., None, :] * directions_of(2 * half)
    x, y, z = terms[..., 0], terms[..., 1], terms[..., 2]
    places, widening = x + y + z, WIDENING * (np.abs(x) + np.abs(y) + np.abs(z))
    widening[..., :EXACT] = 0.0
    inside = (places - widening >= rows[..., :half]) & (places + widening <= rows[..., half:])
    return np.asarray(inside.all(axis=-1))


def _sound(rows: Rows, extent: float) -> Flags:
    sizes = np.abs(directions_of(rows.shape[-1])).sum(axis=1)
    limits = extent * np.where(sizes == 1.0, 1.0, sizes * ROUNDED)
    return np.asarray((np.abs(rows) <= np.tile(limits, 2)).all(axis=1))


RECORDS: dict[int, type] = {6: KDops6, 14: KDops14, 18: KDops18, 24: KDops24, 26: KDops26}
KINDS = tuple(kind_of(k, record) for k, record in RECORDS.items())
