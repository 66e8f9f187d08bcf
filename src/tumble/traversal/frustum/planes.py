"""The planes of a frustum in the local coordinates of a tree, and what boxes and triangles are to them.

In local coordinates (see `hierarchy.packed.layout`) a plane is n · p + d with the largest component of n equal to 1.
The corners of a box that lie farthest on either side of a plane are |n| · half size away from the middle, along n; so a
box lies outside when n · middle + d < -(|n| · half + margin), and inside when the same is larger than the positive.

The margin covers float32, less than 32 * 2**-24 (1 + |d|), and the rounding of mesh, pose and plane in float64. A plane
for which that is not small cuts all boxes, and then triangles alone decide, exactly.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import INT64, float32_at, float64_at
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, dot
from tumble.hierarchy.packed.layout import HALF, LANES, MIDDLE
from tumble.narrow.predicates.plane_side import strictly_below
from tumble.traversal.rays.triangles import posed_corner

# A plane: four float64 numbers as given, then these as float32.
NORMAL = 0
OFFSET = 3
SIZES = 4
"""the absolute values of the normal"""
MARGIN = 7
SINGLE_NUMBERS = 8

SINGLE_ROUNDING = 64 * 2.0**-24
ROUNDING = 2.0**-44

# How boxes lie to all planes.
CUT = LANES
"""the place of the first of eight bits for boxes that some plane cuts; below are those outside of one"""


def local_planes(
    planes: NDArray[np.float64],
    rows: NDArray[np.float64],
    origin: NDArray[np.float64],
    scale: float,
    extent: float,
) -> NDArray[np.float32]:
    """Return (k, 8) float32 numbers for (k, 4) planes, a pose's (3, 4) rows, and the frame of a tree."""
    rotation, shift = rows[:, :3], rows[:, 3]
    with np.errstate(all="ignore"):
        turned = planes[:, :3] @ rotation
        normals = turned / scale
        offsets = turned @ origin + planes[:, :3] @ shift + planes[:, 3]
        sizes = np.abs(normals).max(axis=1)
        largest = 3 * np.abs(planes[:, :3]).max(axis=1) * (extent + np.abs(shift).max()) + np.abs(planes[:, 3])
        margins = SINGLE_ROUNDING * (1 + np.abs(offsets) / sizes) + ROUNDING * (largest / sizes)
        local = np.empty((len(planes), SINGLE_NUMBERS), np.float32)
        local[:, NORMAL:OFFSET] = normals / sizes[:, None]
        local[:, OFFSET] = offsets / sizes
        local[:, SIZES:MARGIN] = np.abs(local[:, NORMAL:OFFSET])
        local[:, MARGIN] = margins
    local[~np.isfinite(local).all(axis=1)] = [0, 0, 0, 0, 0, 0, 0, np.inf]
    return local


@intrinsic
def sides_of_eight(typing_context, block, plane):
    """Return which boxes of a block lie outside of a local plane, and which are cut by it: see CUT."""

    def generate(context, builder, signature, arguments):
        block, plane = arguments
        lanes = Lanes(builder, EIGHT_FLOATS)
        middle, half = ([lanes.load(block, row + axis) for axis in range(3)] for row in (MIDDLE, HALF))
        numbers = [lanes.spread(lanes.scalar(plane, k)) for k in range(SINGLE_NUMBERS)]
        place = dot(numbers[NORMAL:OFFSET], middle) + numbers[OFFSET]
        size = dot(numbers[SIZES:MARGIN], half) + numbers[MARGIN]
        outside = lanes.bits(place < -size)
        cut = builder.xor(lanes.bits(place.magnitude() > size), INT64((1 << LANES) - 1))
        return builder.or_(outside, builder.shl(cut, INT64(CUT)))

    return types.int64(types.int64, types.int64), generate


@inlined_kernel
def side_of_box(box, plane):
    """Return -1 for a box, six float64 numbers at an address, outside of a local plane, 1 for inside, 0 when cut."""
    # the same comparison as `sides_of_eight`, with boxes as low and high in float64
    place, size = np.float64(float32_at(plane, OFFSET)), np.float64(float32_at(plane, MARGIN))
    for axis in range(3):
        low, high = float64_at(box, axis), float64_at(box, 3 + axis)
        place += float32_at(plane, NORMAL + axis) * (0.5 * (low + high))
        size += float32_at(plane, SIZES + axis) * (0.5 * (high - low))
    return -1 if place < -size else 1 if place > size else 0


@inlined_kernel
def kept(tree, pose, planes, count, contained, triangle):
    """Tell whether no plane has all vertices of a triangle outside; with `contained`, whether none has any."""
    a, b, c = (
        posed_corner(tree, pose, triangle, 0),
        posed_corner(tree, pose, triangle, 1),
        posed_corner(tree, pose, triangle, 2),
    )
    for k in range(count):
        x, y, z, d = (
            float64_at(planes, 4 * k),
            float64_at(planes, 4 * k + 1),
            float64_at(planes, 4 * k + 2),
            float64_at(planes, 4 * k + 3),
        )
        first = strictly_below(x, y, z, d, a[0], a[1], a[2])
        if contained != 0:
            if first or strictly_below(x, y, z, d, b[0], b[1], b[2]) or strictly_below(x, y, z, d, c[0], c[1], c[2]):
                return False
        elif first and strictly_below(x, y, z, d, b[0], b[1], b[2]) and strictly_below(x, y, z, d, c[0], c[1], c[2]):
            return False
    return True
