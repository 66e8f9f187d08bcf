"""One long table: all that a run measured, counted or was told, and all that its page shows.

Each row is (study, case, contestant, quantity, value, unit, round):

    study       one experiment of the benchmark: "lists", "cycle model"; "published" holds what the paper prints
    case        what it was done with: a scene, an object at a distance
    contestant  what was measured on it: a method, a library; "" for facts about the case itself
    quantity    what was measured: "time", "iterations"
    round       the index within a series, such as the poses of a turn or the steps of a simulation; else empty

Values are numbers, or text where the unit is "text". Writing a value twice replaces it.

    lists = table.study("lists")
    lists.add("knot at 0.8", "stack", "time", 1.2e-6, "s")
    lists.value("knot at 0.8", "stack", "time")                     one number
    lists.series("knot at 0.8", "stack", "time")                    an array over the rounds
    lists.add_race("knot at 0.8", seconds, [("lists", "stack")])    medians of a race, and ratios within rounds
    lists.mean_ratio("lists", "stack")                              geometric mean over all cases that have both
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.statistics import Interval, Quantiles, geometric_mean, mean_interval, per_round
from tumble.errors import FileError

Value = float | str
Found = TypeVar("Found")
Rounds = Mapping[str, Sequence[float]]

TEXT = "text"
TIME = "time"
PUBLISHED = "published"


class Row(NamedTuple):
    """One value and what it says."""

    study: str
    case: str
    contestant: str
    quantity: str
    value: Value
    unit: str = ""
    round: int | None = None


class _Series:
    """The values of one quantity by round, in the order in which they came."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.values: dict[int | None, Value] = {}


