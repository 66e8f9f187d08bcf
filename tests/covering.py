"""Matrices of parameters, thinned: what a run of minutes can ask of them, the rest with `-m slow`.

A fault that shows with one value, or with two values together, shows in a few of the many combinations. So by default
only as many run as have every value once (`strength=1`), or every two values of two parameters together
(`strength=2`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations, product
from typing import Any

import pytest
from _pytest.mark import ParameterSet

Row = tuple[int, ...]


def crossed(strength: int = 2, **values: Collection[Any]) -> pytest.MarkDecorator:
    """Parametrise a test by every combination of values, of which those outside the cover are marked slow.

    So are all that have a value which is a `pytest.param` with marks; the cover is one of the others.
    """
    lists = [sorted(each, key=_is_marked) for each in values.values()]
    chosen = set(cover([sum(not _is_marked(value) for value in each) for each in lists], strength))
    cases = []
    for row in product(*(range(len(each)) for each in lists)):
        combined = [_plain(each[k]) for each, k in zip(lists, row, strict=True)]
        marks = () if row in chosen else (pytest.mark.slow,)
        # the text of a function has its address, which is another one in every process
        names = [getattr(value, "__name__", str(value)) for value in combined]
        cases.append(pytest.param(*combined, id="-".join(names), marks=marks))
    return pytest.mark.parametrize(",".join(values), cases)


def _is_marked(value: Any) -> bool:
    return isinstance(value, ParameterSet) and bool(value.marks)


def _plain(value: Any) -> Any:
    return value.values[0] if isinstance(value, ParameterSet) else value


def cover(sizes: list[int], strength: int) -> list[Row]:
    """Return rows of values, counted from 0, in which any values of any `strength` parameters stand together."""
    places = combinations(range(len(sizes)), min(strength, len(sizes)))
    # a dictionary, as a set has another order in every process
    due = {
        tuple(zip(place, values, strict=True)): None
        for place in places
        for values in product(*(range(sizes[k]) for k in place))
    }
    rows = []
    while due:
        row = dict(next(iter(due)))
        for place in range(len(sizes)):
            if place not in row:
                # what is due with the values so far; beyond that, all values by turns
                row[place] = max(
                    range(sizes[place]),
                    key=lambda value: (
                        sum(parts in due for parts in _parts({**row, place: value}, strength)),
                        (value - len(rows)) % sizes[place],
                    ),
                )
        for parts in _parts(row, strength):
            due.pop(parts, None)
        rows.append(tuple(row[k] for k in range(len(sizes))))
    return rows


def _parts(row: dict[int, int], strength: int) -> Iterator[tuple[tuple[int, int], ...]]:
    return combinations(sorted(row.items()), min(strength, len(row)))


def thinned(values: Iterable[Any], by: int) -> list[Any]:
    """Return values as parameters of a test: by default one of so many, the others with `-m slow`."""
    return [pytest.param(value, marks=[pytest.mark.slow] * (k % by > 0)) for k, value in enumerate(values)]


def sized(quick: int, slow: int) -> pytest.MarkDecorator:
    """Parametrise a test by its `count`: a few by default, many with `-m slow`."""
    return pytest.mark.parametrize("count", [quick, pytest.param(slow, marks=pytest.mark.slow)])


def without_slow_cases(mark: pytest.Mark) -> pytest.Mark:
    """Return a `parametrize` mark without its slow cases, as it is if all are slow or their names are listed apart."""
    names, values = mark.args if len(mark.args) == 2 else (None, ())
    if not isinstance(values, list | tuple) or isinstance(mark.kwargs.get("ids"), list | tuple):
        return mark
    quick = [each for each in values if not _is_slow(each)]
    if not quick or len(quick) == len(values):
        return mark
    return pytest.mark.parametrize(names, quick, **mark.kwargs).mark


def _is_slow(value: Any) -> bool:
    return isinstance(value, ParameterSet) and any(each.name == "slow" for each in value.marks)
