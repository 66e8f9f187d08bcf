"""Break what a verdict judges: change the values of a table that a claim reads, and see what it says then.

Which values a claim reads is recorded while it is tested. Those of one contestant and quantity, of one contestant, of
one quantity, or one value alone, are then changed, and the claim is tested again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tumble.bench.framework.claims import UNKNOWN, Claim
from tumble.bench.framework.table import Study, Table

Key = tuple[str, str, str, str]
"""study, case, contestant, quantity"""

CHANGES: tuple[Callable[[float, int], float], ...] = (
    lambda value, k: value * 1e3,
    lambda value, k: value * 1e-3,
    lambda value, k: value + 1,
    lambda value, k: 0.0,
    lambda value, k: value * 1.5**k,  # from case to case: another growth
    lambda value, k: value / 1.5**k,
    lambda value, k: value * 1.1,
    lambda value, k: value * 0.9,
    lambda value, k: value * 2.0,
    lambda value, k: value * 0.5,
)
"""what happens to the k-th value of a group"""
SINGLE_VALUES = 20
"""of the many single values that a claim may read, how many are changed one by one"""


def word_of(claim: Claim, table: Table) -> str:
    """The verdict on a claim; senseless values may make a test divide by zero, which is not a verdict."""
    try:
        found = claim.test(table)
    except (ArithmeticError, ValueError, KeyError, IndexError, RuntimeWarning):
        return ""
    return UNKNOWN if found is None else found.word


@contextmanager
def recorded(keys: dict[Key, None]) -> Iterator[None]:
    """Write down every value that is read meanwhile."""
    read = Study._series

    def reading(self: Study, case: str, contestant: str, quantity: str):
        keys[self.name, case, contestant, quantity] = None
        return read(self, case, contestant, quantity)

    Study._series = reading
    try:
        yield
    finally:
        Study._series = read


def groups_of(keys: Iterable[Key]) -> list[list[Key]]:
    """Sets of values that belong together, each once, the larger ones first."""
    keys = list(keys)
    groups: dict[tuple[Key, ...], None] = {}
    for place in (lambda key: key[2:], lambda key: key[2], lambda key: key[3].partition(",")[0], lambda key: key[1:3]):
        for value in dict.fromkeys(map(place, keys)):
            groups[tuple(key for key in keys if place(key) == value)] = None
    step = max(1, len(keys) // SINGLE_VALUES)
    groups.update(dict.fromkeys((key,) for key in keys[::step]))
    return [list(group) for group in groups]


@contextmanager
def changed(table: Table, group: list[Key], change: Callable[[float, int], float]) -> Iterator[None]:
    """Change values for a while; text is replaced."""
    before = []
    for k, (study, case, contestant, quantity) in enumerate(group):
        series = table.study(study)._cases[case][contestant][quantity]
        before.append((series, dict(series.values)))
        for index, value in series.values.items():
            series.values[index] = "?" if isinstance(value, str) else change(value, min(k, 400))
    try:
        yield
    finally:
        for series, values in before:
            series.values = values


def reachable(claim: Claim, table: Table, wanted: set[str]) -> set[str]:
    """The verdicts that a claim gives on changed tables, until one is among those wanted."""
    keys: dict[Key, None] = {}
    with recorded(keys):
        found = {word_of(claim, table)}
    for group in groups_of(key for key in keys if key[0] != "run"):
        for change in CHANGES:
            with changed(table, group, change):
                found.add(word_of(claim, table))
            if found & wanted:
                return found
    return found
