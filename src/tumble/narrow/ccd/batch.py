"""Many queries in one kernel: of points side by side, or of elements of meshes that a broad phase has found."""

from tumble.core.jit import kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.narrow.ccd.advance import HIT, MISS, advance
from tumble.narrow.ccd.corners import differences

FEW = 255
"""bits of a query's number that are zero where the loop calls `poll`"""
# Places in the array of numbers that all queries of a call share.
SEPARATION, TOLERANCE = range(2)
BY_ANY, BY_PROVEN, BY_NONE = range(3)


@kernel
def advance_rows(starts, ends, edges, numbers, times, latest, states, start, stop):
    """Answer queries start to stop, each four rows of points (4 n, 3), as `advance` does."""
    for i in range(start, stop):
        if i & FEW == 0 and poll(0) != 0:
            break
        four = 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3
        states[i], times[i], latest[i] = advance(
            differences(starts, four, edges), differences(ends, four, edges), edges,
            numbers[SEPARATION], numbers[TOLERANCE], 1.0,
        )  # fmt: skip


@kernel
def advance_pairs(keys, corners, starts, ends, edges, numbers, ending, best, found_keys, found, start, stop):
    """Answer queries about pairs of elements; write those that may meet no later than the best so far.

    corners      (m, 3) vertices of elements; of a pair, two edges, or a face and a vertex
    ending       which contacts make the best time earlier: BY_ANY, BY_PROVEN (until when they have come) or BY_NONE
    best         (1,) shared by all threads; a lost update costs time, not the answer
    found_keys, found   rows for keys; time, latest time and state. Return how many are needed.
    """
    count = 0
    for k in range(start, stop):
        if k & FEW == 0 and poll(0) != 0:
            break
        i, j = keys[k] >> 32, keys[k] & LOWER_HALF
        if edges:
            four = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
        else:
            four = corners[j, 0], corners[i, 0], corners[i, 1], corners[i, 2]
        state, time, latest = advance(
            differences(starts, four, edges), differences(ends, four, edges), edges,
            numbers[SEPARATION], numbers[TOLERANCE], best[0],
        )  # fmt: skip
        if state == MISS:
            continue
        if ending == BY_ANY:
            best[0] = min(best[0], time)
        elif ending == BY_PROVEN and state == HIT:
            best[0] = min(best[0], latest)
        if count < found_keys.shape[0]:
            found_keys[count] = keys[k]
            found[count, 0], found[count, 1], found[count, 2] = time, latest, state
        count += 1
    return count
