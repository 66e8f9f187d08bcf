"""The curve in which two bodies meet: a directed segment for each touching pair of triangles, joined end to end.

An end of a segment is where an edge of one body pierces a triangle of the other. The neighbour across that edge touches
the same triangle, so the two pairs are neighbours on the curve: a table finds them by (edge, triangle). Where an end
stays alone (coplanar faces, an edge along an edge, an open mesh) pairs with a common triangle, whose other triangles
have a common vertex, are joined as well.

Each end also tells of the two vertices of its edge which is behind the triangle, that is inside of the other body;
of several ends near one vertex the nearest is right. Those vertices are the nodes from which `manifold_flood` starts.
"""

import math

from tumble.dynamics.manifold_workspace import EMPTY, mixed, slot_of, unite
from tumble.jit import kernel
from tumble.narrow.contact import posed_corner
from tumble.narrow.contact_segment import EDGES_OF_B, NO_EDGE, meeting_segment
from tumble.narrow.contact_vectors import cross, dot, is_zero, minus, normal_of

SIDE_A = 0
SIDE_B = 1
OUTSIDE = 0
INSIDE = 1
LEAK = 2
TOUCHING = 1e-12
"""a vertex is behind a plane when it is not farther before it than this part of the edge"""


@kernel
def node_of(work, counts, vertex, side, at):
    """Return the node of a vertex, new if there is none yet."""
    slot = slot_of(work.node_keys, 2 * vertex + side)
    if work.node_keys[slot] != EMPTY:
        return work.node_values[slot]
    node = counts[0]
    counts[0] = node + 1
    work.node_keys[slot] = 2 * vertex + side
    work.node_values[slot] = node
    work.node_slots[node] = slot
    work.node_vertex[node] = vertex
    work.node_side[node] = side
    work.node_at[node, 0], work.node_at[node, 1], work.node_at[node, 2] = at
    work.node_gap[node] = math.inf
    work.node_state[node] = OUTSIDE
    return node


@kernel
def vote(work, node, at, height, tolerance):
    """Let an end of the curve say on which side a vertex is, and believe the nearest; return whether it says inside."""
    gap = minus((work.node_at[node, 0], work.node_at[node, 1], work.node_at[node, 2]), at)
    square = dot(gap, gap)
    behind = height <= tolerance
    if square < work.node_gap[node]:
        work.node_gap[node] = square
        work.node_state[node] = INSIDE if behind else OUTSIDE
    return behind


@kernel
def note_end(work, counts, k, end, at, low, at_low, high, at_high, side, triangle, normal):
    """Join an end on the edge low high of one side with its neighbour, and judge the two vertices of the edge."""
    if low > high:
        low, high, at_low, at_high = high, low, at_high, at_low
    key = mixed(mixed(2 * low + side, high), triangle)
    work.end_edge[end] = key
    slot = slot_of(work.keys, key)
    if work.keys[slot] == EMPTY:
        work.keys[slot] = key
        work.key_values[slot] = k
        work.key_slots[counts[1]] = slot
        counts[1] += 1
        counts[2] += 1
    else:
        other = work.key_values[slot]
        if other >= 0:
            work.key_values[slot] = -1 - other
            counts[2] -= 1
        else:
            other = -1 - other
        unite(work.parent, k, other)
    if is_zero(normal):
        return
    first, second = node_of(work, counts, low, side, at_low), node_of(work, counts, high, side, at_high)
    below, above = dot(normal, minus(at_low, at)), dot(normal, minus(at_high, at))
    tolerance = TOUCHING * (abs(below) + abs(above))
    if vote(work, first, at, below, tolerance):
        work.end_behind[end] = first
    if vote(work, second, at, above, tolerance):
        if work.end_behind[end] == EMPTY or above < below:
            work.end_behind[end] = second


@kernel
def note_face(work, counts, face, side):
    """Remember a touching face."""
    slot = slot_of(work.face_keys, 2 * face + side)
    if work.face_keys[slot] == EMPTY:
        work.face_keys[slot] = 2 * face + side
        work.face_values[slot] = EMPTY
        work.face_slots[counts[3]] = slot
        counts[3] += 1


@kernel
def trace_curve(surfaces, pose_a, first_a, pose_b, first_b, triangles, start, stop, work, counts):
    """Write segments and normals of triangle pairs start…stop, and join neighbours."""
    vertices, faces = surfaces.vertices, surfaces.faces
    for k in range(stop - start):
        i, j = first_a + triangles[start + k, 0], first_b + triangles[start + k, 1]
        a = int(faces[i, 0]), int(faces[i, 1]), int(faces[i, 2])
        b = int(faces[j, 0]), int(faces[j, 1]), int(faces[j, 2])
        t = (
            posed_corner(pose_a, vertices, a[0]),
            posed_corner(pose_a, vertices, a[1]),
            posed_corner(pose_a, vertices, a[2]),
        )
        u = (
            posed_corner(pose_b, vertices, b[0]),
            posed_corner(pose_b, vertices, b[1]),
            posed_corner(pose_b, vertices, b[2]),
        )
        n, m = normal_of(t[0], t[1], t[2]), normal_of(u[0], u[1], u[2])
        x, y, e, f = meeting_segment(t[0], t[1], t[2], n, u[0], u[1], u[2], m, work.room)
        if dot(cross(n, m), minus(y, x)) < 0.0:
            x, y, e, f = y, x, f, e
        work.parent[k] = k
        for axis in range(3):
            work.ends[2 * k, axis], work.ends[2 * k + 1, axis] = x[axis], y[axis]
            work.normals_a[k, axis], work.normals_b[k, axis] = n[axis], m[axis]
        note_face(work, counts, i, SIDE_A)
        note_face(work, counts, j, SIDE_B)
        for end in range(2):
            edge, at = (e, x) if end == 0 else (f, y)
            work.end_edge[2 * k + end] = EMPTY
            work.end_behind[2 * k + end] = EMPTY
            if edge == NO_EDGE:
                counts[2] += 1
            elif edge < EDGES_OF_B:
                v, w = edge, (edge + 1) % 3
                note_end(work, counts, k, 2 * k + end, at, a[v], t[v], a[w], t[w], SIDE_A, j, m)
            else:
                v, w = edge - EDGES_OF_B, (edge - EDGES_OF_B + 1) % 3
                note_end(work, counts, k, 2 * k + end, at, b[v], u[v], b[w], u[w], SIDE_B, i, n)


@kernel
def join_neighbourhoods(surfaces, first_a, first_b, triangles, start, stop, work, counts):
    """Join pairs with a common triangle whose other triangles have a common vertex."""
    for k in range(stop - start):
        i, j = first_a + triangles[start + k, 0], first_b + triangles[start + k, 1]
        for corner in range(6):
            if corner < 3:
                key = mixed(mixed(-1, i), surfaces.faces[j, corner])
            else:
                key = mixed(mixed(-2, j), surfaces.faces[i, corner - 3])
            slot = slot_of(work.keys, key)
            if work.keys[slot] == EMPTY:
                work.keys[slot] = key
                work.key_values[slot] = k
                work.key_slots[counts[1]] = slot
                counts[1] += 1
            else:
                unite(work.parent, k, work.key_values[slot])
