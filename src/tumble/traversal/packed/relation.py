"""Poses on the way into the fast path, turned into what the overlap tests need.

`tumble.volume.relative` tells where the margin comes from. Here it is taken around the middles of the meshes, in local
units (see `tumble.hierarchy.packed.layout`), and float32 adds its own rounding: with all numbers below 1 for the block,
below the ratio r for the single, and a shift t, what is compared is off by at most (40 r + 16 |t| + 16) 2**-24.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import float64_at, set_float32
from tumble.hierarchy.packed.header import EXTENT, ORIGIN, RADIUS, SCALE
from tumble.mesh.rigid_kernel import product_of_columns
from tumble.narrow.triangles.kept_frame import describe_frame
from tumble.volume.eight_boxes import AXES, MAGNITUDES, MARGIN, MATRIX, RATIO, SHIFT
from tumble.volume.relative import SMALLEST_DENORMAL, UNIT_ROUNDOFF

SINGLE_ROUNDING = 64 * 2.0**-24
ROUND_UP = 1.0 + 2.0**-20
SAFE_SQUARE = 1e-280  # below, squares may have lost bits to underflow


@inlined_kernel
def posed_origin(tree, pose, row):
    """Return a coordinate of the origin of a posed tree's frame."""
    x, y, z = float64_at(tree, ORIGIN), float64_at(tree, ORIGIN + 1), float64_at(tree, ORIGIN + 2)
    first = 4 * row
    turned = float64_at(pose, first) * x + float64_at(pose, first + 1) * y + float64_at(pose, first + 2) * z
    return turned + float64_at(pose, first + 3)


@inlined_kernel
def shift_size(pose):
    """Return the largest component of a pose's translation."""
    return max(max(abs(float64_at(pose, 3)), abs(float64_at(pose, 7))), abs(float64_at(pose, 11)))


@inlined_kernel
def way_between(tree, pose, other, other_pose):
    """Return the way from the origin of a posed tree's frame to that of another."""
    dx = posed_origin(other, other_pose, 0) - posed_origin(tree, pose, 0)
    dy = posed_origin(other, other_pose, 1) - posed_origin(tree, pose, 1)
    dz = posed_origin(other, other_pose, 2) - posed_origin(tree, pose, 2)
    return dx, dy, dz


@inlined_kernel
def world_rounding(tree, pose, other, other_pose):
    """Return by how much posed vertices of two meshes may be off, in the world's unit."""
    size = float64_at(tree, EXTENT) + float64_at(other, EXTENT) + shift_size(pose) + shift_size(other_pose)
    return 128 * UNIT_ROUNDOFF * size + 64 * SMALLEST_DENORMAL


@inlined_kernel
def balls_apart(tree, other, dx, dy, dz, deviation, rounding):
    """Tell whether the balls about two meshes are apart."""
    reach = (float64_at(tree, RADIUS) + float64_at(other, RADIUS)) * (1.0 + 2.0 * deviation) + 2.0 * rounding
    square = reach * reach * (1.0 + 8 * UNIT_ROUNDOFF)
    return square > SAFE_SQUARE and dx * dx + dy * dy + dz * dz > square


@kernel
def relate(single, pose, block, block_pose, deviation, relation):
    """Write how the single's frame lies in the block's; return False when the meshes' balls are apart."""
    dx, dy, dz = way_between(block, block_pose, single, pose)
    rounding = world_rounding(single, pose, block, block_pose)
    # balls first: this settles distant pairs before any matrix is multiplied
    if balls_apart(single, block, dx, dy, dz, deviation, rounding):
        return False
    write_relation(single, pose, block, block_pose, dx, dy, dz, deviation, rounding, relation)
    return True


@kernel
def relate_apart(single, pose, block, block_pose, deviation, relation):
    """Write how the single's frame lies in the block's, however far they are apart."""
    dx, dy, dz = way_between(block, block_pose, single, pose)
    rounding = world_rounding(single, pose, block, block_pose)
    write_relation(single, pose, block, block_pose, dx, dy, dz, deviation, rounding, relation)


@inlined_kernel
def write_relation(single, pose, block, block_pose, dx, dy, dz, deviation, rounding, relation):
    """Write how the single's frame lies in the block's, (dx, dy, dz) from its origin."""
    scale = float64_at(block, SCALE)
    ratio = scale / float64_at(single, SCALE)
    distance = 0.0
    for i in range(3):
        for j in range(3):
            entry = product_of_columns(block_pose, i, pose, j)
            set_float32(relation, AXES + 3 * j + i, np.float32(entry))
            set_float32(relation, MAGNITUDES + 3 * j + i, np.float32(abs(entry)))
            set_float32(relation, MATRIX + 3 * j + i, np.float32(ratio * entry))
        column = float64_at(block_pose, i), float64_at(block_pose, 4 + i), float64_at(block_pose, 8 + i)
        shift = (column[0] * dx + column[1] * dy + column[2] * dz) * scale
        set_float32(relation, SHIFT + i, np.float32(shift))
        distance += abs(shift)
    # float32 rounds what is compared, a pose that is not quite rigid stretches it, and float64 rounded the vertices
    margin = (SINGLE_ROUNDING + 32 * deviation) * (1.0 + ratio + distance) + rounding * scale
    set_float32(relation, MARGIN, np.float32(margin * ROUND_UP))
    set_float32(relation, RATIO, np.float32(ratio))


@kernel
def describe_kept_frame(single, pose, block, block_pose, deviation, frame):
    """Write how vertices of the single's mesh lie in the block's frame, for `certain_pairs`."""
    way = way_between(block, block_pose, single, pose)
    rounding = world_rounding(single, pose, block, block_pose)
    describe_frame(single, pose, block, block_pose, way, rounding, deviation, frame)
