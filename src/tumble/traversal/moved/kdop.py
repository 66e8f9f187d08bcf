"""DOPs ahead of their tests: wrapped into DOPs that are aligned with a's, as in paper `chip`; then comparing is all.

Side by side the same numbers as in `overlap`, so that both answer alike.
"""

from tumble.core.jit import kernel
from tumble.core.simd.memory import address_of, float64_at, set_float64
from tumble.traversal.moved.protocol import move, overlap_moved
from tumble.volume.kdop.prepare_pose import COLUMNS, HIGHS, LOWS
from tumble.volume.kdop.records import RECORDS
from tumble.volume.kdop.sides import NUMBER_BYTES, meeting, turned_side
from tumble.volume.relative import ALIGNED, SIZE


def implement(k: int, record: type) -> None:
    """Register both functions of k-DOPs for their record."""
    half = k // 2
    row_bytes, added = k * NUMBER_BYTES, half * COLUMNS * NUMBER_BYTES
    slabs_meet = meeting(half)

    @move.register(record)
    def _move(volumes, j, relative, moved, k):
        b, row = address_of(volumes.slabs) + j * row_bytes, address_of(moved) + k * moved.strides[0]
        aimed = address_of(relative) + SIZE * NUMBER_BYTES
        if relative[ALIGNED] != 0.0:
            shift(b, aimed + added, row)
        else:
            turn(b, aimed, row)

    @kernel
    def shift(b, added, moved):
        for s in range(2 * half):
            set_float64(moved, s, float64_at(b, s) + float64_at(added, s))

    @kernel
    def turn(b, aimed, moved):
        for s in range(half):
            row = aimed + s * COLUMNS * NUMBER_BYTES
            low = turned_side(b, row, row + LOWS * NUMBER_BYTES)
            high = turned_side(b, row, row + HIGHS * NUMBER_BYTES)
            set_float64(moved, s, low + float64_at(aimed + added, s))
            set_float64(moved, half + s, high + float64_at(aimed + added, half + s))

    @overlap_moved.register(record)
    def _overlap(volumes, i, moved, k, relative):
        a = address_of(volumes.slabs) + i * row_bytes
        return slabs_meet(a, address_of(moved) + k * moved.strides[0], None)


for _k, _record in RECORDS.items():
    implement(_k, _record)
