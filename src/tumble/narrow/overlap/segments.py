"""Where triangles of two meshes cross, with b moved by an infinitely small step: the features at the ends, no numbers.

Two triangles f and g that cross then do so in a segment, and each of its two ends is where an edge of the one pierces
the other. Segments are directed along normal of f × normal of g, so that what is inside of b is to the left on f, seen
from its front, and what is inside of a to the right on g. Along an edge of f (as f passes it) that comes out through
the front of g the segment enters f: there it starts. Along an edge of g that comes out through the front of f it leaves
g: there it ends.
"""

from tumble.core.jit import kernel
from tumble.core.linear import row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.overlap.signs import OF_A, OF_B, height_sign, passing_sign

# Columns of a segment: its triangles, and the edges at its start and end: 0, 1, 2 of f, 3, 4, 5 of g.
FACE_A, FACE_B, START, END = range(4)
COLUMNS = 4
EDGES_OF_B = 3
NONE = -1
SIGNS = 15
"""numbers of scratch memory: three heights of each triangle's corners, then nine signs of two edges each"""

CORRUPT = -1
"""what `write_segments` returns where signs contradict each other, which cannot be"""


@kernel
def straddles(signs, first):
    """Tell whether three signs from a place on are not all the same, and none is 0."""
    s, t, u = signs[first], signs[first + 1], signs[first + 2]
    return s != 0 and t != 0 and u != 0 and not (s == t and t == u)


@kernel
def all_alike(s, t, u):
    """Tell whether three signs are the same, and not 0."""
    return s != 0 and s == t and t == u


@kernel
def find_signs(p, q, r, x, y, z, signs):
    """Write the signs of two triangles; return whether each has corners on both sides of the other."""
    signs[0], signs[1] = height_sign(x, y, z, p, OF_A), height_sign(x, y, z, q, OF_A)
    signs[2] = height_sign(x, y, z, r, OF_A)
    if not straddles(signs, 0):
        return False
    signs[3], signs[4] = height_sign(p, q, r, x, OF_B), height_sign(p, q, r, y, OF_B)
    signs[5] = height_sign(p, q, r, z, OF_B)
    if not straddles(signs, 3):
        return False
    for i in range(3):
        u, v = (p, q) if i == 0 else (q, r) if i == 1 else (r, p)
        signs[6 + 3 * i], signs[7 + 3 * i] = passing_sign(u, v, x, y), passing_sign(u, v, y, z)
        signs[8 + 3 * i] = passing_sign(u, v, z, x)
    return True


@kernel
def ends_of(signs):
    """Return the edges at the start and at the end of what two triangles share, how many starts and ends there are."""
    start, end, starts, ends = NONE, NONE, 0, 0
    for i in range(3):
        below, above = signs[i], signs[(i + 1) % 3]
        if below != above and all_alike(signs[6 + 3 * i], signs[7 + 3 * i], signs[8 + 3 * i]):
            if above > 0:
                start, starts = i, starts + 1
            else:
                end, ends = i, ends + 1
        below, above = signs[3 + i], signs[3 + (i + 1) % 3]
        if below != above and all_alike(signs[6 + i], signs[9 + i], signs[12 + i]):
            if above > 0:
                end, ends = EDGES_OF_B + i, ends + 1
            else:
                start, starts = EDGES_OF_B + i, starts + 1
    return start, end, starts, ends


@kernel
def write_segments(points_a, faces_a, points_b, faces_b, pairs, signs, segments):
    """Write the segments of those pairs of triangles that cross; return how many, or CORRUPT."""
    count = 0
    for k in range(len(pairs)):
        if k & OFTEN == 0 and poll(0) != GO_ON:
            break
        f, g = pairs[k, 0], pairs[k, 1]
        p, q, r = row(points_a, faces_a[f, 0]), row(points_a, faces_a[f, 1]), row(points_a, faces_a[f, 2])
        x, y, z = row(points_b, faces_b[g, 0]), row(points_b, faces_b[g, 1]), row(points_b, faces_b[g, 2])
        if not find_signs(p, q, r, x, y, z, signs):
            continue
        start, end, starts, ends = ends_of(signs)
        if starts != ends or starts > 1:
            return CORRUPT
        if starts == 1:
            segments[count, FACE_A], segments[count, FACE_B] = f, g
            segments[count, START], segments[count, END] = start, end
            count += 1
    return count
