"""Each mesh in the other's frame, with error bounds: what `unit_triangle.verdict_of` needs of a query.

The answer is about posed float64 vertices. With Ra, ta a's pose, ea the rounding of its posed vertices, and x, y
vertices of a and b, apply Ra^T (p - ta) to everything: it is one to one, and in a's frame

    a's vertices are at    Ra^T (Ra x + ea)                 = x + (Ra^T Ra - I) x + Ra^T ea
    b's vertices are at    Ra^T (Rb y + tb - ta + eb)       = (Ra^T Rb) y + Ra^T (tb - ta) + Ra^T eb

which is what is stored and what is computed, up to the margin of `volume.relative`: 3 times the pose's distance from a
rotation times x, and some 30 units in the last place of the coordinates, of 32 and 128 that the margin has.

With numbers of a larger unit roundoff u (float32), vertices and the relative pose are rounded and the product is
computed in such numbers: u times 2 for the vertices, 2 and 1 for rotation and translation, 7 and 4 for the sum, in
units of the mesh's and the translation's size, less than 16u of both together; and a few of the smallest numbers where
products underflow.
"""

from typing import Any, NamedTuple

import numpy as np

from tumble.narrow.triangles.unit_triangle import Bounds
from tumble.volume.relative import MARGIN, TRANSLATION, Pose, relative_pose

FLOAT64 = 2.0**-53
FLOAT32 = 2.0**-24
# Bounds in between are safe from underflow and overflow, by unit roundoff.
SAFE = {FLOAT64: (1e-250, 1e100), FLOAT32: (1e-30, 1e9)}
AN_EIGHTH_MORE = 1.125
ROOT_OF_THREE = 1.75  # rounded up, for rotations that are off by as much as a pose may be


class UnitFrames(NamedTuple):
    """The two ways from frame to frame, twelve numbers each, and the bounds of the two halves."""

    a_in_b: Any  # a's vertices as b sees them: a rotation by rows, a translation
    b_in_a: Any
    bounds_a: Bounds  # for b's vertices and a's matrices
    bounds_b: Bounds


def bounds_of(own: float, reach: float, error: float, roundoff: float = FLOAT64) -> Bounds:
    """Return the bounds of one half, as `unit_triangle` derives them.

    own       the largest absolute coordinate of the mesh that has the matrices
    reach     the largest absolute coordinate of the other mesh in own's frame
    error     how much coordinates of either may be off in that frame
    roundoff  the unit roundoff of the numbers that go through the test
    """
    alpha = error + 8 * roundoff * (reach + own)
    beta = error + 16 * roundoff * own
    edge = 2.5 * AN_EIGHTH_MORE
    kind = np.float32 if roundoff == FLOAT32 else np.float64
    numbers = AN_EIGHTH_MORE * (alpha + beta), edge * (alpha + 1.5 * beta), edge * 2.5 * beta, *SAFE[roundoff]
    with np.errstate(over="ignore"):  # infinite bounds make everything unsure
        return Bounds(*(kind(number) for number in numbers))


def unit_frames(
    pose_a: Pose | None, pose_b: Pose | None, extent_a: float, extent_b: float, roundoff: float = FLOAT64
) -> UnitFrames:
    """Return the frames for checked (3, 4) poses and the meshes' largest coordinates.

    With `roundoff=FLOAT32`, all numbers are float32; vertices and matrices must then be rounded to float32 too.
    """
    kind = np.float32 if roundoff == FLOAT32 else np.float64
    ways, bounds = [], []
    for own, other, extent, far in ((pose_a, pose_b, extent_a, extent_b), (pose_b, pose_a, extent_b, extent_a)):
        relative = relative_pose(own, other, extent, far)
        shift = float(np.abs(relative[TRANSLATION : TRANSLATION + 3]).max())
        rounding = 16 * roundoff * (extent + far + shift) + 64 * float(np.finfo(kind).smallest_subnormal)
        error = float(relative[MARGIN]) + rounding
        bounds.append(bounds_of(extent, ROOT_OF_THREE * far + shift, error, roundoff))
        with np.errstate(over="ignore"):
            ways.append(relative[: TRANSLATION + 3].astype(kind))
    return UnitFrames(ways[1], ways[0], *bounds)
