"""The contact problem of a substep: impulses that keep bodies out of each other, with Coulomb's friction.

For the normal velocity u, its target t, the impulse p along the normal and the impulse of friction f:

    u ≥ t,  p ≥ 0,  one of them with equality;   |f| ≤ μ p,  and |f| = μ p against the motion where the contact slides

Projected Gauss–Seidel: contact by contact, change p and f as if the others were right, project them to what is
allowed, and sweep over all again, forward and backward in turn. Friction is a vector with a true cone.

The order within a substep, and why:

    gravity        first, so that contacts at rest have the weight of this substep to carry
    warm start     impulses of the last substep, near the solution for what rests: in the scene `stack` the sixth sweep
                   changes velocities by up to 0.001 m/s, without it by 0.0065; in a heap that still falls it is no gain
    sweeps         few, as the next substep goes on from there; the tolerance ends them early only where little
                   happens. Serial and in the order of the contacts, so results repeat bit for bit
    bound          as much of these impulses as adds no energy, see `energy`
    bounce         a second round for impacts: only the first shows which contacts stopped something; bounded likewise
    push           on other velocities, the mean ones that move the bodies for this substep: removing overlap leaves
                   no speed behind. Its impulses start at half of the others', which is what the mean motion took
    unearned       what impacts late in the substep were left for a lower way, and the push did not earn: see `energy`
"""

from math import sqrt

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, plus, row, set_row, times
from tumble.dynamics.contacts import BEFORE, LAST, WORLD
from tumble.dynamics.energy import lift_of, limit_unearned, limit_work, remember
from tumble.dynamics.joint_solver import (
    note_alone,
    push_joints,
    release_joints,
    start_joints,
    start_push_joints,
    sweep_joints,
)
from tumble.dynamics.mechanisms import note_energy, note_unspent
from tumble.dynamics.rows import END, MEAN, relative_velocity

IMPACT_SWEEPS = 5
"""an impact that bounces changes the targets of its contacts, far from the warm start: this many times more sweeps"""


@kernel
def solve(
    bodies, contacts, joints, moving, rows, means, earlier, islands, gravity,
    iterations, push_iterations, push_speed, tolerance, time,
):  # fmt: skip
    """Write the velocities of bodies at the end of a substep, and the mean ones that lead there; return the lift.

    means   velocities and spins that move the bodies in a substep, in a record of the same type as `bodies`: what
            acts on either of them is compiled once
    """
    _accelerate(bodies, moving, means, gravity, time)
    # The work of contacts is bounded beside a substep without them, in which joints hold.
    start_joints(joints)
    sweep_joints(bodies, joints, time)
    note_alone(joints)
    remember(bodies, contacts, joints, earlier, False)
    _start_warm(bodies, contacts, rows)
    _sweeps(bodies, contacts, joints, rows, iterations, tolerance, time)
    limit_work(bodies, contacts, joints, moving, rows, means, earlier, islands, gravity, time, False)
    bounced = _bounce(contacts, rows)
    if bounced:
        remember(bodies, contacts, joints, earlier, True)
        _sweeps(bodies, contacts, joints, rows, IMPACT_SWEEPS * iterations, tolerance, time)
        limit_work(bodies, contacts, joints, moving, rows, means, earlier, islands, gravity, time, True)
    _average(bodies, moving, means, earlier)
    start_push_joints(joints)
    for _ in range(push_iterations):
        if push_joints(bodies, means, joints, time, push_speed):
            break
    note_energy(bodies, contacts, moving, means, earlier.velocity, joints.mechanisms, gravity, time)
    release_joints(bodies, joints)
    _keep_unpushed(means, earlier)
    _start_push(contacts, rows)
    count = len(contacts.keys)
    for sweep in range(push_iterations):
        for k in range(count):
            _push(bodies, means, contacts, rows, count - 1 - k if sweep % 2 == 1 else k)
        push_joints(bodies, means, joints, time, push_speed)
    # Gauss–Seidel satisfies its last constraints best. So planes come last: under a heap, bodies sink into each other
    # rather than into the floor.
    for c in range(count):
        if contacts.body_b[c] == WORLD:
            _push(bodies, means, contacts, rows, c)
    push_joints(bodies, means, joints, time, push_speed)
    unpushed = earlier.velocity
    note_unspent(bodies, contacts, rows, moving, means, unpushed, joints.mechanisms, gravity, time)
    if bounced:
        limit_unearned(bodies, contacts, rows, moving, joints.moved, means, unpushed, earlier, islands, gravity, time)
    return lift_of(bodies, means, moving, unpushed, gravity, time)


@kernel
def _accelerate(bodies, moving, means, gravity, time):
    """Keep the velocities of the start, then apply gravity."""
    for i in range(len(moving)):
        for axis in range(3):
            means.velocity[i, axis] = bodies.velocity[i, axis]
            means.spin[i, axis] = bodies.spin[i, axis]
            if moving[i] and bodies.inverse_mass[i] > 0.0:
                bodies.velocity[i, axis] += time * gravity[axis]


