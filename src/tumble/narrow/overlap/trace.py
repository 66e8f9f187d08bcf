"""Segments joined to curves, by the places that they have in common."""

from tumble.core.jit import kernel
from tumble.core.poll import GO_ON, OFTEN, poll

NO_MATE = -1


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
def trace(segments, mates, done, order, offsets, closed):
    """Write the places of all curves one after the other, where each begins, whether it is closed; return how many.

    segments   (k, 2) the places of start and end of each
    mates      (2 k,) which stub goes on from each: stub 2 s + e is end e of segment s
    """
    curves, count = 0, 0
    offsets[0] = 0
    for turn in range(2):  # curves with two ends first: what is left then is closed
        for k in range(len(segments)):
            if k & OFTEN == 0 and poll(0) != GO_ON:
                break
            for end in range(2):
                if done[k] or (turn == 0 and mates[2 * k + end] != NO_MATE):
                    continue
                count = follow(segments, mates, 2 * k + end, done, order, count)
                closed[curves] = turn == 1
                curves += 1
                offsets[curves] = count
    return curves
