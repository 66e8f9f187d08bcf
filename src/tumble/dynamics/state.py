"""All that changes while a world runs, as a copy to return to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.bodies import RigidBodies
from tumble.dynamics.contacts import WORLD, Contacts, no_contacts
from tumble.dynamics.sleep import Quiet
from tumble.errors import InputError


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


def check_state(state: State, bodies: RigidBodies, quiet: Quiet) -> None:
    """Raise InputError unless a state fits a world of these bodies: kernels go where its numbers point."""
    if not isinstance(state, State):
        raise InputError(f"a snapshot of a world is wanted, not {type(state).__name__}")
    count = len(quiet.time)
    if np.shape(state.asleep) != (count,):
        raise InputError(f"the snapshot is of {len(state.asleep)} bodies, the world has {count}")
    for name, column, due in _columns(state, bodies, quiet):
        if type(column) is not np.ndarray or column.shape != due.shape or column.dtype != due.dtype:
            raise InputError(f"{name} of the snapshot is not an array of {due.dtype} of shape {due.shape}")
    for name in ("body_a", "body_b"):
        named = getattr(state.contacts, name)
        if ((named < WORLD) | (named >= count)).any():
            raise InputError(
                f"{name} of the snapshot's contacts names a body that is not among the {count} of the world"
            )


def _columns(state: State, bodies: RigidBodies, quiet: Quiet) -> Iterator[tuple[str, Any, NDArray[Any]]]:
    """Yield every array of a state with its name and an array of the shape and type that it should have."""
    count = np.shape(state.contacts.keys)[:1]
    contacts = Contacts(*(np.empty((*count, *column.shape[1:]), column.dtype) for column in no_contacts()))
    for columns, due in ((state.bodies, bodies), (state.quiet, quiet), (state.contacts, contacts)):
        yield from zip(due._fields, columns, due, strict=True)
