"""DOPs ahead of their tests: wrapped into DOPs that are aligned with a's, as in paper `chip`; then comparing is all.

Side by side the same numbers as in `overlap`, so that both answer alike.
"""

from tumble.traversal.moved.protocol import move, overlap_moved
from tumble.volume.kdop.aim import ADD_HIGH, ADD_LOW, COLUMNS, HIGHS, LOWS
from tumble.volume.kdop.combine import combined
from tumble.volume.kdop.records import RECORDS
from tumble.volume.relative import ALIGNED, SIZE


def implement(k: int, record: type) -> None:
    """Register both functions of k-DOPs for their record."""
    half = k // 2

    @move.register(record)
    def _move(volumes, j, relative, moved, k):
        b = volumes.slabs
        if relative[ALIGNED] != 0.0:
            for s in range(half):
                row = SIZE + COLUMNS * s
                moved[k, s] = b[j, s] + relative[row + ADD_LOW]
                moved[k, half + s] = b[j, half + s] + relative[row + ADD_HIGH]
            return
        for s in range(half):
            row = SIZE + COLUMNS * s
            moved[k, s] = combined(b, j, relative, row, row + LOWS) + relative[row + ADD_LOW]
            moved[k, half + s] = combined(b, j, relative, row, row + HIGHS) + relative[row + ADD_HIGH]

    @overlap_moved.register(record)
    def _overlap(volumes, i, moved, k, relative):
        a = volumes.slabs
        for s in range(half):
            if (moved[k, s] > a[i, half + s]) | (a[i, s] > moved[k, half + s]):
                return False
        return True


for _k, _record in RECORDS.items():
    implement(_k, _record)
