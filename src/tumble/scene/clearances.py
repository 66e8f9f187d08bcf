"""The clearances of the bodies of a scene: one for all, by body, by pair; and which bodies may be too near.

    a number           every two bodies
    {name: d}          the body's clearance: everything else has to stay this far away from it
    {(a, b): d}        two bodies
    {None: d}          all pairs for which nothing else is said; 0 by default

The most special rule counts: the one for the two bodies, else the larger of those for either, else the default. The
larger, not the sum: a clearance is free space around a body, and other bodies may share it, as with the net classes of
a circuit board. Bodies that are blown up by a padding each have to keep the sum, which rules for pairs can say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.broad.choice import Auto
from tumble.broad.gaps import box_distances, enlarged
from tumble.core.keys import keys_of_pairs, pairs_of_keys
from tumble.errors import InputError
from tumble.query.clearance import checked_clearance

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment
    from tumble.scene.filters import AllowedContacts


class Clearances(NamedTuple):
    """What the bodies of a moment have to keep."""

    default: float
    of_bodies: NDArray[np.float64]
    """(n,): of each slot; NaN where nothing is said"""
    keys: NDArray[np.int64]
    """(k,): the pairs of slots with rules of their own, the lower slot in the upper half, sorted"""
    of_keys: NDArray[np.float64]
    """(k,): the clearance of each"""

    def of_pairs(self, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the clearance of each of (m, 2) pairs of slots, the lower one first."""
        found = np.fmax(self.of_bodies[pairs[:, 0]], self.of_bodies[pairs[:, 1]])
        found = np.where(np.isnan(found), self.default, found)
        if len(self.keys):
            keys = keys_of_pairs(pairs)
            places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            found = np.where(self.keys[places] == keys, self.of_keys[places], found)
        return found

    def with_all(self, slot: int | None) -> NDArray[np.float64]:
        """Return what each body has to keep from one of them, or from a mesh that has no name and no rule."""
        if slot is None:
            return np.where(np.isnan(self.of_bodies), self.default, self.of_bodies)
        others = np.arange(len(self.of_bodies))
        return self.of_pairs(np.stack([np.minimum(others, slot), np.maximum(others, slot)], axis=1))

    def reaches(self) -> NDArray[np.float64]:
        """Return how far to enlarge the box of each body: for two bodies, together no less than their clearance."""
        reach = np.where(np.isnan(self.of_bodies), 0.5 * self.default, self.of_bodies)
        for side in pairs_of_keys(self.keys).T:
            np.maximum.at(reach, side, 0.5 * self.of_keys)
        return reach


def clearances_of(given: Any, slots: Mapping[str, int], count: int) -> Clearances:
    """Read a number or a mapping, as above, for bodies in `count` slots."""
    if not isinstance(given, Mapping):
        no_rules = np.full(count, np.nan), np.empty(0, np.int64), np.empty(0)
        return Clearances(checked_clearance(given), *no_rules)
    default, of_bodies = 0.0, np.full(count, np.nan)
    of_keys: dict[int, float] = {}
    for key, value in given.items():
        number = checked_clearance(value, f"clearance[{key!r}]")
        if key is None:
            default = number
        elif isinstance(key, str):
            of_bodies[_slot(key, slots)] = number
        else:
            pair = _key_of_two(key, slots)
            if of_keys.setdefault(pair, number) != number:
                raise InputError(f"clearance has two values for {key!r}: {of_keys[pair]!r} and {number!r}")
    keys = np.array(sorted(of_keys), np.int64)
    return Clearances(default, of_bodies, keys, np.array([of_keys[key] for key in keys.tolist()], np.float64))


def _key_of_two(key: Any, slots: Mapping[str, int]) -> int:
    if not isinstance(key, tuple) or len(key) != 2:
        raise InputError(f"clearance is given for {key!r}; use a name, a pair of names, or None for all other bodies")
    one, other = sorted(_slot(name, slots) for name in key)
    if one == other:
        raise InputError(f"clearance is given for {key!r}, which is one body; a pair has two names")
    return one << 32 | other


def _slot(name: Any, slots: Mapping[str, int]) -> int:
    if not isinstance(name, str) or name not in slots:
        raise InputError(f"clearance names {name!r}, and there is no such body among the {len(slots)} of this scene")
    return slots[name]


def pairs_within(
    moment: Moment, clearances: Clearances, allowed: AllowedContacts, slots: dict[str, int]
) -> NDArray[np.int64]:
    """Return the (k, 2) slots, sorted, of bodies that may be nearer than they have to be: their boxes are."""
    boxes = enlarged(moment.boxes, clearances.reaches()[:, None])
    keys = Auto().keys(boxes, moment.filters)
    if allowed:
        keys = keys[~allowed.among(keys, slots, len(moment.names))]
    pairs = pairs_of_keys(keys)
    apart = box_distances(moment.boxes[pairs[:, 0]], moment.boxes[pairs[:, 1]])
    return pairs[apart <= clearances.of_pairs(pairs)]


def pairs_between(a: Moment, b: Moment, of_b: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return (k, 2) slots, sorted, of bodies a and b that may be nearer than b has to be from all a; and how near."""
    pairs = a.pairs_with(b._replace(boxes=enlarged(b.boxes, of_b[:, None])))
    numbers = of_b[pairs[:, 1]]
    near = box_distances(a.boxes[pairs[:, 0]], b.boxes[pairs[:, 1]]) <= numbers
    return pairs[near], numbers[near]
