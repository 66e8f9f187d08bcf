"""Does one triangle touch a mesh? Down its packed tree, by a ball around the triangle; no tree is made for the one.

The walk is that of `nearest_walk`, with a limit that stays: boxes that no point of the ball is in are left out, and the
triangles of the others are tested exactly.
"""

from numba import int64, types

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import int32_at, int64_at, lowest_bit, set_float64, set_int32, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import BLOCKS, FACES, VERTICES, WORDS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES
from tumble.traversal.packed.query import still_touch
from tumble.traversal.points.nearest_walk import ALL_LANES, LISTED_WORDS, boxes_near, list_triangles
from tumble.traversal.points.prepare import SINGLES, limit_of
from tumble.traversal.rays.packed_walk import NEARS_WORDS, STACK_WORDS

CORNERS = 9
FACE_WORDS = 2
POSE_WORDS = 12


@inlined_kernel
def write_identity(pose):
    """Write the (3, 4) pose that changes nothing."""
    for k in range(POSE_WORDS):
        set_float64(pose, k, 1.0 if k % 5 == 0 else 0.0)


@external(int64(int64, int64, int64, types.float64, int64))
def meets_triangle(tree, pose, middle, radius, corners):
    """Tell whether a mesh at a (3, 4) pose touches a triangle.

    middle    a prepared point, no farther than a radius from any of the triangle
    corners   the address of nine coordinates
    """
    stack, nears, listed = scratch(STACK_WORDS), scratch(NEARS_WORDS), scratch(LISTED_WORDS)
    header, face, identity = scratch(WORDS), scratch(FACE_WORDS), scratch(POSE_WORDS)
    set_int64(header, VERTICES, corners)
    set_int64(header, FACES, face)
    for k in range(3):
        set_int32(face, k, k)
    write_identity(identity)
    blocks, limit = int64_at(tree, BLOCKS), limit_of(middle, radius)
    set_int64(stack, 0, 0)
    top = 1
    while top > 0:
        top -= 1
        block = blocks + int64_at(stack, top) * BLOCK_BYTES
        mask = boxes_near(block, middle + SINGLES, limit, nears)
        inner = mask >> LANES
        while inner != 0:
            lane = lowest_bit(inner)
            inner &= inner - 1
            set_int64(stack, top, int32_at(block, LANES * CHILD + lane))
            top += 1
        for k in range(list_triangles(block, mask & ALL_LANES, listed)):
            if still_touch(header, identity, tree, pose, int64_at(listed, k)) != 0:
                return 1
    return 0
