"""The contact problem of a substep: find impulses that keep bodies out of each other and rub as Coulomb said.

For the normal velocity u, the least that a contact asks for t, its impulse p and the impulse of friction f:

    u ≥ t,  p ≥ 0,  one of them with equality;   |f| ≤ μ p,  and |f| = μ p against the motion where the contact slides

Projected Gauss–Seidel: contact by contact, change p and f as if the others were right, cut them back to what is
allowed, and sweep over all again, forward and backward in turn. Impacts bounce in a second round, at the contacts
that had to stop something in the first. Friction is a vector with a true cone. Its step is
the same in all directions along the surface, so that where it slides it ends up exactly against the motion.

The push works on other velocities, the mean ones that move the bodies for this substep: taking bodies out of each
other leaves no speed behind. Its impulses start at half of the others', which is what the mean motion took.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, plus, row, set_row, times
from tumble.dynamics.contacts import WORLD
from tumble.dynamics.rows import relative_velocity

# An impact that bounces is news to all contacts of its bodies, and gets so many times more sweeps.
PATIENCE = 5


class Means(NamedTuple):
    """The velocities that move the bodies in a substep."""

    velocity: NDArray[np.float64]
    spin: NDArray[np.float64]


@kernel
def solve(bodies, contacts, moving, rows, means, gravity, iterations, push_iterations, tolerance, time):
    """Give the bodies their velocities at the end of a substep, and the mean ones that lead there."""
    _accelerate(bodies, moving, means, gravity, time)
    _start_warm(bodies, contacts, rows)
    _sweeps(bodies, contacts, rows, iterations, tolerance)
    if _bounce(contacts, rows):
        _sweeps(bodies, contacts, rows, PATIENCE * iterations, tolerance)
    _average(bodies, moving, means)
    _start_push(contacts, rows)
    count = len(contacts.keys)
    for sweep in range(push_iterations):
        for k in range(count):
            _push(bodies, means, contacts, rows, count - 1 - k if sweep % 2 == 1 else k)
    for c in range(count):  # planes have the last word: under a heap, bodies sink into each other, not into the floor
        if contacts.body_b[c] == WORLD:
            _push(bodies, means, contacts, rows, c)


@kernel
def _accelerate(bodies, moving, means, gravity, time):
    """Note the velocities at the start, then let gravity act."""
    for i in range(len(moving)):
        for axis in range(3):
            means.velocity[i, axis] = bodies.velocity[i, axis]
            means.spin[i, axis] = bodies.spin[i, axis]
            if moving[i] and bodies.inverse_mass[i] > 0.0:
                bodies.velocity[i, axis] += time * gravity[axis]


@kernel
def _average(bodies, moving, means):
    for i in range(len(moving)):
        for axis in range(3):
            means.velocity[i, axis] = 0.5 * (means.velocity[i, axis] + bodies.velocity[i, axis])
            means.spin[i, axis] = 0.5 * (means.spin[i, axis] + bodies.spin[i, axis])


@kernel
def _start_warm(bodies, contacts, rows):
    """Apply last substep's impulses, or twice those of the one before if these are less: a blow does not come again."""
    for c in range(len(contacts.keys)):
        if rows.normal_masses[c] == 0.0:
            continue
        normal, last = row(contacts.normals, c), contacts.pressed[c, 0]
        warm = min(last, 2.0 * contacts.pressed[c, 1])
        rubbed = row(contacts.rubbed, c)
        rubbed = plus(rubbed, -dot(rubbed, normal), normal)
        share = warm / last if last > 0.0 else 0.0
        rubbed = (share * rubbed[0], share * rubbed[1], share * rubbed[2])
        contacts.pressed[c, 1] = last
        contacts.pressed[c, 0] = warm
        set_row(contacts.rubbed, c, rubbed)
        _press(bodies, bodies, contacts, rows, c, warm)
        _rub(bodies, contacts, rows, c, rubbed)


@kernel
def _sweeps(bodies, contacts, rows, most, tolerance):
    """Sweep so often, or until no contact wants a velocity to change by more than the tolerance."""
    for sweep in range(most):
        if _sweep(bodies, contacts, rows, sweep % 2 == 1) <= tolerance:
            break


