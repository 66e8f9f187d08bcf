"""A slab for each node of a packed tree: between two parallel planes lie all triangles below it. For distances.

A box about a piece of a surface that is not parallel to an axis is thick, a slab across its mean normal is thin: of a
piece of size h with a radius of curvature r it takes h² / (8 r). What a lower bound of a distance loses is thickness,
so with slabs a search looks at a few pairs of nodes about the nearest points where with boxes it looks at hundreds.

    row 0–2   direction x, y, z     float32, eight lanes, as the boxes of a block: a unit vector but for rounding
    row 3     offset                the middle of the slab along the direction, as seen from the middle of the box
    row 4     thickness             half of it

For all points x of the node's triangles, |direction · (x - middle) - offset| <= thickness, in local coordinates and in
exact arithmetic for the float32 numbers as they are stored. Slabs are made when a distance is first asked for, and lie
in an array beside the tree's blocks, block by block.
"""

import math

import numpy as np
from numba import int64
from numpy.typing import NDArray

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.linear import cross, dot, minus
from tumble.core.poll import OFTEN, poll
from tumble.core.simd.memory import float32_at, float64_at, int32_at, int64_at, set_float32, set_float64, set_int64
from tumble.hierarchy.packed.header import BLOCKS, FACES, ORIGIN, SCALE, VERTICES
from tumble.hierarchy.packed.layout import ALIGNMENT, BLOCK_BYTES, CHILD, LANES, MAX_DEPTH, MIDDLE, SECOND

DIRECTION = 0
OFFSET = 3
THICKNESS = 4
SLAB_ROWS = 5
SLAB_BYTES = 4 * LANES * SLAB_ROWS

# Of each block: the sum of its triangles' normals, times twice their areas, and that of the products of two components
# of unit normals, so weighted: xx, xy, xz, yy, yz, zz.
SUMS = 9
TURNS = 8
"""steps towards the main direction of normals that cancel each other out"""
ROUND_UP = np.float32(1.0 + 2.0**-20)
ROUNDING = np.float32(2.0**-45)
"""of what is computed in float64 from local coordinates, which are below 2: many times as much as it can be off"""


@inlined_kernel
def local_corner(tree, i, k):
    """Return corner k of triangle i in local coordinates."""
    v = 3 * int32_at(int64_at(tree, FACES), 3 * i + k)
    vertices, scale = int64_at(tree, VERTICES), float64_at(tree, SCALE)
    return (
        (float64_at(vertices, v) - float64_at(tree, ORIGIN)) * scale,
        (float64_at(vertices, v + 1) - float64_at(tree, ORIGIN + 1)) * scale,
        (float64_at(vertices, v + 2) - float64_at(tree, ORIGIN + 2)) * scale,
    )


@inlined_kernel
def add_triangle(tree, i, sums):
    """Add the normal of a triangle to sums."""
    p, q, r = local_corner(tree, i, 0), local_corner(tree, i, 1), local_corner(tree, i, 2)
    normal = cross(minus(q, p), minus(r, p))
    area = math.sqrt(dot(normal, normal))
    if not area > 0.0:
        return
    for axis in range(3):
        set_float64(sums, axis, float64_at(sums, axis) + normal[axis])
    place = 3
    for i in range(3):
        for j in range(i, 3):
            set_float64(sums, place, float64_at(sums, place) + normal[i] / area * normal[j])
            place += 1


@inlined_kernel
def times_products(sums, u):
    """Return the matrix of products times a vector."""
    xx, xy, xz = float64_at(sums, 3), float64_at(sums, 4), float64_at(sums, 5)
    yy, yz, zz = float64_at(sums, 6), float64_at(sums, 7), float64_at(sums, 8)
    return (
        xx * u[0] + xy * u[1] + xz * u[2],
        xy * u[0] + yy * u[1] + yz * u[2],
        xz * u[0] + yz * u[1] + zz * u[2],
    )


@inlined_kernel
def main_direction(sums):
    """Return the mean normal, or the main direction of the normals where they point to opposite sides."""
    area = float64_at(sums, 3) + float64_at(sums, 6) + float64_at(sums, 8)
    x, y, z = float64_at(sums, 0), float64_at(sums, 1), float64_at(sums, 2)
    length = math.sqrt(x * x + y * y + z * z)
    if length > 0.5 * area:
        return x / length, y / length, z / length
    # by repeated multiplication, from the longest column of the matrix
    u = (1.0, 0.0, 0.0)
    if float64_at(sums, 6) > float64_at(sums, 3):
        u = (0.0, 1.0, 0.0)
    if float64_at(sums, 8) > max(float64_at(sums, 3), float64_at(sums, 6)):
        u = (0.0, 0.0, 1.0)
    for _ in range(TURNS):
        v = times_products(sums, u)
        length = math.sqrt(dot(v, v))
        if not length > 0.0:
            break
        u = v[0] / length, v[1] / length, v[2] / length
    return u


