"""The contacts of a step: of bodies with planes, of bodies with bodies, and those of sleeping bodies, which stay."""

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.contacts import WORLD, Contacts, chosen, contacts_of, joined, with_impulses
from tumble.dynamics.manifold import manifold
from tumble.dynamics.measures import poses_of
from tumble.dynamics.planes import DIRECTIONS, MOST_POINTS, memory_for, touch_planes
from tumble.dynamics.state import Conditions, State
from tumble.scene import SceneCollisions

# A key of a contact with a plane: the plane's number above, the vertex's number below.
VERTEX_BITS = 32


def find_contacts(given: Conditions, state: State, touching: SceneCollisions) -> Contacts:
    """Return this step's contacts, sorted, with the impulses of the last step."""
    moving, old = given.roster.movable & ~state.asleep, state.contacts
    awake = np.append(moving, False)  # never the world's row
    kept = chosen(old, ~(awake[old.body_a] | awake[old.body_b]))
    found = joined(plane_contacts(given, state, moving), mesh_contacts(given, state, touching))
    return joined(with_impulses(found, old, given.settings.match_distance), kept)


def plane_contacts(given: Conditions, state: State, moving: NDArray[np.bool_]) -> Contacts:
    """Return the contacts of moving bodies with planes."""
    roster, planes, time = given.roster, given.planes, given.time_step
    hulls = roster.hulls
    rows = memory_for(MOST_POINTS * int(moving.sum()) * len(planes.offsets))
    near = np.empty((int((hulls.stops - hulls.starts).max(initial=0)), 3))
    fall = float(np.linalg.norm(given.gravity)) * time
    slop = given.settings.slop
    count = touch_planes(state.bodies, moving, hulls, planes, time, fall, slop, near, DIRECTIONS, rows)
    body, plane = rows.bodies[:count], rows.planes[:count]
    friction = mixed_friction(roster.column("friction")[body], planes.friction[plane])
    restitution = np.maximum(roster.column("restitution")[body], planes.restitution[plane])
    keys = plane.astype(np.int64) << VERTEX_BITS | rows.numbers[:count]
    world_rows = np.full(count, WORLD, np.int32)
    normals = planes.normals[plane]
    return contacts_of(body, world_rows, rows.points[:count], normals, rows.depths[:count], keys, friction, restitution)


def mesh_contacts(given: Conditions, state: State, touching: SceneCollisions) -> Contacts:
    """Return the contacts of bodies with bodies, from their touching triangles."""
    roster = given.roster
    bodies = roster.numbers_of(touching.names)
    offsets = np.zeros(len(bodies) + 1, np.int64)
    np.cumsum(touching.counts, out=offsets[1:])
    mesh_of, surfaces = roster.surfaces
    poses = poses_of(state.bodies, roster)
    found = manifold(surfaces, mesh_of, poses, bodies, offsets, touching.triangles, threads=given.threads)
    a, b = bodies[found.pairs].T
    friction = mixed_friction(roster.column("friction")[a], roster.column("friction")[b])
    restitution = np.maximum(roster.column("restitution")[a], roster.column("restitution")[b])
    return contacts_of(a, b, found.points, found.normals, found.depths, found.keys, friction, restitution)


def mixed_friction(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coefficient of friction between two materials: the geometric mean, so a slippery one counts most."""
    return np.sqrt(a * b)
