"""A bound on the work of contacts: no impact adds energy to the bodies that it connects.

Newton's restitution fixes the speed after an impact contact by contact, whatever friction and the other contacts of the
bodies do; with friction, or with several contacts, the sum of their work can be positive. A rod that lands on its end
can leave with 1.4 times its energy.

The solver knows two answers to an impact: with no rebound, which only takes energy, and with all of it. Both keep
momentum, let no contact pull and keep friction in its cone, and so does everything between them, as these conditions
are convex. Along this line the energy of an island of touching bodies is a parabola: the largest share of the rebound
is taken for which it does not grow. The answer without rebound is bounded in the same way, between it and no impulses
at all: Gauss–Seidel stops before it has converged, and a warm start that was too large would leave energy behind.

What counts as energy, for a substep of length h that takes a body from v to v′ under gravity g:

    F  =  ½ m v′² − ½ m v²  −  m h g · ½ (v + v′)  −  ½ p f (u − d)

the change of the energy of motion, less the work of gravity, summed over bodies; less a term for each impulse p of an
impact d after the start and u before the end of the substep, for the fall f of the bodies towards each other. It is the
work of gravity that an impact in the middle of the substep would have seen, and makes F the true loss of a ball that
bounces at any moment.

After a late impact, d > u, the term is what the push has to earn: it takes the body lower than the mean of v and v′
would. Where the body turns as well, or rubs, it gets less far, and with a rebound of 1 nothing was lost elsewhere. So
when the push is done, what it did not earn is taken off the bodies that it was granted to (`limit_unearned`). The
world, or something else that gravity does not move, is at the other side of such an impact: there is no momentum to
keep.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import dot, plus, row, scaled, set_row
from tumble.dynamics.contacts import LAST, Contacts
from tumble.dynamics.motion import momentum_of
from tumble.dynamics.rows import END, MEAN, TIMING
from tumble.dynamics.state import RigidBodies

# Columns of `sums`: F with no share of the change, its slope, its curvature; and the share that is taken.
NONE, SLOPE, CURVE, SHARE = 0, 1, 2, 3


class Earlier(NamedTuple):
    """Velocities and impulses before a change that may be taken back in part."""

    velocity: NDArray[np.float64]  # (n + 1, 3)
    spin: NDArray[np.float64]
    pressed: NDArray[np.float64]  # (k,)
    rubbed: NDArray[np.float64]  # (k, 3)
    sums: NDArray[np.float64]  # (n, 4) of each island, in the row of its first body
    joined: NDArray[np.float64]  # (j,) impulses of joints
    driven: NDArray[np.bool_]  # (n,) whether an island has motors that run, in the row of its first body
    granted: NDArray[np.float64]  # (n,) J that late impacts leave to each body for a lower way


def earlier_of(
    bodies: RigidBodies, contacts: Contacts, joints: int, islands: NDArray[np.int64], driven: NDArray[np.bool_]
) -> Earlier:
    """Return memory for what `remember` writes; `joints` are rows of joints, `driven` the bodies that have a motor."""
    count = len(contacts.keys)
    motion = np.zeros_like(bodies.velocity), np.zeros_like(bodies.spin)
    impulses = np.zeros(count), np.zeros((count, 3))
    with_motors = np.zeros(len(islands), np.bool_)
    with_motors[islands[driven]] = True
    sums, granted = np.zeros((len(islands), 4)), np.zeros(len(islands))
    return Earlier(*motion, *impulses, sums, np.zeros(joints), with_motors, granted)


@kernel
def remember(bodies, contacts, joints, earlier, acting):
    """Write velocities as they are now, and impulses; those of contacts are 0 where these are not `acting` yet."""
    for i in range(len(earlier.joined)):
        earlier.joined[i] = joints.work.whole[i]
    for i in range(len(earlier.velocity)):
        set_row(earlier.velocity, i, row(bodies.velocity, i))
        set_row(earlier.spin, i, row(bodies.spin, i))
    for c in range(len(contacts.keys)):
        earlier.pressed[c] = contacts.pressed[c, LAST] if acting else 0.0
        set_row(earlier.rubbed, c, scaled(row(contacts.rubbed, c), 1.0 if acting else 0.0))


@kernel
def limit_work(bodies, contacts, joints, moving, rows, start, earlier, islands, gravity, time, rebound):
    """Take back so much of what changed that the energy of no island grows by the contacts of this substep.

    start     the velocities at the start of the substep
    islands   (n,) the first body of each body's island
    rebound   whether the change is a rebound. Otherwise islands with motors that run keep all of it: contacts pass on
              what motors do. Their rebound adds nothing to what they have without it.

    Joints hold before and after the change, so they hold between, and do no work.
    """
    sums = earlier.sums
    sums[:] = 0.0
    for i in range(len(moving)):
        if moving[i]:
            _add_body(bodies, start, earlier, i, gravity, time, sums, islands[i])
    for c in range(len(contacts.keys)):
        _add_impact(contacts, rows, moving, earlier, c, sums, islands)
    for i in range(len(moving)):
        share = _largest_share(sums[i, NONE], sums[i, SLOPE], sums[i, CURVE])
        sums[i, SHARE] = share if rebound or not earlier.driven[i] else 1.0
    for i in range(len(moving)):
        share = sums[islands[i], SHARE]
        if moving[i] and share < 1.0:
            set_row(bodies.velocity, i, _between(earlier.velocity, bodies.velocity, i, share))
            set_row(bodies.spin, i, _between(earlier.spin, bodies.spin, i, share))
    for i in range(len(earlier.joined)):
        a, b = joints.rows.body_a[i], joints.rows.body_b[i]
        share = sums[islands[a if moving[a] else b], SHARE] if joints.work.alive[i] else 1.0
        if share < 1.0:
            joints.work.whole[i] = earlier.joined[i] + share * (joints.work.whole[i] - earlier.joined[i])
    for c in range(len(contacts.keys)):
        share = sums[islands[_of_island(contacts, moving, c)], SHARE]
        if rows.normal_masses[c] > 0.0 and share < 1.0:
            old = earlier.pressed[c]
            contacts.pressed[c, LAST] = old + share * (contacts.pressed[c, LAST] - old)
            set_row(contacts.rubbed, c, _between(earlier.rubbed, contacts.rubbed, c, share))
            if _bounces(rows, c):  # the way, too
                plain = rows.bounces[c, MEAN]
                rows.targets[c, MEAN] = plain + share * (rows.targets[c, MEAN] - plain)


@kernel
def limit_unearned(bodies, contacts, rows, moving, jointed, means, unpushed, earlier, islands, gravity, time):
    """Take off what late impacts left for a lower way that the push did not go, unless their island has lost as much.

    It follows `limit_work` for a rebound, whose sums it reads. Bodies with joints are left to `mechanisms`.

    jointed    (n,) bodies with joints
    unpushed   the mean velocities without the push
    """
    sums, granted = earlier.sums, earlier.granted
    granted[:] = 0.0
    for i in range(len(moving)):  # from here on NONE is the energy made beyond the lift, SLOPE what was granted
        share = sums[i, SHARE]
        sums[i, NONE] += (sums[i, SLOPE] + 0.5 * sums[i, CURVE] * share) * share
        sums[i, SLOPE] = 0.0
    for c in range(len(contacts.keys)):
        if rows.normal_masses[c] > 0.0 and _bounces(rows, c):
            i = _of_island(contacts, moving, c)
            left = 0.0 if jointed[i] else rows.bounces[c, TIMING] * contacts.pressed[c, LAST]
            sums[islands[i], NONE] += left
            granted[i] += left
    for i in range(len(moving)):
        if moving[i] and not jointed[i]:
            sums[islands[i], NONE] -= max(0.0, work_of_gravity(bodies, means, unpushed, i, gravity, time))
            sums[islands[i], SLOPE] += max(0.0, granted[i])
    for i in range(len(moving)):
        made = sums[islands[i], NONE]
        if granted[i] > 0.0 and made > 0.0 and not earlier.driven[islands[i]]:
            energy = energy_of(bodies, i)
            less = min(made * granted[i] / sums[islands[i], SLOPE], energy)
            share = sqrt((energy - less) / energy) if energy > 0.0 else 1.0
            set_row(bodies.velocity, i, scaled(row(bodies.velocity, i), share))
            set_row(bodies.spin, i, scaled(row(bodies.spin, i), share))


@kernel
def lift_of(bodies, means, moving, unpushed, gravity, time):
    """Return the weight of each body times the way by which the push has raised it, J, summed over those it raised.

    unpushed   the mean velocities without the push
    """
    lift = 0.0
    for i in range(len(moving)):
        if moving[i]:
            lift += max(0.0, -work_of_gravity(bodies, means, unpushed, i, gravity, time))
    return lift


@inlined_kernel
def energy_of(bodies, i):
    """Return the energy of motion of a body; that of a turn about its axle, if it has one."""
    velocity, spin = row(bodies.velocity, i), row(bodies.spin, i)
    energy = 0.5 * dot(spin, momentum_of(bodies, i, spin))
    if bodies.inverse_mass[i] > 0.0:
        energy += 0.5 * dot(velocity, velocity) / bodies.inverse_mass[i]
    return energy


@inlined_kernel
def work_of_gravity(bodies, means, others, i, gravity, time):
    """Return the work of gravity on the way of a body beyond that which other mean velocities would take it."""
    if bodies.inverse_mass[i] == 0.0:
        return 0.0
    way = plus(row(means.velocity, i), -1.0, row(others, i))
    return time * dot((gravity[0], gravity[1], gravity[2]), way) / bodies.inverse_mass[i]


@inlined_kernel
def _bounces(rows, c):
    """Tell whether contact c has a rebound for its target; all others let bodies approach, or stop them."""
    return rows.targets[c, END] > 0.0


@inlined_kernel
def _between(old, new, i, share):
    """Return row i, gone this share of the way from old to new."""
    before = row(old, i)
    return plus(before, share, plus(row(new, i), -1.0, before))


@inlined_kernel
def _of_island(contacts, moving, c):
    """Return a body of contact c that moves; where none does, any one."""
    a, b = contacts.body_a[c], contacts.body_b[c]
    return a if moving[a] or b < 0 else b


@inlined_kernel
def _add_body(bodies, start, earlier, i, gravity, time, sums, island):
    """Add what a body contributes to the parabola of its island."""
    old, first = row(earlier.velocity, i), row(start.velocity, i)
    change = plus(row(bodies.velocity, i), -1.0, old)
    if bodies.inverse_mass[i] > 0.0:
        mass = 1.0 / bodies.inverse_mass[i]
        fall = (time * gravity[0], time * gravity[1], time * gravity[2])
        sums[island, NONE] += 0.5 * mass * (dot(old, old) - dot(first, first) - dot(fall, plus(first, 1.0, old)))
        sums[island, SLOPE] += mass * (dot(old, change) - 0.5 * dot(fall, change))
        sums[island, CURVE] += mass * dot(change, change)
    old, first = row(earlier.spin, i), row(start.spin, i)
    change = plus(row(bodies.spin, i), -1.0, old)
    momentum = momentum_of(bodies, i, change)
    sums[island, NONE] += 0.5 * (dot(old, momentum_of(bodies, i, old)) - dot(first, momentum_of(bodies, i, first)))
    sums[island, SLOPE] += dot(old, momentum)
    sums[island, CURVE] += dot(change, momentum)


@inlined_kernel
def _add_impact(contacts, rows, moving, earlier, c, sums, islands):
    """Add the term of an impact for its moment within the substep."""
    if rows.normal_masses[c] > 0.0 and _bounces(rows, c):
        island = islands[_of_island(contacts, moving, c)]
        sums[island, NONE] -= rows.bounces[c, TIMING] * earlier.pressed[c]
        sums[island, SLOPE] -= rows.bounces[c, TIMING] * (contacts.pressed[c, LAST] - earlier.pressed[c])


@inlined_kernel
def _largest_share(none, slope, curve):
    """Return the largest s up to 1 for which none + slope · s + ½ curve · s² is not above 0, nor above its start."""
    excess = min(none, 0.0)
    if excess + slope + 0.5 * curve <= 0.0:
        return 1.0
    # The parabola starts at or below 0 and ends above, so it has one root between; curve is above 0, or slope is.
    root = sqrt(slope * slope - 2.0 * curve * excess)
    # of the two forms of a root the one in which nothing cancels out
    share = -2.0 * excess / (slope + root) if slope > 0.0 else (root - slope) / curve
    return min(max(share, 0.0), 1.0)
