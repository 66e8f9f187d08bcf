"""Union and find: sets of numbers, of which the smallest represents each; `parent` is (n,), at first parent[x] = x."""

from tumble.core.jit import inlined_kernel


@inlined_kernel
def root_of(parent, x):
    """Return the number that represents x's set, and halve the path to it."""
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@inlined_kernel
def unite(parent, x, y):
    """Make one set of two."""
    x, y = root_of(parent, x), root_of(parent, y)
    if x < y:
        parent[y] = x
    else:
        parent[x] = y
