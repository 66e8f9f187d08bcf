"""Three numbers as a tuple, and the few things that kernels do with them."""

from tumble.core.jit import inlined_kernel


@inlined_kernel
def row(array, i):
    """Return row i of an (n, 3) array."""
    return array[i, 0], array[i, 1], array[i, 2]


@inlined_kernel
def set_row(array, i, a):
    """Write a vector to row i of an (n, 3) array."""
    array[i, 0] = a[0]
    array[i, 1] = a[1]
    array[i, 2] = a[2]


@inlined_kernel
def dot(a, b):
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined_kernel
def cross(a, b):
    """Return a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined_kernel
def plus(a, factor, b):
    """Return a + factor · b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@inlined_kernel
def times(matrices, i, a):
    """Return the product of matrix i of an (n, 3, 3) array and a vector."""
    return (
        matrices[i, 0, 0] * a[0] + matrices[i, 0, 1] * a[1] + matrices[i, 0, 2] * a[2],
        matrices[i, 1, 0] * a[0] + matrices[i, 1, 1] * a[1] + matrices[i, 1, 2] * a[2],
        matrices[i, 2, 0] * a[0] + matrices[i, 2, 1] * a[1] + matrices[i, 2, 2] * a[2],
    )


@inlined_kernel
def times_transposed(matrices, i, a):
    """Return the product of the transpose of matrix i and a vector."""
    return (
        matrices[i, 0, 0] * a[0] + matrices[i, 1, 0] * a[1] + matrices[i, 2, 0] * a[2],
        matrices[i, 0, 1] * a[0] + matrices[i, 1, 1] * a[1] + matrices[i, 2, 1] * a[2],
        matrices[i, 0, 2] * a[0] + matrices[i, 1, 2] * a[1] + matrices[i, 2, 2] * a[2],
    )
