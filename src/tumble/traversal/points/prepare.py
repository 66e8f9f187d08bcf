"""A point on its way into a packed tree: its local coordinates, and which boxes can be nearer than what was found.

Local coordinates are those of `hierarchy.packed.layout`. The distance of a local point p from eight boxes is computed
in float32, component by component max(|p - middle| - half, 0), and compared with a limit.

Why no box is lost. Let P be the largest component of p. Rounding p, the difference and the second difference moves each
component by less than (3 P + 4) 2**-24, so the distance by less than 2**-21 (P + 1); the sum of squares is off by 4 *
2**-24 of itself, for which `SQUARE_ROUNDING` pays. In float64, p and the posed vertices are off by less than 2**-44 of
the largest coordinates, and distances of triangles by `TOLERANCE` of them. All this is the margin. A pose makes
distances smaller by no more than the factor 1 + 4 d, with d its distance from a rotation (see `volume.relative`); that
is part of the rate at which distances become local ones. So a box farther away than

    (distance * rate + margin)² (1 + SQUARE_ROUNDING)

has only triangles whose computed distance is larger than the one so far: leaving it out changes nothing, not even which
of equally near triangles is found. Where something overflows, the limit is infinite and all boxes are visited.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, set_float32, set_float64
from tumble.mesh.arrays import MAX_COORDINATE
from tumble.traversal.rays.prepare import FRAME_NUMBERS as RATE
from tumble.traversal.rays.prepare import MIDDLE, SCALE, SHIFT, SIZE, frame_of, largest_of, turned

POINT_FRAME_NUMBERS = RATE + 1
"""a frame of `rays.prepare`, then the rate"""

# A point: three float64 numbers, how wrong local distances may be, their rate, and then three float32 numbers, local.
MARGIN = 3
OWN_RATE = 4
SINGLES = 5 * 8  # the float32 numbers' place, in bytes
POINT_WORDS = 7

SINGLE_ROUNDING = 2.0**-21
ROUNDING = 2.0**-43
SQUARE_ROUNDING = 2.0**-20
RATE_ROUNDING = 2.0**-40


def point_frame(
    origin: NDArray[np.float64], scale: float, extent: float, pose: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return how points come into the frame of a tree whose mesh has a (3, 4) pose or none."""
    frame = np.append(frame_of(origin, scale, extent, pose), scale * (1.0 + RATE_ROUNDING))
    if pose is not None:
        rotation = pose[:, :3]
        frame[RATE] *= 1.0 + 4.0 * np.abs(rotation.T @ rotation - np.eye(3)).max()
    return frame


@inlined_kernel
def read_point(points, i, point):
    """Copy point i of an array; tell whether it is finite and within the limits."""
    sound = True
    for k in range(3):
        x = float64_at(points, 3 * i + k)
        set_float64(point, k, x)
        sound = sound and abs(x) <= MAX_COORDINATE
    return sound


@inlined_kernel
def prepare_point(frame, point):
    """Write where a sound point is in local coordinates, and how far that may be off."""
    ox, oy, oz = float64_at(point, 0), float64_at(point, 1), float64_at(point, 2)
    x, y, z = ox - float64_at(frame, SHIFT), oy - float64_at(frame, SHIFT + 1), oz - float64_at(frame, SHIFT + 2)
    px = turned(frame, 0, x, y, z) - float64_at(frame, MIDDLE)
    py = turned(frame, 1, x, y, z) - float64_at(frame, MIDDLE + 1)
    pz = turned(frame, 2, x, y, z) - float64_at(frame, MIDDLE + 2)
    size = float64_at(frame, SIZE) + largest_of(ox, oy, oz)
    margin = SINGLE_ROUNDING * (1.0 + largest_of(px, py, pz)) + ROUNDING * (size * float64_at(frame, SCALE))
    # what is not a number is seen in this sum; then the point is anywhere, and no box is left out
    if not abs(px) + abs(py) + abs(pz) < np.inf:
        px, py, pz, margin = 0.0, 0.0, 0.0, np.inf
    set_float64(point, MARGIN, margin)
    set_float64(point, OWN_RATE, float64_at(frame, RATE))
    set_float32(point + SINGLES, 0, np.float32(px))
    set_float32(point + SINGLES, 1, np.float32(py))
    set_float32(point + SINGLES, 2, np.float32(pz))


@inlined_kernel
def limit_of(point, distance):
    """Return the square of the local distance, float32, beyond which boxes cannot matter."""
    reach = distance * float64_at(point, OWN_RATE) + float64_at(point, MARGIN)
    return np.float32(reach * reach * (1.0 + SQUARE_ROUNDING))
