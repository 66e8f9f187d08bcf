"""What the solver needs of each contact: fixed for a step, or computed anew in every substep.

The contact point is fixed to both bodies. In each substep impulses act at the middle of its two places, one and the
same point for both bodies, so momentum is conserved (angular momentum up to the distance that bodies slide past each
other while they are pushed apart). Of a body that is fast the two places may be farther apart in a substep than its
size: there impulses act at the place on the smaller body (`shares`).

A contact constrains the normal velocity u of a relative to b twice, where g is the gap and h the substep:

    END     u ≥ −g/h at the end of the substep while there is a gap (it may close, no more), u ≥ 0 without one
    MEAN    the same for the mean velocity, which moves the bodies; but an overlap beyond the slop is removed slowly

After an impact that is fast enough, u ≥ restitution · speed of the impact, and the mean velocity is that of the path
down to the contact and up again: speed and moment of the impact follow from gap, velocity and gravity as for free fall.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, plus, row, set_row, times, times_transposed
from tumble.dynamics.contacts import WORLD, Contacts
from tumble.dynamics.state import RigidBodies

# Columns of `targets` and `bounces`; the last is of `bounces` only.
END, MEAN, TIMING = 0, 1, 2


class Rows(NamedTuple):
    """A row for each contact."""

    anchors_a: NDArray[np.float64]  # (k, 3) the contact point in the frame of each body
    anchors_b: NDArray[np.float64]
    gaps: NDArray[np.float64]  # (k,) at the start of the step
    shares: NDArray[np.float64]  # (k,) where impulses act, from the place on a (0) to that on b (1)
    arms_a: NDArray[np.float64]  # (k, 3) from each centre of mass to the contact point
    arms_b: NDArray[np.float64]
    turns_a: NDArray[np.float64]  # (k, 3) change of each spin for a unit impulse along the normal
    turns_b: NDArray[np.float64]
    normal_masses: NDArray[np.float64]  # (k,) impulse along the normal per change of velocity; 0: neither body moves
    friction_masses: NDArray[np.float64]  # (k,) the same for the direction along the surface that is easiest to move
    targets: NDArray[np.float64]  # (k, 2) the least normal velocity, END and MEAN
    bounces: NDArray[np.float64]  # (k, 3) the same after an impact at this contact; END is 0 where nothing bounces
    pushes: NDArray[np.float64]  # (k,) impulse along the normal on the mean velocities


class Thresholds(NamedTuple):
    """The numbers among the settings that kernels read."""

    push_rate: float
    push_speed: float
    bounce_speed: float


def rows_of(bodies: RigidBodies, contacts: Contacts, slop: float) -> Rows:
    """Return rows with the anchors of this step's contacts; meshes rest at a depth of `slop`, planes at none."""
    count = len(contacts.keys)
    gaps = np.where(contacts.body_b == WORLD, 0.0, slop) - contacts.depths
    a, b, c, d, e, f = np.zeros((6, count, 3))
    normal, friction, pushes = np.zeros((3, count))
    targets, bounces = np.zeros((count, 2)), np.zeros((count, 3))
    rows = Rows(a, b, gaps, np.full(count, 0.5), c, d, e, f, normal, friction, targets, bounces, pushes)
    anchor(bodies, contacts, rows)
    return rows


@kernel
def anchor(bodies, contacts, rows):
    """Fix the contact points to their bodies."""
    for c in range(len(contacts.keys)):
        a, b, point = contacts.body_a[c], contacts.body_b[c], row(contacts.points, c)
        set_row(rows.anchors_a, c, times_transposed(bodies.rotation, a, plus(point, -1.0, row(bodies.position, a))))
        set_row(rows.anchors_b, c, times_transposed(bodies.rotation, b, plus(point, -1.0, row(bodies.position, b))))


@kernel
def prepare(bodies, contacts, moving, rows, gravity, thresholds, time):
    """Compute arms, masses and targets for a substep, from the state at its start."""
    for c in range(len(contacts.keys)):
        a, b, normal = contacts.body_a[c], contacts.body_b[c], row(contacts.normals, c)
        if not (moving[a] or (b != WORLD and moving[b])):
            rows.normal_masses[c] = 0.0
            continue
        arm_a = times(bodies.rotation, a, row(rows.anchors_a, c))
        arm_b = times(bodies.rotation, b, row(rows.anchors_b, c))
        apart = plus(plus(row(bodies.position, a), 1.0, arm_a), -1.0, plus(row(bodies.position, b), 1.0, arm_b))
        gap = rows.gaps[c] + dot(normal, apart)
        set_row(rows.arms_a, c, plus(arm_a, -rows.shares[c], apart))
        set_row(rows.arms_b, c, plus(arm_b, 1.0 - rows.shares[c], apart))
        _set_masses(bodies, a, b, normal, rows, c)
        pull = (1.0 if bodies.inverse_mass[a] > 0.0 else 0.0) - (1.0 if bodies.inverse_mass[b] > 0.0 else 0.0)
        fall = pull * dot(normal, (gravity[0], gravity[1], gravity[2]))
        speed = dot(normal, relative_velocity(bodies, a, b, rows, c))
        _set_targets(rows, c, gap, thresholds, time)
        _set_bounce(rows, c, gap, speed, fall, contacts.restitution[c], thresholds, time)


