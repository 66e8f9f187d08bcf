"""At most four points of a contact patch, spread as wide as possible, each with its own depth.

Candidates are the vertices of each body inside of the other and the ends of the curve's segments. Seen along the normal:
the deepest comes first, then the farthest from it, then the farthest from the line of these two on either side. A point
that is shallower than the deepest and not much farther off than it is shallow would say nothing new, and is left out:
the corner of a box in a face, or two crossed edges, give one point.

The depth at a point is the height of b's surface above a's there, along the normal, found among the faces of
the patch. At the rim that is zero, or undefined where walls are vertical, so it is looked up a little nearer to the middle.
"""

import math

from tumble.dynamics.manifold_curve import SIDE_A, SIDE_B
from tumble.dynamics.manifold_patch import counts_for, row
from tumble.dynamics.manifold_workspace import EMPTY, LEAKY, MIDDLE, mixed, slot_of
from tumble.jit import kernel
from tumble.narrow.contact import posed_corner
from tumble.narrow.contact_vectors import dot, minus, normal_of

INSET = 0.02
"""of the way to the middle: where the depth at the rim is looked up"""
PREFERENCE = 1.01
"""ends of the curve must be farther than vertices by this factor: vertices keep their name from step to step"""
SHALLOW = 3.0
"""a point must be farther off than it is shallower than the deepest, times this"""
STEEP = 0.05
"""faces whose normal has a smaller part along the patch's are walls, and have no height"""
THICKEST = 2.0
"""no depth is larger than the width of the curve times this"""

# Kinds of candidates; those of vertices are the sides.
RIM = 2
CENTRE = 3


@kernel
def collect_candidates(work, pairs, nodes, p, u, v, normal):
    """Write the candidates of a patch as seen from its middle; return how many there are and the radius of the curve."""
    middle = row(work.sums[:, MIDDLE : MIDDLE + 3], p)
    count, radius = 0, 0.0
    for node in range(nodes):
        if counts_for(work, pairs, node, p):
            count = put_candidate(work, count, minus(row(work.node_at, node), middle), u, v, normal)
            work.candidate_of[count - 1, 0], work.candidate_of[count - 1, 1] = work.node_side[node], node
    for end in range(2 * pairs):
        if work.patch[end >> 1] == p:
            count = put_candidate(work, count, minus(row(work.ends, end), middle), u, v, normal)
            work.candidate_of[count - 1, 0], work.candidate_of[count - 1, 1] = RIM, end
            x, y = work.candidates[count - 1, 0], work.candidates[count - 1, 1]
            radius = max(radius, x * x + y * y)
    return count, math.sqrt(radius)


@kernel
def put_candidate(work, count, at, u, v, normal):
    """Write a point by its coordinates along u, v and the normal; return the new number of candidates."""
    work.candidates[count, 0] = dot(at, u)
    work.candidates[count, 1] = dot(at, v)
    work.candidates[count, 2] = dot(at, normal)
    return count + 1


@kernel
def collect_cap(surfaces, pose_a, first_a, pose_b, first_b, triangles, start, work, pairs, faces, p, u, v, normal):
    """Write the faces of a patch that look at the other body, as seen along the normal; return how many there are."""
    count = 0
    for k in range(pairs):
        if work.patch[k] == p:
            i, j = first_a + triangles[start + k, 0], first_b + triangles[start + k, 1]
            count = put_face(surfaces, pose_a, work, count, SIDE_A, i, p, u, v, normal)
            count = put_face(surfaces, pose_b, work, count, SIDE_B, j, p, u, v, normal)
    if work.sums[p, LEAKY] == 0.0:
        for k in range(faces):
            side, face, node = work.flooded[k, 0], work.flooded[k, 1], work.flooded[k, 2]
            if work.patch[pairs + node] == p:
                pose = pose_a if side == SIDE_A else pose_b
                count = put_face(surfaces, pose, work, count, side, face, p, u, v, normal)
    return count


