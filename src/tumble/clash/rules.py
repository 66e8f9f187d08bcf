"""What is demanded of pairs of parts, by their names or types: a TOML file, and what it says of the parts at hand.

    [[ignore]]                  pairs that are not looked at
    [[must_not_touch]]          touching is a fault, too
    [[must_touch]]              each part that matches a has to touch one that matches b, or go into it
    [[min_clearance]]           pairs that have to stay this far apart; the largest of all that match counts

Each entry names the parts: `a` and `b`, patterns as in a shell (`*`, `?`, `[…]`) or lists of them, upper and lower case
being different; or `type_a` and `type_b`, the same for types; what is left out matches all parts. Which of two parts is
a and which is b does not matter, except for must_touch. `clearance` is a length, `name` what reports call the rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.clash.lengths import length_in
from tumble.clash.texts import read_text
from tumble.core.text import printable
from tumble.errors import FileError, InputError, MissingDependencyError
from tumble.mesh import Part

Pairs = NDArray[np.int64]
Mask = NDArray[np.bool_]
IGNORE, MUST_NOT_TOUCH, MUST_TOUCH, MIN_CLEARANCE = "ignore", "must_not_touch", "must_touch", "min_clearance"
WHAT = IGNORE, MUST_NOT_TOUCH, MUST_TOUCH, MIN_CLEARANCE
PATTERNS = "a", "b", "type_a", "type_b"
KEYS = {*PATTERNS, "name"}


@dataclass(frozen=True)
class Rule:
    """One entry of a file of rules."""

    what: str
    """ignore, must_not_touch, must_touch or min_clearance"""
    name: str
    a: tuple[str, ...] | None = None
    """patterns of names; None: all"""
    b: tuple[str, ...] | None = None
    type_a: tuple[str, ...] | None = None
    type_b: tuple[str, ...] | None = None
    clearance: float = 0.0


def load_rules(path: Path, unit: str | None) -> tuple[Rule, ...]:
    """Read a file of rules; lengths become numbers in a unit. What is wrong is a FileError that names the place."""
    text = read_text(path)
    try:
        return rules_of(_toml().loads(text), unit)
    except ValueError as error:  # a TOMLDecodeError, too: it has line and column
        raise FileError(f"{path}: {error}") from error
    except RecursionError as error:
        raise FileError(f"{path}: lists or tables are nested too deeply in it") from error


def rules_of(tables: Mapping[str, Any], unit: str | None = None) -> tuple[Rule, ...]:
    """Return rules from what a TOML file has."""
    found = []
    for what, entries in tables.items():
        if what not in WHAT:
            raise ValueError(f"unknown table {what!r}; a file of rules has {', '.join(f'[[{each}]]' for each in WHAT)}")
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            raise ValueError(f"{what} must be a list of tables, each under [[{what}]]")
        found += [_rule(what, entry, f"[[{what}]] number {k}", unit) for k, entry in enumerate(entries, start=1)]
    return tuple(found)


def _rule(what: str, entry: Mapping[str, Any], place: str, unit: str | None) -> Rule:
    known = KEYS | ({"clearance"} if what == MIN_CLEARANCE else set())
    unknown = sorted(set(entry) - known)
    if unknown:
        raise ValueError(f"{place} has the unknown key {unknown[0]!r}; it may have: {', '.join(sorted(known))}")
    if not any(key in entry for key in PATTERNS):
        raise ValueError(f"{place} names no parts; give at least one of: {', '.join(PATTERNS)}")
    clearance = 0.0
    if what == MIN_CLEARANCE:
        if "clearance" not in entry:
            raise ValueError(f'{place} has no clearance, such as clearance = "0.5mm"')
        clearance = length_in(entry["clearance"], unit, f"{place}: clearance")
    patterns = {key: _patterns(entry[key], f"{place}: {key}") for key in PATTERNS if key in entry}
    name = entry.get("name", place.replace("[", "").replace("]", ""))
    if not isinstance(name, str):
        raise ValueError(f"{place}: name must be text, not {name!r}")
    return Rule(what, printable(name), clearance=clearance, **patterns)


def _patterns(given: Any, place: str) -> tuple[str, ...]:
    listed = given if isinstance(given, list) else [given]
    wrong = [each for each in listed if not isinstance(each, str)]
    if wrong or not listed:
        raise ValueError(f"{place} must be a pattern or a list of patterns, not {given!r}")
    return tuple(listed)


def _toml() -> Any:
    for name in ("tomllib", "tomli"):  # the first is part of Python from 3.11 on
        try:
            return import_module(name)
        except ImportError:
            continue
    raise MissingDependencyError("rules need Python 3.11, or: pip install tomli")


class BoundRules:
    """Rules, and which of the parts at hand they are about."""

    def __init__(self, rules: Sequence[Rule], parts: Sequence[Part], clearance: float = 0.0) -> None:
        self.rules, self.clearance = tuple(rules), clearance
        names = [part.name for part in parts]
        types = [part.kind for part in parts]

        def matching(patterns: tuple[str, ...] | None, kinds: tuple[str, ...] | None) -> Mask:
            return _matching(names, patterns) & _matching(types, kinds)

        self._sides = [(matching(rule.a, rule.type_a), matching(rule.b, rule.type_b)) for rule in self.rules]
        for name, having_to, others in self.must_touch():
            if len(having_to) and len(others) == 0:
                raise InputError(
                    f"the rule {name!r} wants {names[having_to[0]]!r} to touch a part that matches b, and no part "
                    "does: correct the pattern, or leave the rule out"
                )

    @cached_property
    def unused(self) -> list[str]:
        """The names of rules that match no two parts: misspelt, or no longer needed."""
        return [rule.name for rule, (a, b) in zip(self.rules, self._sides, strict=True) if not (a.any() and b.any())]

    @property
    def largest_clearance(self) -> float:
        """The largest clearance of any two parts."""
        return max([self.clearance, *(rule.clearance for rule in self.rules)])

    def clearances(self, pairs: Pairs) -> NDArray[np.float64]:
        """Return how far each two parts have to stay apart."""
        found = np.full(len(pairs), self.clearance)
        for k, rule in enumerate(self.rules):
            if rule.what == MIN_CLEARANCE:
                found = np.where(self._matches(k, pairs), np.maximum(found, rule.clearance), found)
        return found

    def ignored(self, pairs: Pairs) -> tuple[Mask, dict[str, int]]:
        """Return which pairs are not to be looked at, and how many of them each rule has left out first."""
        ignored, counts = np.zeros(len(pairs), bool), {}
        for k, rule in enumerate(self.rules):
            if rule.what == IGNORE:
                more = self._matches(k, pairs) & ~ignored
                counts[rule.name] = int(more.sum())
                ignored |= more
        return ignored, counts

    def touching_forbidden(self, a: int, b: int) -> str | None:
        """Return the name of the rule by which two parts must not touch, if there is one."""
        return self._first(MUST_NOT_TOUCH, a, b)

    def clearance_rule(self, a: int, b: int) -> str | None:
        """Return the name of the rule by which two parts have to stay apart: the one with the largest clearance."""
        pair = np.array([[a, b]])
        found = [rule for k, rule in enumerate(self.rules) if rule.what == MIN_CLEARANCE and self._matches(k, pair)[0]]
        largest = max(found, key=lambda rule: rule.clearance, default=None)
        return None if largest is None or largest.clearance <= self.clearance else largest.name

    def must_touch(self) -> list[tuple[str, Pairs, Pairs]]:
        """Return the name of each such rule, which parts it is about, and which of them one has to touch."""
        return [
            (rule.name, np.flatnonzero(a), np.flatnonzero(b))
            for rule, (a, b) in zip(self.rules, self._sides, strict=True)
            if rule.what == MUST_TOUCH
        ]

    def _first(self, what: str, a: int, b: int) -> str | None:
        pair = np.array([[a, b]])
        return next(
            (rule.name for k, rule in enumerate(self.rules) if rule.what == what and self._matches(k, pair)[0]), None
        )

    def _matches(self, k: int, pairs: Pairs) -> Mask:
        (a, b), (i, j) = self._sides[k], pairs.T
        return (a[i] & b[j]) | (a[j] & b[i])


def _matching(texts: Sequence[str | None], patterns: tuple[str, ...] | None) -> Mask:
    if patterns is None:
        return np.ones(len(texts), bool)
    return np.array([text is not None and any(fnmatchcase(text, each) for each in patterns) for text in texts], bool)
