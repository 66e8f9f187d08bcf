"""Sleep: an island of bodies that are connected by contacts sleeps when all of them have been quiet for long enough.

A body is quiet while it stays where it is. Trembling in place, as bodies do whose contacts come and go, does not count
as motion: so positions are compared, not velocities.

A sleeping body keeps its place and its contacts. What touches it joins its island, and the island is awake as long
as any body in it is not quiet.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import exponential
from tumble.core.jit import kernel
from tumble.core.union_find import root_of, unite
from tumble.dynamics.contacts import WORLD, Contacts
from tumble.dynamics.settings import Settings
from tumble.dynamics.state import Quiet, RigidBodies


def islands_of(contacts: Contacts, links: NDArray[np.int64], movable: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first body of the island of each body, (n,); `links` are pairs that joints connect."""
    parents = np.arange(len(movable))
    join_islands(contacts, links, movable, parents)
    return parents


def sleepers(
    islands: NDArray[np.int64], movable: NDArray[np.bool_], quiet: NDArray[np.float64], time: float
) -> NDArray[np.bool_]:
    """Return which bodies sleep, from how long each has been quiet."""
    least = np.full(len(movable), np.inf)
    np.minimum.at(least, islands, quiet)
    return movable & (least[islands] >= time)


def still_quiet(
    bodies: RigidBodies,
    contacts: Contacts,
    radii: NDArray[np.float64],
    quiet: Quiet,
    settings: Settings,
    step: float,
    held: NDArray[np.bool_],
) -> Quiet:
    """Return which bodies are quiet after a step: no point has gone far, and none is fast enough to bounce.

    What touches nothing is in free flight, unless a joint holds it.
    """
    count = len(quiet.time)
    touched, slow = _touched(contacts, count) | held, _fastest(bodies, radii) <= settings.bounce_speed
    position, rotation = bodies.position[:count], bodies.rotation[:count]
    way = np.sqrt(((position - quiet.position) ** 2).sum(axis=1))
    way += np.sqrt(((rotation - quiet.rotation) ** 2).sum(axis=(1, 2)) / 2) * radii  # a chord is 1/√2 of this norm
    stays = (way <= settings.sleep_speed * settings.sleep_time) & slow
    return Quiet(
        np.where(stays, quiet.time + step * touched, 0.0),
        np.where(stays[:, None], quiet.position, position),
        np.where(stays[:, None, None], quiet.rotation, rotation),
    )


def calm(
    bodies: RigidBodies,
    contacts: Contacts,
    radii: NDArray[np.float64],
    settings: Settings,
    step: float,
    held: NDArray[np.bool_],
) -> None:
    """Let the spin of bodies die down that touch something and move slowly: there is no rolling friction else.

    Joints tell how the bodies that they hold turn.
    """
    slow = _fastest(bodies, radii) <= settings.bounce_speed
    which = np.flatnonzero(_touched(contacts, len(radii)) & slow & ~held)
    bodies.spin[which] *= exponential(-settings.calm_rate * step)


def _fastest(bodies: RigidBodies, radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a bound of the speed of each body's points."""
    fastest = np.sqrt((bodies.velocity[: len(radii)] ** 2).sum(axis=1))
    return fastest + np.sqrt((bodies.spin[: len(radii)] ** 2).sum(axis=1)) * radii


def _touched(contacts: Contacts, count: int) -> NDArray[np.bool_]:
    touched = np.zeros(count + 1, bool)  # the last for the world
    touched[contacts.body_a] = touched[contacts.body_b] = True
    return touched[:count]


@kernel
def join_islands(contacts, links, movable, parents):
    """Make the parent of each body the first of its island; bodies that cannot move do not join what touches them."""
    for c in range(len(contacts.keys)):
        a, b = contacts.body_a[c], contacts.body_b[c]
        if b != WORLD and movable[a] and movable[b]:
            unite(parents, a, b)
    for k in range(len(links)):
        if movable[links[k, 0]] and movable[links[k, 1]]:
            unite(parents, links[k, 0], links[k, 1])
    for i in range(len(parents)):
        parents[i] = root_of(parents, i)
