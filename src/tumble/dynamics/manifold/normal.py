"""The normal of a contact patch: the direction in which a leaves b.

The part of a's surface inside of b is bounded by the curve, and its vector area (the integral of a's outward normal) is
½ ∮ x × dx along it, whatever the surface looks like in between. This is also the change of the common volume when a
moves; so a is pushed against it. Many small triangles, none of whose normals says much, add up to the right direction.

Where bodies rest on flat faces, they separate along the face's normal, not tilted by the thin sides of the overlap. So
the normals of the two faces that agree best with the vector area are tried too, and the direction in which the overlap
is thinnest is taken.

Where a patch reaches round an edge of a body, some of its pushes may go against the vector area, or against a face: a
part of the patch would get deeper, and the way out is a long one, as of crossed legs that part lengthwise. So no
direction is taken that more than AGAINST of the pushes go against. Their mean remains: patches whose mean is such a
direction, too, are split.

Where the vector area vanishes (touching in a point or along an edge, coplanar sheets), or the patch is a part of a
split one, the pushes of the single triangle pairs are added up, each with the length of its segment.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import dot, is_zero, minus, scaled, unit
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.patch import AGAINST, push_against, write_push
from tumble.dynamics.manifold.tables import triple
from tumble.dynamics.manifold.workspace import EMPTY

VANISHING = 1e-10  # a vector area below this part of the squared length of the curve has no direction
ALIKE = 0.9  # the cosine from which on a face's normal may take the place of the vector area's


@kernel
def patch_normal(pair, lines, sets, at, nodes, p):
    """Return the unit direction in which a leaves b at patch p, and how thick the overlap is along it."""
    sums, pairs = sets.sums, pair.triangles.shape[0]
    area = scaled(triple(sums, p, col.AREA), -1.0)
    length = sums[p, col.LENGTH]
    # an area against an area, so the size of the bodies does not matter
    if sums[p, col.SPLIT] == 0.0 and math.sqrt(dot(area, area)) > VANISHING * length * length:
        normal = unit(area)
        if not all_push_along(lines, sets, pairs, p, normal):
            normal = unit(triple(sums, p, col.FACING))
    else:
        normal = mean_push(pair, lines, sets, p)
    face_a, face_b = alike_faces(lines, sets, pairs, p, normal)
    # All three in one pass. A face that is not there is the zero vector, along which everything has extent 0.
    whole, along_a, along_b = extents(lines, sets, at, pairs, nodes, p, normal, face_a, face_b)
    if not is_zero(face_a) and along_a < whole and all_push_along(lines, sets, pairs, p, face_a):
        normal, whole = face_a, along_a
    if not is_zero(face_b) and along_b < whole and all_push_along(lines, sets, pairs, p, face_b):
        normal, whole = face_b, along_b
    return normal, whole


@kernel
def all_push_along(lines, sets, pairs, p, direction):
    """Tell whether no more than AGAINST of the pushes of a patch go against a direction; of a part of one, always."""
    if sets.sums[p, col.SPLIT] > 0.0:
        return True
    against, k = 0.0, sets.head[p]
    while 0 <= k < pairs:
        against += push_against(lines, k, direction)
        k = sets.after[k]
    return against <= AGAINST * sets.sums[p, col.FACINGS]


@kernel
def alike_faces(lines, sets, pairs, p, normal):
    """Return the reversed normal of a's face and that of b's that agree best with a normal; zero where none does."""
    best_a, best_b = ALIKE, ALIKE
    face_a, face_b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    k = sets.head[p]
    while 0 <= k < pairs:  # pairs come first in the chain, and EMPTY is negative
        back, front = scaled(triple(lines, k, col.NORMAL_A), -1.0), triple(lines, k, col.NORMAL_B)
        if dot(back, normal) > best_a:
            best_a, face_a = dot(back, normal), back
        if dot(front, normal) > best_b:
            best_b, face_b = dot(front, normal), front
        k = sets.after[k]
    return face_a, face_b


@inlined_kernel
def is_point_of(at, leaky, node):
    """Tell whether a vertex of a patch counts: where the flood has leaked, only the vertices of touching faces do."""
    return leaky == 0.0 or at[node, col.GAP] < math.inf


@inlined_kernel
def widened(reach, point, direction):
    """Return how far points reach along a direction, low and high, with one more point."""
    x = dot(point, direction)
    return min(reach[0], x), max(reach[1], x)


@kernel
def extents(lines, sets, at, pairs, nodes, p, u, v, w):
    """Return how far the curve and the vertices inside of a patch reach along three directions."""
    nothing = math.inf, -math.inf
    along_u, along_v, along_w = nothing, nothing, nothing
    k, leaky = sets.head[p], sets.sums[p, col.LEAKY]
    while k != EMPTY and k < pairs + nodes:
        if k < pairs:
            x, y = triple(lines, k, col.FIRST), triple(lines, k, col.SECOND)
        else:
            x = triple(at, k - pairs, col.POSITION)
            y = x
        if k < pairs or is_point_of(at, leaky, k - pairs):
            along_u, along_v, along_w = widened(along_u, x, u), widened(along_v, x, v), widened(along_w, x, w)
            along_u, along_v, along_w = widened(along_u, y, u), widened(along_v, y, v), widened(along_w, y, w)
        k = sets.after[k]
    return along_u[1] - along_u[0], along_v[1] - along_v[0], along_w[1] - along_w[0]


@kernel
def mean_push(pair, lines, sets, p):
    """Return the mean direction in which the triangles of a patch separate, weighted by the length of their segments.

    Where pushes cancel out it is that of the shallowest pair.
    """
    points_only = sets.sums[p, col.LENGTH] == 0.0
    best, chosen, total = math.inf, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    k = sets.head[p]
    while 0 <= k < pair.triangles.shape[0]:
        depth = write_push(pair, lines, k)
        push, gap = triple(lines, k, col.PUSH), minus(triple(lines, k, col.FIRST), triple(lines, k, col.SECOND))
        weight = 1.0 if points_only else math.sqrt(dot(gap, gap))
        total = total[0] + weight * push[0], total[1] + weight * push[1], total[2] + weight * push[2]
        sets.sums[p, col.DEEPEST] = max(sets.sums[p, col.DEEPEST], depth)
        if depth < best:
            best, chosen = depth, push
        k = sets.after[k]
    mean = unit(total)
    return chosen if is_zero(mean) else mean
