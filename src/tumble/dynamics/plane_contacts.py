"""The contacts of a world's bodies with its planes, as a record."""

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics.contacts import WORLD, Contacts, contacts_of, mixed_friction
from tumble.dynamics.planes import DIRECTIONS, MOST_POINTS, PlaneRows, touch_planes
from tumble.dynamics.state import Conditions, RigidBodies

VERTEX_BITS = 32  # a key of a contact with a plane: the plane's number above, the vertex's number below


def plane_contacts(
    given: Conditions, bodies: RigidBodies, moving: NDArray[np.bool_], time: float, fall: float
) -> Contacts:
    """Return the contacts with planes that moving bodies have or may get within a time.

    fall   the largest change of a velocity in this time
    """
    roster, planes = given.roster, given.planes
    hulls = roster.hulls
    most = MOST_POINTS * int(moving.sum()) * len(planes.offsets)
    numbers = np.empty(most, np.int32), np.empty(most, np.int32)
    rows = PlaneRows(*numbers, np.empty((most, 3)), np.empty(most), np.empty(most, np.int64))
    near = np.empty((int((hulls.stops - hulls.starts).max(initial=0)), 3))
    count = touch_planes(bodies, moving, hulls, planes, time, fall, given.settings.slop, near, DIRECTIONS, rows)
    body, plane = rows.bodies[:count], rows.planes[:count]
    friction = mixed_friction(roster.column("friction")[body], planes.friction[plane])
    restitution = np.maximum(roster.column("restitution")[body], planes.restitution[plane])
    keys = plane.astype(np.int64) << VERTEX_BITS | rows.numbers[:count]
    world_rows = np.full(count, WORLD, np.int32)
    normals = planes.normals[plane]
    return contacts_of(body, world_rows, rows.points[:count], normals, rows.depths[:count], keys, friction, restitution)