@kernel
def _average(bodies, moving, means, earlier):
    """Write the mean velocities before joints fit the places, twice: those of `earlier` stay as they are."""
    for i in range(len(moving)):
        for axis in range(3):
            means.velocity[i, axis] = 0.5 * (means.velocity[i, axis] + bodies.velocity[i, axis])
            means.spin[i, axis] = 0.5 * (means.spin[i, axis] + bodies.spin[i, axis])
            earlier.velocity[i, axis] = means.velocity[i, axis]


@kernel
def _keep_unpushed(means, earlier):
    """Keep the mean velocities that fit the joints, before any push."""
    for i in range(len(means.velocity)):
        set_row(earlier.velocity, i, row(means.velocity, i))


@kernel
def _start_warm(bodies, contacts, rows):
    """Apply the impulses of the last substep, at most twice those of the one before: an impact does not repeat."""
    for c in range(len(contacts.keys)):
        if rows.normal_masses[c] == 0.0:
            continue
        normal, last = row(contacts.normals, c), contacts.pressed[c, LAST]
        warm = min(last, 2.0 * contacts.pressed[c, BEFORE])
        rubbed = row(contacts.rubbed, c)
        rubbed = plus(rubbed, -dot(rubbed, normal), normal)  # the normal may have turned since
        share = warm / last if last > 0.0 else 0.0  # friction shrinks with the pressure, so it stays within its cone
        rubbed = (share * rubbed[0], share * rubbed[1], share * rubbed[2])
        contacts.pressed[c, BEFORE] = last
        contacts.pressed[c, LAST] = warm
        set_row(contacts.rubbed, c, rubbed)
        _press(bodies, bodies, contacts, rows, c, warm)
        _rub(bodies, contacts, rows, c, rubbed)


@kernel
def _sweeps(bodies, contacts, joints, rows, most, tolerance, time):
    """Sweep at most `most` times, until no contact and no joint changes a velocity by more than the tolerance."""
    # Contacts are sorted by bodies, so one sweep carries an impulse far in one direction only; the next goes back.
    for sweep in range(most):
        change = _sweep(bodies, contacts, rows, sweep % 2 == 1)
        if max(change, sweep_joints(bodies, joints, time)) <= tolerance:
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
        old = contacts.pressed[c, LAST]
        new = max(0.0, old - rows.normal_masses[c] * (speed - rows.targets[c, END]))
        rubbed, most = row(contacts.rubbed, c), contacts.friction[c] * new
        slips = rubbed[0] == 0.0 and rubbed[1] == 0.0 and rubbed[2] == 0.0
        if new == 0.0 and old == 0.0 and slips:
            continue  # apart, as about half of all contacts are: nothing to press or to rub
        contacts.pressed[c, LAST] = new
        _press(bodies, bodies, contacts, rows, c, new - old)
        # divided by the mass that an impulse meets: the tolerance is a speed, whatever the bodies weigh
        largest = max(largest, abs(new - old) / rows.normal_masses[c])

        # Friction after the normal impulse, whose new value bounds it.
        if most == 0.0 and slips:
            continue
        slip = relative_velocity(bodies, a, b, rows, c)
        slip = plus(slip, -dot(slip, normal), normal)
        wanted = plus(rubbed, -rows.friction_masses[c], slip)
        size = sqrt(dot(wanted, wanted))
        if size > most:
            share = most / size
            wanted = (share * wanted[0], share * wanted[1], share * wanted[2])
        set_row(contacts.rubbed, c, wanted)
        _rub(bodies, contacts, rows, c, plus(wanted, -1.0, rubbed))
    return largest


@kernel
def _bounce(contacts, rows):
    """Set the targets of contacts that stopped an impact to its rebound; tell whether there are any."""
    found = False
    for c in range(len(contacts.keys)):
        if rows.bounces[c, END] > 0.0 and contacts.pressed[c, LAST] > 0.0 and rows.normal_masses[c] > 0.0:
            rows.targets[c, END] = rows.bounces[c, END]
            # the other one is kept, for rebounds that are taken back in part
            rows.targets[c, MEAN], rows.bounces[c, MEAN] = rows.bounces[c, MEAN], rows.targets[c, MEAN]
            found = True
    return found


@kernel
def _start_push(contacts, rows):
    for c in range(len(contacts.keys)):
        rows.pushes[c] = 0.5 * contacts.pressed[c, LAST]


@inlined_kernel
def _push(bodies, means, contacts, rows, c):
    """Push the bodies of contact c out of each other."""
    if rows.normal_masses[c] == 0.0:
        return
    speed = dot(row(contacts.normals, c), relative_velocity(means, contacts.body_a[c], contacts.body_b[c], rows, c))
    old = rows.pushes[c]
    # the sum of pushes is clamped, not each one: a later sweep may take back what an earlier one gave too much
    new = max(0.0, old - rows.normal_masses[c] * (speed - rows.targets[c, MEAN]))
    if new > 0.0 or old > 0.0:
        rows.pushes[c] = new
        _press(bodies, means, contacts, rows, c, new - old)


@inlined_kernel
def _press(bodies, motion, contacts, rows, c, impulse):
    """Apply an impulse along the normal at contact c."""
    # b may be WORLD, −1: the last row, whose inverse mass and inertia are 0, so that it is written to and stays at rest
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
