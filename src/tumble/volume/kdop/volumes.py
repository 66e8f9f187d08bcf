"""k-DOPs as bounding volumes: a row holds the low sides along all directions, then the high sides.

Sides along the axes are coordinates and exact. The other directions add two or three coordinates; what is rounded
there, 3 u (|x| + |y| + |z|) with the widening itself, is less than the 4 u by which each side is moved outward. Minima
and maxima are exact, so parents are merged from their children and hold the same slabs as if they had been fitted.

Two DOPs are compared along the directions of a only: b's is wrapped into one that is aligned with a's (`realign`), and
there is a gap in one of the slabs or they overlap. Six in ten tests of a query find no gap, so that all directions are
needed; of the gaps, six in ten show along the axes. Those come first, and then all others together: a branch for each
would cost more than it saves.

One implementation serves all k: `kind_of` makes it for a record, and the compiler knows the number of directions.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import address_of, float64_at
from tumble.volume.kdop.bound import bound_in_frame_of_a_of, bound_of
from tumble.volume.kdop.directions import AXES, directions_of
from tumble.volume.kdop.in_frame_of_a import overlap_of, write_of
from tumble.volume.kdop.prepare_pose import COLUMNS, prepare_pose_of
from tumble.volume.kdop.records import RECORDS
from tumble.volume.kdop.sides import NUMBER_BYTES, meeting, turned_sides_of
from tumble.volume.protocol import Flags, InFrameOfA, Rows, VolumeKind
from tumble.volume.relative import ALIGNED, SIZE, UNIT_ROUNDOFF

WIDENING = 4 * UNIT_ROUNDOFF
EXACT = len(AXES)
ROUNDED = 1 + 16 * UNIT_ROUNDOFF


def kind_of(k: int, record: type) -> VolumeKind:
    """Return k-DOPs as a kind of volume."""
    half = k // 2
    directions = directions_of(k)
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
        gaps = 0
        for s in range(EXACT, half):
            gaps |= gap(a, b, prepared, s)
        return gaps == 0

    @inlined_kernel
    def gap(a, b, prepared, s):
        low, high = turned_sides(b, prepared, s)
        return np.int64(low > float64_at(a, half + s)) | np.int64(float64_at(a, s) > high)

    return VolumeKind(
        name=f"kdop{k}",
        record=record,
        width=k,
        fit_inner=False,
        fit=_fit,
        merge=_merge,
        measure=_measure,
        longest_side=_longest_side,
        overlap=_overlap,
        bound=bound_of(k),
        in_frame_of_a=InFrameOfA(k, write_of(k), overlap_of(k), bound_in_frame_of_a_of(k)),
        contains=_contains,
        sound=_sound,
        prepare_pose=prepare_pose_of(k),
    )


# Without any kernel, over whole columns: for the validator.


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


KINDS = tuple(kind_of(k, record) for k, record in RECORDS.items())
