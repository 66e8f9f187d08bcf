"""Where bodies go in a substep: along straight lines, and around as free tops turn.

The angular momentum of a body that nothing touches is constant, its spin is not: it is the momentum seen through an
inertia that turns with the body. So the momentum is kept, and the spin follows from it. The body turns with the spin of
half way, found by repetition (the implicit midpoint rule), which is symmetric in time: energy swings a little and does
not drift.
"""

from tumble.core.jit import kernel
from tumble.core.linear import plus, row, set_row, times
from tumble.dynamics.bodies import momentum_of, set_orientation
from tumble.dynamics.quaternion import turned

MIDPOINT_ROUNDS = 4


@kernel
def move(bodies, means, moving, time):
    """Advance position, orientation and spin by a time; `means` are the velocities and spins that lead there."""
    for i in range(len(moving)):
        if not moving[i]:
            continue
        set_row(bodies.position, i, plus(row(bodies.position, i), time, row(means.velocity, i)))
        q = (bodies.orientation[i, 0], bodies.orientation[i, 1], bodies.orientation[i, 2], bodies.orientation[i, 3])
        mean_spin = row(means.spin, i)
        kept = momentum_of(bodies, i, row(bodies.spin, i))
        mean_momentum = momentum_of(bodies, i, mean_spin)
        for _ in range(MIDPOINT_ROUNDS):
            set_orientation(bodies, i, turned(q, mean_spin, 0.5 * time))
            mean_spin = times(bodies.world_inverse, i, mean_momentum)
        set_orientation(bodies, i, turned(q, mean_spin, time))
        set_row(bodies.spin, i, times(bodies.world_inverse, i, kept))