@kernel
def _sweep(bodies, contacts, rows, backward):
    """Go over all contacts once; return the largest change of a velocity along a normal."""
    count = len(contacts.keys)
    largest = 0.0
    for k in range(count):
        c = count - 1 - k if backward else k
        if rows.normal_masses[c] == 0.0:
            continue
        a, b, normal = contacts.body_a[c], contacts.body_b[c], row(contacts.normals, c)
        speed = dot(normal, relative_velocity(bodies, a, b, rows, c))
        old = contacts.pressed[c, 0]
        new = max(0.0, old - rows.normal_masses[c] * (speed - rows.targets[c, 0]))
        contacts.pressed[c, 0] = new
        _press(bodies, bodies, contacts, rows, c, new - old)
        largest = max(largest, abs(new - old) / rows.normal_masses[c])

        most = contacts.friction[c] * new
        slip = relative_velocity(bodies, a, b, rows, c)
        slip = plus(slip, -dot(slip, normal), normal)
        rubbed = row(contacts.rubbed, c)
        wanted = plus(rubbed, -rows.friction_masses[c], slip)
        size = dot(wanted, wanted) ** 0.5
        if size > most:
            share = most / size
            wanted = (share * wanted[0], share * wanted[1], share * wanted[2])
        set_row(contacts.rubbed, c, wanted)
        _rub(bodies, contacts, rows, c, plus(wanted, -1.0, rubbed))
    return largest


@kernel
def _bounce(contacts, rows):
    """Let the contacts that stopped an impact throw back what hit them; tell whether there are any."""
    found = False
    for c in range(len(contacts.keys)):
        if rows.bounces[c, 0] > 0.0 and contacts.pressed[c, 0] > 0.0 and rows.normal_masses[c] > 0.0:
            rows.targets[c, 0] = rows.bounces[c, 0]
            rows.targets[c, 1] = rows.bounces[c, 1]
            found = True
    return found


@kernel
def _start_push(contacts, rows):
    for c in range(len(contacts.keys)):
        rows.pushes[c] = 0.5 * contacts.pressed[c, 0]


@inlined_kernel
def _push(bodies, means, contacts, rows, c):
    """Push the bodies of contact c out of each other."""
    if rows.normal_masses[c] == 0.0:
        return
    speed = dot(row(contacts.normals, c), relative_velocity(means, contacts.body_a[c], contacts.body_b[c], rows, c))
    old = rows.pushes[c]
    rows.pushes[c] = max(0.0, old - rows.normal_masses[c] * (speed - rows.targets[c, 1]))
    _press(bodies, means, contacts, rows, c, rows.pushes[c] - old)


@inlined_kernel
def _press(bodies, motion, contacts, rows, c, impulse):
    """Apply an impulse along the normal at contact c."""
    a, b, normal = contacts.body_a[c], contacts.body_b[c], row(contacts.normals, c)
    set_row(motion.velocity, a, plus(row(motion.velocity, a), impulse * bodies.inverse_mass[a], normal))
    set_row(motion.velocity, b, plus(row(motion.velocity, b), -impulse * bodies.inverse_mass[b], normal))
    set_row(motion.spin, a, plus(row(motion.spin, a), impulse, row(rows.turns_a, c)))
    set_row(motion.spin, b, plus(row(motion.spin, b), -impulse, row(rows.turns_b, c)))


@inlined_kernel
def _rub(bodies, contacts, rows, c, impulse):
    """Apply an impulse along the surface at contact c."""
    a, b = contacts.body_a[c], contacts.body_b[c]
    turn_a = times(bodies.world_inverse, a, cross(row(rows.arms_a, c), impulse))
    turn_b = times(bodies.world_inverse, b, cross(row(rows.arms_b, c), impulse))
    set_row(bodies.velocity, a, plus(row(bodies.velocity, a), bodies.inverse_mass[a], impulse))
    set_row(bodies.velocity, b, plus(row(bodies.velocity, b), -bodies.inverse_mass[b], impulse))
    set_row(bodies.spin, a, plus(row(bodies.spin, a), 1.0, turn_a))
    set_row(bodies.spin, b, plus(row(bodies.spin, b), -1.0, turn_b))
