"""The rows of pairs of bodies out of two tables, in one pass."""

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.poll import poll

OFTEN = 1023
"""bits of a count of pairs that are zero where the loop calls `poll`"""


@kernel
def copy_rows(
    known: NDArray[np.bool_],
    counts: NDArray[np.int64],
    starts: NDArray[np.int64],
    before: NDArray[np.int64],
    fresh: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """Write the rows of all pairs, one pair after the other, each from the table that has them."""
    row = 0
    for k in range(len(counts)):
        if k & OFTEN == 0 and poll(0) != 0:
            break
        for i in range(starts[k], starts[k] + counts[k]):
            if known[k]:
                found[row, 0], found[row, 1] = before[i, 0], before[i, 1]
            else:
                found[row, 0], found[row, 1] = fresh[i, 0], fresh[i, 1]
            row += 1
