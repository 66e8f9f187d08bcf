"""Segments joined to curves, by the places that they have in common."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import row, set_row
from tumble.core.poll import GO_ON, OFTEN, poll

NO_MATE = -1


class Curves(NamedTuple):
    """Memory for the curves of k segments between n places."""

    first: NDArray[np.int64]  # (2 n,)
    stubs: NDArray[np.int64]  # (2 k,)
    mates: NDArray[np.int64]  # (2 k,)
    done: NDArray[np.bool_]  # (k,) False
    order: NDArray[np.int64]  # (2 k,)
    points: NDArray[np.float64]
    """(2 k, 3) those of all curves, none equal to the one before"""
    offsets: NDArray[np.int64]
    """(k + 1,) where each curve begins"""
    closed: NDArray[np.bool_]
    """(k,)"""


def curves_between(ends: NDArray[np.int64], places: NDArray[np.float64]) -> tuple[int, Curves]:
    """Return how many curves segments make, by the places of their ends, and which."""
    count, number = len(ends), (2 * len(ends),)
    memory = Curves(
        np.empty(2 * len(places), np.int64), np.empty(number, np.int64), np.empty(number, np.int64),
        np.zeros(count, np.bool_), np.empty(number, np.int64), np.empty((2 * count, 3)), np.empty(count + 1, np.int64),
        np.empty(count, np.bool_),
    )  # fmt: skip
    return trace(ends, places, memory), memory


@inlined_kernel
def find_mates(ends, memory):
    """Write which stub goes on from each: an end with a start, in order, and what is left over, two by two.

    ends   (k, 2) the places of start and end of each segment: stub 2 s + e is end e of segment s
    """
    first, stubs, mates = memory.first, memory.stubs, memory.mates
    for k in range(len(first)):
        first[k] = 0
    for segment in range(len(ends)):
        for end in range(2):
            first[2 * ends[segment, end] + end] += 1
    total = 0
    for k in range(len(first)):  # where the stubs of each place begin, starts first
        total, first[k] = total + first[k], total
    for segment in range(len(ends)):
        for end in range(2):
            k = 2 * ends[segment, end] + end
            stubs[first[k]] = 2 * segment + end
            first[k] += 1
    for place in range(len(first) // 2):
        begin = first[2 * place - 1] if place > 0 else 0
        starts, stops = first[2 * place] - begin, first[2 * place + 1] - first[2 * place]
        paired = min(starts, stops)
        for k in range(paired):
            one, other = stubs[begin + k], stubs[begin + starts + k]
            mates[one], mates[other] = other, one
        rest = begin + paired if starts > paired else begin + starts + paired
        for k in range(abs(starts - stops)):
            other = k ^ 1
            mates[stubs[rest + k]] = stubs[rest + other] if other < abs(starts - stops) else NO_MATE


@inlined_kernel
def differ(points, i, j):
    """Tell whether two points are not equal."""
    return points[i, 0] != points[j, 0] or points[i, 1] != points[j, 1] or points[i, 2] != points[j, 2]


@inlined_kernel
def copy_curve(points, low, high, closed, memory, count):
    """Copy the places of a curve that are not equal to the one before; return how many points there are then."""
    order, before = memory.order, memory.order[high - 1]
    begin = count
    for k in range(low, high):
        place = order[k]
        if differ(points, place, before) or (k == low and not closed):
            set_row(memory.points, count, row(points, place))
            count += 1
        before = place
    if count == begin:  # all are equal
        set_row(memory.points, count, row(points, order[low]))
        count += 1
    return count


@kernel
def follow(segments, mates, stub, done, order, count):
    """Write the places from one end of a segment on, to the end of the curve or back; return how many are written."""
    while stub != NO_MATE and not done[stub // 2]:
        segment, end = stub // 2, stub % 2
        done[segment] = True
        order[count] = segments[segment, end]
        count += 1
        stub = mates[2 * segment + 1 - end]
        if stub == NO_MATE:
            order[count] = segments[segment, 1 - end]
            count += 1
    return count


@kernel
def trace(ends, places, memory):
    """Write the points of all curves one after the other, where each begins, whether it is closed; return how many."""
    find_mates(ends, memory)
    curves, count, written = 0, 0, 0
    memory.offsets[0] = 0
    for turn in range(2):  # curves with two ends first: what is left then is closed
        for k in range(len(ends)):
            if k & OFTEN == 0 and poll(0) != GO_ON:
                break
            for end in range(2):
                if memory.done[k] or (turn == 0 and memory.mates[2 * k + end] != NO_MATE):
                    continue
                begin = count
                count = follow(ends, memory.mates, 2 * k + end, memory.done, memory.order, count)
                written = copy_curve(places, begin, count, turn == 1, memory, written)
                memory.closed[curves] = turn == 1
                curves += 1
                memory.offsets[curves] = written
    return curves
