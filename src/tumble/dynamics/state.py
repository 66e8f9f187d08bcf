"""A world for its kernels: `Conditions`, which a step leaves alone, and the `State`, which it changes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.bodies import RigidBodies, copied, no_bodies
from tumble.dynamics.body import Roster
from tumble.dynamics.contacts import WORLD, Contacts, no_contacts
from tumble.dynamics.planes import Planes
from tumble.dynamics.settings import Settings
from tumble.dynamics.sleep import Quiet
from tumble.errors import InputError


@dataclass(frozen=True, eq=False)
class Conditions:
    """What a step does not change; see `World`."""

    gravity: NDArray[np.float64]
    time_step: float
    settings: Settings
    roster: Roster
    planes: Planes
    threads: int | None
    device: str


@dataclass(frozen=True, eq=False)
class State:
    """What `World.snapshot` returns; from the same state the same world goes on in the same way, bit for bit."""

    time: float
    steps: int
    bodies: RigidBodies
    contacts: Contacts
    quiet: Quiet
    asleep: NDArray[np.bool_]
    """(n,)"""

    def copy(self) -> State:
        """Return the same state in arrays of its own."""
        copies = copied(self.bodies), copied(self.contacts), copied(self.quiet)
        return State(self.time, self.steps, *copies, self.asleep.copy())


def empty_state() -> State:
    """Return the state of a world without bodies, at its start."""
    quiet = Quiet(np.empty(0), np.empty((0, 3)), np.empty((0, 3, 3)))
    return State(0.0, 0, no_bodies(), no_contacts(), quiet, np.empty(0, bool))


def check_state(state: State, current: State) -> None:
    """Raise InputError unless a state fits the world that is in another: kernels use its numbers as indices."""
    if not isinstance(state, State):
        raise InputError(f"a snapshot of a world is wanted, not {type(state).__name__}")
    count = len(current.asleep)
    if np.shape(state.asleep) != (count,):
        raise InputError(f"the snapshot is of {len(state.asleep)} bodies, the world has {count}")
    points = np.shape(state.contacts.keys)[:1]
    contacts = Contacts(*(np.empty((*points, *column.shape[1:]), column.dtype) for column in no_contacts()))
    records = (state.bodies, current.bodies), (state.quiet, current.quiet), (state.contacts, contacts)
    columns = chain.from_iterable(zip(due._fields, found, due, strict=True) for found, due in records)
    for name, column, due in columns:
        if type(column) is not np.ndarray or column.shape != due.shape or column.dtype != due.dtype:
            raise InputError(f"{name} of the snapshot is not an array of {due.dtype} of shape {due.shape}")
    for name in ("body_a", "body_b"):
        named = getattr(state.contacts, name)
        if ((named < WORLD) | (named >= count)).any():
            raise InputError(f"{name} of the snapshot's contacts names a body that the world of {count} does not have")
