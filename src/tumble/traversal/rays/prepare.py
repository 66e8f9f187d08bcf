"""A ray on its way into a tree: checked, and turned into the tree's local coordinates.

Local coordinates reach from -1 to 1 (see `hierarchy.packed.layout`). There the ray is p + s q with the largest
component of q equal to 1, and p moved forward along the ray, at most to 2 before the point nearest to the middle of the
mesh: whatever the ray can hit has s between 0 and 4, and float32 is sharp enough wherever the ray came from. With t the
distance along the given direction, s = t * RATE - START.

Why no box is lost. Slabs are compared in float32, for |p| < 6.5: rounding moves a border by less than 40 * 2**-24,
including that of the direction and its inverse. A component of q below `LEAST` is replaced by that, which moves the ray
by less than 2**-27; so there is no division by zero, and nothing is ever undefined. `SINGLE_ROUNDING` covers this. In
float64, a ray's and a mesh's coordinates, posed, are off by less than 2**-44 of the largest of them. Where that is not
small, or something overflows, the ray is *open*: it meets all boxes.

A box that begins behind the nearest hit is left out. For that, the hit counts as farther away than it was computed: by
more than t can be wrong, 2**-28 (S / M + t) as in `rays.ray_triangle`. There S / M is at most t plus the size of
the mesh in units of the direction, and lengths along axes differ by up to the root of 3 from one frame to the other; in
units of s all this is less than `TIME_ROUNDING` (START + 8).
"""

import math

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, set_float32, set_float64
from tumble.mesh.arrays import MAX_COORDINATE
from tumble.narrow.rays.ray_triangle import DIRECTION, LARGEST, ORIGIN

# How rays come into local coordinates: float64 numbers, made once for each mesh and pose.
TURN = 0  # nine numbers, by rows: the inverse of the pose's rotation times the scale
SHIFT = 9  # the pose's translation
MIDDLE = 12  # the middle of the mesh, times the scale
SIZE = 15  # the largest coordinate of mesh and translation
SCALE = 16
FRAME_NUMBERS = 17

# A ray, seven float64 numbers as in `rays.ray_triangle`, then these, and then the float32 numbers of `eight_slabs`.
START = 7
RATE = 8
PAD = 9
MARGIN = 10
POINT = 11  # p, three numbers
INVERSE = 14  # 1 / q, three numbers
SINGLES = 17 * 8  # the float32 numbers' place, in bytes
RAY_WORDS = 17 + 6

# Among the float32 numbers, three each: p / q, 1 / q, |1 / q|, margin / |q|.
OFFSETS = 0
SLOPES = 3
STEEPNESS = 6
WIDENINGS = 9

LEAST_DIRECTION = 1.0 / MAX_COORDINATE
SINGLE_ROUNDING = 64 * 2.0**-24
ROUNDING = 2.0**-44
TIME_ROUNDING = 2.0**-26
LEAST = 2.0**-30
LONGEST = 8.0  # no box is farther along the ray, in s
FARTHEST = 6.0  # a ray that comes to the mesh has p within this, after 4 at most
WIDEST_MARGIN = 0.5
OPEN_MARGIN = 1000.0


