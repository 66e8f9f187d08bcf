"""From the curve to what it encloses: the vertices and faces of each body that lie inside of the other.

From a vertex inside, every face around it that does not touch the other body is inside as well, with its vertices, and
so on. This finds how deep a fine mesh goes in beyond the triangles at the rim, and joins curves that bound one region
of contact: a ring that stands on a table touches it in two circles, of which the inner one alone would pull.

A flood that comes to a vertex known to be outside, or finds too much, has leaked: the surface is open, or it
contradicts itself. Then only the vertices of touching triangles count.
"""

from tumble.core.jit import kernel
from tumble.core.linear import posed
from tumble.core.union_find import unite
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.curve import INSIDE, LEAK, OUTSIDE, node_of
from tumble.dynamics.manifold.workspace import EMPTY, KNOWN, MOST_FLOODED, SIDE_A


@kernel
def join_inside(work, pairs):
    """Join each piece of the curve with the vertices that it shows to be inside."""
    marks, facts, parent = work.curve.marks, work.nodes.facts, work.sets.parent
    for node in range(work.counts[col.NODES]):
        parent[pairs + node] = pairs + node
    for k in range(pairs):
        for end in range(2):
            node = marks[k, col.BEHIND + end]
            # The state is read after all votes: a nearer end may have shown the vertex to be outside.
            if node != EMPTY and facts[node, col.STATE] == INSIDE:
                unite(parent, k, pairs + node)


@kernel
def flood(pair, work):
    """Find the faces and vertices inside, breadth first: new nodes are appended to those that the loop visits.

    In a heap of `cows` that is one face for 18 touching triangle pairs: most bodies overlap by less than a triangle.
    """
    surfaces, nodes, faces, counts = pair.surfaces, work.nodes, work.faces, work.counts
    most_nodes, most_faces = counts[col.NODES] + MOST_FLOODED, faces.flooded.shape[0]
    node = 0
    while node < counts[col.NODES]:
        vertex, side = nodes.facts[node, col.VERTEX], nodes.facts[node, col.SIDE]
        if nodes.facts[node, col.STATE] != OUTSIDE:
            for k in range(surfaces.starts[vertex], surfaces.starts[vertex + 1]):
                face = int(surfaces.around[k])
                if faces.state[side, face] != EMPTY:
                    continue  # flooded before, or touching: the flood stops at the curve
                at = counts[col.FLOODED]
                # one corner of the face is this node, so it brings two new ones at most
                if counts[col.NODES] + 2 > most_nodes or at == most_faces:
                    nodes.facts[node, col.STATE] = LEAK
                    return
                faces.state[side, face] = KNOWN
                faces.flooded[at, col.FLOODED_SIDE], faces.flooded[at, col.FLOODED_FACE] = side, face
                faces.flooded[at, col.FLOODED_NODE] = node
                counts[col.FLOODED] = at + 1
                if spread(pair, nodes, work.sets.parent, counts, node, side, face):
                    nodes.facts[node, col.STATE] = LEAK
        node += 1


@kernel
def spread(pair, nodes, parent, counts, node, side, face):
    """Go on to the vertices of a face that is inside; return whether one is known to be outside."""
    leaks, pairs = False, pair.triangles.shape[0]
    for corner in range(3):
        vertex = int(pair.surfaces.faces[face, corner])
        other = int(nodes.of_vertex[side, vertex])
        if other == EMPTY:
            pose = pair.pose_a if side == SIDE_A else pair.pose_b
            at = posed(pose, pair.surfaces.vertices, vertex)
            other = node_of(nodes, counts, vertex, side, at, nodes.facts[node, col.HOME])
            nodes.facts[other, col.STATE] = INSIDE
            parent[pairs + other] = pairs + node  # no search: a new node has the larger number, and no set yet
        elif nodes.facts[other, col.STATE] == OUTSIDE:
            leaks = True
        elif other != node:
            unite(parent, pairs + node, pairs + other)
    return leaks