class Study:
    """All rows of one study; every question about values goes through one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._cases: dict[str, dict[str, dict[str, _Series]]] = {}

    def __bool__(self) -> bool:
        return bool(self._cases)

    def add(
        self, case: str, contestant: str, quantity: str, value: Value, unit: str = "", round: int | None = None
    ) -> None:
        """Write one value; text gets its unit by itself."""
        text = isinstance(value, str)
        quantities = self._cases.setdefault(case, {}).setdefault(contestant, {})
        series = quantities.setdefault(quantity, _Series(TEXT if text else unit))
        series.values[round] = value if text else float(value)

    def add_values(self, case: str, contestant: str, values: Mapping[str, Value], unit: str = "") -> None:
        """Write several quantities of one contestant."""
        for quantity, value in values.items():
            self.add(case, contestant, quantity, value, unit)

    def add_series(self, case: str, contestant: str, quantity: str, values: Iterable[float], unit: str = "") -> None:
        """Write one value per round."""
        for index, value in enumerate(values):
            self.add(case, contestant, quantity, value, unit, index)

    def add_race(
        self, case: str, rounds: Rounds, pairs: Iterable[tuple[str, str]] = (), items: int = 1, quantity: str = TIME
    ) -> None:
        """Write the seconds per item of every contestant, and for each pair the ratio of the first to the second.

        Ratios are taken within rounds: what slows one round down slows both. Medians and deciles stay, and the
        confidence interval of each median ratio.
        """
        for name, seconds in rounds.items():
            self._add_quantiles(case, name, quantity, Quantiles.of([value / items for value in seconds]), "s")
            self.add(case, name, "rounds", len(seconds))
        for name, base in pairs:
            if name in rounds and base in rounds:
                ratio, both = f"{quantity} / {base}", list(zip(rounds[name], rounds[base], strict=False))
                self._add_quantiles(case, name, ratio, per_round(rounds[name], rounds[base]), "")
                known = Interval.of([one / other for one, other in both])
                self.add_values(case, name, {f"{ratio}, from": known.low, f"{ratio}, to": known.high})

    def _add_quantiles(self, case: str, contestant: str, quantity: str, found: Quantiles, unit: str) -> None:
        self.add(case, contestant, quantity, found.median, unit)
        self.add(case, contestant, f"{quantity}, low", found.low, unit)
        self.add(case, contestant, f"{quantity}, high", found.high, unit)

    def cases(self, *contestants: str) -> list[str]:
        """The cases that have all these contestants, in the order in which they came."""
        return [case for case, found in self._cases.items() if all(name in found for name in contestants)]

    def contestants(self, case: str | None = None) -> list[str]:
        """The contestants of a case, or of all; facts about the case itself are not one."""
        chosen = self._cases.values() if case is None else [self._cases.get(case, {})]
        return list(dict.fromkeys(name for found in chosen for name in found if name))

    def quantities(self, case: str, contestant: str = "") -> list[str]:
        """The quantities of one contestant."""
        return list(self._cases.get(case, {}).get(contestant, {}))

    def has(self, case: str, contestant: str, quantity: str) -> bool:
        """Whether a value is there."""
        return quantity in self._cases.get(case, {}).get(contestant, {})

    def _series(self, case: str, contestant: str, quantity: str) -> _Series:
        if not self.has(case, contestant, quantity):
            raise KeyError(f"no {quantity!r} of {contestant!r} on {case!r} in the study {self.name!r}")
        return self._cases[case][contestant][quantity]

    def value(self, case: str, contestant: str, quantity: str, default: float | None = None) -> float:
        """Return one number; where there is none, the default, or else KeyError."""
        if default is not None and not self.has(case, contestant, quantity):
            return default
        return float(next(iter(self._series(case, contestant, quantity).values.values())))

    def count(self, case: str, contestant: str, quantity: str, default: int | None = None) -> int:
        """Return one number that is whole."""
        return round(self.value(case, contestant, quantity, default))

    def text(self, case: str, contestant: str, quantity: str) -> str:
        """Return one text; "" where there is none."""
        if not self.has(case, contestant, quantity):
            return ""
        return _written(next(iter(self._series(case, contestant, quantity).values.values())))

    def series(self, case: str, contestant: str, quantity: str) -> NDArray[np.float64]:
        """Return the numbers of all rounds."""
        return np.array(list(self._series(case, contestant, quantity).values.values()), np.float64)

    def total(self, quantity: str) -> float:
        """Return the sum over all cases and contestants that have it."""
        keys = [(case, name) for case, found in self._cases.items() for name in found]
        return sum(float(self.series(*key, quantity).sum()) for key in keys if self.has(*key, quantity))

    def ratio(self, case: str, contestant: str, base: str, quantity: str = TIME) -> float:
        """Return how many times as long a contestant takes as another: the median of the ratios within rounds."""
        return 1.0 if contestant == base else self.value(case, contestant, f"{quantity} / {base}")

    def ratios(self, contestant: str, base: str, cases: Iterable[str] | None = None) -> dict[str, float]:
        """Return the same for every case that has both."""
        chosen = self.cases(contestant, base) if cases is None else cases
        return {
            case: self.ratio(case, contestant, base)
            for case in chosen
            if contestant == base or self.has(case, contestant, f"{TIME} / {base}")
        }

    def mean_ratio(self, contestant: str, base: str, cases: Iterable[str] | None = None) -> float:
        """Return the geometric mean of `ratios`; NaN of none."""
        return geometric_mean(list(self.ratios(contestant, base, cases).values()))

    def interval(self, case: str, contestant: str, base: str, quantity: str = TIME) -> Interval:
        """Return the same ratio as `ratio` does, with what it lies between.

        Deciles stand in for the interval in tables that were kept without one; they are wider.
        """
        name = f"{quantity} / {base}"
        if contestant == base:
            return Interval(1.0, 1.0, 1.0)
        value = self.value(case, contestant, name)
        low, high = ("from", "to") if self.has(case, contestant, f"{name}, from") else ("low", "high")
        return Interval(value, *(self.value(case, contestant, f"{name}, {end}", value) for end in (low, high)))

    def mean_of_intervals(self, contestant: str, base: str, cases: Iterable[str] | None = None) -> Interval:
        """Return `mean_ratio` with what it lies between; NaN of none."""
        return mean_interval([self.interval(case, contestant, base) for case in self.ratios(contestant, base, cases)])

    def rows(self) -> Iterator[Row]:
        """All rows, case by case."""
        for case, contestants in self._cases.items():
            for contestant, quantities in contestants.items():
                for quantity, series in quantities.items():
                    for index, value in series.values.items():
                        yield Row(self.name, case, contestant, quantity, value, series.unit, index)


class Table:
    """The studies of a run."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._studies: dict[str, Study] = {}
        for row in rows:
            self.study(row.study).add(*row[1:])

    def study(self, name: str) -> Study:
        """One study; an empty one where nothing was measured."""
        return self._studies.setdefault(name, Study(name))

    def rows(self) -> Iterator[Row]:
        """All rows, study by study."""
        return (row for study in self._studies.values() for row in study.rows())

    def note(self, text: str) -> None:
        """Keep a sentence for the end of the page: what was left out, and why; each once."""
        notes = self.study("run")
        if text not in self.notes:
            notes.add("notes", "", str(len(self.notes) + 1), text)

    @property
    def notes(self) -> list[str]:
        """All notes."""
        run = self.study("run")
        return [run.text("notes", "", number) for number in run.quantities("notes")]

    def write(self, path: Path) -> None:
        """Write all rows under a header; numbers to nine figures."""
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(Row._fields)
            writer.writerows([*row[:4], _written(row.value), row.unit, row.round] for row in self.rows())

    @classmethod
    def read(cls, path: Path) -> Table:
        """Read what `write` wrote."""
        try:
            with path.open(newline="", encoding="utf-8") as file:
                header, *rows = csv.reader(file)
            if tuple(header) != Row._fields:
                raise ValueError(f"its columns are {', '.join(header)}")
            return cls(_read(row) for row in rows)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise FileError(f"cannot read {path}: {reason}; name a results.csv that `tumble bench` wrote") from error


def reads(*studies: str) -> Callable[[Callable[..., Found]], Callable[..., Found | None]]:
    """Let a test of a claim or goal take these studies instead of the table; None where the first is empty."""

    def decorate(test: Callable[..., Found]) -> Callable[..., Found | None]:
        @wraps(test)
        def on_table(table: Table, *arguments: Any) -> Found | None:
            found = [table.study(name) for name in studies]
            return test(*found, *arguments) if found[0] else None

        return on_table

    return decorate


def _written(value: Value) -> str:
    if isinstance(value, str):
        return value
    whole = abs(value) < 1e15 and value == int(value)  # NaN, which has no whole part, fails the first
    return str(int(value)) if whole else f"{value:.9g}"


def _read(row: Sequence[str]) -> Row:
    study, case, contestant, quantity, value, unit, index = row
    number: Value = value if unit == TEXT else float(value)
    return Row(study, case, contestant, quantity, number, unit, int(index) if index else None)
