"""Is a corner, an edge or a face of one triangle nearer than d to one of another? Whole numbers decide.

Two triangles that do not touch are nearest at two corners, at a corner and a point inside an edge, at points inside two
edges, or at a corner and a point inside a face. For each of these 42 pairs of features the squared distance of their
lines and planes is a quotient of polynomials of the coordinates, and so is where the nearest points are; d² times the
denominator is compared with the numerator. Degenerate triangles need no case of their own: where an edge has no length,
edges are parallel or a face is flat, both sides of the comparison are zero, and features of fewer dimensions decide.

Points are rows 0, 3, … 15 of whole numbers, the corners of the first triangle, then those of the second.
"""

import numpy as np

from tumble.core.jit import allocating_kernel, kernel
from tumble.narrow.predicates.integer_vectors import (
    cross_vectors,
    dot_vectors,
    is_less,
    square_is_less,
    subtract_vectors,
)
from tumble.narrow.predicates.integers import multiply, scale_and_width, sign_of_row, store

DEGREE = 6  # (w · n)² and d² n²
SQUARE = 18  # of d
U, V, W, N, OTHER = range(19, 34, 3)  # vectors
NUMBER, LENGTH, SCRATCH, ROWS = 34, 35, 36, 38


@allocating_kernel
def rows_of(values):
    """Return the rows of 18 coordinates and of the square of d, the last value, with memory for what follows."""
    lowest, width = scale_and_width(values, DEGREE)
    rows = np.empty((ROWS, width), np.uint64)
    for k in range(18):
        store(values[k], lowest, rows[k])
    store(values[18], lowest, rows[SCRATCH])
    multiply(rows[SCRATCH], rows[SCRATCH], rows[SQUARE])
    return rows


@kernel
def corners_nearer(rows, x, y):
    """Tell whether two corners are nearer than d."""
    subtract_vectors(rows, 3 * x, 3 * y, U)
    dot_vectors(rows, U, U, NUMBER, SCRATCH)
    return is_less(rows, NUMBER, SQUARE, SCRATCH)


@kernel
def corner_nearer_to_edge(rows, x, p, q):
    """Tell whether corner x is nearer than d to a point of edge p q, at a right angle to it."""
    subtract_vectors(rows, 3 * q, 3 * p, U)
    subtract_vectors(rows, 3 * x, 3 * p, W)
    cross_vectors(rows, W, U, N, SCRATCH)
    dot_vectors(rows, N, N, NUMBER, SCRATCH)
    dot_vectors(rows, U, U, LENGTH, SCRATCH)
    multiply(rows[LENGTH], rows[SQUARE], rows[OTHER])
    if not is_less(rows, NUMBER, OTHER, SCRATCH):
        return False
    dot_vectors(rows, W, U, NUMBER, SCRATCH)
    return sign_of_row(rows[NUMBER]) >= 0 and not is_less(rows, LENGTH, NUMBER, SCRATCH)


@kernel
def plane_is_near(rows):
    """Tell whether W reaches less than d along N; N² is in LENGTH then."""
    dot_vectors(rows, W, N, NUMBER, SCRATCH)
    dot_vectors(rows, N, N, LENGTH, SCRATCH)
    return square_is_less(rows, NUMBER, LENGTH, SQUARE, SCRATCH)


@kernel
def turns_forward(rows, a, b):
    """Return the sign of (a × b) · N, which is left in NUMBER."""
    cross_vectors(rows, a, b, OTHER, SCRATCH)
    dot_vectors(rows, OTHER, N, NUMBER, SCRATCH)
    return sign_of_row(rows[NUMBER])


@kernel
def edges_nearer(rows, p, q, r, s):
    """Tell whether edges p q and r s are nearer than d at points at which both make a right angle with the way."""
    subtract_vectors(rows, 3 * q, 3 * p, U)
    subtract_vectors(rows, 3 * s, 3 * r, V)
    subtract_vectors(rows, 3 * r, 3 * p, W)
    cross_vectors(rows, U, V, N, SCRATCH)
    if not plane_is_near(rows):
        return False
    # with w = a u - b v + c n, these are a n² and b n²
    if turns_forward(rows, W, V) < 0 or is_less(rows, LENGTH, NUMBER, SCRATCH):
        return False
    return turns_forward(rows, W, U) >= 0 and not is_less(rows, LENGTH, NUMBER, SCRATCH)


@kernel
def corner_nearer_to_face(rows, x, p, q, r):
    """Tell whether corner x is straight above or below a face, and nearer than d to it."""
    subtract_vectors(rows, 3 * q, 3 * p, U)
    subtract_vectors(rows, 3 * r, 3 * p, V)
    subtract_vectors(rows, 3 * x, 3 * p, W)
    cross_vectors(rows, U, V, N, SCRATCH)
    if not plane_is_near(rows):
        return False
    for a, b in ((p, q), (q, r), (r, p)):
        subtract_vectors(rows, 3 * b, 3 * a, U)
        subtract_vectors(rows, 3 * x, 3 * a, W)
        if turns_forward(rows, U, W) < 0:
            return False
    return True
