"""Break what a verdict judges: change the values of a table that a claim reads, and see what it says then.

Which values a claim reads is recorded while it is tested. All of them, those of one quantity, of one contestant, of
both, or one value alone, are then changed, and the claim is tested again. A claim over many cases that some change
breaks in some of them is broken in all by such changes together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isinf

from tumble.bench.framework.claims import PARTLY, UNDECIDED, UNKNOWN, Claim
from tumble.bench.framework.statistics import DECIDING_ROUNDS, Interval
from tumble.bench.framework.table import Study, Table

Key = tuple[str, str, str, str]
"""study, case, contestant, quantity"""
Change = Callable[[float, int], float]
"""what becomes of the k-th value of a group"""

# Those that break most claims come first.
CHANGES: tuple[Change, ...] = (
    lambda value, k: value * 1e6 + 1e6,
    lambda value, k: value * 1e-6,
    lambda value, k: float(value == 0),
    lambda value, k: value * 1e3,
    lambda value, k: value * 1e-3,
    lambda value, k: value + 1,
    lambda value, k: value * 1.5**k,  # from case to case: another growth
    lambda value, k: value / 1.5**k,
    lambda value, k: 1.0,  # from round to round: no growth at all
    lambda value, k: value * 1.1,
    lambda value, k: value * 0.9,
    lambda value, k: value * 2.0,
    lambda value, k: value * 0.5,
    lambda value, k: 0.0,
)
SINGLE_VALUES = 20
"""of the many single values that a claim may read, how many are changed one by one"""
STRONG, RANDOM_TRIES = 3, 200
"""how many changes are tried first, and how often values are changed at random"""


@dataclass
class Reads:
    """What a claim read, and whether rounds were among it that are too few to decide anything."""

    keys: dict[Key, None] = field(default_factory=dict)
    few_rounds: bool = False


def word_of(claim: Claim, table: Table) -> str:
    """The verdict on a claim; senseless values may make a test divide by zero, which is not a verdict."""
    try:
        found = claim.test(table)
    except (ArithmeticError, ValueError, KeyError, IndexError, RuntimeWarning):
        return ""
    return UNKNOWN if found is None else found.word


@contextmanager
def recorded(reads: Reads) -> Iterator[None]:
    """Write down every value that is read meanwhile, and every interval of rounds."""
    read, of = Study._series, Interval.__dict__["of"]

    def reading(self: Study, case: str, contestant: str, quantity: str):
        series = read(self, case, contestant, quantity)
        reads.keys[self.name, case, contestant, quantity] = None
        reads.few_rounds |= any(_tells_few_rounds(quantity, value) for value in series.values.values())
        return series

    def interval(cls: type[Interval], values: Iterable[float]) -> Interval:
        rounds = list(values)
        reads.few_rounds |= len(rounds) < DECIDING_ROUNDS
        return of.__func__(cls, rounds)

    Study._series, Interval.of = reading, classmethod(interval)
    try:
        yield
    finally:
        Study._series, Interval.of = read, of


def _tells_few_rounds(quantity: str, value: float | str) -> bool:
    return not isinstance(value, str) and (isinf(value) or (quantity == "rounds" and value < DECIDING_ROUNDS))


def groups_of(keys: Iterable[Key]) -> tuple[list[list[Key]], list[Key]]:
    """Sets of values that belong together, each once, the larger ones first; and single values."""
    keys = list(keys)
    groups: dict[tuple[Key, ...], None] = {tuple(keys): None}
    for place in (lambda key: key[3].partition(",")[0], lambda key: key[2], lambda key: key[2:], lambda key: key[1:3]):
        for value in dict.fromkeys(map(place, keys)):
            groups[tuple(key for key in keys if place(key) == value)] = None
    for value in dict.fromkeys(key[2] for key in keys):  # all contestants but the one beside which they are judged
        groups[tuple(key for key in keys if key[2] != value)] = None
    step = max(1, len(keys) // SINGLE_VALUES)
    singles = [key for key in keys[::step] if (key,) not in groups]
    return [list(group) for group in groups if group], singles


@contextmanager
def changed(table: Table, changes: Mapping[Key, Change]) -> Iterator[None]:
    """Change values for a while; text is replaced where nothing else is changed."""
    series = [table.study(study)._cases[case][name][quantity] for study, case, name, quantity in changes]
    before = [dict(each.values) for each in series]
    numbers = any(not isinstance(value, str) for values in before for value in values.values())
    for k, (each, change) in enumerate(zip(series, changes.values(), strict=True)):
        for index, value in each.values.items():
            if not isinstance(value, str):
                each.values[index] = change(value, min(k, 400))
            elif not numbers:
                each.values[index] = "?"
    try:
        yield
    finally:
        for each, values in zip(series, before, strict=True):
            each.values = values


def reachable(claim: Claim, table: Table, wanted: set[str], reads: Reads) -> set[str]:
    """The verdicts that a claim gives on changed tables, until one is among those wanted."""
    with recorded(reads):
        start = word_of(claim, table)
    found, breaking = {start}, _Breaking()
    if start == UNDECIDED and reads.few_rounds:
        return found
    keys = [key for key in reads.keys if key[0] != "run"]
    for changes in _tries(keys, breaking):
        found.add(word := _word_if(claim, table, changes))
        if found & wanted:
            break
        if word == PARTLY != start:
            breaking.add(changes)
    return found


def _tries(keys: list[Key], breaking: _Breaking) -> Iterator[dict[Key, Change]]:
    """What is changed at once: groups, those together that break a part, but for one, or any values at random."""
    groups, singles = groups_of(keys)
    for changes in (CHANGES[:STRONG], CHANGES[STRONG:]):
        for change in changes:
            yield from (dict.fromkeys(group, change) for group in groups)
            if breaking.new:
                together = breaking.together()
                yield together
                # values that are compared must not all change alike: those of every second quantity, of the others
                quantities = list(dict.fromkeys(key[3] for key in together))
                for part in (quantities[::2], quantities[1::2]):
                    yield {key: change for key, change in together.items() if key[3] in part}
        yield from _varied(breaking.together(), groups)
    rng = random.Random(0)
    for _ in range(RANDOM_TRIES):
        yield {key: rng.choice(CHANGES[:2]) for key in keys}
    for change in CHANGES:
        yield from ({key: change} for key in singles)
        if breaking.new:
            yield breaking.together()


def _varied(together: dict[Key, Change], groups: list[list[Key]]) -> Iterator[dict[Key, Change]]:
    """Many changes without those of one group, and with others of it."""
    for group in groups if together else ():
        yield {key: change for key, change in together.items() if key not in group}
        yield from ({**together, **dict.fromkeys(group, change)} for change in CHANGES[:2])


class _Breaking:
    """Changes that break a claim in some cases; of two changes of one value, that of the smaller group counts."""

    def __init__(self) -> None:
        self.changes: dict[Key, tuple[int, Change]] = {}
        self.new = False

    def add(self, changes: Mapping[Key, Change]) -> None:
        """Keep changes of a group, for values without one of a smaller group."""
        for key, change in changes.items():
            if key not in self.changes or len(changes) < self.changes[key][0]:
                self.changes[key], self.new = (len(changes), change), True

    def together(self) -> dict[Key, Change]:
        """All of them."""
        self.new = False
        return {key: change for key, (_, change) in self.changes.items()}


def _word_if(claim: Claim, table: Table, changes: Mapping[Key, Change]) -> str:
    with changed(table, changes):
        return word_of(claim, table)