@kernel
def put_face(surfaces, pose, work, count, side, face, p, u, v, normal):
    """Write a face unless this patch has it or it looks away; return the new number of faces."""
    slot = slot_of(work.face_keys, 2 * face + side)
    if work.face_values[slot] == p:
        return count
    work.face_values[slot] = p
    vertices, corners = surfaces.vertices, surfaces.faces
    first = posed_corner(pose, vertices, corners[face, 0])
    second = posed_corner(pose, vertices, corners[face, 1])
    third = posed_corner(pose, vertices, corners[face, 2])
    slope = dot(normal_of(first, second, third), normal)
    if side == SIDE_A:
        slope = -slope
    if slope < STEEP:
        return count
    middle = row(work.sums[:, MIDDLE : MIDDLE + 3], p)
    cap = work.cap[count]
    for corner in range(3):
        at = minus(first if corner == 0 else (second if corner == 1 else third), middle)
        cap[3 * corner] = dot(at, u)
        cap[3 * corner + 1] = dot(at, v)
        cap[3 * corner + 2] = dot(at, normal)
    cap[9] = side
    return count + 1


@kernel
def height_over(face, x, y):
    """Return the height of a face, seen along the normal, at a place; infinite where the face is not."""
    ax, ay, bx, by, cx, cy = face[0] - x, face[1] - y, face[3] - x, face[4] - y, face[6] - x, face[7] - y
    if min(ax, bx, cx) > 0.0 or max(ax, bx, cx) < 0.0 or min(ay, by, cy) > 0.0 or max(ay, by, cy) < 0.0:
        return math.inf
    wa, wb, wc = bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx
    total = wa + wb + wc
    if total < 0.0:
        wa, wb, wc, total = -wa, -wb, -wc, -total
    if not total > 0.0 or min(wa, wb, wc) < -1e-12 * total:
        return math.inf
    return (wa * face[2] + wb * face[5] + wc * face[8]) / total


@kernel
def sheet(cap, count, side, x, y, height, low, high):
    """Return the height of one body's surface at a place, of several sheets from low to high the nearest to `height`."""
    best, nearest = math.inf, math.inf
    for k in range(count):
        if cap[k, 9] == side:
            found = height_over(cap[k], x, y)
            if found < math.inf and low <= found <= high:
                if abs(found - height) < nearest:
                    best, nearest = found, abs(found - height)
    return best


@kernel
def depth_at(work, faces, candidate, thickness):
    """Return the depth at a candidate and the height of the middle between the surfaces there."""
    kind = work.candidate_of[candidate, 0]
    x, y, h = row(work.candidates, candidate)
    inner_x, inner_y = (1.0 - INSET) * x, (1.0 - INSET) * y
    if kind == RIM or kind == CENTRE:
        below = sheet(work.cap, faces, SIDE_A, inner_x, inner_y, h, -math.inf, math.inf)
        above = sheet(work.cap, faces, SIDE_B, inner_x, inner_y, h, -math.inf, math.inf)
        if below == math.inf or above == math.inf:
            return 0.0, h
        if kind == RIM:
            return max(0.0, above - below), h
        return max(0.0, above - below), 0.5 * (above + below)
    slack = 1e-9 * thickness
    low, high = (h - slack, math.inf) if kind == SIDE_A else (-math.inf, h + slack)
    other = SIDE_B if kind == SIDE_A else SIDE_A
    found = sheet(work.cap, faces, other, x, y, h, low, high)
    if found == math.inf:
        found = sheet(work.cap, faces, other, inner_x, inner_y, h, low, high)
    if found == math.inf:  # the rim is at height zero, by and large
        found = max(h, 0.0) if kind == SIDE_A else min(h, 0.0)
    return abs(found - h), 0.5 * (found + h)


@kernel
def deepest(work, count):
    """Return the vertex that is farthest from the rim on its own side; EMPTY if there is no vertex."""
    best, chosen = -math.inf, EMPTY
    for k in range(count):
        kind = work.candidate_of[k, 0]
        if kind == SIDE_A or kind == SIDE_B:
            depth = -work.candidates[k, 2] if kind == SIDE_A else work.candidates[k, 2]
            if depth > best:
                best, chosen = depth, k
    return chosen


