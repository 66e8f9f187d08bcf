"""At most four points of a contact patch, spread as wide as possible, each with its own depth.

Candidates are the vertices of each body inside of the other, the ends of the curve's segments, and the places where an
edge of one body passes over one of the other. Seen along the normal, the deepest comes first, then the farthest from
it, then the farthest from the line of these two on either side. A point that is shallower than the deepest and not much
farther off than it is shallower would say nothing new, and is left out: the corner of a box in a face, or two crossed
edges, give one point. A part of a patch that goes round a body gives one point, in its middle: at its ends its normal
would be wrong.

Of points that are equally deep, up to rounding, the farthest from the middle is the deepest one: so a box that lies
flat rests on its corners, whether or not its mesh has vertices in between.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.tables import mixed, put_triple, triple
from tumble.dynamics.manifold.view import CENTRE, CROSSING, RIM, depth_at
from tumble.dynamics.manifold.workspace import EMPTY, MOST_EDGES, SIDE_A, SIDE_B

PREFERENCE = 1.01  # ends of the curve must be farther than vertices by this factor: vertices keep their key longer
BELOW = 1e-3  # of its height that an end of the curve is worth less: of two at one place the lower one is taken
AS_DEEP = 1.01  # depths of crossings within this factor are taken for equal
FARTHER = 1.0 + 1e-9  # squares of distances within this factor are taken for equal: of these the first counts
CENTRE_PREFERENCE = 1.1  # the centre must be deeper than vertices by this factor
SHALLOW = 3.0  # a point must be farther off than it is shallower than the deepest, times this
AFFORDABLE = 4096  # candidates times faces, up to which the deepest vertex is looked for exactly
THICKEST = 4.0  # no depth is larger than the radius of the curve times this


@inlined_kernel
def square_of_distance(view, k):
    """Return the square of how far a candidate is from the middle, seen along the normal."""
    return view.spots[k, col.X] * view.spots[k, col.X] + view.spots[k, col.Y] * view.spots[k, col.Y]


@kernel
def write_vertex_depths(view, count, faces, thickness):
    """Write how deep each vertex is in the other body.

    Exactly, or, as that costs a look at all faces for each, by its height above or below the middle of the rim.
    """
    exact = count * (faces[0] + view.cap.shape[0] - faces[1]) <= AFFORDABLE
    for k in range(count):
        kind = view.kinds[k, col.KIND]
        if kind != SIDE_A and kind != SIDE_B:
            continue
        if exact:
            view.spots[k, col.DEEP], _ = depth_at(view, faces, k, thickness)
        else:
            view.spots[k, col.DEEP] = view.spots[k, col.HEIGHT] if kind == SIDE_B else -view.spots[k, col.HEIGHT]


@kernel
def deepest_vertex(view, count, side, rounding):
    """Return the vertex of one body that is deepest in the other, EMPTY if there is none.

    Of several that are as deep, it is the farthest from the middle.
    """
    depth = -math.inf
    for k in range(count):
        if view.kinds[k, col.KIND] == side:
            depth = max(depth, view.spots[k, col.DEEP])
    best, chosen = -1.0, EMPTY
    for k in range(count):
        if view.kinds[k, col.KIND] == side and view.spots[k, col.DEEP] >= depth - rounding:
            away = square_of_distance(view, k)
            if away > FARTHER * best:
                best, chosen = away, k
    return chosen


@kernel
def deepest_crossing(view, count):
    """Return the deepest crossing, but for sheets between its edges; EMPTY if there is none.

    Of several that are as deep, the corners of two flat sides on each other, it is the farthest from the middle.
    """
    first, depth = count, 0.0
    while first > 0 and view.kinds[first - 1, col.KIND] == CROSSING:  # they are the last candidates
        first -= 1
        depth = max(depth, view.spots[first, col.LEAVES])
    best, chosen = -1.0, EMPTY
    for k in range(first, count):
        away = square_of_distance(view, k)
        if AS_DEEP * view.spots[k, col.LEAVES] >= depth and away > best:
            best, chosen = away, k
    return chosen


@inlined_kernel
def worth(view, k, away):
    """Return how good a candidate is that is so far off: a deep vertex is better than a shallow one at the same place.

    Of two ends of the curve at one place, one above the other at a vertical wall, it is always the lower one.
    """
    kind, height = view.kinds[k, col.KIND], view.spots[k, col.HEIGHT]
    if kind == RIM:
        return away - BELOW * height
    if kind == CROSSING:
        return PREFERENCE * away + 0.5 * view.spots[k, col.LEAVES]
    return PREFERENCE * away + (height if kind == SIDE_B else -height)


@kernel
def farthest(view, count, x, y):
    """Return the candidate farthest from a place, and how far it is."""
    best, chosen, distance = -math.inf, EMPTY, 0.0
    for k in range(count):
        dx, dy = view.spots[k, col.X] - x, view.spots[k, col.Y] - y
        away = math.sqrt(dx * dx + dy * dy)
        score = worth(view, k, away)
        if score > best:
            best, chosen, distance = score, k, away
    return chosen, distance


@kernel
def farthest_beside(view, count, x, y, along_x, along_y):
    """Return the candidate farthest to the left of a line, and how far it is."""
    best, chosen, distance = -math.inf, EMPTY, 0.0
    for k in range(count):
        away = along_x * (view.spots[k, col.Y] - y) - along_y * (view.spots[k, col.X] - x)
        score = worth(view, k, away)
        if away > 0.0 and score > best:
            best, chosen, distance = score, k, away
    return chosen, distance


@kernel
def deepest(view, count, faces, thickness, rounding):
    """Return the deepest candidate, with its depth and height."""
    depth, height = depth_at(view, faces, count, thickness)
    chosen, best = count, depth / CENTRE_PREFERENCE
    write_vertex_depths(view, count, faces, thickness)
    for side in range(2):
        vertex = deepest_vertex(view, count, side, rounding)
        if vertex != EMPTY:
            found, middle = depth_at(view, faces, vertex, thickness)
            # a vertex as deep as the centre is better: its key stays the same from step to step
            if (chosen == count and found >= best) or is_deeper(view, vertex, found, chosen, best, rounding):
                chosen, best, depth, height = vertex, found, found, middle
    crossing = deepest_crossing(view, count)
    if crossing != EMPTY:
        found, middle = depth_at(view, faces, crossing, thickness)
        if found > (best if chosen == count else AS_DEEP * best):
            chosen, depth, height = crossing, found, middle
    return chosen, depth, height


@inlined_kernel
def is_deeper(view, vertex, depth, other, other_depth, rounding):
    """Tell whether a vertex is deeper than one of the other body, or as deep and farther from the middle."""
    if abs(depth - other_depth) > rounding:
        return depth > other_depth
    return square_of_distance(view, vertex) > FARTHER * square_of_distance(view, other)


@kernel
def choose_middle(view, count, faces, thickness, bound):
    """Write the candidate nearest to the middle as the one point of a part of a patch; return 1."""
    nearest, chosen = math.inf, count
    for k in range(count):
        away = square_of_distance(view, k)
        if away < nearest:
            nearest, chosen = away, k
    depth, height = depth_at(view, faces, chosen, thickness)
    put_triple(view.chosen, 0, col.SPOT, (chosen, min(depth, bound), height))
    return 1


@kernel
def choose_points(view, count, faces, sizes):
    """Write at most four points of a patch as candidate, depth and height; return how many.

    `sizes` are the radius of the curve, how thick the overlap is, and what rounding makes of a depth.
    """
    radius, thickness, rounding = sizes
    bound = min(thickness, THICKEST * radius)
    first, depth, height = deepest(view, count, faces, thickness, rounding)
    if first == count and 2.0 * radius > SHALLOW * depth:
        # wide and with no vertex inside: four points of the rim carry more than the centre and three, if it is as deep
        corner, _ = farthest(view, count, 0.0, 0.0)
        found, middle = depth_at(view, faces, corner, thickness)
        written = spread(view, count, faces, (corner, found, middle), thickness, bound)
        for k in range(written):
            if CENTRE_PREFERENCE * view.chosen[k, col.SPOT_DEPTH] >= min(depth, bound):
                return written
    return spread(view, count, faces, (first, depth, height), thickness, bound)


@kernel
def spread(view, count, faces, start, thickness, bound):
    """Write a first point, given as candidate, depth and height, and up to three far from it; return how many."""
    chosen, (first, depth, height) = view.chosen, start
    top = min(depth, bound)
    put_triple(chosen, 0, col.SPOT, (first, top, height))
    written = 1
    x, y = view.spots[first, col.X], view.spots[first, col.Y]
    second, away = farthest(view, count, x, y)
    if not away > 0.0:
        return written
    along_x, along_y = (view.spots[second, col.X] - x) / away, (view.spots[second, col.Y] - y) / away
    for number in range(3):  # the far end of the line, then the farthest to its left, then to its right
        if number == 0:
            spot, distance = second, away
        else:
            spot, distance = farthest_beside(view, count, x, y, along_x, along_y)
            along_x, along_y = -along_x, -along_y
        if spot != EMPTY and distance > 1e-9 * away:  # not on the line, but for rounding
            depth, height = depth_at(view, faces, spot, thickness)
            depth = min(depth, bound)
            if distance > SHALLOW * (top - depth):
                put_triple(chosen, written, col.SPOT, (spot, depth, height))
                written += 1
    return written


@inlined_kernel
def edge_key(faces, corner):
    """Return a key of the edge that starts at a corner, the same for both faces of the edge."""
    v, w = faces[corner // 3, corner % 3], faces[corner // 3, (corner + 1) % 3]
    return mixed(min(v, w), max(v, w))


@kernel
def write_patch(faces, view, count, work, p, rows, keys, frame):
    """Write the chosen points of a patch in the world, and their keys."""
    u, v, normal = frame
    middle = triple(work.sets.sums, p, col.MIDDLE)
    for number in range(count):
        spot, height = int(view.chosen[number, col.SPOT]), view.chosen[number, col.SPOT_HEIGHT]
        x, y = view.spots[spot, col.X], view.spots[spot, col.Y]
        for axis in range(3):
            rows[number, col.POINT + axis] = middle[axis] + x * u[axis] + y * v[axis] + height * normal[axis]
            rows[number, col.NORMAL + axis] = normal[axis] + 0.0  # no -0.0
        rows[number, col.DEPTH] = view.chosen[number, col.SPOT_DEPTH]
        kind, element = view.kinds[spot, col.KIND], view.kinds[spot, col.ELEMENT]
        if kind == RIM:
            keys[number] = mixed(RIM, work.curve.marks[element >> 1, col.EDGE + (element & 1)])
        elif kind == CENTRE:
            keys[number] = mixed(CENTRE, p)
        elif kind == CROSSING:
            of_a = edge_key(faces, work.edges.corners[SIDE_A, element // MOST_EDGES])
            of_b = edge_key(faces, work.edges.corners[SIDE_B, element % MOST_EDGES])
            keys[number] = mixed(mixed(CROSSING, of_a), of_b)
        else:
            keys[number] = mixed(kind, work.nodes.facts[element, col.VERTEX])
