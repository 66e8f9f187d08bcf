"""Two leaves: from nodes to triangles, and what of it is a leaf pair.

Leaf pairs are pairs of triangles whose float64 boxes share a point. Where float32 boxes share more than their surfaces,
or triangles a vertex, they do for sure; where float32 boxes just touch, vertices decide. Of two triangles of one
mesh, the lower number comes first, and those that share a vertex of the mesh are left out unless they are wanted.
"""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel

LOW_HALF = np.uint64(0xFFFFFFFF)
# Marks of devices: of uncertain pairs, and of pairs to be dropped.
UNSURE = np.uint64(1 << 63)
NOTHING = np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined_kernel
def lowest(vertices, corners, i, column):
    """Return the least number in a column of the vertices of a triangle."""
    p, q, r = corners[i, 0], corners[i, 1], corners[i, 2]
    return min(min(vertices[p, column], vertices[q, column]), vertices[r, column])


@inlined_kernel
def highest(vertices, corners, i, column):
    """Return the greatest number in a column of the vertices of a triangle."""
    p, q, r = corners[i, 0], corners[i, 1], corners[i, 2]
    return max(max(vertices[p, column], vertices[q, column]), vertices[r, column])


@kernel
def exact_boxes_meet(vertices, corners, i, j):
    """Tell whether the float64 boxes of the triangles of two leaves share a point.

    Vertices are points, (v, 3), or boxes, (v, 6).
    """
    for axis in range(3):
        upper = vertices.shape[1] - 3 + axis
        # early exits: boxes come here that touch along one axis, and may be apart along another
        if highest(vertices, corners, i, upper) < lowest(vertices, corners, j, axis):
            return False
        if highest(vertices, corners, j, upper) < lowest(vertices, corners, i, axis):
            return False
    return True


@inlined_kernel
def share_a_vertex(corners, i, j):
    """Tell whether the triangles of two leaves name a common vertex."""
    p, q, r = corners[i, 0], corners[i, 1], corners[i, 2]
    x, y, z = corners[j, 0], corners[j, 1], corners[j, 2]
    return (
        (p == x) | (p == y) | (p == z) | (q == x) | (q == y) | (q == z) | (r == x) | (r == y) | (r == z)
    )  # fmt: skip


@inlined_kernel
def ordered_key(i, j, same):
    """Return a pair of triangles as one number, the lower triangle first if they are of one mesh."""
    if same and j < i:
        return np.int64(j) << 32 | np.int64(i)
    return np.int64(i) << 32 | np.int64(j)


@kernel
def keep_leaves(found, vertices, faces):
    """Move the leaf pairs among those that a device found to the front, without marks.

    Return how many there are, of how many the device was not certain, and how many of those are none.
    """
    count = unsure = lost = 0
    for k in range(found.shape[0]):
        key = found[k]
        if key == NOTHING:
            continue
        if key & UNSURE != 0:
            unsure += 1
            key &= ~UNSURE
            if not exact_boxes_meet(vertices, faces, np.int64(key >> np.uint64(32)), np.int64(key & LOW_HALF)):
                lost += 1
                continue
        found[count] = key
        count += 1
    return count, unsure, lost
