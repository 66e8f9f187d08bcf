"""What a split rule offers, and the partitions that rules share.

To add a rule, write a file with a NamedTuple and its `split`, and name it in `tumble.hierarchy.split.RULES`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import allocating_kernel, generic, kernel


class Boxes(NamedTuple):
    """The triangles as builders see them."""

    bounds: NDArray[np.float64]
    """a row for each triangle: lowest x, y, z, highest x, y, z"""
    centres: NDArray[np.float64]
    """a row for each triangle: the middle of its box"""


@generic
def split(rule, boxes, order, start, stop):
    """Rearrange order[start:stop], at least two triangles, and return a cut with start < cut < stop."""


@allocating_kernel
def triangle_boxes(vertices, faces):
    """Return the bounds and the centres of all triangles."""
    bounds = np.empty((faces.shape[0], 6))
    centres = np.empty((faces.shape[0], 3))
    for i in range(faces.shape[0]):
        for axis in range(3):
            p, q, r = vertices[faces[i, 0], axis], vertices[faces[i, 1], axis], vertices[faces[i, 2], axis]
            low, high = min(p, q, r), max(p, q, r)
            bounds[i, axis] = low
            bounds[i, 3 + axis] = high
            centres[i, axis] = 0.5 * low + 0.5 * high
    return bounds, centres


@kernel
def longest_axis(rows, low, high, order, start, stop):
    """Return the axis along which rows span most, from columns `low` to columns `high`, and the ends there."""
    best, best_low, best_high = 0, 0.0, -1.0
    for axis in range(3):
        smallest, largest = rows[order[start], low + axis], rows[order[start], high + axis]
        for k in range(start + 1, stop):
            smallest = min(smallest, rows[order[k], low + axis])
            largest = max(largest, rows[order[k], high + axis])
        if axis == 0 or largest - smallest > best_high - best_low:
            best, best_low, best_high = axis, smallest, largest
    return best, best_low, best_high


@kernel
def partition(keys, axis, limit, order, start, stop):
    """Move the triangles whose key is below the limit to the front; return where the others begin."""
    front = start
    for k in range(start, stop):
        if keys[order[k], axis] < limit:
            order[k], order[front] = order[front], order[k]
            front += 1
    return front


@kernel
def halve(keys, axis, order, start, stop):
    """Put the smaller half of the keys in front (quickselect, in place); return the middle.

    The pivot is drawn by a fixed pseudo-random sequence: no input is slow for more than a few rounds, and the same
    input always gives the same order. Equal keys are swapped across, so that many of them split evenly.
    """
    middle = (start + stop) // 2
    low, high = start, stop - 1
    state = np.uint64(stop - start)
    while low < high:
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        # the upper bits: the lower ones of such a generator repeat soon
        pivot = keys[order[low + np.int64((state >> np.uint64(33)) % np.uint64(high - low + 1))], axis]
        i, j = low, high
        while i <= j:
            while keys[order[i], axis] < pivot:
                i += 1
            while keys[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        # the keys up to j are not above the pivot, those from i on not below, and any between equal it
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            break
    return middle
