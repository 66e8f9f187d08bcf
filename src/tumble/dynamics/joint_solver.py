"""The impulses of joints in a substep, by a direct solver: all joints at once, between two sweeps over the contacts.

A mechanism is a loop of stiff rows, where Gauss–Seidel would need hundreds of sweeps; A = L D Lᵀ solves them to
rounding. Rows that follow from others, as some do in every planar linkage, have a pivot of nearly 0 and are left out:
what they ask for holds anyway. Motors and limits are bounded, which a primal active-set method respects: impulses
change until the first of them reaches its bound, that row leaves the system, and the rest goes on; when the system is
solved, rows at a bound that are asked to go inward come back.

The scheme is that of RATTLE, symmetric in time, so a free mechanism keeps its energy. A substep, in this order:

    velocities   whole impulses p with the contacts: u = 0 for the velocities of the end, at the places of the start
    places       half impulses q, from p/2 on, change the mean velocities until the places that they lead to fit: the
                 bodies are moved on trial, the error is measured and removed, a few times
    push         of contacts, on the mean velocities, which go on fitting; the velocities of the end do not see it
    move         with the mean velocities; until here the velocities of the end have q + c/2 instead of p
    settle       at the new places: the rest, and what else makes u = 0 there

c is the part of p that answers the contacts, whose impulses all act at the places of the start: so c does, too. With a
half of it at either place, as of all other impulses, c would do work: up to 0.5 % of the energy of two rods that land.
What is left is bounded, see `mechanisms`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.dynamics.joint_rows import (
    JointWork,
    position_of,
    prepare_joints,
    press_joint,
    speed_of,
    work_for,
)
from tumble.dynamics.joints import EQUAL, LOWER, MOTOR, JointRows, held
from tumble.dynamics.mechanisms import Mechanisms, limit_energy, mechanisms_of
from tumble.dynamics.motion import move
from tumble.dynamics.state import RigidBodies, copied

ROUNDS = 12
"""most solutions of the system at one time; more than one only where rows reach or leave their bounds"""
TRIALS = 3
"""trial moves after each sweep of the push; each leaves a share ω h of the error of the one before, or its square"""
FITTING = 1e-9
"""m/s or rad/s; what is off by less, in a velocity or in a place per substep, is good enough"""
REDUNDANT = 1e-8
"""a row whose pivot is this share of its own entry of A, or less, follows from the rows before it"""
SOFTNESS = 1e-6
"""added to the entry of A of motors and limits, in shares of it: against what the other rows allow they press as hard
as they can, instead of being left out; where they can have their way, the next round mends what this costs"""


class JointSystem(NamedTuple):
    """All about joints that a step needs."""

    rows: JointRows
    work: JointWork
    trial: RigidBodies
    """memory for bodies that are moved on trial"""
    moved: NDArray[np.bool_]
    """(n,) bodies with joints that move"""
    mechanisms: Mechanisms


def joint_system(bodies: RigidBodies, moving: NDArray[np.bool_], rows: JointRows) -> JointSystem:
    """Return the joints of a world at the start of a step."""
    mechanisms = mechanisms_of(bodies, moving, rows)
    system = JointSystem(rows, work_for(rows), copied(bodies), moving & held(rows, len(moving)), mechanisms)
    if len(rows.kind):
        prepare_joints(bodies, moving, system.rows, system.work)
    return system


@kernel
def start_joints(system):
    """Begin a substep without impulses; limits are out until they are reached."""
    rows, work = system.rows, system.work
    for i in range(len(rows.kind)):
        work.whole[i] = 0.0
        work.used[i] = work.alive[i] and (rows.role[i] == EQUAL or (rows.role[i] == MOTOR and rows.high[i] > 0.0))
    _factorise(rows, work)


@kernel
def sweep_joints(bodies, system, time):
    """Make the velocities of the end fit all joints; return the largest change of a velocity that this took."""
    rows, work = system.rows, system.work
    change, solved = 0.0, True
    for turn in range(ROUNDS if len(rows.kind) > 0 else 0):
        for i in range(len(rows.kind)):
            if work.alive[i]:
                work.wanted[i] = _target(bodies, rows, i, time) - speed_of(bodies, rows, work, i)
        if solved:
            _release(rows, work, work.whole, time)
        error = _largest(work)
        change = error if turn == 0 else change
        if solved and error <= FITTING:
            break
        solved = _solve(bodies, bodies, rows, work, work.whole, time)
    return change


@kernel
def note_alone(system):
    """Keep the impulses as they are before contacts act."""
    for i in range(len(system.rows.kind)):
        system.work.alone[i] = system.work.whole[i]


@inlined_kernel
def _target(bodies, rows, i, time):
    """Return the velocity that row i asks for: 0, a motor's, or that which reaches a limit within the substep."""
    if rows.role[i] == EQUAL:
        return 0.0
    if rows.role[i] == MOTOR:
        return rows.speed[i]
    way = rows.bound[i] - position_of(bodies, rows, i)
    return min(way, 0.0) / time if rows.role[i] == LOWER else max(way, 0.0) / time


