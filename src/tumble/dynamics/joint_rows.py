"""Joints in a substep: directions and errors of their rows, and the matrix that tells how rows act on each other.

For row i, u is the velocity that it constrains, and an impulse p along it changes the bodies' velocities:

    u = d · (v_a − v_b) + α_a · ω_a − α_b · ω_b
    v_a += p d / m_a,   ω_a += p J_a α_a,   v_b −= p d / m_b,   ω_b −= p J_b α_b        (J: inverse inertia)

    LINE   d is the normal of b's plane, α the moments of d at the point of a, about each centre
    DOT    d = 0, α = own × along
    TURN   d = 0, α = the axis

The matrix A has the change of u of row i for a unit impulse along row k. Rows of bodies that do not move are out.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary_kernels import angle_of
from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, plus, row, set_row, times
from tumble.dynamics.contacts import WORLD
from tumble.dynamics.joints import DOT, EQUAL, LINE, NOTHING, JointRows


class JointWork(NamedTuple):
    """What changes with every substep: a row for each of the joints' rows."""

    direction: NDArray[np.float64]  # (n, 3) d
    moment_a: NDArray[np.float64]  # (n, 3) α_a
    moment_b: NDArray[np.float64]
    turn_a: NDArray[np.float64]  # (n, 3) J_a α_a
    turn_b: NDArray[np.float64]
    matrix: NDArray[np.float64]  # (n, n) A
    factor: NDArray[np.float64]  # (n, n) L of A = L D Lᵀ, for the rows in use
    inverse_pivots: NDArray[np.float64]  # (n,) 1 / D; 0 for rows that are out, or follow from others
    first: NDArray[np.int64]  # (n,) the first column of a row of A that is not 0
    alive: NDArray[np.bool_]  # (n,) a body of the row moves
    used: NDArray[np.bool_]  # (n,) solved for; a bounded row that is at its bound is not
    wanted: NDArray[np.float64]  # (n,) the change of u that is asked for, then the impulses that do it
    whole: NDArray[np.float64]  # (n,) impulse of the substep
    half: NDArray[np.float64]  # (n,) impulse on the mean velocities
    alone: NDArray[np.float64]  # (n,) impulse of the substep if there were no contacts
    late: NDArray[np.float64]  # (n,) the part of `whole` that acts at the places after the move


def work_for(joints: JointRows) -> JointWork:
    """Return memory for the joints of a world."""
    n = len(joints.kind)
    vectors, matrices = np.zeros((5, n, 3)), np.zeros((2, n, n))
    flags, values = (np.zeros(n, bool), np.zeros(n, bool)), np.zeros((5, n))
    return JointWork._make((*vectors, *matrices, np.zeros(n), np.zeros(n, np.int64), *flags, *values))


@kernel
def prepare_joints(bodies, moving, joints, work):
    """Compute directions, moments and the matrix of all rows at the bodies' places; all live rows are in use."""
    for i in range(len(joints.kind)):
        a, b = joints.body_a[i], joints.body_b[i]
        work.alive[i] = joints.role[i] != NOTHING and (moving[a] or (b != WORLD and moving[b]))
        if not work.alive[i]:
            continue
        direction, moment_a, moment_b = _jacobian(bodies, joints, i)
        set_row(work.direction, i, direction)
        set_row(work.moment_a, i, moment_a)
        set_row(work.moment_b, i, moment_b)
        set_row(work.turn_a, i, times(bodies.world_inverse, a, moment_a))
        set_row(work.turn_b, i, times(bodies.world_inverse, b, moment_b))
    for i in range(len(joints.kind)):
        work.used[i] = work.alive[i]
        work.first[i] = i
        for k in range(i + 1):
            value = _coupling(bodies, joints, work, i, k) if work.alive[i] and work.alive[k] else 0.0
            work.matrix[i, k] = work.matrix[k, i] = value
            if value != 0.0 and k < work.first[i]:
                work.first[i] = k