def frame_of(
    origin: NDArray[np.float64], scale: float, extent: float, pose: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return how points of the world come into the frame of a tree whose mesh has a (3, 4) pose or none."""
    rotation, shift = (np.eye(3), np.zeros(3)) if pose is None else (pose[:, :3], pose[:, 3])
    frame = np.empty(FRAME_NUMBERS)
    with np.errstate(over="ignore"):
        frame[TURN:SHIFT] = (np.linalg.inv(rotation) * scale).ravel()
        frame[SHIFT:MIDDLE] = shift
        frame[MIDDLE:SIZE] = origin * scale
    frame[SIZE] = extent + np.abs(shift).max()
    frame[SCALE] = scale
    return frame


@inlined_kernel
def sound(ray):
    """Tell whether origin and direction are finite and within the limits; write the direction's largest component."""
    largest = 0.0
    for k in range(3):
        if not abs(float64_at(ray, ORIGIN + k)) <= MAX_COORDINATE:
            return False
        size = abs(float64_at(ray, DIRECTION + k))
        if not size <= MAX_COORDINATE:
            return False
        largest = max(largest, size)
    set_float64(ray, LARGEST, largest)
    return largest >= LEAST_DIRECTION


@inlined_kernel
def turned(frame, row, x, y, z):
    """Return a component of a turned and scaled vector."""
    k = TURN + 3 * row
    return float64_at(frame, k) * x + float64_at(frame, k + 1) * y + float64_at(frame, k + 2) * z


@inlined_kernel
def largest_of(x, y, z):
    """Return the largest absolute value; what is not a number may be overlooked."""
    return max(max(abs(x), abs(y)), abs(z))


@inlined_kernel
def write_slabs(ray, margin, px, py, pz, qx, qy, qz):
    """Write what the box tests read."""
    set_float64(ray, MARGIN, margin)
    singles = ray + SINGLES
    for k in range(3):
        p, q = (px, qx) if k == 0 else (py, qy) if k == 1 else (pz, qz)
        inverse = 1.0 / (math.copysign(LEAST, q) if abs(q) < LEAST else q)
        set_float64(ray, POINT + k, p)
        set_float64(ray, INVERSE + k, inverse)
        set_float32(singles, OFFSETS + k, np.float32(p * inverse))
        set_float32(singles, SLOPES + k, np.float32(inverse))
        set_float32(singles, STEEPNESS + k, np.float32(abs(inverse)))
        set_float32(singles, WIDENINGS + k, np.float32(abs(inverse) * margin))


@inlined_kernel
def prepare_ray(frame, ray):
    """Write how a sound ray lies in local coordinates; return False when it passes the mesh at a distance."""
    ox, oy, oz = float64_at(ray, ORIGIN), float64_at(ray, ORIGIN + 1), float64_at(ray, ORIGIN + 2)
    dx, dy, dz = float64_at(ray, DIRECTION), float64_at(ray, DIRECTION + 1), float64_at(ray, DIRECTION + 2)
    x, y, z = ox - float64_at(frame, SHIFT), oy - float64_at(frame, SHIFT + 1), oz - float64_at(frame, SHIFT + 2)
    px = turned(frame, 0, x, y, z) - float64_at(frame, MIDDLE)
    py = turned(frame, 1, x, y, z) - float64_at(frame, MIDDLE + 1)
    pz = turned(frame, 2, x, y, z) - float64_at(frame, MIDDLE + 2)
    qx, qy, qz = turned(frame, 0, dx, dy, dz), turned(frame, 1, dx, dy, dz), turned(frame, 2, dx, dy, dz)
    margin = SINGLE_ROUNDING + ROUNDING * (
        (float64_at(frame, SIZE) + largest_of(ox, oy, oz)) * float64_at(frame, SCALE)
    )
    rate = largest_of(qx, qy, qz)
    if not (margin < WIDEST_MARGIN and rate > 0.0 and abs(qx) + abs(qy) + abs(qz) < np.inf):
        # open: rounding is not small, so all boxes are met and triangles alone decide
        set_float64(ray, START, 0.0)
        set_float64(ray, RATE, 0.0)
        set_float64(ray, PAD, LONGEST)
        write_slabs(ray, OPEN_MARGIN, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
        return True
    qx, qy, qz = qx / rate, qy / rate, qz / rate
    # forward to 2 before the point nearest to the middle: no part of the mesh is skipped, as it reaches at most sqrt(3)
    # from there
    start = max(0.0, -(px * qx + py * qy + pz * qz) / (qx * qx + qy * qy + qz * qz) - 2.0)
    px, py, pz = px + start * qx, py + start * qy, pz + start * qz
    if largest_of(px, py, pz) > FARTHEST:
        return False
    set_float64(ray, START, start)
    set_float64(ray, RATE, rate)
    set_float64(ray, PAD, SINGLE_ROUNDING + TIME_ROUNDING * (start + LONGEST))
    write_slabs(ray, margin, px, py, pz, qx, qy, qz)
    return True


@inlined_kernel
def reach(ray, distance):
    """Return how far along the local ray boxes matter when everything beyond a distance does not; generously."""
    s = distance * float64_at(ray, RATE) - float64_at(ray, START) + float64_at(ray, PAD)
    return s if s < LONGEST else LONGEST
