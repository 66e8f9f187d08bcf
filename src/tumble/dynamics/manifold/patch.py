"""The contact patches of a body pair: which triangle pairs, vertices and faces belong to each, and their sums.

A patch is a connected part of the curve with all that it encloses. Where a patch goes round a body (a ring on a peg, a
knot in a torus), its parts push in all directions and cancel out. One that goes round by more than half has a mean
push, but its ends push against it, and moving along the mean would take them deeper. Such patches are split into
parts that push alike: the longest segment and all that are within 30° of it, and so on.
"""

import math

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, is_zero, minus, unit
from tumble.core.union_find import root_of
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.curve import LEAK, OUTSIDE
from tumble.dynamics.manifold.tables import put_triple, triple
from tumble.dynamics.manifold.workspace import EMPTY
from tumble.narrow.contact.push import shortest_push
from tumble.narrow.touch import posed_triangle

SCATTERED = 0.3  # a patch is split where its pushes add up to less than this part of their sum in any direction
AGAINST = 0.01  # or where those against the sum make up more than this part: an arc of 205° does
ALIKE = math.sqrt(0.75)  # the cosine of 30°: what pushes in such a cone is one part
MOST_PARTS = 24  # of a patch; what is left over stays together as the last one


@kernel
def number_patches(sets, pairs):
    """Give each pair the number of its patch; return how many there are."""
    patches = 0
    for k in range(pairs):
        root = root_of(sets.parent, k)  # the smallest number of its set: a pair that came before, or this one
        if root == k:
            sets.patch[k] = patches
            patches += 1
        else:
            sets.patch[k] = sets.patch[root]
    return patches


@inlined_kernel
def facing_of(lines, k):
    """Return the direction in which the two faces of a pair look at each other: from a to the front of b's face."""
    return minus(triple(lines, k, col.NORMAL_B), triple(lines, k, col.NORMAL_A))


@kernel
def sum_patches(lines, sets, pairs, patches):
    """Add up length, middle, facing and vector area of each patch; the flag SPLIT stays."""
    patch, sums = sets.patch, sets.sums
    for p in range(patches):
        for column in range(col.SUMS):
            if column != col.SPLIT:
                sums[p, column] = 0.0
    for k in range(pairs):
        x, y, p = triple(lines, k, col.FIRST), triple(lines, k, col.SECOND), patch[k]
        gap, facing = minus(y, x), facing_of(lines, k)
        length = math.sqrt(dot(gap, gap))
        sums[p, col.LENGTH] += length
        sums[p, col.FACINGS] += length * math.sqrt(dot(facing, facing))
        sums[p, col.COUNT] += 1.0
        for axis in range(3):
            middle = 0.5 * (x[axis] + y[axis])
            sums[p, col.MIDDLE + axis] += length * middle
            sums[p, col.AREA + axis] += middle  # until the second pass: where all lengths are 0, the plain mean counts
            sums[p, col.FACING + axis] += length * facing[axis]
    for p in range(patches):
        for axis in range(3):
            if sums[p, col.LENGTH] > 0.0:
                sums[p, col.MIDDLE + axis] /= sums[p, col.LENGTH]
            else:  # points only
                sums[p, col.MIDDLE + axis] = sums[p, col.AREA + axis] / sums[p, col.COUNT]
            sums[p, col.AREA + axis] = 0.0
    # The area is taken about the middle of the patch: about a distant origin its digits would cancel.
    for k in range(pairs):
        p = patch[k]
        if is_zero(cross(triple(lines, k, col.NORMAL_A), triple(lines, k, col.NORMAL_B))):
            continue  # the segment of a coplanar pair is not a part of the curve
        middle = triple(sums, p, col.MIDDLE)
        area = cross(minus(triple(lines, k, col.FIRST), middle), minus(triple(lines, k, col.SECOND), middle))
        for axis in range(3):
            sums[p, col.AREA + axis] += 0.5 * area[axis]


@kernel
def write_push(pair, lines, k):
    """Write the direction in which the triangles of a pair separate; return how deep they are in each other."""
    vertices, faces = pair.surfaces.vertices, pair.surfaces.faces
    i, j = pair.first_a + pair.triangles[k, 0], pair.first_b + pair.triangles[k, 1]
    p, q, r = posed_triangle(pair.pose_a, vertices, faces, i)
    u, v, w = posed_triangle(pair.pose_b, vertices, faces, j)
    depth, push = shortest_push(p, q, r, triple(lines, k, col.NORMAL_A), u, v, w, triple(lines, k, col.NORMAL_B))
    put_triple(lines, k, col.PUSH, push)
    return depth


