"""Where an edge of one body passes over an edge of the other, seen along the normal of a patch.

Both surfaces are made of flat faces, so the height of b's surface above a's is greatest over a vertex of one of them,
or where two edges cross. Two boxes that meet edge to edge have no vertex inside of each other, and the crossing may be
anywhere in the patch; an edge that lies across a face is deepest where it leaves the face, at a crossing as well.

Only edges at which a surface bends outwards matter: across any other edge the surface is nearer to the other body on
one side. A crossing counts if it is within the box around the curve and the vertices inside, as the common part of two
bodies is: the edges of large faces cross elsewhere, too. Where a patch has very many edges, some vertex is near every
crossing, and vertices are enough.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.curve import OUTSIDE
from tumble.dynamics.manifold.surfaces import NOT_OUTWARDS, OPEN
from tumble.dynamics.manifold.tables import put_triple, triple
from tumble.dynamics.manifold.view import CROSSING, viewed
from tumble.dynamics.manifold.workspace import EMPTY, MOST_CROSSINGS, MOST_EDGES, SIDE_A, SIDE_B

SLACK = 1e-9  # of its size that the box of a patch is wider: two edges that cross are often two sides of it
ALIKE = math.sqrt(0.5)  # the cosine of 45°: two edges that part in another direction than the patch do not count
PARALLEL = 1e-6  # two edges cross from this sine of the angle between them on


@kernel
def collect_crossings(pair, work, views, count, box, p):
    """Append the crossings of a patch to its candidates, whose box this is; return the new number of candidates."""
    state, counts = work.faces.state, work.counts
    edges_a, edges_b = collect_edges(pair, work.curve.marks, work.sets, work.nodes, counts, state, work.edges, views, p)
    if max(edges_a, edges_b) > MOST_EDGES or edges_a * edges_b > MOST_CROSSINGS:
        return count
    return cross_edges(work.patch_view, work.edges.ends, edges_a, edges_b, widened(box), count)


@kernel
def collect_edges(pair, marks, sets, nodes, counts, state, edges, views, p):
    """Write the edges of a patch at which the surfaces bend outwards; return how many a has, and how many b has.

    These are the edges on which the curve has ends, and those between two vertices inside. One more than MOST_EDGES
    stands for too many.
    """
    surfaces, pairs = pair.surfaces, pair.triangles.shape[0]
    last, leaky = pairs + counts[col.NODES], sets.sums[p, col.LEAKY]
    count_a, count_b = 0, 0
    k = sets.head[p]
    while k != EMPTY and k < last and max(count_a, count_b) <= MOST_EDGES:
        if k < pairs:
            for end in range(2):
                mark = marks[k, col.CORNER + end]
                if mark == EMPTY:
                    continue
                if mark & 1 == SIDE_A:
                    count_a += put_edge(surfaces, state, edges, views[0], SIDE_A, count_a, mark >> 1, p)
                else:
                    count_b += put_edge(surfaces, state, edges, views[1], SIDE_B, count_b, mark >> 1, p)
        elif leaky == 0.0 and nodes.facts[k - pairs, col.SIDE] == SIDE_A:
            count_a = put_edges_around(surfaces, nodes, state, edges, views[0], SIDE_A, count_a, k - pairs, p)
        elif leaky == 0.0:
            count_b = put_edges_around(surfaces, nodes, state, edges, views[1], SIDE_B, count_b, k - pairs, p)
        k = sets.after[k]
    return count_a, count_b


@kernel
def put_edges_around(surfaces, nodes, state, edges, view, side, count, node, p):
    """Write the edges from a vertex inside to others inside, each from one end; return the new number of edges."""
    vertex = nodes.facts[node, col.VERTEX]
    for k in range(surfaces.starts[vertex], surfaces.starts[vertex + 1]):
        face = int(surfaces.around[k])
        for c in range(3):
            if surfaces.faces[face, c] == vertex:
                other = surfaces.faces[face, (c + 1) % 3]
                end = nodes.of_vertex[side, other]
                once = vertex < other or surfaces.across[face, c] == OPEN
                if once and end != EMPTY and nodes.facts[end, col.STATE] != OUTSIDE:
                    count += put_edge(surfaces, state, edges, view, side, count, 3 * face + c, p)
    return count


@inlined_kernel
def put_edge(surfaces, state, edges, view, side, place, corner, p):
    """Write an edge if it bends outwards and one of its faces looks at the other body; return 1 if so, else 0."""
    face, c = corner // 3, corner % 3
    beyond = surfaces.across[face, c]
    if beyond == NOT_OUTWARDS or place > MOST_EDGES:
        return 0
    if state[side, face] != p and (beyond == OPEN or state[side, beyond] != p):
        return 0
    if place < MOST_EDGES:
        put_triple(edges.ends[side], place, 0, viewed(view, surfaces.vertices, surfaces.faces[face, c]))
        put_triple(edges.ends[side], place, 3, viewed(view, surfaces.vertices, surfaces.faces[face, (c + 1) % 3]))
        edges.corners[side, place] = corner
    return 1


@inlined_kernel
def widened(box):
    """Return a box that is a little wider, for rounding."""
    low, high = box
    slack = SLACK * (high[0] - low[0] + high[1] - low[1] + high[2] - low[2])
    return (low[0] - slack, low[1] - slack, low[2] - slack), (high[0] + slack, high[1] + slack, high[2] + slack)


@kernel
def cross_edges(view, ends, edges_a, edges_b, box, count):
    """Append the places where an edge of a is below one of b; return the new number of candidates."""
    ours, theirs = ends[SIDE_A], ends[SIDE_B]
    low, high = box
    for i in range(edges_a):
        x, y = triple(ours, i, 0), triple(ours, i, 3)
        ex, ey = y[0] - x[0], y[1] - x[1]
        for j in range(edges_b):
            u, v = triple(theirs, j, 0), triple(theirs, j, 3)
            before, after = ex * (u[1] - x[1]) - ey * (u[0] - x[0]), ex * (v[1] - x[1]) - ey * (v[0] - x[0])
            if before * after > 0.0:
                continue
            fx, fy = v[0] - u[0], v[1] - u[1]
            sine = before - after  # times the lengths of both edges as they are seen
            if sine * sine <= PARALLEL * PARALLEL * (ex * ex + ey * ey) * (fx * fx + fy * fy):
                continue
            s, t = (fx * (u[1] - x[1]) - fy * (u[0] - x[0])) / sine, before / sine
            if not 0.0 <= s <= 1.0:
                continue
            # Two edges part along their cross product. At the end of an arc of contact that is almost at a right angle
            # to the normal of the patch, along which the way is much longer than the edges are deep.
            apart = cross(minus(y, x), minus(v, u))
            if sine * sine < ALIKE * ALIKE * dot(apart, apart):
                continue
            below, above = x[2] + s * (y[2] - x[2]), u[2] + t * (v[2] - u[2])
            at_x, at_y = x[0] + s * ex, x[1] + s * ey
            if not (low[0] <= at_x <= high[0] and low[1] <= at_y <= high[1]):
                continue
            # one of the two may be outside of the box: over a face that hangs over its edge
            if not (below < above and below <= high[2] and above >= low[2]):
                continue
            put_triple(view.spots, count, col.X, (at_x, at_y, 0.5 * (below + above)))
            view.spots[count, col.LEAVES] = above - below
            view.kinds[count, col.KIND], view.kinds[count, col.ELEMENT] = CROSSING, i * MOST_EDGES + j
            count += 1
    return count
