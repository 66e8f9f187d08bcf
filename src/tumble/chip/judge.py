"""What the IT-unit decides, without its time: one half of the test of Section 3.3, in float32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tumble.core.jit import kernel
from tumble.narrow.triangles.unit_triangle import HIT, Bounds, against

EDGE_OPERANDS = 5
"""pairs of operands that an edge needs, if it passes the plane of the other triangle; one to see that it does not"""


@kernel
def judge_half(points: Any, matrix: Any, bounds: Any) -> Any:
    """Compare a triangle in the frame of the other with the other's matrix."""
    p = points[0], points[1], points[2]
    q = points[3], points[4], points[5]
    r = points[6], points[7], points[8]
    return against(p, q, r, matrix, bounds)


def judgement(points: Sequence[float], matrix: Sequence[float], bounds: Bounds) -> int:
    """Return HIT, MISS, MISSED or UNSURE for nine coordinates and twelve coefficients of float32."""
    return int(judge_half(np.array(points, np.float32), np.array(matrix, np.float32), bounds))


def operands(heights: Sequence[float], verdict: int) -> int:
    """Return how many pairs of operands the IT-unit reads for a triangle whose corners are at these heights."""
    pairs = 0
    for i in range(3):
        p, q = heights[i], heights[(i + 1) % 3]
        passes = not ((p > 0 and q > 0) or (p < 0 and q < 0))
        pairs += EDGE_OPERANDS if passes else 1
        if passes and verdict == HIT:
            break  # an edge that pierces the other triangle settles it
    return pairs
