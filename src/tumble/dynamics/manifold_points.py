"""At most four points of a contact patch, spread as wide as possible, each with its own depth.

Candidates are the vertices of each body inside of the other and the ends of the curve's segments. Seen along the
normal, the deepest comes first, then the farthest from it, then the farthest from the line of these two on either side.
A point that is shallower than the deepest and not much farther off than it is shallower would say nothing new, and is
left out: the corner of a box in a face, or two crossed edges, give one point. A part of a patch that goes round a body
gives one point, in its middle: at its ends its normal would be wrong.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.dynamics.manifold_curve import SIDE_A, SIDE_B
from tumble.dynamics.manifold_seen import CENTRE, RIM, depth_at
from tumble.dynamics.manifold_workspace import EDGE, EMPTY, MIDDLE, VERTEX, mixed, put_triple, triple

PREFERENCE = 1.01
"""ends of the curve must be farther than vertices by this factor: vertices keep their name from step to step"""
BELOW = 1e-3
CENTRE_PREFERENCE = 1.1
"""the centre must be deeper than vertices by this factor"""
SHALLOW = 3.0
"""a point must be farther off than it is shallower than the deepest, times this"""
AFFORDABLE = 4096
"""candidates times faces, up to which the deepest vertex is looked for exactly"""
THICKEST = 4.0
"""no depth is larger than the radius of the curve times this"""


@kernel
def deepest_vertex(seen, count, faces, side, thickness, exact):
    """Return the vertex of one body that is deepest in the other, EMPTY if there is none.

    Exactly, or, as that costs a look at all faces for each, by its height above or below the middle of the rim.
    """
    best, chosen = -math.inf, EMPTY
    for k in range(count):
        if seen.kinds[k, 0] == side:
            if exact:
                depth, _ = depth_at(seen, faces, k, thickness)
            else:
                depth = -seen.spots[k, 2] if side == SIDE_A else seen.spots[k, 2]
            if depth > best:
                best, chosen = depth, k
    return chosen


@inlined_kernel
def worth(seen, k, away):
    """Return how good a candidate is that is so far off: a deep vertex is better than a shallow one at the same place.

    Of two ends of the curve at one place, one above the other at a vertical wall, it is always the lower one.
    """
    kind, height = seen.kinds[k, 0], seen.spots[k, 2]
    if kind == RIM:
        return away - BELOW * height
    return PREFERENCE * away + (height if kind == SIDE_B else -height)


@kernel
def farthest(seen, count, x, y):
    """Return the candidate farthest from a place, and how far it is."""
    best, chosen, distance = -math.inf, EMPTY, 0.0
    for k in range(count):
        dx, dy = seen.spots[k, 0] - x, seen.spots[k, 1] - y
        away = math.sqrt(dx * dx + dy * dy)
        score = worth(seen, k, away)
        if score > best:
            best, chosen, distance = score, k, away
    return chosen, distance


@kernel
def farthest_beside(seen, count, x, y, along_x, along_y):
    """Return the candidate farthest to the left of a line, and how far it is."""
    best, chosen, distance = -math.inf, EMPTY, 0.0
    for k in range(count):
        away = along_x * (seen.spots[k, 1] - y) - along_y * (seen.spots[k, 0] - x)
        score = worth(seen, k, away)
        if away > 0.0 and score > best:
            best, chosen, distance = score, k, away
    return chosen, distance


@kernel
def deepest(seen, count, faces, thickness):
    """Return the deepest candidate, with its depth and height."""
    depth, height = depth_at(seen, faces, count, thickness)
    chosen, best = count, depth / CENTRE_PREFERENCE
    exact = count * (faces[0] + seen.cap.shape[0] - faces[1]) <= AFFORDABLE
    for side in range(2):
        vertex = deepest_vertex(seen, count, faces, side, thickness, exact)
        if vertex != EMPTY:
            found, middle = depth_at(seen, faces, vertex, thickness)
            if (chosen == count and (found >= best)) or found > best:
                chosen, best, depth, height = vertex, found, found, middle
    return chosen, depth, height


@kernel
def choose_middle(seen, count, faces, thickness, bound):
    """Write the candidate nearest to the middle as the one point of a part of a patch; return 1."""
    nearest, chosen = math.inf, count
    for k in range(count):
        away = seen.spots[k, 0] * seen.spots[k, 0] + seen.spots[k, 1] * seen.spots[k, 1]
        if away < nearest:
            nearest, chosen = away, k
    depth, height = depth_at(seen, faces, chosen, thickness)
    put_triple(seen.chosen, 0, 0, (chosen, min(depth, bound), height))
    return 1


@kernel
def choose_points(seen, count, faces, radius, thickness):
    """Write at most four points of a patch as candidate, depth and height; return how many."""
    bound = min(thickness, THICKEST * radius)
    first, depth, height = deepest(seen, count, faces, thickness)
    if first == count and 2.0 * radius > SHALLOW * depth:
        # wide and with no vertex inside: four points of the rim carry more than the centre and three, if it is as deep
        corner, _ = farthest(seen, count, 0.0, 0.0)
        found, middle = depth_at(seen, faces, corner, thickness)
        written = spread(seen, count, faces, (corner, found, middle), thickness, bound)
        for k in range(written):
            if CENTRE_PREFERENCE * seen.chosen[k, 1] >= min(depth, bound):
                return written
    return spread(seen, count, faces, (first, depth, height), thickness, bound)


@kernel
def spread(seen, count, faces, start, thickness, bound):
    """Write a first point, given as candidate, depth and height, and up to three far from it; return how many."""
    chosen, (first, depth, height) = seen.chosen, start
    top = min(depth, bound)
    put_triple(chosen, 0, 0, (first, top, height))
    written = 1
    x, y = seen.spots[first, 0], seen.spots[first, 1]
    second, away = farthest(seen, count, x, y)
    if not away > 0.0:
        return written
    along_x, along_y = (seen.spots[second, 0] - x) / away, (seen.spots[second, 1] - y) / away
    for number in range(3):
        if number == 0:
            spot, distance = second, away
        else:
            spot, distance = farthest_beside(seen, count, x, y, along_x, along_y)
            along_x, along_y = -along_x, -along_y
        if spot != EMPTY and distance > 1e-9 * away:
            depth, height = depth_at(seen, faces, spot, thickness)
            depth = min(depth, bound)
            if distance > SHALLOW * (top - depth):
                put_triple(chosen, written, 0, (spot, depth, height))
                written += 1
    return written


@kernel
def write_patch(seen, count, sums, p, marks, facts, rows, keys, frame):
    """Write the chosen points of a patch in the world, and their keys."""
    u, v, normal = frame
    for number in range(count):
        spot, height = int(seen.chosen[number, 0]), seen.chosen[number, 2]
        x, y = seen.spots[spot, 0], seen.spots[spot, 1]
        middle = triple(sums, p, MIDDLE)
        for axis in range(3):
            rows[number, axis] = middle[axis] + x * u[axis] + y * v[axis] + height * normal[axis]
            rows[number, 3 + axis] = normal[axis] + 0.0  # no -0.0
        rows[number, 6] = seen.chosen[number, 1]
        kind, which = seen.kinds[spot, 0], seen.kinds[spot, 1]
        if kind == RIM:
            keys[number] = mixed(RIM, marks[which >> 1, EDGE + (which & 1)])
        elif kind == CENTRE:
            keys[number] = mixed(CENTRE, p)
        else:
            keys[number] = mixed(kind, facts[which, VERTEX])
