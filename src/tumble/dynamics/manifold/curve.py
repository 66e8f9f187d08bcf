"""The curve in which two bodies meet: a directed segment for each touching pair of triangles, joined end to end.

An end of a segment is where an edge of one body pierces a triangle of the other. The neighbour across that edge touches
the same triangle, so the two pairs are neighbours on the curve: a table finds them by (edge, triangle). Where an end
stays alone (coplanar faces, an edge along an edge, an open mesh) pairs with a common triangle whose other triangles
have a common vertex are joined as well.

Each end also shows which of the two vertices of its edge is behind the triangle, that is inside of the other body; of
several ends near one vertex the nearest is right. Those vertices are the nodes from which `flood` starts.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, is_zero, minus, normal_of
from tumble.core.union_find import unite
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.tables import insert, mask_for, mixed, put_triple, slot_of, triple
from tumble.dynamics.manifold.workspace import EMPTY, KNOWN, SIDE_A, SIDE_B
from tumble.narrow.contact.segment import EDGES_OF_B, NO_EDGE, corner, meeting_segment
from tumble.narrow.touch import posed_triangle

# States of a node:
OUTSIDE = 0
INSIDE = 1
LEAK = 2  # inside, but next to what is outside

TOUCHING = 1e-12  # a vertex is behind a plane when it is not farther before it than this part of the edge


@inlined_kernel
def node_of(nodes, counts, vertex, side, at, home):
    """Return the node of a vertex; one that is new is outside and belongs to the triangle pair `home`."""
    node = int(nodes.of_vertex[side, vertex])
    if node != EMPTY:
        return node
    node = counts[col.NODES]
    counts[col.NODES] = node + 1
    nodes.of_vertex[side, vertex] = node
    nodes.facts[node, col.VERTEX], nodes.facts[node, col.SIDE] = vertex, side
    nodes.facts[node, col.STATE], nodes.facts[node, col.HOME] = OUTSIDE, home
    put_triple(nodes.at, node, col.POSITION, at)
    nodes.at[node, col.GAP] = math.inf
    return node


@inlined_kernel
def vote(nodes, node, pair, at, behind):
    """Record on which side of the other body a vertex is, as an end of the curve shows it; the nearest end decides."""
    gap = minus(triple(nodes.at, node, col.POSITION), at)
    square = dot(gap, gap)
    if square < nodes.at[node, col.GAP]:
        nodes.at[node, col.GAP] = square
        nodes.facts[node, col.STATE] = INSIDE if behind else OUTSIDE
        nodes.facts[node, col.HOME] = pair


@inlined_kernel
def classify_edge(nodes, counts, pair, at, low, at_low, high, at_high, side, normal):
    """Vote on both vertices of an edge that meets a triangle at a point; return the node behind it, or EMPTY."""
    first, second = node_of(nodes, counts, low, side, at_low, pair), node_of(nodes, counts, high, side, at_high, pair)
    below, above = dot(normal, minus(at_low, at)), dot(normal, minus(at_high, at))
    tolerance = TOUCHING * (abs(below) + abs(above))
    vote(nodes, first, pair, at, below <= tolerance)
    vote(nodes, second, pair, at, above <= tolerance)
    if min(below, above) > tolerance:
        return EMPTY
    return first if below <= above else second  # the deeper one, where both are behind


@inlined_kernel
def join_end(joints, mask, parent, counts, pair, key):
    """Join a pair with the one that has an end by the same key; return whether it is the first that has it."""
    slot = slot_of(joints.entries, mask, key)
    if joints.entries[slot, col.KEY] == EMPTY:
        counts[col.JOINTS] = insert(joints, slot, key, pair, counts[col.JOINTS])
        counts[col.OPEN_ENDS] += 1
        return True
    other = joints.entries[slot, col.VALUE]
    if other >= 0:  # the second end closes the joint
        joints.entries[slot, col.VALUE] = -1 - other
        counts[col.OPEN_ENDS] -= 1
    else:  # closed before: an edge of more than two faces
        other = -1 - other
    unite(parent, pair, other)
    return False


@inlined_kernel
def made_segment(curves, k):
    """Return a segment that a device has made: its ends, the normals, and the edges of its ends."""
    edges = int(curves[k, 12])
    ends, normals = (triple(curves, k, 0), triple(curves, k, 3)), (triple(curves, k, 6), triple(curves, k, 9))
    return ends[0], ends[1], normals[0], normals[1], edges & 7, edges >> 3


@kernel
def trace_curve(pair, work):
    """Write segments and normals of touching pairs, join neighbours, and classify the vertices of pierced edges."""
    pose_a, first_a, pose_b, first_b, triangles = pair.pose_a, pair.first_a, pair.pose_b, pair.first_b, pair.triangles
    vertices, faces, counts, parent = pair.surfaces.vertices, pair.surfaces.faces, work.counts, work.sets.parent
    lines, marks, joints, nodes = work.curve.lines, work.curve.marks, work.joints, work.nodes
    index, mask = work.faces.state, mask_for(triangles.shape[0])
    for k in range(triangles.shape[0]):
        i, j = first_a + triangles[k, 0], first_b + triangles[k, 1]
        a0, a1, a2 = int(faces[i, 0]), int(faces[i, 1]), int(faces[i, 2])
        b0, b1, b2 = int(faces[j, 0]), int(faces[j, 1]), int(faces[j, 2])
        p, q, r = posed_triangle(pose_a, vertices, faces, i)
        u, v, w = posed_triangle(pose_b, vertices, faces, j)
        if k < pair.curves.shape[0]:
            x, y, n, m, e, f = made_segment(pair.curves, k)
        else:
            n, m = normal_of(p, q, r), normal_of(u, v, w)
            x, y, e, f = meeting_segment(p, q, r, n, u, v, w, m, work.scratch)
            # one direction for all, so that the segments of a curve join head to tail and its vector area adds up
            if dot(cross(n, m), minus(y, x)) < 0.0:
                x, y, e, f = y, x, f, e
        parent[k] = k
        put_triple(lines, k, col.FIRST, x)
        put_triple(lines, k, col.SECOND, y)
        put_triple(lines, k, col.NORMAL_A, n)
        put_triple(lines, k, col.NORMAL_B, m)
        index[SIDE_A, i], index[SIDE_B, j] = KNOWN, KNOWN
        for end in range(2):
            edge, at = (e, x) if end == 0 else (f, y)
            marks[k, col.EDGE + end], marks[k, col.BEHIND + end], marks[k, col.CORNER + end] = EMPTY, EMPTY, EMPTY
            if edge == NO_EDGE:
                counts[col.OPEN_ENDS] += 1
                continue
            if edge < EDGES_OF_B:
                side, face, pierced, normal, tail = SIDE_A, i, j, m, edge
                head = (tail + 1) % 3
                low, high = corner(tail, a0, a1, a2), corner(head, a0, a1, a2)
                at_low, at_high = corner(tail, p, q, r), corner(head, p, q, r)
            else:
                side, face, pierced, normal, tail = SIDE_B, j, i, n, edge - EDGES_OF_B
                head = (tail + 1) % 3
                low, high = corner(tail, b0, b1, b2), corner(head, b0, b1, b2)
                at_low, at_high = corner(tail, u, v, w), corner(head, u, v, w)
            # Both triangles at an edge must make the same key of it, and compute with its ends in the same order.
            if low > high:
                low, high, at_low, at_high = high, low, at_high, at_low
            key = mixed(mixed(2 * low + side, high), pierced)
            marks[k, col.EDGE + end] = key
            # One vote per joint is enough: the second end is at the same place, up to rounding.
            if join_end(joints, mask, parent, counts, k, key) and not is_zero(normal):
                behind = classify_edge(nodes, counts, k, at, low, at_low, high, at_high, side, normal)
                marks[k, col.BEHIND + end] = behind
                marks[k, col.CORNER + end] = 2 * (3 * face + tail) + side


@kernel
def join_neighbourhoods(pair, work):
    """Join pairs with a common triangle whose other triangles have a common vertex."""
    faces, triangles, joints = pair.surfaces.faces, pair.triangles, work.joints
    mask = mask_for(triangles.shape[0])
    for k in range(triangles.shape[0]):
        i, j = pair.first_a + triangles[k, 0], pair.first_b + triangles[k, 1]
        for c in range(6):
            # in the table of the edges, whose keys begin with a number that is not negative
            key = mixed(mixed(-1, i), faces[j, c]) if c < 3 else mixed(mixed(-2, j), faces[i, c - 3])
            slot = slot_of(joints.entries, mask, key)
            if joints.entries[slot, col.KEY] == EMPTY:
                work.counts[col.JOINTS] = insert(joints, slot, key, k, work.counts[col.JOINTS])
            else:
                unite(work.sets.parent, k, joints.entries[slot, col.VALUE])
