"""The contact patches of a body pair and their normals.

The part of a's surface inside of b is bounded by the curve, and its vector area (the integral of a's outward normal) is
½ ∮ x × dx along it, whatever the surface looks like in between: the change of the common volume when a moves. So a
is pushed against it. The sum of many small triangles in which one normal says nothing is exact.

Where bodies rest on flat faces, the way out is along the face, not tilted by the thin sides of the overlap. So the
normals of the two faces that agree best with the vector area are tried too, and the direction along which the overlap is
thinnest is taken.

Where the vector area vanishes (touching in a point or along an edge, coplanar sheets), the pushes of the single triangle
pairs are added up, each with the length of its segment.
"""

import math

from tumble.dynamics.manifold_curve import INSIDE
from tumble.dynamics.manifold_workspace import AREA, COUNT, EMPTY, LEAKY, LENGTH, MIDDLE, SUMS, root_of
from tumble.jit import kernel
from tumble.narrow.contact import posed_corner
from tumble.narrow.contact_push import shortest_push
from tumble.narrow.contact_vectors import cross, dot, is_zero, minus, scaled, unit

VANISHING = 1e-10
"""a vector area below this part of the squared length of the curve has no direction"""
ALIKE = 0.9
"""the cosine up to which a face's normal may take the place of the vector area's"""


@kernel
def row(array, k):
    """Return a row of three as a tuple."""
    return array[k, 0], array[k, 1], array[k, 2]


@kernel
def number_patches(work, pairs, nodes):
    """Give each pair and each vertex inside the number of its patch; return how many patches there are."""
    patches = 0
    for x in range(pairs + nodes):
        work.patch[x] = EMPTY
    for k in range(pairs):
        root = root_of(work.parent, k)  # the smallest number of its set: a pair, met before or now
        if root == k:
            work.patch[k] = patches
            for s in range(SUMS):
                work.sums[patches, s] = 0.0
            patches += 1
        else:
            work.patch[k] = work.patch[root]
    for node in range(nodes):
        if work.node_state[node] >= INSIDE:
            root = root_of(work.parent, pairs + node)
            if root < pairs:
                work.patch[pairs + node] = work.patch[root]
                if work.node_state[node] > INSIDE:
                    work.sums[work.patch[root], LEAKY] = 1.0
    return patches


@kernel
def sum_patches(work, pairs, patches):
    """Add up length, middle and vector area of each patch."""
    sums = work.sums
    for k in range(pairs):
        x, y, p = row(work.ends, 2 * k), row(work.ends, 2 * k + 1), work.patch[k]
        gap = minus(y, x)
        length = math.sqrt(dot(gap, gap))
        sums[p, LENGTH] += length
        sums[p, COUNT] += 1.0
        for axis in range(3):
            sums[p, MIDDLE + axis] += length * 0.5 * (x[axis] + y[axis])
            sums[p, AREA + axis] += 0.5 * (x[axis] + y[axis])
    for p in range(patches):
        for axis in range(3):
            if sums[p, LENGTH] > 0.0:
                sums[p, MIDDLE + axis] /= sums[p, LENGTH]
            else:  # points only
                sums[p, MIDDLE + axis] = sums[p, AREA + axis] / sums[p, COUNT]
            sums[p, AREA + axis] = 0.0
    for k in range(pairs):
        p = work.patch[k]
        middle = sums[p, MIDDLE], sums[p, MIDDLE + 1], sums[p, MIDDLE + 2]
        area = cross(minus(row(work.ends, 2 * k), middle), minus(row(work.ends, 2 * k + 1), middle))
        if not is_zero(cross(row(work.normals_a, k), row(work.normals_b, k))):  # coplanar pairs have no direction
            for axis in range(3):
                sums[p, AREA + axis] += 0.5 * area[axis]


@kernel
def patch_normal(surfaces, pose_a, first_a, pose_b, first_b, triangles, start, work, pairs, nodes, p):
    """Return the unit direction in which a has to go to get out of patch p, and how thick the overlap is along it."""
    sums = work.sums
    area = -sums[p, AREA], -sums[p, AREA + 1], -sums[p, AREA + 2]
    size = math.sqrt(dot(area, area))
    if size > VANISHING * sums[p, LENGTH] * sums[p, LENGTH]:
        normal = unit(area)
    else:
        normal = summed_push(surfaces, pose_a, first_a, pose_b, first_b, triangles, start, work, pairs, p)
    thickness = extent(work, pairs, nodes, p, normal)
    face_a, face_b = alike_faces(work, pairs, p, normal)
    for face in (face_a, face_b):
        if not is_zero(face):
            thinner = extent(work, pairs, nodes, p, face)
            if thinner < thickness:
                normal, thickness = face, thinner
    return normal, thickness


@kernel
def alike_faces(work, pairs, p, normal):
    """Return the normals of the faces of b, and of a turned round, that agree best; zero where none does."""
    best_a, best_b = ALIKE, ALIKE
    face_a, face_b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(pairs):
        if work.patch[k] == p:
            back, front = scaled(row(work.normals_a, k), -1.0), row(work.normals_b, k)
            if dot(back, normal) > best_a:
                best_a, face_a = dot(back, normal), back
            if dot(front, normal) > best_b:
                best_b, face_b = dot(front, normal), front
    return face_a, face_b


@kernel
def counts_for(work, pairs, node, p):
    """Tell whether a vertex inside is a point of patch p; of a leaky patch only vertices of touching faces are."""
    return work.patch[pairs + node] == p and (work.sums[p, LEAKY] == 0.0 or work.node_gap[node] < math.inf)


@kernel
def extent(work, pairs, nodes, p, direction):
    """Return how far the curve and the vertices inside of patch p reach along a direction."""
    low, high = math.inf, -math.inf
    for k in range(pairs):
        if work.patch[k] == p:
            x, y = dot(row(work.ends, 2 * k), direction), dot(row(work.ends, 2 * k + 1), direction)
            low, high = min(low, x, y), max(high, x, y)
    for node in range(nodes):
        if counts_for(work, pairs, node, p):
            x = dot(row(work.node_at, node), direction)
            low, high = min(low, x), max(high, x)
    return high - low


@kernel
def summed_push(surfaces, pose_a, first_a, pose_b, first_b, triangles, start, work, pairs, p):
    """Return the mean direction in which the triangles of a patch come apart, longer segments counting more."""
    vertices, faces = surfaces.vertices, surfaces.faces
    points_only = work.sums[p, LENGTH] == 0.0
    best, chosen = math.inf, (0.0, 0.0, 1.0)
    total = (0.0, 0.0, 0.0)
    for k in range(pairs):
        if work.patch[k] != p:
            continue
        i, j = first_a + triangles[start + k, 0], first_b + triangles[start + k, 1]
        depth, push = shortest_push(
            posed_corner(pose_a, vertices, faces[i, 0]),
            posed_corner(pose_a, vertices, faces[i, 1]),
            posed_corner(pose_a, vertices, faces[i, 2]),
            row(work.normals_a, k),
            posed_corner(pose_b, vertices, faces[j, 0]),
            posed_corner(pose_b, vertices, faces[j, 1]),
            posed_corner(pose_b, vertices, faces[j, 2]),
            row(work.normals_b, k),
        )
        gap = minus(row(work.ends, 2 * k), row(work.ends, 2 * k + 1))
        weight = 1.0 if points_only else math.sqrt(dot(gap, gap))
        total = total[0] + weight * push[0], total[1] + weight * push[1], total[2] + weight * push[2]
        if depth < best:
            best, chosen = depth, push
    mean = unit(total)
    return chosen if is_zero(mean) else mean
