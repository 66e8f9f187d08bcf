"""Contacts as arrays, a row for each point, sorted by bodies and key, with the impulses of the last step."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.linear import row

WORLD = -1  # the body of a plane: the last row of the bodies
# Columns of `pressed`: the last substep and the one before it.
LAST, BEFORE = 0, 1


class Contacts(NamedTuple):
    """Points where bodies touch, or soon may."""

    body_a: NDArray[np.int32]
    body_b: NDArray[np.int32]
    """WORLD (−1) for a plane"""
    points: NDArray[np.float64]
    """(k, 3)"""
    normals: NDArray[np.float64]
    """(k, 3) unit vectors; they push a away from b"""
    depths: NDArray[np.float64]
    """how far a has to go along the normal to be free; negative for a gap that may close within the step"""
    keys: NDArray[np.int64]
    """identifies a point of two bodies from step to step"""
    friction: NDArray[np.float64]
    restitution: NDArray[np.float64]
    pressed: NDArray[np.float64]
    """(k, 2) impulse along the normal in the substeps LAST and BEFORE"""
    rubbed: NDArray[np.float64]
    """(k, 3) impulse of friction on a in the last substep"""

    @property
    def impulses(self) -> NDArray[np.float64]:
        """(k, 3) impulse on a in the last substep"""
        return self.pressed[:, :1] * self.normals + self.rubbed


def contacts_of(body_a: NDArray[np.integer], body_b: NDArray[np.integer], *columns: NDArray) -> Contacts:
    """Return contacts without impulses; `columns` are those of `Contacts` from points to restitution."""
    bodies, count = (np.asarray(body_a, np.int32), np.asarray(body_b, np.int32)), len(body_a)
    return Contacts._make((*bodies, *columns, np.zeros((count, 2)), np.zeros((count, 3))))


def no_contacts() -> Contacts:
    """Return an empty record."""
    numbers, vectors, bodies = np.empty(0), np.empty((0, 3)), np.empty(0, np.int32)
    return contacts_of(bodies, bodies, vectors, vectors, numbers, np.empty(0, np.int64), numbers, numbers)


def chosen(contacts: Contacts, which: NDArray[np.bool_] | NDArray[np.int64]) -> Contacts:
    """Return copies of some rows."""
    columns: tuple[NDArray, ...] = contacts
    return Contacts(*(column[which] for column in columns))


def joined(*parts: Contacts) -> Contacts:
    """Return all rows, sorted by bodies and key."""
    together = Contacts(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    return chosen(together, np.lexsort((together.keys, together.body_b, together.body_a)))


@kernel
def hand_on(old, new, taken, distance):
    """Give new contacts the impulses of the old ones: by key, then of the nearest within a distance, each once.

    Both are sorted, so one pass finds the contacts of the same two bodies; `taken` has a place for each old contact and
    starts False. Keys come first: a nearer point of another feature must not take an impulse from its owner.
    """
    start = 0
    i = 0
    while i < len(new.keys):
        a, b = new.body_a[i], new.body_b[i]
        stop_new = i
        while stop_new < len(new.keys) and new.body_a[stop_new] == a and new.body_b[stop_new] == b:
            stop_new += 1
        while start < len(old.keys) and (old.body_a[start] < a or (old.body_a[start] == a and old.body_b[start] < b)):
            start += 1
        stop = start
        while stop < len(old.keys) and old.body_a[stop] == a and old.body_b[stop] == b:
            stop += 1
        _match(old, start, stop, new, i, stop_new, taken, distance)
        start, i = stop, stop_new


@kernel
def _match(old, start, stop, new, start_new, stop_new, taken, distance):
    # Two bodies have at most eight contacts, a body and a plane likewise: few enough to compare all with all.
    for i in range(start_new, stop_new):
        for j in range(start, stop):
            if not taken[j] and old.keys[j] == new.keys[i]:
                _take(old, j, new, i, taken)
                break
    for i in range(start_new, stop_new):
        if new.pressed[i, LAST] >= 0.0:
            continue  # matched by key: what is not matched yet is negative
        best, nearest = -1, distance * distance
        for j in range(start, stop):
            p, q = row(old.points, j), row(new.points, i)
            square = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2
            if not taken[j] and square <= nearest:
                best, nearest = j, square
        if best >= 0:
            _take(old, best, new, i, taken)
        else:
            new.pressed[i, LAST] = 0.0


@kernel
def _take(old, j, new, i, taken):
    taken[j] = True
    new.pressed[i, LAST] = old.pressed[j, LAST]
    new.pressed[i, BEFORE] = old.pressed[j, BEFORE]
    for k in range(3):
        new.rubbed[i, k] = old.rubbed[j, k]


def with_impulses(contacts: Contacts, old: Contacts, distance: float) -> Contacts:
    """Return sorted contacts with what the sorted contacts of the last step pressed and rubbed."""
    contacts.pressed[:] = (-1.0, 0.0)  # not yet matched
    contacts.rubbed[:] = 0.0
    hand_on(old, contacts, np.zeros(len(old.keys), bool), distance)
    return contacts


def mixed_friction(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coefficient of friction between two materials: the geometric mean, so a slippery one counts most."""
    return np.sqrt(a * b)
