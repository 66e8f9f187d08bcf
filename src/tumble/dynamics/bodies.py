"""Rigid bodies as arrays: a row for each, and one more at the end for the world that nothing moves.

Contacts with planes name body −1, which is that last row.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.core.linear import times, times_transposed
from tumble.dynamics.quaternion import write_matrix

Record = TypeVar("Record", bound=Any)
"""a NamedTuple of arrays"""


class RigidBodies(NamedTuple):
    """Position, motion and inertia of the bodies."""

    position: NDArray[np.float64]  # (n + 1, 3) centres of mass
    orientation: NDArray[np.float64]  # (n + 1, 4) unit quaternions, from the mesh's axes to the world's
    velocity: NDArray[np.float64]  # (n + 1, 3) of the centres of mass
    spin: NDArray[np.float64]  # (n + 1, 3) angular velocities, along the world's axes
    inverse_mass: NDArray[np.float64]  # (n + 1,) 0 for bodies that cannot be shifted
    inertia: NDArray[np.float64]  # (n + 1, 3, 3) about the centre, along the mesh's axes
    inverse_inertia: NDArray[np.float64]  # (n + 1, 3, 3) likewise; 0 for bodies that cannot turn
    rotation: NDArray[np.float64]  # (n + 1, 3, 3) the orientations as matrices
    world_inverse: NDArray[np.float64]  # (n + 1, 3, 3) inverse inertia along the world's axes


def no_bodies() -> RigidBodies:
    """Return the world alone."""
    position, velocity, spin = np.zeros((3, 1, 3))
    inertia, inverse_inertia, world_inverse = np.zeros((3, 1, 3, 3))
    orientation, rotation = np.array([[1.0, 0.0, 0.0, 0.0]]), np.eye(3)[None]
    at_rest = position, orientation, velocity, spin, np.zeros(1)
    return RigidBodies(*at_rest, inertia, inverse_inertia, rotation, world_inverse)


def with_body(bodies: RigidBodies, **columns: NDArray[np.float64] | float) -> RigidBodies:
    """Return the bodies and one more, at the last place before the world."""
    return RigidBodies(*(np.insert(getattr(bodies, name), -1, columns[name], axis=0) for name in RigidBodies._fields))


def copied(record: Record) -> Record:
    """Return a record of arrays that may be written to without changing this one."""
    return record._make(column.copy() for column in record)


def extended(record: Record, *row: Any) -> Record:
    """Return a record of columns with one more row at the end."""
    return record._make(np.append(column, [new], axis=0) for column, new in zip(record, row, strict=True))


@inlined_kernel
def set_orientation(bodies, i, q):
    """Turn body i, and all that follows from its orientation: world_inverse is R J Rᵀ for an inverse inertia J."""
    for k in range(4):
        bodies.orientation[i, k] = q[k]
    write_matrix(q, bodies.rotation, i)
    r = bodies.rotation
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
