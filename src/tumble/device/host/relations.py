"""The frame of b relative to that of a, for a whole list of pairs of bodies: what overlap tests on a device need.

`tumble.volume.relative` derives the margin. As in `tumble.traversal.packed.relation` it is taken around
the middles of the meshes, in local units of a, and float32 adds its own rounding. A coordinate of b as a sees it is
r (R · p) + t, with the power of two r, |p| <= 1 and rows R of length 1, all but r rounded. In units of 2**-24: rounding
R and p takes (sqrt(3) + 3) / 2 of r, three products and two sums take 5 sqrt(3) r, adding t and its own rounding take
sqrt(3) r + 2 |t|; less than 13 r + 2 |t| in all. A coordinate of a is off by 1/2. So 16 (1 + r + |t|) covers both, and
denormals that are flushed to zero.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.nodes import LocalUnits
from tumble.volume.relative import SMALLEST_DENORMAL, UNIT_ROUNDOFF

RELATION_WIDTH = 16
SINGLE_ROUNDING = 16 * 2.0**-24
ROUND_UP = 1.0 + 2.0**-20

Array = NDArray[np.float64]


class Frames:
    """Where bodies are: poses, how far they are from rotations, and the local units of their meshes."""

    def __init__(self, units: list[LocalUnits], which: NDArray[np.int64], poses: Array, deviations: Array) -> None:
        self.turns = poses[:, :3, :3]
        self.shifts = poses[:, :3, 3]
        self.deviations = deviations
        self.scales = np.array([unit.scale for unit in units])[which]
        self.extents = np.array([unit.extent for unit in units])[which]
        origins = np.array([unit.origin for unit in units]).reshape(-1, 3)[which]
        self.middles = np.einsum("nij,nj->ni", self.turns, origins) + self.shifts


def relations(a: Frames, b: Frames, pairs: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return (n, 16) for pairs of bodies: rows of b's rotation seen from a, each with the shift behind it; then the
    ratio of units, the margin of overlap tests, the ratio's cube.

    What is too large for float32 becomes infinite, and then counts as overlapping.
    """
    i, j = pairs[:, 0], pairs[:, 1]
    scale = a.scales[i]
    ratio = scale / b.scales[j]
    turn = np.einsum("nki,nkj->nij", a.turns[i], b.turns[j])
    shift = np.einsum("nki,nk->ni", a.turns[i], b.middles[j] - a.middles[i]) * scale[:, None]
    moved = np.abs(a.shifts[i]).max(axis=1) + np.abs(b.shifts[j]).max(axis=1)
    rounding = 128 * UNIT_ROUNDOFF * (a.extents[i] + b.extents[j] + moved) + 64 * SMALLEST_DENORMAL
    distance = np.abs(shift).sum(axis=1)
    deviation = a.deviations[i] + b.deviations[j]
    margin = (SINGLE_ROUNDING + 32 * deviation) * (1.0 + ratio + distance) + rounding * scale
    rows = np.empty((len(pairs), 4, 4), np.float32)
    with np.errstate(over="ignore", under="ignore"):
        rows[:, :3, :3] = turn
        rows[:, :3, 3] = shift
        rows[:, 3, 0] = ratio
        # an axis is at most a unit vector, along which three coordinates add up to sqrt(3): two are added
        rows[:, 3, 1] = 2.0 * margin * ROUND_UP
        rows[:, 3, 2] = ratio**3
        rows[:, 3, 3] = 0.0
    return rows.reshape(-1, RELATION_WIDTH)
