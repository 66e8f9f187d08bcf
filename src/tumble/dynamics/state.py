"""A world for its kernels: `Conditions`, which a step leaves alone, the `State`, which it changes, and measures of it.

Rigid bodies are arrays, with a row for each, and one more at the end for the world that nothing moves. Contacts with
planes name body −1, which is that last row.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import applied
from tumble.dynamics.body import Roster
from tumble.dynamics.contacts import WORLD, Contacts, no_contacts
from tumble.dynamics.joints import JointRows
from tumble.dynamics.planes import Planes
from tumble.dynamics.settings import Settings
from tumble.errors import InputError, SimulationError
from tumble.mesh import MAX_COORDINATE

Record = TypeVar("Record", bound=Any)  # a NamedTuple of arrays


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


class Quiet(NamedTuple):
    """For how long bodies have stayed where they are, and where that is: a row per body."""

    time: NDArray[np.float64]  # (n,) s; time in free flight does not count
    position: NDArray[np.float64]  # (n, 3)
    rotation: NDArray[np.float64]  # (n, 3, 3)


@dataclass(frozen=True, eq=False)
class Conditions:
    """What a step does not change; see `World`."""

    gravity: NDArray[np.float64]
    time_step: float
    settings: Settings
    roster: Roster
    planes: Planes
    joints: JointRows
    connected: NDArray[np.int64]
    """(k, 2) bodies that a joint connects and that do not collide with each other"""
    threads: int | None
    device: str


@dataclass(frozen=True, eq=False)
class State:
    """What `World.snapshot` returns; from the same state the same world goes on in the same way, bit for bit."""

    time: float
    steps: int
    bodies: RigidBodies
    contacts: Contacts
    quiet: Quiet
    asleep: NDArray[np.bool_]
    """(n,)"""

    def copy(self) -> State:
        """Return the same state in arrays of its own."""
        copies = copied(self.bodies), copied(self.contacts), copied(self.quiet)
        return State(self.time, self.steps, *copies, self.asleep.copy())


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


def empty_state() -> State:
    """Return the state of a world without bodies, at its start."""
    quiet = Quiet(np.empty(0), np.empty((0, 3)), np.empty((0, 3, 3)))
    return State(0.0, 0, no_bodies(), no_contacts(), quiet, np.empty(0, bool))


def check_state(state: State, current: State) -> None:
    """Raise InputError unless a state fits the world that is in another: kernels use its numbers as indices."""
    if not isinstance(state, State):
        raise InputError(f"a snapshot of a world is wanted, not {type(state).__name__}")
    count = len(current.asleep)
    if np.shape(state.asleep) != (count,):
        raise InputError(f"the snapshot is of {len(state.asleep)} bodies, the world has {count}")
    count_due = np.shape(state.contacts.keys)[:1]
    contacts = Contacts(*(np.empty((*count_due, *column.shape[1:]), column.dtype) for column in no_contacts()))
    records: list[Any] = [(state.bodies, current.bodies), (state.quiet, current.quiet), (state.contacts, contacts)]
    for name, column, due in chain.from_iterable(zip(due._fields, own, due, strict=True) for own, due in records):
        if type(column) is not np.ndarray or column.shape != due.shape or column.dtype != due.dtype:
            raise InputError(f"{name} of the snapshot is not an array of {due.dtype} of shape {due.shape}")
    for name in ("body_a", "body_b"):
        named = getattr(state.contacts, name)
        if ((named < WORLD) | (named >= count)).any():
            raise InputError(f"{name} of the snapshot's contacts names a body that the world of {count} does not have")


def poses_of(bodies: RigidBodies, roster: Roster) -> NDArray[np.float64]:
    """Return the poses of the meshes, (n, 4, 4); those of bodies that cannot move are exactly the given ones."""
    poses = roster.column("pose").reshape(-1, 4, 4).copy()
    rotation, centres = bodies.rotation[:-1], roster.column("centre").reshape(-1, 3)
    origins = bodies.position[:-1] - (rotation * centres[:, None, :]).sum(axis=2)
    free = roster.movable
    poses[free, :3, :3] = rotation[free]
    poses[free, :3, 3] = origins[free]
    return poses


def kinetic_energy(bodies: RigidBodies, roster: Roster) -> float:
    """Return the energy of motion, J."""
    return float(0.5 * twice_kinetic_energies(bodies, roster).sum())


def twice_kinetic_energies(bodies: RigidBodies, roster: Roster) -> NDArray[np.float64]:
    """Return twice the energy of motion of each body, (n,) J."""
    straight = roster.column("mass") * (bodies.velocity[:-1] ** 2).sum(axis=1)
    around = (bodies.spin[:-1] * _spin_momenta(bodies)).sum(axis=1)
    return straight + around


def potential_energy(bodies: RigidBodies, roster: Roster, gravity: NDArray[np.float64]) -> float:
    """Return the energy of height, J; 0 for a centre of mass at the origin."""
    return float(-(roster.column("mass") * (bodies.position[:-1] * gravity).sum(axis=1)).sum())


def momentum(bodies: RigidBodies, roster: Roster) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the linear momentum and the angular momentum about the origin."""
    linear = roster.column("mass")[:, None] * bodies.velocity[:-1]
    angular = np.cross(bodies.position[:-1], linear) + _spin_momenta(bodies)
    return linear.sum(axis=0), angular.sum(axis=0)


def _spin_momenta(bodies: RigidBodies) -> NDArray[np.float64]:
    rotation = bodies.rotation[:-1]
    within = applied(rotation.transpose(0, 2, 1), bodies.spin[:-1])
    return applied(rotation, applied(bodies.inertia[:-1], within))


def check_motion(bodies: RigidBodies, roster: Roster, fastest: float, step: int) -> None:
    """Raise SimulationError if a body has exploded or left the supported range, by its name."""
    speed = np.abs(bodies.velocity[:-1]).max(axis=1) + np.abs(bodies.spin[:-1]).max(axis=1) * roster.hulls.radii
    fine = (np.abs(bodies.position[:-1]).max(axis=1) < MAX_COORDINATE) & (speed <= fastest)  # False for NaN
    if fine.all():
        return
    which = int(np.flatnonzero(~fine)[0])
    raise SimulationError(
        f"body {roster.entries[which].name!r} would be at {bodies.position[which].tolist()} with the velocity "
        f"{bodies.velocity[which].tolist()} and the spin {bodies.spin[which].tolist()} after step {step}; the world is "
        "as before this step. Look for bodies that start deep inside each other, or take a smaller step"
    )
