"""A bound on what joints do to a mechanism that was hit: bodies that joints connect gain no energy by the move.

Joints are solved at the places of the start of a substep and again at those of its end (see `joint_solver`). Without
impacts this is symmetric in time, and the energy swings a little and does not drift. A mechanism that was hit moves for
a part of the time as it did before, as a single body does (see `motion`): the velocities after the impact, made to fit
joints that have turned so, can have more energy than the impact left.

So the energy of motion that a mechanism may have after the move is noted before it: what the impact left, and the work
of gravity on the way that joints add to that of the bodies. An impact late in its substep may leave more energy than
there was, as the push takes the bodies lower than their mean velocities would (see `energy`). With joints few sweeps do
not get it all the way there, and what was not spent on the way is taken off.

A mechanism that has more than it may have is slowed down. Joints ask for linear conditions that all velocities 0
satisfy, and, where none of them holds the mechanism to something that stays in its place, any common velocity: that of
the centre of mass is kept, and with it the momentum.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import dot, plus, row, scaled, set_row
from tumble.core.union_find import root_of, unite
from tumble.dynamics.contacts import LAST, WORLD
from tumble.dynamics.energy import energy_of, work_of_gravity
from tumble.dynamics.joints import JointRows, driven, links_of
from tumble.dynamics.rows import END, TIMING
from tumble.dynamics.state import RigidBodies

# Columns of `sums`: the energy of motion that is allowed and the one that there is, what late impacts left for a lower
# way and was not spent on it, the mass, three of the momentum.
MOST, NOW, UNSPENT, MASS, MOMENTUM, SUMS = 0, 1, 2, 3, 4, 7


class Mechanisms(NamedTuple):
    """Bodies that joints connect; a single body without joints is one, too. Facts are in the row of its first body."""

    first: NDArray[np.int64]  # (n,) the first body of each body's mechanism
    anchored: NDArray[np.bool_]  # (n,) connected with something that stays in its place
    bounded: NDArray[np.bool_]  # (n,) has joints, and no motor that runs
    hit: NDArray[np.bool_]  # (n,) a contact presses in this substep
    sums: NDArray[np.float64]  # (n, SUMS)


def mechanisms_of(bodies: RigidBodies, moving: NDArray[np.bool_], joints: JointRows) -> Mechanisms:
    """Return the mechanisms of a world at the start of a step."""
    count = len(moving)
    first = np.arange(count)
    join_mechanisms(links_of(joints), moving, first)
    ends, still = np.stack([joints.body_a, joints.body_b], axis=1), np.append(~moving, True)  # the last is the world
    anchored, bounded = np.zeros(count, bool), np.zeros(count, bool)
    held = ends[still[ends].any(axis=1)]
    anchored[first[held[~still[held]]]] = True
    anchored[first[moving & (bodies.inverse_mass[:-1] == 0.0)]] = True  # a body on an axle
    bounded[first[ends[~still[ends]]]] = True
    bounded[first[driven(joints, count)]] = False
    return Mechanisms(first, anchored, bounded, np.zeros(count, bool), np.zeros((count, SUMS)))


@kernel
def join_mechanisms(links, moving, first):
    """Make `first` the first body of the mechanism of each; bodies that do not move connect nothing."""
    for k in range(len(links)):
        if moving[links[k, 0]] and moving[links[k, 1]]:
            unite(first, links[k, 0], links[k, 1])
    for i in range(len(first)):
        first[i] = root_of(first, i)


@kernel
def note_energy(bodies, contacts, moving, means, unfitted, mechanisms, gravity, time):
    """Write which mechanisms are hit, and the energy of motion that they may have after the move.

    unfitted   the mean velocities without what makes places fit the joints
    """
    first, hit, sums = mechanisms.first, mechanisms.hit, mechanisms.sums
    hit[:] = False
    sums[:] = 0.0
    for c in range(len(contacts.keys)):
        if contacts.pressed[c, LAST] > 0.0:
            a, b = contacts.body_a[c], contacts.body_b[c]
            hit[first[a]] = mechanisms.bounded[first[a]]
            if b != WORLD:
                hit[first[b]] = mechanisms.bounded[first[b]]
    for i in range(len(first)):
        if moving[i] and hit[first[i]]:
            sums[first[i], MOST] += energy_of(bodies, i)
            sums[first[i], MOST] += work_of_gravity(bodies, means, unfitted, i, gravity, time)


@kernel
def note_unspent(bodies, contacts, rows, moving, means, unpushed, mechanisms, gravity, time):
    """Write what late impacts left for a lower way, less what the push has used of it.

    unpushed   the mean velocities without the push
    """
    first, hit, sums = mechanisms.first, mechanisms.hit, mechanisms.sums
    for c in range(len(contacts.keys)):
        if rows.normal_masses[c] > 0.0 and rows.targets[c, END] > 0.0:
            a, b = contacts.body_a[c], contacts.body_b[c]
            m = first[a if moving[a] or b == WORLD else b]  # the timing of two bodies that move is 0
            sums[m, UNSPENT] += rows.bounces[c, TIMING] * contacts.pressed[c, LAST]
    for i in range(len(first)):
        if moving[i] and hit[first[i]]:
            # what it raised is the lift, see `energy`
            sums[first[i], UNSPENT] -= max(0.0, work_of_gravity(bodies, means, unpushed, i, gravity, time))


@kernel
def limit_energy(bodies, moving, mechanisms):
    """Scale the velocities of mechanisms that were hit and have more energy than they may have."""
    first, hit, sums = mechanisms.first, mechanisms.hit, mechanisms.sums
    for i in range(len(first)):
        if moving[i] and hit[first[i]]:
            sums[first[i], NOW] += energy_of(bodies, i)
            if not mechanisms.anchored[first[i]]:  # the momentum of others stays 0
                mass, velocity = 1.0 / bodies.inverse_mass[i], row(bodies.velocity, i)
                sums[first[i], MASS] += mass
                for axis in range(3):
                    sums[first[i], MOMENTUM + axis] += mass * velocity[axis]
    for i in range(len(first)):
        if moving[i] and hit[first[i]]:
            share, common = _scaling(sums, first[i])
            if share < 1.0:
                velocity = plus(row(bodies.velocity, i), -1.0, common)
                set_row(bodies.velocity, i, plus(common, share, velocity))
                set_row(bodies.spin, i, scaled(row(bodies.spin, i), share))


@inlined_kernel
def _scaling(sums, m):
    """Return the share of the velocities of mechanism m beside a common one that is kept, and the common one."""
    momentum = (sums[m, MOMENTUM], sums[m, MOMENTUM + 1], sums[m, MOMENTUM + 2])
    common = scaled(momentum, 1.0 / sums[m, MASS] if sums[m, MASS] > 0.0 else 0.0)
    kept = 0.5 * dot(common, momentum)  # impulses of joints keep it, so it was there before the move, too
    most, now = sums[m, MOST] - max(0.0, sums[m, UNSPENT]) - kept, sums[m, NOW] - kept
    return sqrt(max(most, 0.0) / now) if now > most and now > 0.0 else 1.0, common
