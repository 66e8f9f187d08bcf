"""A contact patch seen along its normal: candidates for points, the faces of both bodies, and depths.

The depth at a place is the height of b's surface above a's, along the normal, among the faces of the patch. A vertex
has the height of its own body, and so have two edges that cross (`crossings`). At the rim the depth is zero, or
undefined where walls are vertical, so it is looked up a little nearer to the middle.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, minus
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.normal import is_point_of
from tumble.dynamics.manifold.tables import put_triple, triple
from tumble.dynamics.manifold.workspace import EMPTY, SIDE_A, SIDE_B, WALL

INSET = 0.02  # of the way to the middle: where the depth at the rim is looked up
ROUNDING = 2.0**-46  # of the largest coordinate: by how much rounding can make equal depths differ
STEEP = 0.05  # faces whose normal has a smaller part along the patch's are walls, and have no height

# Kinds of candidates; those of vertices are the sides.
RIM = 2
CENTRE = 3
CROSSING = 4


@inlined_kernel
def seen_along(at, frame):
    """Return a point by its coordinates along the three directions of a frame, the last of which is the normal."""
    u, v, normal = frame
    return dot(at, u), dot(at, v), dot(at, normal)


@inlined_kernel
def lower(x, y):
    """Return the smaller of two numbers along each axis."""
    return min(x[0], y[0]), min(x[1], y[1]), min(x[2], y[2])


@inlined_kernel
def higher(x, y):
    """Return the larger of two numbers along each axis."""
    return max(x[0], y[0]), max(x[1], y[1]), max(x[2], y[2])


@kernel
def collect_spots(lines, sets, nodes, count_of_nodes, view, pairs, p, frame):
    """Write the ends of the curve and the vertices inside of a patch as candidates for points.

    Return how many, the radius of the curve, and the box around all: its low corner and its high corner.
    """
    middle, leaky = triple(sets.sums, p, col.MIDDLE), sets.sums[p, col.LEAKY]
    spots, kinds = view.spots, view.kinds
    count, radius, low, high = 0, 0.0, (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    k = sets.head[p]
    while k != EMPTY and k < pairs + count_of_nodes:
        if k < pairs:
            for end in range(2):
                spot = seen_along(minus(triple(lines, k, col.FIRST if end == 0 else col.SECOND), middle), frame)
                put_triple(spots, count, col.X, spot)
                kinds[count, col.KIND], kinds[count, col.ELEMENT] = RIM, 2 * k + end
                radius = max(radius, spot[0] * spot[0] + spot[1] * spot[1])
                low, high = lower(low, spot), higher(high, spot)
                count += 1
        elif is_point_of(nodes.at, leaky, k - pairs):
            spot = seen_along(minus(triple(nodes.at, k - pairs, col.POSITION), middle), frame)
            put_triple(spots, count, col.X, spot)
            low, high = lower(low, spot), higher(high, spot)
            spots[count, col.LEAVES] = math.sqrt(nodes.at[k - pairs, col.GAP])
            kinds[count, col.KIND], kinds[count, col.ELEMENT] = nodes.facts[k - pairs, col.SIDE], k - pairs
            count += 1
        k = sets.after[k]
    return count, math.sqrt(radius), (low, high)


@inlined_kernel
def put_centre(view, count):
    """Write the centre of a patch behind its candidates."""
    put_triple(view.spots, count, col.X, (0.0, 0.0, 0.0))
    view.kinds[count, col.KIND], view.kinds[count, col.ELEMENT] = CENTRE, 0


@kernel
def view_of(pose, middle, frame):
    """Return how a body's own coordinates are seen: three rows of four numbers."""
    # pose and frame in one, as each vertex of the cap is seen several times
    u, v, normal = frame
    shift = pose[0, 3] - middle[0], pose[1, 3] - middle[1], pose[2, 3] - middle[2]
    first, second = (pose[0, 0], pose[1, 0], pose[2, 0]), (pose[0, 1], pose[1, 1], pose[2, 1])
    third = pose[0, 2], pose[1, 2], pose[2, 2]
    return (
        (dot(u, first), dot(u, second), dot(u, third), dot(u, shift)),
        (dot(v, first), dot(v, second), dot(v, third), dot(v, shift)),
        (dot(normal, first), dot(normal, second), dot(normal, third), dot(normal, shift)),
    )


