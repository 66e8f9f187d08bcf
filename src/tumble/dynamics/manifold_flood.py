"""From the curve to what it encloses: the vertices and faces of each body that lie inside of the other.

From a vertex inside, every face around it that does not touch the other body is inside as well, with its vertices, and
so on. This finds how deep a fine mesh goes in beyond the triangles at the rim, and it joins curves that bound one region
of contact: a ring that stands on a table touches it in two circles, of which the inner one alone would pull.

A flood that comes to a vertex known to be outside, or finds too much, has leaked: the surface is open, or it
contradicts itself. Then only the vertices of touching triangles count.
"""

import math

from tumble.dynamics.manifold_curve import INSIDE, LEAK, OUTSIDE, SIDE_A, node_of
from tumble.dynamics.manifold_workspace import EMPTY, MOST_FLOODED, slot_of, unite
from tumble.jit import kernel
from tumble.narrow.contact import posed_corner


@kernel
def join_inside(work, pairs, nodes):
    """Join each piece of the curve with the vertices that it says to be inside."""
    for node in range(nodes):
        work.parent[pairs + node] = pairs + node
    for end in range(2 * pairs):
        node = work.end_behind[end]
        if node != EMPTY and work.node_state[node] == INSIDE:
            unite(work.parent, end >> 1, pairs + node)


@kernel
def flood(surfaces, pose_a, pose_b, work, pairs, counts):
    """Find the faces and vertices inside; write how many faces to counts[4]."""
    room = counts[0] + MOST_FLOODED
    node = 0
    while node < counts[0]:
        if work.node_state[node] == INSIDE:
            vertex, side = work.node_vertex[node], work.node_side[node]
            pose = pose_a if side == SIDE_A else pose_b
            for k in range(surfaces.starts[vertex], surfaces.starts[vertex + 1]):
                face = int(surfaces.around[k])
                slot = slot_of(work.face_keys, 2 * face + side)
                if work.face_keys[slot] != EMPTY:
                    continue
                if counts[0] + 2 > room or counts[4] >= work.flooded.shape[0]:
                    work.node_state[node] = LEAK
                    return
                work.face_keys[slot] = 2 * face + side
                work.face_values[slot] = EMPTY
                work.face_slots[counts[3]] = slot
                counts[3] += 1
                work.flooded[counts[4], 0], work.flooded[counts[4], 1], work.flooded[counts[4], 2] = side, face, node
                counts[4] += 1
                spread(surfaces, pose, work, pairs, counts, node, side, face)
        node += 1


@kernel
def spread(surfaces, pose, work, pairs, counts, node, side, face):
    """Go on to the vertices of a face that is inside."""
    for corner in range(3):
        vertex = int(surfaces.faces[face, corner])
        known = counts[0]
        other = node_of(work, counts, vertex, side, posed_corner(pose, surfaces.vertices, vertex))
        if other == known:
            work.parent[pairs + other] = pairs + other
            work.node_state[other] = INSIDE
        elif work.node_state[other] == OUTSIDE and work.node_gap[other] < math.inf:
            work.node_state[node] = LEAK
            continue
        unite(work.parent, pairs + node, pairs + other)
