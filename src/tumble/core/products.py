"""Products, lengths and sums of small matrices in NumPy, each operation rounded once and in a fixed order.

`@`, `np.dot` and `np.linalg` call BLAS and LAPACK, which choose a kernel by the processor: the order of a sum differs
between them, and so does the last bit. What a simulation goes on from must not: these functions are elementwise, and
sum from left to right. `tumble.core.linear` has the same algebra for kernels.
"""

from math import frexp, ldexp, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def product(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Return the matrix product of (…, n, k) and (…, k, m) arrays: ((a0 b0 + a1 b1) + a2 b2) + …"""
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    total = first[..., :, 0, None] * second[..., 0, None, :]
    for k in range(1, first.shape[-1]):
        total = total + first[..., :, k, None] * second[..., k, None, :]
    return total


def applied(matrix: ArrayLike, vector: ArrayLike) -> NDArray[np.float64]:
    """Return the product of (…, n, k) matrices and (…, k) vectors."""
    return product(matrix, np.asarray(vector, np.float64)[..., None])[..., 0]


def dot_product(a: ArrayLike, b: ArrayLike) -> Any:
    """Return the scalar products of (…, k) vectors: a number for two single ones."""
    terms = np.moveaxis(np.asarray(a, np.float64) * np.asarray(b, np.float64), -1, 0)
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def cross_product(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the vector products of (…, 3) vectors: the bits of `np.cross`, in a third of its time for few of them."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    found = np.empty(np.broadcast_shapes(a.shape, b.shape))
    found[..., 0] = ay * bz - az * by
    found[..., 1] = az * bx - ax * bz
    found[..., 2] = ax * by - ay * bx
    return found


def area_vectors(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (…, 3) the normals of (…, 3, 3) triangles, as long as twice their areas."""
    first = corners[..., 0, :]
    return cross_product(corners[..., 1, :] - first, corners[..., 2, :] - first)


def length(vector: ArrayLike) -> float:
    """Return the Euclidean length of one vector; scaled first, so that no square leaves float64's range."""
    values = np.asarray(vector, np.float64).tolist()
    exponent = frexp(max(map(abs, values)))[1]
    total = 0.0
    for value in values:
        part = ldexp(value, -exponent)  # exact: a power of two
        total += part * part
    return ldexp(sqrt(total), exponent)


def lengths(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Euclidean lengths of (…, k) vectors."""
    return np.sqrt(dot_product(vectors, vectors))


def column_sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums of the columns: the second half of the rows is added to the first until one row is left."""
    if len(rows) == 0:
        return np.zeros(rows.shape[1:])
    while len(rows) > 1:
        half = (len(rows) + 1) // 2
        rest, rows = rows[half:], rows[:half].copy()
        rows[: len(rest)] += rest
    return rows[0]


def inverse_of_positive(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse of a symmetric positive definite (3, 3) matrix, exactly symmetric, by A = L D Lᵀ."""
    (a, _, _), (b, c, _), (d, e, f) = matrix.tolist()  # the lower triangle; the upper one is taken to be the same
    low, lower = b / a, d / a
    pivot = c - low * b
    last = (e - lower * b) / pivot
    end = (f - lower * d) - last * (e - lower * b)
    # The rows of L⁻¹; the inverse is the sum of their outer products, divided by the pivots.
    rows = ((1.0, 0.0, 0.0), (-low, 1.0, 0.0), (low * last - lower, -last, 1.0))
    inverse = np.zeros((3, 3))
    for values, by in zip(rows, (a, pivot, end), strict=True):
        outer = np.multiply.outer(values, values)
        inverse = inverse + outer / by
    return inverse
