"""How much a query may find before it is refused.

    import tumble
    tumble.limits.max_pairs = 1_000_000_000

A hundred thousand triangles on top of each other touch in 10¹⁰ pairs, for which no memory suffices. A query that finds
more than `max_pairs` therefore stops as soon as it does, and raises `tumble.LimitError`.
"""

import os
from _thread import allocate_lock
from typing import Any, NoReturn

from tumble.core import interrupts
from tumble.core.options import whole_number
from tumble.errors import LimitError, OptionError

VARIABLE = "TUMBLE_MAX_PAIRS"
DEFAULT = 1 << 26
"""a result of one gibibyte, and as much again while it is made"""
LEAST = 1 << 16
"""fewer are never refused: there is room for them without asking"""
MOST = 1 << 60


class Limits:
    """What the user may set; one object, `tumble.limits`, for all threads of the process."""

    @property
    def max_pairs(self) -> int:
        """The number of pairs that one call may find, at least 65 536; the first value is that of TUMBLE_MAX_PAIRS."""
        return interrupts.words[interrupts.MOST_PAIRS]

    @max_pairs.setter
    def max_pairs(self, pairs: int) -> None:
        number = whole_number(pairs)
        if number is None or not LEAST <= number <= MOST:
            raise OptionError(f"max_pairs must be a whole number from {LEAST} to {MOST}, not {pairs!r}")
        interrupts.words[interrupts.MOST_PAIRS] = number

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(type(self), name):
            raise AttributeError(f"there is no limit called {name!r}; there is: max_pairs")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<Limits max_pairs={self.max_pairs}>"


limits = Limits()


def check_pairs(found: int, hint: str = "first=True finds one pair only") -> None:
    """Refuse more pairs than the limit allows."""
    if found > limits.max_pairs:
        raise too_many(hint)


class PairCount:
    """How many pairs the pieces of one call have found together."""

    def __init__(self) -> None:
        self._pairs = 0
        self._lock = allocate_lock()

    def add(self, pairs: int) -> None:
        """Count further pairs, or fewer than before; refuse more than the limit allows."""
        with self._lock:
            self._pairs += pairs
            check_pairs(self._pairs)


def refuse(code: int) -> NoReturn:
    """Raise what a kernel meant that returned a negative number instead of an answer."""
    interrupts.check()
    if code == interrupts.TOO_MANY:
        raise too_many()
    if code == interrupts.NO_MEMORY:
        raise MemoryError("there is no memory for the stack of a query")
    raise AssertionError(f"a kernel returned {code}")


def too_many(hint: str = "first=True finds one pair only") -> LimitError:
    """Return the error of a query that has found too many pairs."""
    return LimitError(
        f"there are more than {limits.max_pairs} touching pairs, the limit for one call; {hint}; for more pairs set "
        f"tumble.limits.max_pairs, or {VARIABLE} in the environment, where memory suffices (16 bytes per pair, and as "
        "much again while they are found)"
    )


def _first_value() -> int:
    given = os.environ.get(VARIABLE, "")
    if not given:
        return DEFAULT
    try:
        number = int(given)
    except ValueError:
        number = -1
    if not LEAST <= number <= MOST:
        raise OptionError(f"{VARIABLE}={given!r} must be a whole number from {LEAST} to {MOST}")
    return number


limits.max_pairs = _first_value()
