"""The one top-down builder: it cuts ranges of triangles by a split rule until they fit into leaves.

Ranges wait on a stack of their own, left-most on top, so nodes come out in pre-order and nothing recurses. The waiting
ranges are disjoint and not empty, hence never more than there are triangles. For more than two children, the largest
part is cut again until there are enough.
"""

import numpy as np

from tumble.core.jit import allocating_kernel, kernel
from tumble.core.poll import poll
from tumble.hierarchy.layout import COLUMNS, COUNT, ESCAPE, FIRST, LEVEL, PARENT, RIGHT, RIGHTS, START
from tumble.hierarchy.split.protocol import split
from tumble.volume.protocol import fit, merge

FEW_NODES = 63
"""bits of a count of nodes that are zero where loops look whether to go on"""


@kernel
def complete_links(nodes):
    """Fill in first child, escape index and right-child level from parent and right of nodes in pre-order."""
    count = nodes.shape[0]
    # subtree sizes gather in the escape column: children come after their parents
    nodes[:, ESCAPE] = 1
    for i in range(count - 1, 0, -1):
        nodes[nodes[i, PARENT], ESCAPE] += nodes[i, ESCAPE]
    for i in range(count):
        nodes[i, FIRST] = i + 1 if nodes[i, ESCAPE] > 1 else -1
        nodes[i, ESCAPE] += i
        nodes[i, RIGHTS] = nodes[nodes[i, PARENT], RIGHTS] + 1 if nodes[i, RIGHT] else 0


@kernel
def divide(rule, boxes, order, start, stop, leaf_size, cuts):
    """Cut a range into at most cuts.size - 1 parts; cuts[k] to cuts[k + 1] is part k. Return their number."""
    cuts[0], cuts[1] = start, stop
    parts = 1
    while parts < cuts.size - 1:
        largest = 0
        for k in range(1, parts):
            if cuts[k + 1] - cuts[k] > cuts[largest + 1] - cuts[largest]:
                largest = k
        if cuts[largest + 1] - cuts[largest] <= leaf_size:
            break
        cut = split(rule, boxes, order, cuts[largest], cuts[largest + 1])
        for k in range(parts, largest, -1):
            cuts[k + 1] = cuts[k]
        cuts[largest + 1] = cut
        parts += 1
    return parts


@allocating_kernel
def build_nodes(rule, boxes, leaf_size, arity):
    """Return the nodes in pre-order, with all links, and the order of the triangles."""
    triangles = boxes.centres.shape[0]
    order = np.arange(triangles).astype(np.int32)
    # inner nodes have two children at least, so there are fewer of them than leaves
    nodes = np.empty((2 * triangles - 1, COLUMNS), np.int32)
    # waiting ranges: start, stop, parent, level, right
    waiting = np.empty((triangles + arity, 5), np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3], waiting[0, 4] = 0, triangles, -1, 0, 0
    cuts = np.empty(arity + 1, np.int64)
    top, used = 1, 0
    while top > 0:
        if used & FEW_NODES == 0 and poll(0) != 0:
            break
        top -= 1
        start, stop, level = waiting[top, 0], waiting[top, 1], waiting[top, 3]
        nodes[used, START], nodes[used, COUNT] = start, stop - start
        nodes[used, PARENT], nodes[used, LEVEL], nodes[used, RIGHT] = waiting[top, 2], level, waiting[top, 4]
        if stop - start > leaf_size:
            parts = divide(rule, boxes, order, start, stop, leaf_size, cuts)
            # the right-most first: what waits last is taken first, and pre-order goes on with the left-most
            for k in range(parts - 1, -1, -1):
                waiting[top, 0], waiting[top, 1], waiting[top, 2] = cuts[k], cuts[k + 1], used
                waiting[top, 3], waiting[top, 4] = level + 1, k == parts - 1
                top += 1
        used += 1
    nodes = nodes[:used].copy()
    if top == 0:
        complete_links(nodes)
    return nodes, order


@kernel
def fit_volumes(volumes, nodes, order, vertices, faces, fit_inner):
    """Fit the volumes of all nodes in pre-order, children before parents."""
    for i in range(nodes.shape[0] - 1, -1, -1):
        if i & FEW_NODES == 0 and poll(0) != 0:
            break
        child = nodes[i, FIRST]
        if fit_inner or child < 0:
            fit(volumes, i, vertices, faces, order, nodes[i, START], nodes[i, START] + nodes[i, COUNT])
            continue
        merge(volumes, i, child, child)
        child = nodes[child, ESCAPE]
        while child != nodes[i, ESCAPE]:
            merge(volumes, i, i, child)
            child = nodes[child, ESCAPE]
