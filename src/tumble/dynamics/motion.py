"""Where bodies go in a substep: along straight lines, and around as free tops turn.

The angular momentum of a body that nothing touches is constant, its spin is not: it is the momentum seen through an
inertia that turns with the body. So the momentum is kept, and the spin follows from it. The body turns with the spin of
half way, found by repetition (the implicit midpoint rule), which is symmetric in time: energy swings a little and does
not drift. Orientations are unit quaternions (w, x, y, z).
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary_kernels import sine_cosine
from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import dot, plus, row, scaled, set_row, times, times_transposed
from tumble.core.products import length

MIDPOINT_ROUNDS = 4
TINY_ANGLE = 1e-9  # below this sin(x)/x is 1 to the last bit


def quaternion_of(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit quaternion of a (3, 3) rotation matrix, its largest entry positive."""
    (a, b, c), (d, e, f), (g, h, i) = rotation.tolist()
    # four ways to the same quaternion up to a factor; the longest loses least
    rows = np.array(
        [
            [1 + a + e + i, h - f, c - g, d - b],
            [h - f, 1 + a - e - i, b + d, c + g],
            [c - g, b + d, 1 - a + e - i, f + h],
            [d - b, c + g, f + h, 1 - a - e + i],
        ]
    )
    best = rows[np.argmax(np.diag(rows))]
    return best / length(best)


@inlined_kernel
def turned(q, spin, time):
    """Return the orientation q after turning with a constant angular velocity for a time, of unit length."""
    angle = 0.5 * time * sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2])
    sine, c = sine_cosine(angle)
    factor = 0.5 * time * (sine / angle if angle > TINY_ANGLE else 1.0)
    x, y, z = factor * spin[0], factor * spin[1], factor * spin[2]
    a = c * q[0] - x * q[1] - y * q[2] - z * q[3]
    b = c * q[1] + x * q[0] + y * q[3] - z * q[2]
    d = c * q[2] - x * q[3] + y * q[0] + z * q[1]
    e = c * q[3] + x * q[2] - y * q[1] + z * q[0]
    scale = 1.0 / sqrt(a * a + b * b + d * d + e * e)
    return a * scale, b * scale, d * scale, e * scale


@inlined_kernel
def set_orientation(bodies, i, q):
    """Turn body i to a unit quaternion, and what follows from it: world_inverse is R J Rᵀ for an inverse inertia J."""
    for k in range(4):
        bodies.orientation[i, k] = q[k]
    r, (w, x, y, z) = bodies.rotation, q
    r[i, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    r[i, 0, 1] = 2.0 * (x * y - w * z)
    r[i, 0, 2] = 2.0 * (x * z + w * y)
    r[i, 1, 0] = 2.0 * (x * y + w * z)
    r[i, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    r[i, 1, 2] = 2.0 * (y * z - w * x)
    r[i, 2, 0] = 2.0 * (x * z - w * y)
    r[i, 2, 1] = 2.0 * (y * z + w * x)
    r[i, 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    for k in range(3):
        line = times(bodies.inverse_inertia, i, (r[i, k, 0], r[i, k, 1], r[i, k, 2]))  # J is symmetric
        for l in range(3):
            value = line[0] * r[i, l, 0] + line[1] * r[i, l, 1] + line[2] * r[i, l, 2]
            bodies.world_inverse[i, l, k] = value


@inlined_kernel
def momentum_of(bodies, i, spin):
    """Return the angular momentum of body i about its centre with a spin: R I Rᵀ ω."""
    within = times(bodies.inertia, i, times_transposed(bodies.rotation, i, spin))
    return times(bodies.rotation, i, within)


@kernel
def move(bodies, means, moving, time):
    """Advance position, orientation and spin by a time; `means` are the velocities and spins that lead there."""
    for i in range(len(moving)):
        if not moving[i]:
            continue
        set_row(bodies.position, i, plus(row(bodies.position, i), time, row(means.velocity, i)))
        q = (bodies.orientation[i, 0], bodies.orientation[i, 1], bodies.orientation[i, 2], bodies.orientation[i, 3])
        spin, mean_spin = row(bodies.spin, i), row(means.spin, i)
        free = spin[0] == mean_spin[0] and spin[1] == mean_spin[1] and spin[2] == mean_spin[2]
        kept = momentum_of(bodies, i, spin)
        energy = dot(spin, kept)
        mean_momentum = momentum_of(bodies, i, mean_spin)
        for _ in range(MIDPOINT_ROUNDS):
            set_orientation(bodies, i, turned(q, mean_spin, 0.5 * time))
            mean_spin = times(bodies.world_inverse, i, mean_momentum)
        set_orientation(bodies, i, turned(q, mean_spin, time))
        spin = times(bodies.world_inverse, i, kept)
        # A body that was hit turns for a part of the time as it did before. The momentum after the impact, seen through
        # an inertia that has turned so, can have more energy than the impact left it.
        gained = dot(spin, kept)
        set_row(bodies.spin, i, scaled(spin, 1.0 if free or gained <= energy else sqrt(energy / gained)))
