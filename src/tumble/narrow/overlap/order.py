"""Putting rows in order by several numbers, stable: what `numpy.lexsort` does, for kernels."""

from tumble.core.jit import inlined_kernel, kernel


@inlined_kernel
def is_before(keys, i, j):
    """Tell whether row i has to stand before row j: by its whole number first, then by two others."""
    numbers, first, second = keys
    if numbers[i] != numbers[j]:
        return numbers[i] < numbers[j]
    if first[i] != first[j]:
        return first[i] < first[j]
    return second[i] < second[j]


@kernel
def order_rows(numbers, first, second, count, order, spare):
    """Write the order of some rows: by merging runs of 1, 2, 4 … rows.

    numbers         (n,) int64, what counts first
    first, second   (n,) float64, where those are equal
    order, spare    (n,); rows that are equal keep their order
    """
    keys = numbers, first, second
    for i in range(count):
        order[i] = i
    width = 1
    while width < count:
        for start in range(0, count, 2 * width):
            middle, stop = min(start + width, count), min(start + 2 * width, count)
            i, j = start, middle
            for k in range(start, stop):
                if i < middle and (j >= stop or not is_before(keys, order[j], order[i])):
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
        for k in range(count):
            order[k] = spare[k]
        width *= 2
