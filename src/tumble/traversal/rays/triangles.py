"""A ray against some triangles, four at a time, and which of the hits is kept.

Of two hits the nearer is kept, of two equally near the one with the lower number: whatever the order in which a tree
brings them up, the answer is the same.
"""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, int32_at, int64_at, lowest_bit
from tumble.hierarchy.packed.header import FACES, VERTICES
from tumble.narrow.rays.ray_exact import exact_ray_triangle
from tumble.narrow.rays.ray_triangle import DIRECTION, OPEN, ORIGIN, four_triangles

NO_TRIANGLE = 1 << 62  # the triangle of a ray that has hit none: higher than all numbers
NO_POSE = 0


@inlined_kernel
def vector_at(address, k):
    """Return three float64 numbers, from number k on."""
    return float64_at(address, k), float64_at(address, k + 1), float64_at(address, k + 2)


@inlined_kernel
def posed_vertex(tree, pose, number):
    """Return a vertex, posed as everywhere."""
    return posed_vector(pose, vector_at(int64_at(tree, VERTICES), 3 * number))


@inlined_kernel
def posed_vector(pose, point):
    """Return a point, posed as everywhere."""
    x, y, z = point
    if pose == NO_POSE:
        return x, y, z
    return posed_row(pose, 0, x, y, z), posed_row(pose, 4, x, y, z), posed_row(pose, 8, x, y, z)


@inlined_kernel
def posed_corner(tree, pose, triangle, k):
    """Return vertex k of a triangle, posed."""
    return posed_vertex(tree, pose, int32_at(int64_at(tree, FACES), 3 * triangle + k))


@inlined_kernel
def posed_row(pose, k, x, y, z):
    """Return a posed coordinate; k is where the row of the pose begins."""
    turned = (float64_at(pose, k) * x + float64_at(pose, k + 1) * y) + float64_at(pose, k + 2) * z
    return turned + float64_at(pose, k + 3)


@inlined_kernel
def posed_corners(tree, pose, triangle):
    """Return all three vertices of a triangle."""
    return (
        posed_corner(tree, pose, triangle, 0),
        posed_corner(tree, pose, triangle, 1),
        posed_corner(tree, pose, triangle, 2),
    )


@inlined_kernel
def exact_distance(tree, pose, ray, triangle):
    """Decide one triangle without rounding: the distance, or a negative number."""
    a, b, c = posed_corners(tree, pose, triangle)
    o, d = vector_at(ray, ORIGIN), vector_at(ray, DIRECTION)
    return exact_ray_triangle(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], o[0], o[1], o[2], d[0], d[1], d[2])


@inlined_kernel
def nearer(tree, pose, ray, listed, count, distance, triangle, place):
    """Return the nearest hit among `count` listed triangles and the one so far; distances may reach the one so far.

    `listed` is the address of int64 numbers, with memory for three more; `place` that of four words, for distances.
    """
    vertices, faces = int64_at(tree, VERTICES), int64_at(tree, FACES)
    for first in range(0, count, 4):
        # lanes behind the last repeat the first triangle, and are masked out below
        i = int64_at(listed, first)
        j = int64_at(listed, first + 1) if first + 1 < count else i
        k = int64_at(listed, first + 2) if first + 2 < count else i
        l = int64_at(listed, first + 3) if first + 3 < count else i
        if pose == NO_POSE:
            word = four_triangles(vertices, faces, ray, i, j, k, l, place, None)
        else:
            word = four_triangles(vertices, faces, ray, i, j, k, l, place, pose)
        word &= 0b00010001 * ((1 << min(4, count - first)) - 1)  # lanes that repeat the first are of no interest
        while word != 0:
            bit = lowest_bit(word)
            word &= word - 1
            if bit >= OPEN:
                number = int64_at(listed, first + bit - OPEN)
                t = exact_distance(tree, pose, ray, number)
                if t < 0.0:
                    continue
            else:
                number, t = int64_at(listed, first + bit), float64_at(place, bit)
            if t < distance or (t == distance and number < triangle):
                distance, triangle = t, number
    return distance, triangle
