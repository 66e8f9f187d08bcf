"""All that changes while a world runs, as a copy to return to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.bodies import RigidBodies
from tumble.dynamics.contacts import Contacts
from tumble.dynamics.sleep import Quiet


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
