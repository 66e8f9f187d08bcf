"""A step of a world, as a list of phases.

    broad phase → narrow phase → contacts → sleep → (solve → integrate) in substeps → check → sleep

With fast bodies, substeps end at their times of impact: see `continuous`.

It works on copies and returns them, so after an error the world is as it was before the step.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import length
from tumble.dynamics.contacts import Contacts, chosen, contacts_of, joined, mixed_friction, with_impulses
from tumble.dynamics.continuous import fast_step
from tumble.dynamics.cores import sided
from tumble.dynamics.fast import watched_bodies
from tumble.dynamics.joints import held
from tumble.dynamics.manifold.manifolds import manifold_of_curves
from tumble.dynamics.plane_contacts import plane_contacts
from tumble.dynamics.prediction import taken_back
from tumble.dynamics.progress import Progress
from tumble.dynamics.sleep import calm, still_quiet
from tumble.dynamics.state import Conditions, RigidBodies, State, check_motion, poses_of
from tumble.dynamics.stopwatch import StopWatch
from tumble.scene import Scene, SceneCollisions


def advance(
    given: Conditions, before: State, ahead: RigidBodies, fast: NDArray[np.bool_], scene: Scene, watch: StopWatch
) -> tuple[State, dict[str, int], float]:
    """Return the state after a step, counts of what was found and the lift.

    ahead, scene   bodies where contacts are looked for
    fast           (n,) bodies that are to be stopped at their times of impact
    """
    settings = given.settings
    candidates = scene.count_candidates()
    watch.note("broad phase")

    touching = scene.collisions_and_curves(threads=given.threads, device=given.device)
    watch.note("narrow phase")

    contacts = find_contacts(given, before, ahead, touching)
    watch.note("contacts")

    progress = Progress(given, before, contacts, watch)
    watch.note("sleep")

    found = fast_step(progress, fast, before.steps + 1) if fast.any() else _even_step(progress)
    bodies, contacts, moving = progress.bodies, progress.contacts, progress.moving
    check_motion(bodies, given.roster, settings.fastest, before.steps + 1)
    radii = given.roster.hulls.radii
    with_joints = held(given.joints, len(radii))
    calm(bodies, contacts, radii, settings, given.time_step, with_joints)
    quiet = still_quiet(bodies, contacts, radii, before.quiet, settings, given.time_step, with_joints)
    quiet.time[progress.motors] = 0.0
    watch.note("sleep")

    counts = {
        "broad pairs": candidates,
        "touching pairs": len(touching),
        "triangle pairs": len(touching.triangles),
        "contact points": len(contacts.keys),
        "awake": int(moving.sum()),
        **found,
    }
    after = State(before.time + given.time_step, before.steps + 1, bodies, contacts, quiet, progress.asleep)
    return after, counts, progress.lift


def _even_step(progress: Progress) -> dict[str, int]:
    """Go through all substeps, which are of one length."""
    settings = progress.given.settings
    for _ in range(settings.substeps):
        progress.advance(progress.given.time_step / settings.substeps)
    return {}


def find_contacts(given: Conditions, state: State, ahead: RigidBodies, touching: SceneCollisions) -> Contacts:
    """Return this step's contacts, sorted, with the impulses of the last step."""
    moving, old = given.roster.movable & ~state.asleep, state.contacts
    awake = np.append(moving, False)  # never the world's row
    kept = chosen(old, ~(awake[old.body_a] | awake[old.body_b]))
    of_meshes, watched = mesh_contacts(given, ahead, touching), watched_bodies(given)
    if watched.any():
        of_meshes = sided(given, of_meshes, old, ahead, watched)
    of_meshes = taken_back(of_meshes, ahead, state.bodies, given.settings)
    fall = length(given.gravity) * given.time_step
    of_planes = plane_contacts(given, state.bodies, moving, given.time_step, fall)
    found = joined(of_planes, of_meshes)
    return joined(with_impulses(found, old, given.settings.match_distance), kept)


def mesh_contacts(given: Conditions, ahead: RigidBodies, touching: SceneCollisions) -> Contacts:
    """Return the contacts of bodies with bodies, from the triangles that touch where they are `ahead`."""
    roster = given.roster
    bodies = roster.numbers_of(touching.names)
    offsets = np.zeros(len(bodies) + 1, np.int64)
    np.cumsum(touching.counts, out=offsets[1:])
    mesh_of, surfaces = roster.surfaces
    poses = poses_of(ahead, roster)
    pairs, curves = touching.triangles, touching.curves  # a device makes the segments of contacts as well
    found = manifold_of_curves(surfaces, mesh_of, poses, bodies, offsets, pairs, curves, threads=given.threads)
    a, b = bodies[found.pairs].T
    friction = mixed_friction(roster.column("friction")[a], roster.column("friction")[b])
    restitution = np.maximum(roster.column("restitution")[a], roster.column("restitution")[b])
    return contacts_of(a, b, found.points, found.normals, found.depths, found.keys, friction, restitution)