@kernel
def start_push_joints(system):
    """Take half of the impulses, which is what the mean velocities have."""
    for i in range(len(system.rows.kind)):
        system.work.half[i] = 0.5 * system.work.whole[i]


@kernel
def push_joints(bodies, means, system, time, fastest):
    """Make the mean velocities lead to places that fit all joints, no faster than a speed; tell whether they do."""
    rows, work = system.rows, system.work
    solved = True
    for turn in range(ROUNDS if len(rows.kind) > 0 else 0):
        if solved and turn >= TRIALS:
            return False
        _try(bodies, means, system, time)
        for i in range(len(rows.kind)):
            if work.alive[i]:
                work.wanted[i] = _missing(means, system, i, time, fastest)
        if solved:
            _release(rows, work, work.half, 0.5 * time)
        if solved and _largest(work) <= FITTING:
            return True
        solved = _solve(bodies, means, rows, work, work.half, 0.5 * time)
    return len(rows.kind) == 0


@inlined_kernel
def _missing(means, system, i, time, fastest):
    """Return the change of a mean velocity that row i asks for after a trial move."""
    rows = system.rows
    if rows.role[i] == MOTOR:
        return rows.speed[i] - speed_of(means, rows, system.work, i)
    bound = rows.bound[i] if rows.role[i] != EQUAL else 0.0
    return min(max((bound - position_of(system.trial, rows, i)) / time, -fastest), fastest)


@kernel
def _try(bodies, means, system, time):
    """Move the bodies that have joints, in other memory."""
    trial = system.trial
    for i in range(len(system.moved)):
        if system.moved[i]:
            for k in range(3):
                trial.position[i, k], trial.spin[i, k] = bodies.position[i, k], bodies.spin[i, k]
                for l in range(3):
                    trial.rotation[i, k, l] = bodies.rotation[i, k, l]
                    trial.world_inverse[i, k, l] = bodies.world_inverse[i, k, l]
            for k in range(4):
                trial.orientation[i, k] = bodies.orientation[i, k]
    move(trial, means, system.moved, time)


@kernel
def release_joints(bodies, system):
    """Leave the velocities of the end with what acts at these places; `settle_joints` brings the rest, at the new."""
    rows, work = system.rows, system.work
    for i in range(len(rows.kind)):
        if work.alive[i]:
            work.late[i] = work.whole[i] - work.half[i] - 0.5 * (work.whole[i] - work.alone[i])
            press_joint(bodies, bodies, rows, work, i, -work.late[i])


