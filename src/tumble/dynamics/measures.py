"""What can be measured about bodies: poses, energy and momentum."""

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.bodies import RigidBodies
from tumble.dynamics.roster import Roster
from tumble.errors import SimulationError
from tumble.mesh import MAX_COORDINATE


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
    straight = roster.column("mass") * (bodies.velocity[:-1] ** 2).sum(axis=1)
    around = (bodies.spin[:-1] * _spin_momenta(bodies)).sum(axis=1)
    return float(0.5 * (straight + around).sum())


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
    within = np.einsum("nji,nj->ni", rotation, bodies.spin[:-1])
    return np.einsum("nij,njk,nk->ni", rotation, bodies.inertia[:-1], within)


def check(bodies: RigidBodies, roster: Roster, fastest: float, step: int) -> None:
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
