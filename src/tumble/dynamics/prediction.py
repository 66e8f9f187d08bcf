"""Contacts ahead of time: meshes are tested where a step will take them, so that they stop before they meet.

Two meshes that are found to touch only after they do are already in each other, by as much as they approach in a step:
1 cm at 1 m/s. So the narrow phase looks at the poses to which free flight would lead. The points that it finds there
are fixed to their bodies and taken back to where the bodies are now. What free flight brings nearer is a gap again,
which the solver lets close, but no further.

It costs nothing: the same number of poses is tested, a step earlier. Two cases need care:

    shallow ahead    a body that may go on to the pose that was tested keeps its speed, and is farther in when the next
                     one is tested, or through. So it stops before: when the last substep begins
    parting          the depth ahead counts, not the larger one of now: it goes without a push
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.linear import dot, plus, row, set_row, times, times_transposed
from tumble.dynamics.contacts import Contacts
from tumble.dynamics.motion import set_orientation, turned
from tumble.dynamics.settings import Settings
from tumble.dynamics.state import RigidBodies, copied
from tumble.mesh import MAX_COORDINATE


def predicted(
    bodies: RigidBodies, moving: NDArray[np.bool_], held: NDArray[np.bool_], gravity: NDArray[np.float64], time: float
) -> RigidBodies:
    """Return bodies where free flight would take them in a time; only places and orientations are meant.

    Joints carry the weight of the bodies that they hold, or part of it: these keep their velocities.
    """
    ahead = copied(bodies)
    fly(ahead, moving, held, gravity, time, MAX_COORDINATE)
    return ahead


@kernel
def fly(bodies, moving, held, gravity, time, farthest):
    """Move bodies along the parabola of free fall, and turn them with their spins as they are now."""
    for i in range(len(moving)):
        if not moving[i]:
            continue
        place = plus(row(bodies.position, i), time, row(bodies.velocity, i))
        if bodies.inverse_mass[i] > 0.0 and not held[i]:
            place = plus(place, 0.5 * time * time, (gravity[0], gravity[1], gravity[2]))
        q = (bodies.orientation[i, 0], bodies.orientation[i, 1], bodies.orientation[i, 2], bodies.orientation[i, 3])
        q = turned(q, row(bodies.spin, i), time)
        # What leaves the supported range, or is not a number, stays: `check_motion` will report it, with its name.
        inside = abs(place[0]) < farthest and abs(place[1]) < farthest and abs(place[2]) < farthest
        if inside and q[0] * q[0] <= 2.0:
            set_row(bodies.position, i, place)
            set_orientation(bodies, i, q)


def taken_back(contacts: Contacts, ahead: RigidBodies, now: RigidBodies, settings: Settings) -> Contacts:
    """Return contacts that were found ahead as they are now, in the same arrays: points and depths follow bodies."""
    take_back(contacts, ahead, now, settings.slop, 1.0 - 1.0 / settings.substeps)
    return contacts


@kernel
def take_back(contacts, ahead, now, slop, most):
    """Put each point half way between its places on both bodies; the way between them along the normal is no depth."""
    for c in range(len(contacts.keys)):
        point = row(contacts.points, c)
        on_a = _followed(ahead, now, contacts.body_a[c], point)
        on_b = _followed(ahead, now, contacts.body_b[c], point)
        apart = plus(on_a, -1.0, on_b)
        way = dot(row(contacts.normals, c), apart)
        if way > 0.0:
            contacts.depths[c] = max(contacts.depths[c] - way, slop - most * way)
        set_row(contacts.points, c, plus(on_b, 0.5, apart))


@kernel
def _followed(ahead, now, i, point):
    """Return where a point of body i is now that is at `point` ahead."""
    anchor = times_transposed(ahead.rotation, i, plus(point, -1.0, row(ahead.position, i)))
    return plus(row(now.position, i), 1.0, times(now.rotation, i, anchor))
