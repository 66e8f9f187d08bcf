"""The curve in which two bodies meet: a directed segment for each touching pair of triangles, joined end to end.

An end of a segment is where an edge of one body pierces a triangle of the other. The neighbour across that edge touches
the same triangle, so the two pairs are neighbours on the curve: a table finds them by (edge, triangle). Where an end
stays alone (coplanar faces, an edge along an edge, an open mesh) pairs with a common triangle whose other triangles
have a common vertex are joined as well.

Each end also tells which of the two vertices of its edge is behind the triangle, that is inside of the other body; of
several ends near one vertex the nearest is right. Those vertices are the nodes from which `manifold_flood` starts.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, is_zero, minus, normal_of
from tumble.dynamics.manifold_workspace import (
    BEHIND,
    EDGE,
    EMPTY,
    FIRST,
    GAP,
    HOME,
    JOINTS,
    KNOWN,
    NODES,
    NORMAL_A,
    NORMAL_B,
    OPEN_ENDS,
    SECOND,
    SIDE,
    STATE,
    VERTEX,
    insert,
    mixed,
    put_triple,
    slot_of,
    triple,
    unite,
)
from tumble.narrow.contact.contact import posed_corners
from tumble.narrow.contact.segment import EDGES_OF_B, NO_EDGE, corner, meeting_segment

SIDE_A = 0
SIDE_B = 1

# What is known of a node:
OUTSIDE = 0
INSIDE = 1
LEAK = 2
"""inside, but next to what is outside"""

TOUCHING = 1e-12
"""a vertex is behind a plane when it is not farther before it than this part of the edge"""


@inlined_kernel
def node_of(nodes, counts, vertex, side, at, home):
    """Return the node of a vertex; one that is new is outside and belongs to the triangle pair `home`."""
    node = int(nodes.of_vertex[side, vertex])
    if node != EMPTY:
        return node
    node = counts[NODES]
    counts[NODES] = node + 1
    nodes.of_vertex[side, vertex] = node
    nodes.facts[node, VERTEX], nodes.facts[node, SIDE] = vertex, side
    nodes.facts[node, STATE], nodes.facts[node, HOME] = OUTSIDE, home
    put_triple(nodes.at, node, 0, at)
    nodes.at[node, GAP] = math.inf
    return node


@inlined_kernel
def vote(nodes, node, pair, at, behind):
    """Let an end of the curve say on which side a vertex is, and believe the nearest."""
    gap = minus(triple(nodes.at, node, 0), at)
    square = dot(gap, gap)
    if square < nodes.at[node, GAP]:
        nodes.at[node, GAP] = square
        nodes.facts[node, STATE] = INSIDE if behind else OUTSIDE
        nodes.facts[node, HOME] = pair


@inlined_kernel
def judge_edge(nodes, counts, pair, at, low, at_low, high, at_high, side, normal):
    """Say of the vertices of an edge, which meets a triangle at a point, which is behind it; return it or EMPTY."""
    first, second = node_of(nodes, counts, low, side, at_low, pair), node_of(nodes, counts, high, side, at_high, pair)
    below, above = dot(normal, minus(at_low, at)), dot(normal, minus(at_high, at))
    tolerance = TOUCHING * (abs(below) + abs(above))
    vote(nodes, first, pair, at, below <= tolerance)
    vote(nodes, second, pair, at, above <= tolerance)
    if min(below, above) > tolerance:
        return EMPTY
    return first if below <= above else second


@inlined_kernel
def join_end(joints, mask, parent, counts, pair, key):
    """Join a pair with the one that has an end by the same key; return whether it is the first that has it."""
    slot = slot_of(joints.entries, mask, key)
    if joints.entries[slot, 0] == EMPTY:
        counts[JOINTS] = insert(joints, slot, key, pair, counts[JOINTS])
        counts[OPEN_ENDS] += 1
        return True
    other = joints.entries[slot, 1]
    if other >= 0:  # the second end closes the joint
        joints.entries[slot, 1] = -1 - other
        counts[OPEN_ENDS] -= 1
    else:
        other = -1 - other
    unite(parent, pair, other)
    return False


@kernel
def mask_for(pairs):
    """Return a mask for a table with room for eight keys a pair, and as many empty places at least."""
    size = 16
    while size < 16 * pairs:
        size *= 2
    return size - 1


@kernel
def trace_curve(surfaces, pose_a, first_a, pose_b, first_b, triangles, work):
    """Write segments and normals of touching pairs, join neighbours, and judge the vertices of pierced edges."""
    vertices, faces, counts, parent = surfaces.vertices, surfaces.faces, work.counts, work.sets.parent
    lines, marks, joints, nodes = work.curve.lines, work.curve.marks, work.joints, work.nodes
    index, mask = work.faces.state, mask_for(triangles.shape[0])
    for k in range(triangles.shape[0]):
        i, j = first_a + triangles[k, 0], first_b + triangles[k, 1]
        a0, a1, a2 = int(faces[i, 0]), int(faces[i, 1]), int(faces[i, 2])
        b0, b1, b2 = int(faces[j, 0]), int(faces[j, 1]), int(faces[j, 2])
        p, q, r = posed_corners(pose_a, vertices, a0, a1, a2)
        u, v, w = posed_corners(pose_b, vertices, b0, b1, b2)
        n, m = normal_of(p, q, r), normal_of(u, v, w)
        x, y, e, f = meeting_segment(p, q, r, n, u, v, w, m, work.room)
        if dot(cross(n, m), minus(y, x)) < 0.0:
            x, y, e, f = y, x, f, e
        parent[k] = k
        put_triple(lines, k, FIRST, x)
        put_triple(lines, k, SECOND, y)
        put_triple(lines, k, NORMAL_A, n)
        put_triple(lines, k, NORMAL_B, m)
        index[SIDE_A, i], index[SIDE_B, j] = KNOWN, KNOWN
        for end in range(2):
            edge, at = (e, x) if end == 0 else (f, y)
            marks[k, EDGE + end], marks[k, BEHIND + end] = EMPTY, EMPTY
            if edge == NO_EDGE:
                counts[OPEN_ENDS] += 1
                continue
            if edge < EDGES_OF_B:
                side, pierced, normal, tail = SIDE_A, j, m, edge
                head = (tail + 1) % 3
                low, high = corner(tail, a0, a1, a2), corner(head, a0, a1, a2)
                at_low, at_high = corner(tail, p, q, r), corner(head, p, q, r)
            else:
                side, pierced, normal, tail = SIDE_B, i, n, edge - EDGES_OF_B
                head = (tail + 1) % 3
                low, high = corner(tail, b0, b1, b2), corner(head, b0, b1, b2)
                at_low, at_high = corner(tail, u, v, w), corner(head, u, v, w)
            if low > high:
                low, high, at_low, at_high = high, low, at_high, at_low
            key = mixed(mixed(2 * low + side, high), pierced)
            marks[k, EDGE + end] = key
            if join_end(joints, mask, parent, counts, k, key) and not is_zero(normal):
                marks[k, BEHIND + end] = judge_edge(nodes, counts, k, at, low, at_low, high, at_high, side, normal)


@kernel
def join_neighbourhoods(faces, first_a, first_b, triangles, joints, parent, counts):
    """Join pairs with a common triangle whose other triangles have a common vertex."""
    mask = mask_for(triangles.shape[0])
    for k in range(triangles.shape[0]):
        i, j = first_a + triangles[k, 0], first_b + triangles[k, 1]
        for c in range(6):
            key = mixed(mixed(-1, i), faces[j, c]) if c < 3 else mixed(mixed(-2, j), faces[i, c - 3])
            slot = slot_of(joints.entries, mask, key)
            if joints.entries[slot, 0] == EMPTY:
                counts[JOINTS] = insert(joints, slot, key, k, counts[JOINTS])
            else:
                unite(parent, k, joints.entries[slot, 1])
