"""A buffer for the keys of pairs of bodies that a broad phase finds."""

from __future__ import annotations

from collections.abc import Callable

from tumble.core.growing import Growing
from tumble.core.keys import Keys

FIRST_CAPACITY = 4096


class KeyBuffer(Growing):
    """Memory for the keys that a kernel finds, kept from call to call."""

    def __init__(self) -> None:
        hint = "these are pairs of bodies whose boxes meet: filter groups of them, or ask for fewer"
        super().__init__(FIRST_CAPACITY, hint=hint)

    def fill(self, write: Callable[[Keys], int]) -> Keys:
        """Run `write(memory)`, which returns how many keys it needed, until they fit; return a view."""
        self.clear()
        return super().fill(write)