@inlined_kernel
def viewed(view, vertices, v):
    """Return a vertex as it is seen."""
    x, y, z = vertices[v, 0], vertices[v, 1], vertices[v, 2]
    r, s, t = view
    return (
        r[0] * x + r[1] * y + r[2] * z + r[3],
        s[0] * x + s[1] * y + s[2] * z + s[3],
        t[0] * x + t[1] * y + t[2] * z + t[3],
    )


@kernel
def collect_cap(pair, views, sets, faces, first_flooded, cap, p):
    """Write the faces of a patch that look at the other body: a's from the start, b's from the end of the memory.

    Return where a's end and where b's begin.
    """
    vertices, corners, triangles = pair.surfaces.vertices, pair.surfaces.faces, pair.triangles
    low, high = 0, cap.shape[0]  # one memory from both ends: how many faces each body has is known at the end
    pairs, leaky = triangles.shape[0], sets.sums[p, col.LEAKY]
    # A face of several pairs is written once. The number of the patch marks it, so no mark is taken back.
    wall = WALL - p
    k = sets.head[p]
    while k != EMPTY:
        i, j = EMPTY, EMPTY
        if k < pairs:
            i, j = pair.first_a + triangles[k, 0], pair.first_b + triangles[k, 1]
            mark_a, mark_b = faces.state[SIDE_A, i], faces.state[SIDE_B, j]
            i, j = (EMPTY if mark_a in (p, wall) else i), (EMPTY if mark_b in (p, wall) else j)
        elif k >= first_flooded and leaky == 0.0:
            face = faces.flooded[k - first_flooded, col.FLOODED_FACE]
            of_a = faces.flooded[k - first_flooded, col.FLOODED_SIDE] == SIDE_A
            i, j = (face, EMPTY) if of_a else (EMPTY, face)
        if i != EMPTY:
            written = put_face(vertices, corners, views[0], cap, low, i, -1.0)
            faces.state[SIDE_A, i] = p if written else wall
            low += written
        if j != EMPTY:
            written = put_face(vertices, corners, views[1], cap, high - 1, j, 1.0)
            faces.state[SIDE_B, j] = p if written else wall
            high -= written
        k = sets.after[k]
    return low, high


@kernel
def put_face(vertices, corners, view, cap, place, face, upward):
    """Write a face unless it is a wall or looks away from the other body; return 1 if it is written, else 0."""
    p, q = viewed(view, vertices, corners[face, 0]), viewed(view, vertices, corners[face, 1])
    r = viewed(view, vertices, corners[face, 2])
    normal = cross(minus(q, p), minus(r, p))
    slope = upward * normal[2]
    if not (slope > 0.0 and slope * slope >= STEEP * STEEP * dot(normal, normal)):
        return 0
    put_triple(cap, place, col.CORNER_P, p)
    put_triple(cap, place, col.CORNER_Q, q)
    put_triple(cap, place, col.CORNER_R, r)
    return 1


@kernel
def rounding_of(pair, middle, cap, faces):
    """Return by how much two depths of a patch can differ that are equal but for rounding.

    All coordinates, of vertices in their own frames, in the world and as they are seen, are less than s, the sum of how
    far the cap, the patch and the bodies' origins are away. A vertex of a candidate is off by less than 20 s in units
    of 2⁻⁵³, of which 12 are from its pose, and the faces of the cap by less than 30 s. So a depth is off by less than
    50 s, and two differ by less than 100 s.
    """
    size = 0.0
    for axis in range(3):
        size = max(size, abs(middle[axis]) + abs(pair.pose_a[axis, 3]) + abs(pair.pose_b[axis, 3]))
    return ROUNDING * (size + max(reach_of(cap, 0, faces[0]), reach_of(cap, faces[1], cap.shape[0])))


@inlined_kernel
def reach_of(cap, first, last):
    """Return the largest coordinate of some faces."""
    reach = 0.0
    for k in range(first, last):
        for number in range(col.CORNERS):
            reach = max(reach, abs(cap[k, number]))
    return reach


