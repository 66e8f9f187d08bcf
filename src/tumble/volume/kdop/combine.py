"""One side of a realigned DOP: three products, Equation 3 of paper `chip`."""

import numpy as np

from tumble.jit import inlined_kernel


@inlined_kernel
def combined(slabs, j, relative, coefficients, places):
    """Return the sum of three coefficients times the sides of row j that the three places name."""
    # unsigned, or the compiler provides for places counted from the end
    first = np.float64(relative[places]).view(np.uint64)
    second = np.float64(relative[places + 1]).view(np.uint64)
    third = np.float64(relative[places + 2]).view(np.uint64)
    return (
        relative[coefficients] * slabs[j, first]
        + relative[coefficients + 1] * slabs[j, second]
        + relative[coefficients + 2] * slabs[j, third]
    )
