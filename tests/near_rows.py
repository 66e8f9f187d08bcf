"""Which pairs of triangles are nearer than d, row by row over whole arrays."""

import numpy as np

from tumble.core.jit import kernel
from tumble.narrow.triangles.within import nearer_than


@kernel
def near_rows(a, b, limits, result):
    """Compare row with row of two (n, 9) arrays."""
    for i in range(result.size):
        p, q = a[i], b[i]
        result[i] = nearer_than(
            p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8],
            q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], limits[i],
        )  # fmt: skip


def nearer_than_many(a: np.ndarray, b: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Return for each row of two (n, 3, 3) arrays of triangles whether they touch or are nearer than its limit."""
    result = np.empty(len(a), np.bool_)
    rows_a, rows_b = (np.ascontiguousarray(side, np.float64).reshape(-1, 9) for side in (a, b))
    near_rows(rows_a, rows_b, np.ascontiguousarray(limits, np.float64), result)
    return result
