"""DOPs of b in a's frame: wrapped into DOPs that are aligned with a's, as in paper `chip`; then comparing is all.

Side by side the same numbers as in `overlap`, so that both give the same answer.
"""

from collections.abc import Callable
from typing import Any

from tumble.core.jit import kernel
from tumble.core.simd.memory import address_of, float64_at, set_float64
from tumble.volume.kdop.prepare_pose import COLUMNS
from tumble.volume.kdop.sides import NUMBER_BYTES, meeting, turned_sides_of
from tumble.volume.relative import ALIGNED, SIZE


def write_of(k: int) -> Callable[..., Any]:
    """Return what writes a k-DOP of b, in a's frame, into a row."""
    half = k // 2
    row_bytes, added = k * NUMBER_BYTES, half * COLUMNS * NUMBER_BYTES
    turned_sides = turned_sides_of(half)

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

    def write(volumes, j, relative, rows, k):
        b, row = address_of(volumes.slabs) + j * row_bytes, address_of(rows) + k * rows.strides[0]
        prepared = address_of(relative) + SIZE * NUMBER_BYTES
        if relative[ALIGNED] != 0.0:
            shift(b, prepared + added, row)
        else:
            turn(b, prepared, row)

    return write


def overlap_of(k: int) -> Callable[..., Any]:
    """Return what compares a k-DOP of a with such a row."""
    row_bytes = k * NUMBER_BYTES
    slabs_meet = meeting(k // 2)

    def overlap(volumes, i, rows, k, relative):
        a = address_of(volumes.slabs) + i * row_bytes
        return slabs_meet(a, address_of(rows) + k * rows.strides[0], None)

    return overlap