@inlined_kernel
def write_directions(tree, block, sums, slabs):
    """Write the direction of each lane of a block; add the sums of its lanes to those of the block itself."""
    at, own, rows = int64_at(tree, BLOCKS) + block * BLOCK_BYTES, sums + 8 * SUMS * block, slabs + block * SLAB_BYTES
    for k in range(SUMS):
        set_float64(own, k, 0.0)
    # the sums of a leaf have no place of their own: they are made behind those of all blocks
    for lane in range(LANES):
        child = int32_at(at, LANES * CHILD + lane)
        if child == 0:
            continue
        of_lane = sums + 8 * SUMS * child
        if child < 0:
            of_lane = sums - 8 * SUMS
            for k in range(SUMS):
                set_float64(of_lane, k, 0.0)
            add_triangle(tree, -1 - child, of_lane)
            second = int32_at(at, LANES * SECOND + lane)
            if second >= 0:
                add_triangle(tree, second, of_lane)
        u = main_direction(of_lane)
        for axis in range(3):
            set_float32(rows, LANES * (DIRECTION + axis) + lane, np.float32(u[axis]))
        for k in range(SUMS):
            set_float64(own, k, float64_at(own, k) + float64_at(of_lane, k))


@inlined_kernel
def widen(tree, i, node, slabs, spans):
    """Widen the span of a node along its direction so that it contains a triangle."""
    block, lane = node >> 3, node & 7
    at, rows = int64_at(tree, BLOCKS) + block * BLOCK_BYTES, slabs + block * SLAB_BYTES
    low, high = float64_at(spans, 2 * node), float64_at(spans, 2 * node + 1)
    for k in range(3):
        corner, along = local_corner(tree, i, k), 0.0
        for axis in range(3):
            from_middle = corner[axis] - np.float64(float32_at(at, LANES * (MIDDLE + axis) + lane))
            along += from_middle * np.float64(float32_at(rows, LANES * (DIRECTION + axis) + lane))
        low, high = min(low, along), max(high, along)
    set_float64(spans, 2 * node, low)
    set_float64(spans, 2 * node + 1, high)


@inlined_kernel
def write_slab(node, slabs, spans):
    """Write offset and thickness of a node, rounded outward."""
    rows, lane = slabs + (node >> 3) * SLAB_BYTES, node & 7
    low, high = float64_at(spans, 2 * node), float64_at(spans, 2 * node + 1)
    offset = np.float32(0.5 * low + 0.5 * high)
    half = np.float32(max(high - np.float64(offset), np.float64(offset) - low))
    set_float32(rows, LANES * OFFSET + lane, offset)
    set_float32(rows, LANES * THICKNESS + lane, half * ROUND_UP + ROUNDING)


@fixed_kernel(int64(*6 * (int64,)))
def write_slabs(tree, count, sums, spans, path, slabs):
    """Write the slabs of all nodes of a tree of `count` blocks; return 0, or why it ended early.

    All are addresses; `sums` has place for SUMS numbers per block and for as many before them, `spans` for two per
    node, `path` for two per level.
    """
    for block in range(count - 1, -1, -1):  # children have higher numbers than their parents
        if block & OFTEN == 0 and poll(0) != 0:
            return -1
        write_directions(tree, block, sums, slabs)
    blocks = int64_at(tree, BLOCKS)
    # depth first, with the way down from the root, node and whether it was begun: each triangle widens all nodes above
    set_int64(path, 0, 0)
    set_int64(path, 1, 0)
    depth, steps = 1, 0
    while depth > 0:
        steps += 1
        if steps & OFTEN == 0 and poll(0) != 0:
            return -1
        node, begun = int64_at(path, 2 * depth - 2), int64_at(path, 2 * depth - 1)
        at = blocks + (node >> 3) * BLOCK_BYTES
        child = int32_at(at, LANES * CHILD + (node & 7))
        if child != 0 and begun == 0:
            set_int64(path, 2 * depth - 1, 1)
            set_float64(spans, 2 * node, math.inf)
            set_float64(spans, 2 * node + 1, -math.inf)
            if child > 0:
                set_int64(path, 2 * depth, LANES * child)
                set_int64(path, 2 * depth + 1, 0)
                depth += 1
                continue
            second = int32_at(at, LANES * SECOND + (node & 7))
            for level in range(depth):
                widen(tree, -1 - child, int64_at(path, 2 * level), slabs, spans)
                if second >= 0:
                    widen(tree, second, int64_at(path, 2 * level), slabs, spans)
        if child != 0:
            write_slab(node, slabs, spans)
        # on to the next lane, or back to the parent; the root is alone in its block
        depth -= 1
        if node & 7 != LANES - 1 and node >= LANES:
            set_int64(path, 2 * depth, node + 1)
            set_int64(path, 2 * depth + 1, 0)
            depth += 1
    return 0


def empty_slabs(count: int) -> NDArray[np.float32]:
    """Return slabs of no thickness for `count` blocks, starting at a multiple of a cache line."""
    raw = np.zeros(count * SLAB_BYTES + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + count * SLAB_BYTES].view(np.float32).reshape(count, SLAB_ROWS * LANES)


def build_slabs(header: NDArray[np.float64], count: int) -> NDArray[np.float32]:
    """Return the slabs of a packed tree of `count` blocks, given by its header."""
    slabs, sums, spans = empty_slabs(count), np.zeros((count + 1, SUMS)), np.zeros((LANES * count, 2))
    path = np.zeros((MAX_DEPTH + 2, 2), np.int64)
    places = sums.ctypes.data + 8 * SUMS, spans.ctypes.data, path.ctypes.data, slabs.ctypes.data
    write_slabs(header.ctypes.data, count, *places)
    return slabs
