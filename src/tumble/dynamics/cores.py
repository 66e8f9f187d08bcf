"""Cores of bodies, in questions about pairs of bodies that touch: how far are they still from passing through?

A core is the mesh of a body with its faces further in, by a little more than bodies rest in each other. While the core
of the thicker of two bodies is outside of the other, it tells from which side they met. The curve in which two surfaces
meet does not, where one of them belongs to a wall that is thinner than the depth of the contact: it gives contacts with
both sides, and an open mesh has only one. So those of thin walls are set right here, for bodies that are continuous.
Where others press a body so far in that the wall is in its core as well, the contacts of the last step tell the side.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.api.closest_points import closest_points
from tumble.core.keys import keys_of_pairs, pairs_of_keys
from tumble.core.products import dot_product, lengths
from tumble.dynamics.contacts import WORLD, Contacts, chosen, contacts_of, joined, mixed_friction
from tumble.dynamics.state import Conditions, RigidBodies, poses_of
from tumble.mesh import Mesh
from tumble.query.bodies import Bodies
from tumble.query.engine import DISTANCE
from tumble.query.plan import Options

DEPTH, THINNEST = 3.0, 0.5
"""of a core: in slops, but no more than this share of V/A"""
THIN = 2.0
"""slops; V/A of walls that are thinner than the double of this, as contacts may see both of their sides"""


def with_cores(
    given: Conditions, pairs: NDArray[np.int64]
) -> tuple[list[Mesh | None], NDArray[np.int64], NDArray[np.float64]]:
    """Return meshes, then cores, of all bodies; pairs with the core of the thicker body in its place; its depth."""
    roster, count = given.roster, len(given.roster)
    reaches = np.where(np.isfinite(roster.sizes.reaches), roster.sizes.reaches, 0.0)
    depths = np.minimum(DEPTH * given.settings.slop, THINNEST * reaches)
    second = reaches[pairs[:, 0]] < reaches[pairs[:, 1]]
    thicker = np.where(second, pairs[:, 1], pairs[:, 0])
    shapes: list[Mesh | None] = [entry.mesh for entry in roster.entries]
    shapes += [None] * count
    for body in np.unique(thicker).tolist():
        shapes[count + body] = roster.core(body, float(depths[body]))
    return shapes, pairs + count * np.stack([~second, second], axis=1), depths[thicker]


def with_thin_wall(given: Conditions, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return (k,) which pairs have a body that is a thin wall, or bounds no volume."""
    reaches = np.where(np.isfinite(given.roster.sizes.reaches), given.roster.sizes.reaches, 0.0)
    return reaches[pairs].min(axis=1, initial=np.inf) < THIN * given.settings.slop


def sided(
    given: Conditions, contacts: Contacts, old: Contacts, bodies: RigidBodies, watched: NDArray[np.bool_]
) -> Contacts:
    """Return contacts of bodies with bodies, those of thin walls from the side on which the other body's core is.

    old   contacts of the last step: a core that a wall is in has come from the side from which these push
    """
    pairs = np.stack([contacts.body_a, contacts.body_b], axis=1).astype(np.int64)
    thin = watched[pairs].any(axis=1) & with_thin_wall(given, pairs)
    if not thin.any():
        return contacts
    keys, rows = np.unique(keys_of_pairs(pairs), return_inverse=True)
    asked = keys[np.unique(rows[thin])]
    own = contacts_of_cores(given, pairs_of_keys(asked), _pushes(old, asked), bodies)
    mine = np.stack([own.body_a, own.body_b], axis=1).astype(np.int64)
    normals = np.zeros((len(keys), 3))
    normals[np.searchsorted(keys, keys_of_pairs(mine))] = own.normals
    which = dot_product(contacts.normals, normals[rows]) >= 0.0
    kept, sure = chosen(contacts, which), np.asarray(normals.any(axis=1))[rows][which]
    kept.depths[sure] = _depths(given, chosen(kept, sure), bodies)
    return joined(kept, own)


def _depths(given: Conditions, contacts: Contacts, bodies: RigidBodies) -> NDArray[np.float64]:
    """Return how deep contacts with thin walls are: by how much more the core's face is in than above their points.

    The curve in which the surfaces meet tells no depth that is larger than the wall is thick. The core of a body
    that is thin itself is not as deep as others, and tells less than the curve.
    """
    pairs = np.stack([contacts.body_a, contacts.body_b], axis=1).astype(np.int64)
    shapes, asked, depths = with_cores(given, pairs)
    found, poses, count = contacts.depths.copy(), poses_of(bodies, given.roster), len(given.roster)
    known = depths >= DEPTH * given.settings.slop
    cores, upward = asked.max(axis=1), np.where(asked[:, 0] >= count, 1.0, -1.0)
    for core in np.unique(cores[known]).tolist():
        of_core = known & (cores == core)
        points, mesh = contacts.points[of_core], shapes[core]
        assert mesh is not None
        near = closest_points(mesh, points, poses[core - count], threads=1).points
        heights = upward[of_core] * dot_product(contacts.normals[of_core], near - points)
        found[of_core] = depths[of_core] - heights
    return found


def _pushes(contacts: Contacts, keys: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return (k, 3) in which direction the contacts of pairs of bodies push, by the sorted keys of pairs; 0: none."""
    of_bodies = contacts.body_b != WORLD
    pairs = np.stack([contacts.body_a, contacts.body_b], axis=1)[of_bodies].astype(np.int64)
    found = keys_of_pairs(pairs)
    places = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
    known, sums = keys[places] == found, np.zeros((len(keys), 3))
    np.add.at(sums, places[known], contacts.normals[of_bodies][known])
    sizes = lengths(sums)
    return sums / np.where(sizes > 0.0, sizes, 1.0)[:, None]


def contacts_of_cores(
    given: Conditions, pairs: NDArray[np.int64], before: NDArray[np.float64], bodies: RigidBodies
) -> Contacts:
    """Return a contact for each of some pairs: where the core of one body is near the other, or in it.

    Its depth is that of the core less its distance. Its normal is the way from one to the other; where they touch, that
    in which the pair was pushed `before`, if it was: otherwise there is no contact.
    """
    roster, count = given.roster, len(given.roster)
    shapes, asked, depths = with_cores(given, pairs)
    poses = np.concatenate(2 * [poses_of(bodies, roster)])
    placed = Bodies(shapes, np.arange(2 * count), poses, checked=True)
    table = ask(DISTANCE, placed, placed, asked, Options(threads=given.threads))
    assert table.distances is not None
    found, points = table.distances.distances, table.distances.points
    outside = found > 0.0
    normals = np.where(outside[:, None], points[:, 0] - points[:, 1], before[table.hit])
    normals[outside] /= found[outside, None]
    sure = outside | normals.any(axis=1)
    a, b = pairs[table.hit][sure].T
    friction = mixed_friction(roster.column("friction")[a], roster.column("friction")[b])
    restitution = np.maximum(roster.column("restitution")[a], roster.column("restitution")[b])
    deep, keys = np.maximum(depths[table.hit] - found, 0.0)[sure], np.full(len(a), -1)
    return contacts_of(a, b, points[sure].mean(axis=1), normals[sure], deep, keys, friction, restitution)