@inlined_kernel
def height_over(cap, k, x, y):
    """Return the height of a face at a place; infinite where the face is not."""
    p, q, r = triple(cap, k, col.CORNER_P), triple(cap, k, col.CORNER_Q), triple(cap, k, col.CORNER_R)
    ax, ay, bx, by, cx, cy = p[0] - x, p[1] - y, q[0] - x, q[1] - y, r[0] - x, r[1] - y
    wa, wb, wc = bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx
    total = wa + wb + wc
    slack = 1e-12 * abs(total)
    # weights of both signs: outside. All of one sign is inside, whichever way the corners turn.
    if (min(wa, wb, wc) < -slack and max(wa, wb, wc) > slack) or total == 0.0:
        return math.inf
    return (wa * p[2] + wb * q[2] + wc * r[2]) / total


@kernel
def sheet(cap, span, x, y, height, low, high):
    """Return the height of one body's surface at a place: of the sheets from low to high the nearest to `height`."""
    best, nearest = math.inf, math.inf  # a bent surface has several heights at one place
    for k in range(span[0], span[1]):
        found = height_over(cap, k, x, y)
        if found < math.inf and low <= found <= high and abs(found - height) < nearest:
            best, nearest = found, abs(found - height)
    return best


@kernel
def depth_at(view, faces, spot, thickness):
    """Return the depth at a candidate, and the height of the middle between the two surfaces there.

    `faces` are the ends of the two bodies' faces in the cap, as `collect_cap` returns them.
    """
    kind = view.kinds[spot, col.KIND]
    if kind == CROSSING:
        return depth_at_crossing(view, faces, spot)
    if kind >= RIM:
        return depth_at_rim(view, faces, spot)
    return depth_at_vertex(view, faces, spot, thickness)


@kernel
def depth_at_rim(view, faces, spot):
    """As `depth_at`, for an end of the curve or its centre."""
    cap, (x, y, h) = view.cap, triple(view.spots, spot, col.X)
    x, y = (1.0 - INSET) * x, (1.0 - INSET) * y
    below = sheet(cap, (0, faces[0]), x, y, h, -math.inf, math.inf)
    above = sheet(cap, (faces[1], cap.shape[0]), x, y, h, -math.inf, math.inf)
    if below == math.inf or above == math.inf or above < below:
        return 0.0, h
    # where the patch bends, both surfaces may be elsewhere already, but the point is here
    depth = above - below
    return depth, min(max(0.5 * (above + below), h - depth), h + depth)


@kernel
def depth_at_crossing(view, faces, spot):
    """As `depth_at`, for two edges that cross: where a surface is bent, another sheet may be between them."""
    cap, (x, y, h), depth = view.cap, triple(view.spots, spot, col.X), view.spots[spot, col.LEAVES]
    low, high = h - 0.5 * depth, h + 0.5 * depth
    below = sheet(cap, (0, faces[0]), x, y, high, low, high)
    above = sheet(cap, (faces[1], cap.shape[0]), x, y, low, low, high)
    below, above = (low if below == math.inf else below), (high if above == math.inf else above)
    if above < below:
        return 0.0, h
    return above - below, 0.5 * (above + below)


@kernel
def depth_at_vertex(view, faces, spot, thickness):
    """As `depth_at`, for a vertex of one body inside of the other."""
    cap, (x, y, h), is_of_a = view.cap, triple(view.spots, spot, col.X), view.kinds[spot, col.KIND] == SIDE_A
    own, other = (0, faces[0]), (faces[1], cap.shape[0])
    if not is_of_a:
        own, other = other, own
    found, start = opposite(cap, other, x, y, h, is_of_a, thickness), h
    if found == math.inf:  # beside walls: a little nearer to the middle, where its own surface may be at another height
        x, y = (1.0 - INSET) * x, (1.0 - INSET) * y
        start = sheet(cap, own, x, y, h, -math.inf, math.inf)
        start = h if start == math.inf else start
        found = opposite(cap, other, x, y, start, is_of_a, thickness)
    if found < math.inf:
        depth = abs(found - start)
    else:  # not farther than to where an edge leaves the body, nor than to the rim, which is roughly at height zero
        depth = min(view.spots[spot, col.LEAVES], max(-h, 0.0) if is_of_a else max(h, 0.0))
    return depth, h + 0.5 * depth if is_of_a else h - 0.5 * depth


@inlined_kernel
def opposite(cap, span, x, y, height, is_of_a, thickness):
    """Return the height of the other body's surface, above that of a or below that of b; infinite if there is none."""
    slack = 1e-9 * thickness
    low, high = (height - slack, math.inf) if is_of_a else (-math.inf, height + slack)
    return sheet(cap, span, x, y, height, low, high)