@inlined_kernel
def relative_velocity(motion, a, b, rows, c):
    """Return the velocity of a relative to b at contact c; `motion` has velocities and spins."""
    at_a = plus(row(motion.velocity, a), 1.0, cross(row(motion.spin, a), row(rows.arms_a, c)))
    at_b = plus(row(motion.velocity, b), 1.0, cross(row(motion.spin, b), row(rows.arms_b, c)))
    return plus(at_a, -1.0, at_b)


@inlined_kernel
def _set_masses(bodies, a, b, normal, rows, c):
    arm_a, arm_b = row(rows.arms_a, c), row(rows.arms_b, c)
    turn_a = times(bodies.world_inverse, a, cross(arm_a, normal))
    turn_b = times(bodies.world_inverse, b, cross(arm_b, normal))
    set_row(rows.turns_a, c, turn_a)
    set_row(rows.turns_b, c, turn_b)
    straight = bodies.inverse_mass[a] + bodies.inverse_mass[b]
    yielding = straight + dot(normal, cross(turn_a, arm_a)) + dot(normal, cross(turn_b, arm_b))
    rows.normal_masses[c] = 1.0 / yielding if yielding > 0.0 else 0.0
    # The larger eigenvalue of the two-by-two matrix of the tangent directions: with its inverse as the one step for all
    # directions, friction never overshoots in any of them, and where it slides it ends up exactly against the motion.
    first = _some_tangent(normal)
    second = cross(normal, first)
    xx = straight + _turning(bodies, a, b, arm_a, arm_b, first, first)
    yy = straight + _turning(bodies, a, b, arm_a, arm_b, second, second)
    xy = _turning(bodies, a, b, arm_a, arm_b, first, second)
    largest = 0.5 * (xx + yy) + sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy)
    rows.friction_masses[c] = 1.0 / largest if largest > 0.0 else 0.0


@inlined_kernel
def _turning(bodies, a, b, arm_a, arm_b, pushed, seen):
    """Return how fast the point moves along `seen` by the spins that a unit impulse along `pushed` gives."""
    of_a = dot(times(bodies.world_inverse, a, cross(arm_a, pushed)), cross(arm_a, seen))
    return of_a + dot(times(bodies.world_inverse, b, cross(arm_b, pushed)), cross(arm_b, seen))


@inlined_kernel
def _some_tangent(normal):
    x, y, z = normal
    if abs(x) < 0.6:
        length = sqrt(y * y + z * z)
        return 0.0, z / length, -y / length
    length = sqrt(x * x + y * y)
    return y / length, -x / length, 0.0


@inlined_kernel
def _set_targets(rows, c, gap, thresholds, time):
    closing = -gap / time
    rows.targets[c, END] = min(closing, 0.0)
    rate = min(thresholds.push_rate, 1.0 / time)
    rows.targets[c, MEAN] = closing if gap > 0.0 else min(-gap * rate, thresholds.push_speed)


@inlined_kernel
def _set_bounce(rows, c, gap, speed, fall, restitution, thresholds, time):
    rows.bounces[c, END] = 0.0
    square = speed * speed - 2.0 * fall * gap  # of the speed at the moment of the impact
    impact = sqrt(square) if square > 0.0 else 0.0
    reached = gap + (speed + 0.5 * fall * time) * time < 0.0
    if restitution > 0.0 and reached and speed < 0.0 and impact > thresholds.bounce_speed:
        down = max(0.0, 2.0 * gap / (impact - speed))
        up = max(0.0, time - down)
        rebound = restitution * impact
        rows.bounces[c, END] = max(0.0, rebound + fall * up)
        rows.bounces[c, MEAN] = (max(0.0, rebound + 0.5 * fall * up) * up - max(gap, 0.0)) / time
        rows.bounces[c, TIMING] = 0.5 * fall * (up - down)
