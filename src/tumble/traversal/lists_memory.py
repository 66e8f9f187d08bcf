"""Memory for lists of nodes: it begins modestly, and a query that runs out of it starts again with more.

A list holds nodes of a none of which is below another, so it is at most as long as a has leaves; and lists wait on at
most as many levels as b has. That is far more than a query of large trees ever uses. So a traversal that has no room
left goes on counting where it is, notes how much it would have needed, and stops; `with_more_room` then makes that
room, and the query is asked once more from its start.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_ROOM = 1 << 17
"""entries of the first buffer, where trees are large: half a megabyte, of which only what is used costs anything"""


def first_room(leaves_a: int, levels_b: int, ends: int) -> NDArray[np.int32]:
    """Return a buffer for the lists that wait, growing from so many ends; for small trees it is never too small."""
    most = 1 + ends * leaves_a * levels_b
    return np.empty(min(most, FIRST_ROOM), np.int32)


def with_more_room(memory: Any) -> Any | None:
    """Return a method's record with more room when its last run noted that it wanted more, else None."""
    size, wanted = len(memory.lists), int(memory.wanted[0])
    if wanted <= size:
        return None
    return memory._replace(lists=np.empty(max(2 * size, wanted), np.int32), wanted=np.zeros(1, np.int64))
