"""A buffer for the keys of pairs of bodies that a broad phase finds."""

from collections.abc import Callable

import numpy as np

from tumble.core.keys import Keys
from tumble.core.limits import check_pairs

FIRST_CAPACITY = 4096


class KeyBuffer:
    """Memory for the keys that a kernel finds, kept from call to call and grown when it was too small."""

    def __init__(self) -> None:
        self.keys = np.empty(FIRST_CAPACITY, np.int64)

    def fill(self, fill: Callable[[Keys], int]) -> Keys:
        """Call `fill` with a buffer for its keys, again if it returns a larger number than fitted; return a view."""
        count = fill(self.keys)
        check_pairs(count, "these are pairs of bodies whose boxes meet: filter groups of them, or ask for fewer")
        if count > len(self.keys):
            self.keys = np.empty(count + count // 4, np.int64)
            count = fill(self.keys)
        return self.keys[:count]
