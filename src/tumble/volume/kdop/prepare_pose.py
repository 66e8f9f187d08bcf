"""What tests of k-DOPs need once for each pose, written behind the numbers of the relative pose.

Let x and y be the places of a common point in the frames of a and b. `tumble.volume.relative` says that x differs from
R y + t by at most the margin in each coordinate. So for a direction d with its coefficients c and their members b,

    d . x = c0 (b0 . y) + c1 (b1 . y) + c2 (b2 . y) + r . y + d . t + e       |e| <= |d|_1 margin

where r = R^T d - c0 b0 - c1 b1 - c2 b2 is nothing but rounding. The DOP of b's node bounds the products in brackets,
the DOP of a's node bounds the left side, both in exact arithmetic. What is left is rounding. In units of u = 2^-53,
with E the largest coordinate of mesh b and T the sum of the largest translations of both poses, and with

    |R^T d|_2 <= 1.74,  so that no component of it is larger, and |c| |b|_2 sums up to 2.2 (the corners of the generic
    DOPs are at most 1.24 from the middle, for k = 6 sqrt 3, but there |R^T d|_2 is 1);
    |b|_1 <= sqrt 3 |b|_2, so that |c| |b . y| sums up to 3.8 E;
    |t| <= 1.8 T in each coordinate, hence |d . t| <= 5.4 T

    r . y       at most |r|_1 E, and |r|_1 is computed: off by 3 * 3.5 for the rounding of R^T d, and by 3 * 3 * 4 for
                its own: 47 E
    d . t       two additions: 11 T
    the bound   products 3.8 E, additions 3 * 3.8 E + 5.4 T, and 5.4 T where d . t and the width are added: 16 E + 11 T

which is below 128 (E + T) units, and that is in the margin; it also leaves room for rounding the width itself. As the
margin is no less than 128 u E, |r|_1 E is at most |r|_1 / (128 u) margins. So both sides are moved outward by the width

    (|d|_1 + 1 + |r|_1 / (128 u)) margin

Underflow costs a few of the 64 denormals in the margin. Where there is no pose, the margin is zero; but R is the
identity then, C too, and nothing is rounded.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.volume.kdop.directions import directions_of
from tumble.volume.kdop.realign import COEFFICIENTS, HIGHS, LOWS, RESIDUAL, cones_of, realign
from tumble.volume.relative import MARGIN, SIZE, TRANSLATION, UNIT_ROUNDOFF

# Behind the relative pose: a row for each direction, with C and the places of low and of high sides as `realign` writes
# them (the bits of integers: converting them in each test would cost more); then what is added to all low sides, and to
# all high sides.
COLUMNS = RESIDUAL

MARGINS_PER_UNIT = 1 / (128 * UNIT_ROUNDOFF)

Flat = NDArray[np.float64]


def prepare_pose_of(k: int) -> Callable[[Flat], Flat]:
    """Return what makes the numbers of a relative pose into those that k-DOPs need."""
    directions, cones = directions_of(k), cones_of(k)

    def prepare_pose(relative: Flat) -> Flat:
        prepared = np.empty(SIZE + (COLUMNS + 2) * len(directions))
        fill(relative, directions, cones, np.empty((len(directions), RESIDUAL + 1)), prepared)
        return prepared

    return prepare_pose


@kernel
def fill(relative, directions, cones, turned, prepared):
    """Write the relative pose and the rows of all directions."""
    realign(relative, directions, cones, turned)
    for k in range(SIZE):
        prepared[k] = relative[k]
    half = directions.shape[0]
    added = SIZE + COLUMNS * half
    for i in range(half):
        row = SIZE + COLUMNS * i
        x, y, z = directions[i, 0], directions[i, 1], directions[i, 2]
        along = x * relative[TRANSLATION] + y * relative[TRANSLATION + 1] + z * relative[TRANSLATION + 2]
        width = abs(x) + abs(y) + abs(z) + 1.0 + turned[i, RESIDUAL] * MARGINS_PER_UNIT
        width *= relative[MARGIN]
        for m in range(3):
            prepared[row + COEFFICIENTS + m] = turned[i, COEFFICIENTS + m]
            prepared[row + LOWS + m] = np.int64(turned[i, LOWS + m]).view(np.float64)
            prepared[row + HIGHS + m] = np.int64(turned[i, HIGHS + m]).view(np.float64)
        prepared[added + i] = along - width
        prepared[added + half + i] = along + width
