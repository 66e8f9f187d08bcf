"""k-DOPs as bounding volumes: a row holds the low sides along all directions, then the high sides.

Sides along the axes are coordinates and exact. The other directions add two or three coordinates; what is rounded
there, 3 u (|x| + |y| + |z|) with the widening itself, is less than the 4 u by which each side is moved outward. Minima
and maxima are exact, so parents are merged from their children and hold the same slabs as if they had been fitted.

Two DOPs are compared along the directions of a only: b's is wrapped into one that is aligned with a's (`realign`), and
there is a gap in one of the slabs or they overlap. Six in ten tests of a query find no gap, so that all directions are
needed; of the gaps, six in ten show along the axes. Those come first, and then all others together: a branch for each
would cost more than it saves.

One implementation serves all k: `implement` registers it for a record, and the compiler knows the number of directions.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import address_of, float64_at
from tumble.volume.kdop.directions import AXES, directions_of
from tumble.volume.kdop.prepare_pose import COLUMNS, HIGHS, LOWS, aim_of
from tumble.volume.kdop.records import RECORDS
from tumble.volume.kdop.sides import NUMBER_BYTES, meeting, turned_side
from tumble.volume.protocol import VolumeKind, fit, longest_side, measure, merge, overlap
from tumble.volume.relative import ALIGNED, SIZE, UNIT_ROUNDOFF

WIDENING = 4 * UNIT_ROUNDOFF
EXACT = len(AXES)


def implement(k: int, record: type) -> VolumeKind:
    """Register the functions of k-DOPs for their record."""
    half = k // 2
    directions = directions_of(k)
    row_bytes, added = k * NUMBER_BYTES, half * COLUMNS * NUMBER_BYTES
    slabs_meet = meeting(half)

    @fit.register(record)
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

    @merge.register(record)
    def _merge(volumes, node, first, second):
        slabs = volumes.slabs
        for i in range(half):
            slabs[node, i] = min(slabs[first, i], slabs[second, i])
            slabs[node, half + i] = max(slabs[first, half + i], slabs[second, half + i])

    @measure.register(record)
    def _measure(volumes, i):
        # of the box around it: by the sum of all widths the volume rule saves a few percent of the tests, no more
        slabs = volumes.slabs
        x, y, z = slabs[i, half] - slabs[i, 0], slabs[i, half + 1] - slabs[i, 1], slabs[i, half + 2] - slabs[i, 2]
        return x * y * z

    @longest_side.register(record)
    def _longest_side(volumes, i):
        slabs = volumes.slabs
        return max(slabs[i, half] - slabs[i, 0], slabs[i, half + 1] - slabs[i, 1], slabs[i, half + 2] - slabs[i, 2])

    @overlap.register(record)
    def _overlap(volumes, i, others, j, relative):
        a, b = address_of(volumes.slabs) + i * row_bytes, address_of(others.slabs) + j * row_bytes
        aimed = address_of(relative) + SIZE * NUMBER_BYTES
        if relative[ALIGNED] != 0.0:
            return slabs_meet(a, b, aimed + added)
        return turned_slabs_meet(a, b, aimed)

    @kernel
    def turned_slabs_meet(a, b, aimed):
        if gap(a, b, aimed, 0) | gap(a, b, aimed, 1) | gap(a, b, aimed, 2):
            return False
        gaps = 0
        for s in range(EXACT, half):
            gaps |= gap(a, b, aimed, s)
        return gaps == 0

    @inlined_kernel
    def gap(a, b, aimed, s):
        row = aimed + s * COLUMNS * NUMBER_BYTES
        low = turned_side(b, row, row + LOWS * NUMBER_BYTES) + float64_at(aimed + added, s)
        high = turned_side(b, row, row + HIGHS * NUMBER_BYTES) + float64_at(aimed + added, half + s)
        return np.int64(low > float64_at(a, half + s)) | np.int64(float64_at(a, s) > high)

    return VolumeKind(f"kdop{k}", record, k, fit_inner=False, moved=k, aim=aim_of(k))


KINDS = tuple(implement(k, record) for k, record in RECORDS.items())
