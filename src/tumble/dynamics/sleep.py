"""Who sleeps: bodies that hang together by contacts do so together, when all have been quiet for long enough.

A sleeping body keeps its place and its contacts. What touches it joins its island, and the island is awake as long
as any body in it is not quiet.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.bodies import RigidBodies
from tumble.dynamics.contacts import WORLD, Contacts
from tumble.jit import kernel


def sleepers(
    contacts: Contacts, movable: NDArray[np.bool_], quiet: NDArray[np.float64], time: float
) -> NDArray[np.bool_]:
    """Return which bodies sleep, from how long each has been quiet."""
    parents = np.arange(len(movable))
    join_islands(contacts, movable, parents)
    least = np.full(len(movable), np.inf)
    np.minimum.at(least, parents, quiet)
    return movable & (least[parents] >= time)


def still_quiet(
    bodies: RigidBodies,
    contacts: Contacts,
    radii: NDArray[np.float64],
    quiet: NDArray[np.float64],
    speed: float,
    time: float,
) -> NDArray[np.float64]:
    """Return for how long each body has been slow, all its points below a speed; time in free flight does not count."""
    count = len(quiet)
    fastest = np.sqrt((bodies.velocity[:count] ** 2).sum(axis=1))
    fastest += np.sqrt((bodies.spin[:count] ** 2).sum(axis=1)) * radii
    touched = np.zeros(count + 1)  # the last for the world
    touched[contacts.body_a] = touched[contacts.body_b] = time
    return np.where(fastest < speed, quiet + touched[:count], 0.0)


@kernel
def join_islands(contacts, movable, parents):
    """Make the parent of each body the first of its island; bodies that cannot move do not join what touches them."""
    for c in range(len(contacts.keys)):
        a, b = contacts.body_a[c], contacts.body_b[c]
        if b != WORLD and movable[a] and movable[b]:
            first, second = _root(parents, a), _root(parents, b)
            parents[max(first, second)] = min(first, second)
    for i in range(len(parents)):
        parents[i] = _root(parents, i)


@kernel
def _root(parents, i):
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i
