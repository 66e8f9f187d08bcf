"""Where bodies go in a substep: along straight lines, and around as free tops turn.

The angular momentum of a body that nothing touches is constant, its spin is not: it is the momentum seen through an
inertia that turns with the body. So the momentum is kept, and the spin follows from it. The body turns with the spin of
half way, found by repetition (the implicit midpoint rule), in pieces of a small angle: of a rod that turns fast,
repetition would not converge. After each piece a free body is turned a little further, along the gradient of its
energy, ω × L, so that the energy is what it was. Orientations are unit quaternions (w, x, y, z).
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary_kernels import sine_cosine
from tumble.core.jit import inlined_kernel, kernel
from tumble.core.linear import cross, dot, plus, row, scaled, set_row, times, times_transposed
from tumble.core.products import length

MIDPOINT_ROUNDS = 4
PIECE = 0.1
"""radians that a body turns in one piece"""
MOST_PIECES = 512
SAME_ENERGY = 1e-14
"""as a part of it"""
CORRECTIONS = 8
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


@inlined_kernel
def orientation_of(bodies, i):
    """Return the unit quaternion of body i."""
    return bodies.orientation[i, 0], bodies.orientation[i, 1], bodies.orientation[i, 2], bodies.orientation[i, 3]


@inlined_kernel
def restore_energy(bodies, i, momentum, energy):
    """Turn body i a little, so that its momentum has twice an energy again."""
    for _ in range(CORRECTIONS):
        spin = times(bodies.world_inverse, i, momentum)
        gained = dot(spin, momentum) - energy
        way = cross(spin, momentum)
        slope = dot(way, way)
        if abs(gained) <= SAME_ENERGY * energy or slope == 0.0:
            break
        turn = scaled(way, -0.5 * gained / slope)
        if dot(turn, turn) > PIECE * PIECE:
            break  # it turns about a principal axis: energy hardly depends on where it is
        set_orientation(bodies, i, turned(orientation_of(bodies, i), turn, 1.0))


@inlined_kernel
def turn_on(bodies, i, momentum, time, free):
    """Turn body i for a time, as its angular momentum tells; a free body keeps its energy."""
    energy = dot(times(bodies.world_inverse, i, momentum), momentum)
    left, pieces = time, MOST_PIECES
    while left > 0.0:
        spin = times(bodies.world_inverse, i, momentum)
        angle = left * sqrt(dot(spin, spin))
        piece = left if angle <= PIECE else left * max(PIECE / angle, 1.0 / pieces)
        q = orientation_of(bodies, i)
        for _ in range(MIDPOINT_ROUNDS):
            set_orientation(bodies, i, turned(q, spin, 0.5 * piece))
            spin = times(bodies.world_inverse, i, momentum)
        set_orientation(bodies, i, turned(q, spin, piece))
        if free:
            restore_energy(bodies, i, momentum, energy)
        left, pieces = left - piece, pieces - 1


@kernel
def move(bodies, means, moving, time):
    """Advance position, orientation and spin by a time; `means` are the velocities and spins that lead there."""
    for i in range(len(moving)):
        if not moving[i]:
            continue
        set_row(bodies.position, i, plus(row(bodies.position, i), time, row(means.velocity, i)))
        spin, mean_spin = row(bodies.spin, i), row(means.spin, i)
        free = spin[0] == mean_spin[0] and spin[1] == mean_spin[1] and spin[2] == mean_spin[2]
        kept = momentum_of(bodies, i, spin)
        energy = dot(spin, kept)
        turn_on(bodies, i, momentum_of(bodies, i, mean_spin), time, free)
        spin = times(bodies.world_inverse, i, kept)
        # A body that was hit turns for a part of the time as it did before. The momentum after the impact, seen through
        # an inertia that has turned so, can have more energy than the impact left it.
        gained = dot(spin, kept)
        set_row(bodies.spin, i, scaled(spin, 1.0 if free or gained <= energy else sqrt(energy / gained)))
