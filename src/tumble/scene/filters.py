"""Which pairs of bodies are not tested: groups and masks of bits, and contacts that are allowed by name.

Groups and masks are checked while pairs are found, in the kernels. Allowed contacts are taken out of what was found.
"""

from __future__ import annotations

from operator import index

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import LOWER_HALF, Keys, keys_of_pairs
from tumble.errors import InputError, OptionError

ALL_GROUPS = 0xFFFFFFFF
"""a mask that sees every group, or the group of a body that is in all of them"""
DEFAULT_GROUP = 1


def as_bits(value: int, what: str) -> int:
    """Return a group or mask as an int of 32 bits."""
    try:
        bits = index(value)
    except TypeError:
        bits = -1
    if not 0 <= bits <= ALL_GROUPS:
        raise OptionError(f"{what} must be an integer of 32 bits, from 0 to {ALL_GROUPS:#x}; found {value!r}")
    return bits


class AllowedContacts:
    """The allowed-collision matrix: rules for two bodies have precedence over rules for either of them."""

    def __init__(self) -> None:
        self.everything: dict[str, None] = {}  # names in order: bodies that may touch anything
        # What is said of two bodies, entered under both names: True when their contact is allowed.
        self.said: dict[str, dict[str, bool]] = {}
        self._arrays: tuple[Keys, NDArray[np.bool_], NDArray[np.int64]] | None = None

    def allow(self, a: str, b: str | None) -> None:
        """Allow contact of two bodies, or of one with everything."""
        if b is None:
            self.everything[a] = None
            self._arrays = None
        else:
            self._say(a, b, True)

    def disallow(self, a: str, b: str | None) -> None:
        """Report contact of two bodies again, or take back all that was said about one."""
        if b is None:
            self.forget(a)
        elif a in self.everything or b in self.everything:
            self._say(a, b, False)
        else:
            self._unsay(a, b)

    def forget(self, name: str) -> None:
        """Take back all that was said about a body."""
        self.everything.pop(name, None)
        for other in list(self.said.get(name, ())):
            self._unsay(name, other)
        self._arrays = None

    def listed(self, allowed: bool, slots: dict[str, int]) -> list[tuple[str, str | None]]:
        """Return what was said to be allowed, or what was said not to be, in the order of the slots."""
        self._forget_gone(slots)
        pairs = [(a, b) for a, others in self.said.items() for b, said in others.items() if said is allowed]
        entries: list[tuple[str, str | None]] = [(a, b) for a, b in pairs if slots[a] < slots[b]]
        if allowed:
            entries += [(name, None) for name in self.everything]
        return sorted(entries, key=lambda entry: (slots[entry[0]], -1 if entry[1] is None else slots[entry[1]]))

    def __bool__(self) -> bool:
        return bool(self.everything or self.said)

    def copy(self) -> AllowedContacts:
        """Return an independent copy."""
        twin = AllowedContacts()
        twin.everything = dict(self.everything)
        twin.said = {name: dict(entries) for name, entries in self.said.items()}
        return twin

    def forget_slots(self) -> None:
        """Forget the slots: they have other owners now. Names stay what they are."""
        self._arrays = None

    def among(self, keys: Keys, slots: dict[str, int], size: int) -> NDArray[np.bool_]:
        """Tell for each key whether the contact of its two bodies is allowed, for bodies in `size` slots."""
        anything = self.anything(slots, size)
        allowed = anything[keys >> 32] | anything[keys & LOWER_HALF]
        said_keys, said_allowed, _ = self._looked_up(slots)
        if len(said_keys):
            at = np.minimum(np.searchsorted(said_keys, keys), len(said_keys) - 1)
            allowed = np.where(said_keys[at] == keys, said_allowed[at], allowed)
        return allowed

    def anything(self, slots: dict[str, int], size: int) -> NDArray[np.bool_]:
        """Tell for each slot whether its body may touch everything, also meshes outside the scene."""
        anything = np.zeros(size, bool)
        anything[self._looked_up(slots)[2]] = True
        return anything

    def _looked_up(self, slots: dict[str, int]) -> tuple[Keys, NDArray[np.bool_], NDArray[np.int64]]:
        if self._arrays is None:
            self._forget_gone(slots)
            rows = [(slots[a], slots[b], said) for a, others in self.said.items() for b, said in others.items()]
            table = np.array(rows, np.int64).reshape(-1, 3)
            keys, at = np.unique(keys_of_pairs(np.sort(table[:, :2], axis=1)), return_index=True)
            everything = np.array([slots[name] for name in self.everything], np.int64)
            self._arrays = keys, table[at, 2].astype(bool), everything
        return self._arrays

    def _forget_gone(self, slots: dict[str, int]) -> None:
        """Forget bodies whose removal was interrupted before it came to this table."""
        for name in [name for name in (*self.everything, *self.said) if name not in slots]:
            self.forget(name)

    def _say(self, a: str, b: str, allowed: bool) -> None:
        if a == b:
            raise InputError(f"a body does not touch itself: {a!r} is given twice; allow({a!r}) allows it everything")
        self._arrays = None
        self.said.setdefault(a, {})[b] = allowed
        self.said.setdefault(b, {})[a] = allowed

    def _unsay(self, a: str, b: str) -> None:
        self._arrays = None
        for name, other in ((a, b), (b, a)):
            entries = self.said.get(name, {})
            entries.pop(other, None)
            if not entries:
                self.said.pop(name, None)
        self._arrays = None
