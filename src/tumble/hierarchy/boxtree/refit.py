"""Refit a boxtree to moved vertices: the links and the order of triangles stay, the planes are found anew.

Paper `boxtree` leaves deforming objects as future work (Section 6.1). Nodes have no boxes that could be enlarged, but
their planes follow from the tight boxes of what is below them:

    from the last node to the first: the tight box of a leaf is that of its triangles, of others that of the children
    from the first node to the last: a child's box is its parent's, cut by the plane that takes most surface

Two passes over the nodes instead of one for each level over the triangles. The number of planes of a chain stays, and
so do the sets of triangles, which fit less and less as the mesh moves; containment never suffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.poll import poll
from tumble.core.simd.eight import all_lanes, lane, least, load, store
from tumble.core.simd.memory import float64_at, int32_at, set_float64
from tumble.errors import TreeError
from tumble.hierarchy.boxtree.layout import COUNT_SHIFT, HIGH, LOW
from tumble.hierarchy.boxtree.nodes import NUMBERS, children_of, kind_of, link_of, write_link
from tumble.hierarchy.boxtree.plane import ALL_AXES, best_side, cut_off
from tumble.hierarchy.packed.boxes import FAR, SCALE, enclose
from tumble.hierarchy.packed.build import localised
from tumble.mesh import Mesh

if TYPE_CHECKING:
    from tumble.hierarchy.boxtree.tree import BoxTree

FEW_NODES = 1023
"""bits of a number of nodes that are zero where loops call `poll`"""


@inlined_kernel
def tight_box(nodes, node, order, boxes, tight):
    """Return the row of eight about all triangles below a node; later nodes have theirs in `tight`."""
    triangles, link = kind_of(nodes, node) >> COUNT_SHIFT, link_of(nodes, node)
    if triangles == 0:
        first, last = children_of(nodes, node)
        return least(load(tight, first), load(tight, last))
    row = all_lanes(FAR)
    for k in range(triangles):
        row = least(row, load(boxes, int32_at(order, link + k)))
    return row


@inlined_kernel
def move_plane(nodes, node, parent, tight, box):
    """Make a node's box of its parent's, six float64 at addresses, by the best plane, and write that plane."""
    triangles, link = kind_of(nodes, node) >> COUNT_SHIFT, link_of(nodes, node)
    for k in range(NUMBERS):
        set_float64(box, k, float64_at(parent, k))
    axis_and_side, _ = best_side(box, tight, np.int64(ALL_AXES))
    cut_off(box, tight, axis_and_side, nodes, node)
    # writing the plane has cleared the number of triangles
    write_link(nodes, node, link, triangles)


@kernel
def refit_nodes(nodes, count, order, boxes, tight, rebuilt):
    """Move the planes of all nodes; return 0, or what `poll` says.

    `boxes` are those of the triangles; `tight` has a row of eight float32 for each node, `rebuilt` six float64.
    """
    for node in range(count - 1, -1, -1):
        if node & FEW_NODES == 0 and poll(0) != 0:
            return 1
        store(tight, np.int64(node), tight_box(nodes, node, order, boxes, tight))
    root = load(tight, np.int64(0))
    for axis in range(3):
        set_float64(rebuilt, LOW + axis, np.float64(lane(root, axis)))
        set_float64(rebuilt, HIGH + axis, -np.float64(lane(root, 4 + axis)))
    for node in range(count):
        if node & FEW_NODES == 0 and poll(0) != 0:
            return 1
        if kind_of(nodes, node) >> COUNT_SHIFT == 0:
            first, last = children_of(nodes, node)
            for child in range(first, last + 1):
                place = 8 * NUMBERS
                move_plane(nodes, child, rebuilt + place * node, load(tight, np.int64(child)), rebuilt + place * child)
    return 0


def refit_boxtree(tree: BoxTree, mesh: Mesh) -> BoxTree:
    """Return the tree over another mesh of as many triangles, with planes that fit it."""
    if len(mesh) != len(tree.mesh):
        raise TreeError(
            f"a tree over {len(tree.mesh)} triangles cannot be refitted to {len(mesh)}: vertices may move, "
            "the triangles stay; build a new tree"
        )
    if len(mesh) == 0:
        return tree
    frame, local = localised(mesh.vertices, mesh.faces)
    boxes, bounds = np.empty((len(mesh), 8), np.float32), np.empty((2, 8), np.float32)
    enclose(mesh.faces.ctypes.data, local.ctypes.data, boxes.ctypes.data, 0, len(mesh), bounds.ctypes.data)
    nodes, tight, rebuilt = tree.nodes.copy(), np.empty((len(tree), 8), np.float32), np.empty((len(tree), NUMBERS))
    arrays = tree.order, boxes, tight, rebuilt
    refit_nodes(nodes.ctypes.data, len(tree), *(array.ctypes.data for array in arrays))
    origin, scale = frame[:SCALE].copy(), float(frame[SCALE])
    return type(tree)._of_sound(mesh, nodes, tree.order, rebuilt[0].copy(), origin, scale)
