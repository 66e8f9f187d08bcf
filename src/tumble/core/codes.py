"""What compiled queries return and write before their pairs: codes below zero, and counters.

A query is a number: how many pairs were found or, below zero, why there is no answer. `tumble.core.interrupts` has the
other codes: interrupted, too many pairs, no memory.
"""

from tumble.errors import InternalError

REFUSED = -1
"""an argument that the query does not know: not a plain array, not a rigid motion, not a tree"""
COUNTED = 5
"""words at the front of a buffer of pairs: blocks compared, boxes that overlapped, pairs of leaves, pairs of triangles,
and pairs of boxes tested where that is not eight per block"""


def count_of(answer: int) -> int:
    """Return the number of pairs that a compiled query found; anything else is not an answer, and raises."""
    if answer >= 0:
        return answer
    raise InternalError(f"a query refused arguments that had been checked (code {answer}); please report this")