@kernel
def farthest(work, count, x, y):
    """Return the candidate farthest from a place, and how far it is."""
    best, chosen, distance = -1.0, EMPTY, 0.0
    for k in range(count):
        away = math.hypot(work.candidates[k, 0] - x, work.candidates[k, 1] - y)
        score = away if work.candidate_of[k, 0] == RIM else PREFERENCE * away
        if score > best:
            best, chosen, distance = score, k, away
    return chosen, distance


@kernel
def farthest_beside(work, count, x, y, along_x, along_y):
    """Return the candidate farthest to the left of a line, and how far it is."""
    best, chosen, distance = 0.0, EMPTY, 0.0
    for k in range(count):
        away = along_x * (work.candidates[k, 1] - y) - along_y * (work.candidates[k, 0] - x)
        score = away if work.candidate_of[k, 0] == RIM else PREFERENCE * away
        if score > best:
            best, chosen, distance = score, k, away
    return chosen, distance


@kernel
def write_point(work, place, number, candidate, depth, height, bound, u, v, normal, p):
    """Write a point of a patch, in the world."""
    out, at = work.found[place], row(work.candidates, candidate)
    for axis in range(3):
        out[number, axis] = work.sums[p, MIDDLE + axis] + at[0] * u[axis] + at[1] * v[axis] + height * normal[axis]
        out[number, 3 + axis] = normal[axis]
    out[number, 6] = min(depth, bound)
    kind, which = work.candidate_of[candidate, 0], work.candidate_of[candidate, 1]
    if kind == RIM:
        work.found_keys[place, number] = mixed(RIM, work.end_edge[which])
    elif kind == CENTRE:
        work.found_keys[place, number] = mixed(CENTRE, which)
    else:
        work.found_keys[place, number] = mixed(kind, work.node_vertex[which])


@kernel
def choose_points(work, count, faces, radius, normal, thickness, u, v, place, p):
    """Write at most four points of a patch; return how many."""
    bound = min(thickness, THICKEST * 2.0 * radius)
    first = deepest(work, count)
    if first == EMPTY:
        # no vertex is inside, as where edges cross: the middle, if the patch is a small one
        first = count
        work.candidates[first, 0], work.candidates[first, 1], work.candidates[first, 2] = 0.0, 0.0, 0.0
        work.candidate_of[first, 0] = CENTRE
        work.candidate_of[first, 1] = 0
        depth, height = depth_at(work, faces, first, thickness)
        if 2.0 * radius > SHALLOW * depth:
            first, _ = farthest(work, count, 0.0, 0.0)
            depth, height = depth_at(work, faces, first, thickness)
    else:
        depth, height = depth_at(work, faces, first, thickness)
    write_point(work, place, 0, first, depth, height, bound, u, v, normal, p)
    written, top = 1, min(depth, bound)
    x, y = work.candidates[first, 0], work.candidates[first, 1]
    second, away = farthest(work, count, x, y)
    along_x, along_y = work.candidates[second, 0] - x, work.candidates[second, 1] - y
    if not away > 0.0:
        return written
    depth, height = depth_at(work, faces, second, thickness)
    if away > SHALLOW * (top - depth):
        write_point(work, place, written, second, depth, height, bound, u, v, normal, p)
        written += 1
    along_x, along_y = along_x / away, along_y / away
    for turn in range(2):
        third, beside = farthest_beside(work, count, x, y, along_x, along_y)
        along_x, along_y = -along_x, -along_y
        if third == EMPTY:
            continue
        depth, height = depth_at(work, faces, third, thickness)
        if beside > SHALLOW * (top - depth) and beside > 1e-9 * away:
            write_point(work, place, written, third, depth, height, bound, u, v, normal, p)
            written += 1
    return written