@inlined_kernel
def push_against(lines, k, direction):
    """Return how much a pair pushes against a direction: 0 or more, in the unit of the sum FACINGS."""
    part = dot(facing_of(lines, k), direction)
    if part >= 0.0:
        return 0.0
    gap = minus(triple(lines, k, col.SECOND), triple(lines, k, col.FIRST))
    return -part * math.sqrt(dot(gap, gap))


@kernel
def pushes_one_way(lines, sets, pairs, p):
    """Tell whether one direction can represent all pushes of a patch."""
    facing, whole = triple(sets.sums, p, col.FACING), sets.sums[p, col.FACINGS]
    if dot(facing, facing) < (SCATTERED * whole) ** 2:
        return False
    mean, against = unit(facing), 0.0
    # patches are chained only after splitting (`list_patches`), so this goes through all pairs
    for k in range(pairs):
        if sets.patch[k] == p:
            against += push_against(lines, k, mean)
    return against <= AGAINST * whole


@kernel
def split_patches(pair, lines, sets, patches):
    """Split the patches whose pushes cancel out; return the new number of patches."""
    pairs, before = pair.triangles.shape[0], patches
    for p in range(before):
        sets.sums[p, col.SPLIT] = 0.0
        if pushes_one_way(lines, sets, pairs, p):
            continue
        sets.sums[p, col.SPLIT] = 1.0
        # Pushes are searched among many directions, and few patches need them: of 294 of a heap of `cows`, none.
        for k in range(pairs):
            if sets.patch[k] == p:
                write_push(pair, lines, k)
        for _ in range(MOST_PARTS - 1):
            if not split_off(lines, sets.patch, pairs, p, patches):
                break
            # a part has its seed at least, so there are never more patches than pairs, each of which has a row in sums
            sets.sums[patches, col.SPLIT] = 1.0
            patches += 1
    return patches


@kernel
def split_off(lines, patch, pairs, p, part):
    """Make a part of what pushes like the longest segment of patch p; return False if that is all of the patch."""
    longest, seed = -1.0, EMPTY
    for k in range(pairs):
        if patch[k] == p:
            gap = minus(triple(lines, k, col.FIRST), triple(lines, k, col.SECOND))
            if dot(gap, gap) > longest:
                longest, seed = dot(gap, gap), k
    push, others = triple(lines, seed, col.PUSH), 0
    for k in range(pairs):
        if patch[k] == p and dot(triple(lines, k, col.PUSH), push) < ALIKE:
            others += 1
    if others == 0:
        return False
    # what is alike becomes the part, so that the next longest is looked for in the rest
    for k in range(pairs):
        if patch[k] == p and dot(triple(lines, k, col.PUSH), push) >= ALIKE:
            patch[k] = part
    return True


@kernel
def list_patches(work, pairs, patches):
    """Chain the elements of each patch: pairs, then vertices inside, then flooded faces, each in their order."""
    sets, facts, flooded, nodes = work.sets, work.nodes.facts, work.faces.flooded, work.counts[col.NODES]
    for p in range(patches):
        sets.head[p] = EMPTY
    # Backwards, as each goes before the others. Pairs come first in a chain: loops over them end at the first node.
    for k in range(work.counts[col.FLOODED] - 1, -1, -1):
        put_first(sets, sets.patch[facts[flooded[k, col.FLOODED_NODE], col.HOME]], pairs + nodes + k)
    for node in range(nodes - 1, -1, -1):
        if facts[node, col.STATE] != OUTSIDE:
            p = sets.patch[facts[node, col.HOME]]
            put_first(sets, p, pairs + node)
            if facts[node, col.STATE] == LEAK:
                sets.sums[p, col.LEAKY] = 1.0
    for k in range(pairs - 1, -1, -1):
        put_first(sets, sets.patch[k], k)


@kernel
def put_first(sets, p, element):
    """Put an element before the others of a patch."""
    sets.after[element] = sets.head[p]
    sets.head[p] = element
