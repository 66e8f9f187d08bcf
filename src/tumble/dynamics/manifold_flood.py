"""From the curve to what it encloses: the vertices and faces of each body that lie inside of the other.

From a vertex inside, every face around it that does not touch the other body is inside as well, with its vertices, and
so on. This finds how deep a fine mesh goes in beyond the triangles at the rim, and joins curves that bound one region
of contact: a ring that stands on a table touches it in two circles, of which the inner one alone would pull.

A flood that comes to a vertex known to be outside, or finds too much, has leaked: the surface is open, or it
contradicts itself. Then only the vertices of touching triangles count.
"""

from tumble.core.jit import kernel
from tumble.core.linear import posed
from tumble.dynamics.manifold_curve import INSIDE, LEAK, OUTSIDE, SIDE_A, node_of
from tumble.dynamics.manifold_workspace import (
    BEHIND,
    EMPTY,
    FLOODED,
    HOME,
    KNOWN,
    MOST_FLOODED,
    NODES,
    SIDE,
    STATE,
    VERTEX,
    unite,
)


@kernel
def join_inside(marks, facts, parent, pairs, nodes):
    """Join each piece of the curve with the vertices that it says to be inside."""
    for node in range(nodes):
        parent[pairs + node] = pairs + node
    for k in range(pairs):
        for end in range(2):
            node = marks[k, BEHIND + end]
            if node != EMPTY and facts[node, STATE] == INSIDE:
                unite(parent, k, pairs + node)


@kernel
def flood(surfaces, pose_a, pose_b, pairs, nodes, faces, parent, counts):
    """Find the faces and vertices inside."""
    most_nodes, most_faces = counts[NODES] + MOST_FLOODED, faces.flooded.shape[0]
    node = 0
    while node < counts[NODES]:
        vertex, side = nodes.facts[node, VERTEX], nodes.facts[node, SIDE]
        if nodes.facts[node, STATE] != OUTSIDE:
            for k in range(surfaces.starts[vertex], surfaces.starts[vertex + 1]):
                face = int(surfaces.around[k])
                if faces.state[side, face] != EMPTY:
                    continue
                at = counts[FLOODED]
                if counts[NODES] + 2 > most_nodes or at == most_faces:
                    nodes.facts[node, STATE] = LEAK
                    return
                faces.state[side, face] = KNOWN
                faces.flooded[at, 0], faces.flooded[at, 1], faces.flooded[at, 2] = side, face, node
                counts[FLOODED] = at + 1
                pose = pose_a if side == SIDE_A else pose_b
                if spread(surfaces.vertices, surfaces.faces, pose, pairs, nodes, parent, counts, node, side, face):
                    nodes.facts[node, STATE] = LEAK
        node += 1


@kernel
def spread(vertices, faces, pose, pairs, nodes, parent, counts, node, side, face):
    """Go on to the vertices of a face that is inside; return whether one is known to be outside."""
    leaks = False
    for corner in range(3):
        vertex = int(faces[face, corner])
        other = int(nodes.of_vertex[side, vertex])
        if other == EMPTY:
            at = posed(pose, vertices, vertex)
            other = node_of(nodes, counts, vertex, side, at, nodes.facts[node, HOME])
            nodes.facts[other, STATE] = INSIDE
            parent[pairs + other] = pairs + node
        elif nodes.facts[other, STATE] == OUTSIDE:
            leaks = True
        elif other != node:
            unite(parent, pairs + node, pairs + other)
    return leaks
