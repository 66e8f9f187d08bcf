"""Is part of one solid inside another whose surface it does not touch? The sign of distances, in one kernel.

Where surfaces share no point, each component of a mesh is inside the other solid or outside of it, as one of its
vertices is; `crossing_walk` decides exactly. Both trees must know their components (`PackedTree.know_components`).
"""

from numba import float64, int64

from tumble.core.jit import external, fixed_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of, float64_at, int64_at
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import COMPONENTS
from tumble.mesh.edges import CORNERS, COUNT, ORIENTED, TRIANGLES
from tumble.mesh.rigid_kernel import POSE_BYTES
from tumble.traversal.points.crossing_walk import SURFACE
from tumble.traversal.points.turns import FEW_POINTS
from tumble.traversal.points.vertex_turns import UNKNOWN, turns_at, write_frame
from tumble.traversal.rays.prepare import FRAME_NUMBERS, RAY_WORDS
from tumble.traversal.rays.triangles import posed_vertex

OUTSIDE, INSIDE = 0, 1
UNSURE = 2
"""a vertex is too far away for its coordinates"""


@external(int64(*4 * (int64,)))
def part_inside(tree, pose, other_tree, other_pose):
    """Tell whether a component of the other mesh is inside the first: OUTSIDE, INSIDE, UNSURE or a negative code."""
    solid, other = int64_at(tree, COMPONENTS), int64_at(other_tree, COMPONENTS)
    if int64_at(solid, TRIANGLES) == 0:
        return OUTSIDE
    ray, frame = scratch(RAY_WORDS), scratch(FRAME_NUMBERS)
    write_frame(tree, pose, frame)
    for i in range(int64_at(other, COUNT)):
        code = poll(0) if i & FEW_POINTS == FEW_POINTS else 0
        if code != 0:
            return code
        point = posed_vertex(other_tree, other_pose, int64_at(other, CORNERS + i))
        turns = turns_at(tree, pose, frame, int64_at(solid, TRIANGLES), point, ray)
        if turns in (SURFACE, UNKNOWN):
            return UNSURE
        if turns & 1 != 0 or (turns != 0 and int64_at(solid, ORIENTED) != 0):
            return INSIDE
    return OUTSIDE


@external(int64(*4 * (int64,)))
def part_is_buried(tree_a, pose_a, tree_b, pose_b):
    """Tell whether part of one of two meshes is inside the other: OUTSIDE, INSIDE, UNSURE or a negative code."""
    found = part_inside(tree_a, pose_a, tree_b, pose_b)
    return found if found != OUTSIDE else part_inside(tree_b, pose_b, tree_a, pose_a)


_POSES = float64[:, :, ::1]


@fixed_kernel(int64(int64, _POSES, int64, _POSES, int64[:, ::1], int64, int64, float64[::1], int64[::1]))
def buried_many(tree_a, poses_a, tree_b, poses_b, pairs, start, stop, distances, found):
    """Write what `part_is_buried` tells about pairs[start:stop] of poses that are not 0 apart; return 0 or a code."""
    address_a, address_b, place = address_of(poses_a), address_of(poses_b), address_of(distances)
    for k in range(start, stop):
        found[k] = OUTSIDE
        if float64_at(place, k) == 0.0:
            continue
        code = poll(0) if k & FEW_POINTS == FEW_POINTS else 0
        if code == 0:
            code = part_is_buried(
                tree_a, address_a + pairs[k, 0] * POSE_BYTES, tree_b, address_b + pairs[k, 1] * POSE_BYTES
            )
        if code < 0:
            return code
        found[k] = code
    return 0
