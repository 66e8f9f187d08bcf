"""How the frames of two boxtrees lie to each other, in float64, and the margin of everything that is compared.

Both trees are in local coordinates (see `tumble.hierarchy.boxtree.layout`): no number of a box is larger than 1. With r
the ratio of the two units and t the way between the frames' origins, S = 1 + r + |t| bounds what is compared, in the
unit of the tree whose axes they are compared on. `tumble.volume.relative` tells why vertices that are rounded and poses
that are rigid only within the tolerance cost 32 deviations of S and some units in the last place of the world's
coordinates. On the way down, u = 2**-53, the following is lost:

- the end of an interval is at most 2 S, and each plane rounds it once: 2 u S
- what is added to it is a product of at most 2 r, rounded once: 2 u S
- the tree's own box is rounded once by each plane, by u, which is r u seen from the other tree: u S
- factors are off by 8 u, and the offsets of one path add up to 2 on each axis: 48 u S in all
- the intervals of the roots are sums of three products: 32 u S

That is 3840 u S over 128 levels of six planes each (a chain has one for each side at most), and less than 4096 u S in
all. An edge-edge axis is a vector product, no longer than 1 and no more than 1.5 in the sum of its components; there
both trees' intervals are sums, and 3 margins are enough.
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import float64_at, set_float64
from tumble.hierarchy.packed.header import SCALE
from tumble.mesh.rigid_kernel import product_of_columns
from tumble.traversal.packed.relation import balls_apart, way_between, world_rounding
from tumble.volume.relative import UNIT_ROUNDOFF

DOUBLE_ROUNDING = 4096 * UNIT_ROUNDOFF

TURN = 0  # nine numbers: component i of b's axis j along a's axis i, row by row
RATIO = 9  # from b's unit to a's, then from a's to b's
SHIFT = 11  # b's origin in a's frame and unit, three numbers, then a's in b's
MARGIN = 17  # on a's axes, then on b's
RELATION_WORDS = 20


@inlined_kernel
def _describe_side(pose, scale, other_scale, dx, dy, dz, deviation, rounding, relation, side):
    """Write ratio, shift and margin as one tree sees them; (dx, dy, dz) leads to the other's origin."""
    ratio = scale / other_scale
    distance = 0.0
    for i in range(3):
        column = float64_at(pose, i), float64_at(pose, 4 + i), float64_at(pose, 8 + i)
        shift = (column[0] * dx + column[1] * dy + column[2] * dz) * scale
        set_float64(relation, SHIFT + 3 * side + i, shift)
        distance += abs(shift)
    set_float64(relation, RATIO + side, ratio)
    margin = (DOUBLE_ROUNDING + 32 * deviation) * (1.0 + ratio + distance) + rounding * scale
    set_float64(relation, MARGIN + side, margin)


@kernel
def connect(tree_a, pose_a, tree_b, pose_b, deviation, relation):
    """Write how two frames lie to each other; return False when the meshes' balls are apart."""
    dx, dy, dz = way_between(tree_a, pose_a, tree_b, pose_b)
    rounding = world_rounding(tree_a, pose_a, tree_b, pose_b)
    # before nine scalar products: distant pairs end here
    if balls_apart(tree_a, tree_b, dx, dy, dz, deviation, rounding):
        return False
    for i in range(3):
        for j in range(3):
            set_float64(relation, TURN + 3 * i + j, product_of_columns(pose_a, i, pose_b, j))
    scale_a, scale_b = float64_at(tree_a, SCALE), float64_at(tree_b, SCALE)
    _describe_side(pose_a, scale_a, scale_b, dx, dy, dz, deviation, rounding, relation, 0)
    _describe_side(pose_b, scale_b, scale_a, -dx, -dy, -dz, deviation, rounding, relation, 1)
    return True