@kernel
def settle_joints(bodies, moving, system, time):
    """Make the velocities fit all joints at the places after a move."""
    rows, work = system.rows, system.work
    prepare_joints(bodies, moving, rows, work)
    for i in range(len(rows.kind)):
        bounded = rows.role[i] != EQUAL
        at_bound = work.whole[i] <= rows.low[i] * time or work.whole[i] >= rows.high[i] * time
        work.used[i] = work.alive[i] and not (bounded and at_bound)
        if work.alive[i]:
            press_joint(bodies, bodies, rows, work, i, work.late[i])
    _factorise(rows, work)
    sweep_joints(bodies, system, time)
    limit_energy(bodies, moving, system.mechanisms)


@kernel
def _release(rows, work, impulses, time):
    """Take rows at a bound back into the system that are asked to go inward."""
    changed = False
    for i in range(len(rows.kind)):
        if work.alive[i] and not work.used[i] and rows.high[i] > rows.low[i]:
            at_low = impulses[i] <= rows.low[i] * time
            if (work.wanted[i] > 0.0) if at_low else (work.wanted[i] < 0.0):
                work.used[i] = changed = True
    if changed:
        _factorise(rows, work)


@kernel
def _largest(work):
    """Return the largest change that is wanted by rows in the system."""
    largest = 0.0
    for i in range(len(work.wanted)):
        if work.inverse_pivots[i] > 0.0:
            largest = max(largest, abs(work.wanted[i]))
    return largest


@kernel
def _solve(bodies, motion, rows, work, impulses, time):
    """Change velocities as is wanted, until the first row reaches its bound; tell whether none did."""
    _substitute(work)
    share, stopped = 1.0, -1
    for i in range(len(rows.kind)):
        if work.used[i] and rows.role[i] != EQUAL:
            new = impulses[i] + work.wanted[i]
            bound = min(max(new, rows.low[i] * time), rows.high[i] * time)
            if bound != new and (bound - impulses[i]) / work.wanted[i] < share:
                share, stopped = (bound - impulses[i]) / work.wanted[i], i
    for i in range(len(rows.kind)):
        if work.used[i]:
            press_joint(bodies, motion, rows, work, i, share * work.wanted[i])
            impulses[i] += share * work.wanted[i]
    if stopped < 0:
        return True
    impulses[stopped] = rows.low[stopped] * time if work.wanted[stopped] < 0.0 else rows.high[stopped] * time
    work.used[stopped] = False
    _factorise(rows, work)
    return False


@kernel
def _factorise(rows, work):
    """Write L and 1/D of the rows in use; columns before the first entry of a row of A stay 0 in L."""
    factor, inverse = work.factor, work.inverse_pivots
    for i in range(len(inverse)):
        inverse[i] = 0.0
        if not work.used[i]:
            continue
        pivot = work.matrix[i, i] * (1.0 if rows.role[i] == EQUAL else 1.0 + SOFTNESS)
        for k in range(work.first[i], i):
            value = 0.0  # L times D first; divided by D below
            if inverse[k] > 0.0:
                value = work.matrix[i, k]
                for l in range(max(work.first[i], work.first[k]), k):
                    value -= factor[i, l] * factor[k, l]
            factor[i, k] = value
        for k in range(work.first[i], i):
            scaled = factor[i, k] * inverse[k]
            pivot -= scaled * factor[i, k]
            factor[i, k] = scaled
        if pivot > REDUNDANT * work.matrix[i, i]:
            inverse[i] = 1.0 / pivot


@kernel
def _substitute(work):
    """Replace the changes of velocities that are wanted by the impulses that give them, 0 for rows that are out."""
    factor, inverse, values = work.factor, work.inverse_pivots, work.wanted
    count = len(values)
    for i in range(count):
        if inverse[i] > 0.0:
            for k in range(work.first[i], i):
                values[i] -= factor[i, k] * values[k]
    for i in range(count):
        values[i] = values[i] * inverse[i] if inverse[i] > 0.0 else 0.0
    for back in range(count):
        i = count - 1 - back
        if inverse[i] > 0.0:
            for k in range(work.first[i], i):
                values[k] -= factor[i, k] * values[i]
