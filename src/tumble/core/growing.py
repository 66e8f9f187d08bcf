"""Memory for results whose number is known only after the kernel has run.

A kernel that fills such memory keeps counting when it is full, and writes no further: so what it returns is the number
that it needed. The host then makes more memory and runs the kernel again.

    pairs = Growing(1024)
    while not pairs.fits(count := find_pairs(..., pairs.free)):
        pass                                # there is more memory now; what the kernel wrote is overwritten
    pairs.advance(count)
    pairs.filled                            # what this run and earlier ones wrote

`fill` does these steps for one buffer. With several buffers, ask `fits` of all of them (in a list, so that each one
grows that must), run again unless all say yes, then `advance` each.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tumble.core.limits import check_pairs

GROWTH = 2
"""times what is needed: buffers that are filled in several rounds are copied only now and then"""


class Growing:
    """An array that is filled from the front, by kernels that count on when it is full.

    capacity   rows at first; at least one kernel run is wasted when this is too small
    columns    shape of a row, () for plain numbers
    hint       what to do when the rows are pairs and exceed `tumble.limits.max_pairs`: the advice in the LimitError.
               None: the rows are not limited
    """

    def __init__(
        self, capacity: int, columns: tuple[int, ...] = (), dtype: DTypeLike = np.int64, hint: str | None = None
    ) -> None:
        self._rows: NDArray[Any] = np.empty((capacity, *columns), dtype)
        self._hint = hint
        self.used = 0
        """rows that are filled"""

    @property
    def free(self) -> NDArray[Any]:
        """The memory behind the filled rows, for the next kernel to write to; valid until `fits` returns False."""
        return self._rows[self.used :]

    @property
    def filled(self) -> NDArray[Any]:
        """The filled rows: a view, not a copy."""
        return self._rows[: self.used]

    def fits(self, count: int) -> bool:
        """Tell whether `count` further rows fit; when they do not, make memory for them, and the kernel must run again.

        Raises LimitError when the rows are limited and there are too many.
        """
        needed = self.used + count
        if self._hint is not None:
            check_pairs(needed, self._hint)
        if needed <= len(self._rows):
            return True
        self.grow(needed)
        return False

    def advance(self, count: int) -> None:
        """Count the first `count` rows of the free memory as filled; they must have fitted."""
        assert self.used + count <= len(self._rows)
        self.used += count

    def fill(self, write: Callable[[NDArray[Any]], int]) -> NDArray[Any]:
        """Run `write(free memory)`, which returns the number of rows it needed, until they fit; return all rows."""
        while not self.fits(count := int(write(self.free))):
            pass
        self.advance(count)
        return self.filled

    def grow(self, needed: int) -> None:
        """Make memory for at least `needed` rows in all, and keep the filled ones."""
        larger = np.empty((GROWTH * needed, *self._rows.shape[1:]), self._rows.dtype)
        larger[: self.used] = self.filled
        self._rows = larger

    def clear(self) -> None:
        """Forget the filled rows, and keep the memory."""
        self.used = 0
