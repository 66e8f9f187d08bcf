"""`narrow="unit-triangle"`: the test of paper `chip` first, and the exact one where it is not certain.

For: few operations, no division, no branches that depend on how the triangles lie; made for hardware. Against: 96 bytes
per triangle, and contacts to the last bit are all left to the exact test.
"""

from typing import NamedTuple

import numpy as np
from numba import int32, int64
from numpy.typing import NDArray

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import address_of, float64_at
from tumble.mesh import Mesh
from tumble.narrow.touch import exact_touch, touch
from tumble.narrow.triangles.adjacent import points
from tumble.narrow.triangles.unit_frames import UnitFrames, unit_frames
from tumble.narrow.triangles.unit_matrix import WIDTH, unit_matrices
from tumble.narrow.triangles.unit_triangle import HIT, UNSURE, Bounds, verdict_of
from tumble.volume.relative import Pose

# Where the numbers of `UnitFrames` are in a row.
B_IN_A = 12
BOUNDS_A = 24
BOUNDS_B = 29


class UnitTriangleTest(NamedTuple):
    """Matrices of all triangles, the frames of a query in a row, and how often each verdict was given."""

    matrices_a: NDArray[np.float64]
    matrices_b: NDArray[np.float64]
    frames: NDArray[np.float64]
    verdicts: NDArray[np.int64]


class Verdicts(NamedTuple):
    """How often the filter gave which verdict, in the order of the numbers of `unit_triangle`."""

    miss: int
    hit: int
    unsure: int

    @property
    def unsure_share(self) -> float:
        """The share of triangle pairs that were left to the exact test."""
        return self.unsure / max(sum(self), 1)


def unit_triangle_test(a: Mesh, b: Mesh, pose_a: Pose | None, pose_b: Pose | None) -> UnitTriangleTest:
    """Return the test for two meshes and checked (3, 4) poses; matrices are made on first use and kept on the mesh."""
    frames = unit_frames(pose_a, pose_b, a.extent, b.extent)
    return UnitTriangleTest(unit_matrices(a), unit_matrices(b), np.concatenate(frames), np.zeros(3, np.int64))


@inlined_kernel
def twelve_at(place, k):
    """Read a matrix, or a way from frame to frame, that begins at number k."""
    return (
        float64_at(place, k), float64_at(place, k + 1), float64_at(place, k + 2), float64_at(place, k + 3),
        float64_at(place, k + 4), float64_at(place, k + 5), float64_at(place, k + 6), float64_at(place, k + 7),
        float64_at(place, k + 8), float64_at(place, k + 9), float64_at(place, k + 10), float64_at(place, k + 11),
    )  # fmt: skip


@inlined_kernel
def bounds_at(place, k):
    """Read bounds."""
    plane, base, slope = float64_at(place, k), float64_at(place, k + 1), float64_at(place, k + 2)
    return Bounds(plane, base, slope, float64_at(place, k + 3), float64_at(place, k + 4))


@external(int32(*9 * (int64,)))
def unit_triangle_verdict(vertices_a, faces_a, i, matrices_a, vertices_b, faces_b, j, matrices_b, frames):
    """Return the verdict on triangles i and j of two meshes, all arrays by their addresses."""
    frame = UnitFrames(
        twelve_at(frames, 0), twelve_at(frames, B_IN_A), bounds_at(frames, BOUNDS_A), bounds_at(frames, BOUNDS_B)
    )
    p, q, r = points(vertices_a, faces_a, i)
    x, y, z = points(vertices_b, faces_b, j)
    return verdict_of(p, q, r, twelve_at(matrices_a, WIDTH * i), x, y, z, twelve_at(matrices_b, WIDTH * j), frame)


@touch.register(UnitTriangleTest)
def _touch(test, a, i, b, j, poses):
    verdict = unit_triangle_verdict(
        address_of(a.vertices), address_of(a.faces), i, address_of(test.matrices_a),
        address_of(b.vertices), address_of(b.faces), j, address_of(test.matrices_b), address_of(test.frames),
    )  # fmt: skip
    test.verdicts[verdict] += 1
    if verdict == UNSURE:
        return exact_touch(a, i, b, j, poses)
    return verdict == HIT
