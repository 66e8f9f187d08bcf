"""How often one mesh winds around vertices of another, both posed: one call, with nothing to prepare.

The frame of `prepare` is made here from the header of the tree; a few directions are tried for each vertex.
"""

import numpy as np
from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.linear import cross, dot
from tumble.core.poll import poll
from tumble.core.simd.memory import float64_at, int64_at, set_float64, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed import header
from tumble.narrow.rays.ray_triangle import DIRECTION, ORIGIN
from tumble.traversal.rays import prepare
from tumble.traversal.rays.prepare import FRAME_NUMBERS, RAY_WORDS, prepare_ray, sound
from tumble.traversal.rays.triangles import NO_POSE, posed_row, vector_at
from tumble.traversal.rays.winding import FEW_RAYS, UNSURE, winding_in_packed

DIRECTIONS = 6


@inlined_kernel
def write_frame(tree, pose, frame):
    """Write how points come into the frame of a tree whose mesh has a (3, 4) pose, or NO_POSE: see `prepare`."""
    scale = float64_at(tree, header.SCALE)
    a, b, c, shift = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    if pose != NO_POSE:
        a, b, c = vector_at(pose, 0), vector_at(pose, 4), vector_at(pose, 8)
        shift = float64_at(pose, 3), float64_at(pose, 7), float64_at(pose, 11)
    # the inverse of a matrix: its cofactors, turned, by its determinant, which is near to 1
    first, second, third = cross(b, c), cross(c, a), cross(a, b)
    factor = scale / dot(a, first)
    for k in range(3):
        row = 3 * k
        set_float64(frame, prepare.TURN + row, first[k] * factor)
        set_float64(frame, prepare.TURN + row + 1, second[k] * factor)
        set_float64(frame, prepare.TURN + row + 2, third[k] * factor)
        set_float64(frame, prepare.SHIFT + k, shift[k])
        set_float64(frame, prepare.MIDDLE + k, float64_at(tree, header.ORIGIN + k) * scale)
    farthest = max(max(abs(shift[0]), abs(shift[1])), abs(shift[2]))
    set_float64(frame, prepare.SIZE, float64_at(tree, header.EXTENT) + farthest)
    set_float64(frame, prepare.SCALE, scale)


@inlined_kernel
def write_vertex(tree, pose, number, ray):
    """Write a posed vertex as the origin of a ray."""
    x, y, z = vector_at(int64_at(tree, header.VERTICES), 3 * number)
    for k in range(3):
        own = x if k == 0 else y if k == 1 else z
        set_float64(ray, ORIGIN + k, own if pose == NO_POSE else posed_row(pose, 4 * k, x, y, z))


@fixed_kernel(int64(*7 * (int64,)))
def vertex_windings(tree, pose, other_tree, other_pose, numbers, count, windings):
    """Write how often a mesh winds around vertices of another, or UNSURE where no ray is certain; return 0.

    Trees, (3, 4) poses (or NO_POSE), the numbers of the vertices and what is written are given by addresses.
    """
    ray, frame = scratch(RAY_WORDS), scratch(FRAME_NUMBERS)
    write_frame(tree, pose, frame)
    for i in range(count):
        if i & FEW_RAYS == 0 and poll(0) != 0:
            break
        found = np.int64(UNSURE)
        for k in range(DIRECTIONS):
            write_vertex(other_tree, other_pose, int64_at(numbers, i), ray)
            # along no axis and in no plane of two, with other digits each time
            set_float64(ray, DIRECTION, 523.0 - 211.0 * k)
            set_float64(ray, DIRECTION + 1, 307.0 + 97.0 * (k * k % 7))
            set_float64(ray, DIRECTION + 2, 409.0 - 167.0 * (3 * k % 5))
            if not sound(ray):
                break
            if not prepare_ray(frame, ray):
                found = np.int64(0)
                break
            found = winding_in_packed(tree, pose, ray, 0.0, 0, 0, 0)
            if found != UNSURE:
                break
        set_int64(windings, i, found)
    return 0