@inlined_kernel
def _jacobian(bodies, joints, i):
    a, b = joints.body_a[i], joints.body_b[i]
    along = times(bodies.rotation, b, row(joints.along, i))
    if joints.kind[i] == LINE:
        # One point for both bodies, that of a, so that the impulses keep the angular momentum.
        arm = times(bodies.rotation, a, row(joints.anchor_a, i))
        point = plus(row(bodies.position, a), 1.0, arm)
        return along, cross(arm, along), cross(plus(point, -1.0, row(bodies.position, b)), along)
    nothing = (0.0, 0.0, 0.0)
    if joints.kind[i] == DOT:
        moment = cross(times(bodies.rotation, a, row(joints.own, i)), along)
        return nothing, moment, moment
    return nothing, along, along


@inlined_kernel
def _coupling(bodies, joints, work, i, k):
    """Return the change of u of row i for a unit impulse along row k."""
    total = 0.0
    straight = dot(row(work.direction, i), row(work.direction, k))
    for side in range(2):
        body = joints.body_a[i] if side == 0 else joints.body_b[i]
        moment = row(work.moment_a, i) if side == 0 else row(work.moment_b, i)
        sign = 1.0 if side == 0 else -1.0
        if body == joints.body_a[k]:
            total += sign * (bodies.inverse_mass[body] * straight + dot(moment, row(work.turn_a, k)))
        if body == joints.body_b[k]:
            total -= sign * (bodies.inverse_mass[body] * straight + dot(moment, row(work.turn_b, k)))
    return total


@inlined_kernel
def speed_of(motion, joints, work, i):
    """Return u of row i."""
    a, b = joints.body_a[i], joints.body_b[i]
    straight = dot(row(work.direction, i), plus(row(motion.velocity, a), -1.0, row(motion.velocity, b)))
    return straight + (
        dot(row(work.moment_a, i), row(motion.spin, a)) - dot(row(work.moment_b, i), row(motion.spin, b))
    )


@inlined_kernel
def press_joint(bodies, motion, joints, work, i, impulse):
    """Apply an impulse along row i."""
    # b may be WORLD, −1: the last row, whose inverse mass and inertia are 0
    a, b, direction = joints.body_a[i], joints.body_b[i], row(work.direction, i)
    set_row(motion.velocity, a, plus(row(motion.velocity, a), impulse * bodies.inverse_mass[a], direction))
    set_row(motion.velocity, b, plus(row(motion.velocity, b), -impulse * bodies.inverse_mass[b], direction))
    set_row(motion.spin, a, plus(row(motion.spin, a), impulse, row(work.turn_a, i)))
    set_row(motion.spin, b, plus(row(motion.spin, b), -impulse, row(work.turn_b, i)))


@inlined_kernel
def position_of(places, joints, i):
    """Return the error of a row that asks for equality, or the position that a limit bounds; m or rad.

    `places` has positions and rotations of the bodies.
    """
    a, b = joints.body_a[i], joints.body_b[i]
    along = times(places.rotation, b, row(joints.along, i))
    if joints.kind[i] == LINE:
        at_a = plus(row(places.position, a), 1.0, times(places.rotation, a, row(joints.anchor_a, i)))
        at_b = plus(row(places.position, b), 1.0, times(places.rotation, b, row(joints.anchor_b, i)))
        return dot(along, plus(at_a, -1.0, at_b))
    own = times(places.rotation, a, row(joints.own, i))
    if joints.kind[i] == DOT:
        return dot(own, along)
    mark = times(places.rotation, b, row(joints.mark, i))
    return angle_of(dot(mark, own), dot(along, cross(mark, own)))


@kernel
def position_of_joints(places, joints, found):
    """Write the positions of joints that have one."""
    for i in range(len(joints.kind)):
        if joints.role[i] == NOTHING:
            found[joints.joint[i]] = position_of(places, joints, i)


@kernel
def errors_of_joints(places, joints, errors):
    """Write how far each joint is from what it asks for: (j, 2) m and rad, the roots of the sums of squares."""
    for j in range(len(errors)):
        errors[j, 0] = errors[j, 1] = 0.0
    for i in range(len(joints.kind)):
        if joints.role[i] == EQUAL:
            value = position_of(places, joints, i)
            errors[joints.joint[i], 0 if joints.kind[i] == LINE else 1] += value * value
    for j in range(len(errors)):
        errors[j, 0], errors[j, 1] = sqrt(errors[j, 0]), sqrt(errors[j, 1])
