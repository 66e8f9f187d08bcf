"""A step of a world, as a list of phases.

    broad phase → narrow phase → contacts → sleep → (solve → integrate) in substeps → check → sleep

It works on copies and returns them, so after an error the world is as it was before the step.
"""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tumble.core.products import length
from tumble.dynamics.contacts import WORLD, Contacts, chosen, contacts_of, joined, with_impulses
from tumble.dynamics.energy import earlier_of
from tumble.dynamics.joint_solver import joint_system, settle_joints
from tumble.dynamics.joints import driven, held, links_of
from tumble.dynamics.manifold.manifolds import manifold_of_curves
from tumble.dynamics.motion import move
from tumble.dynamics.planes import DIRECTIONS, MOST_POINTS, PlaneRows, touch_planes
from tumble.dynamics.prediction import taken_back
from tumble.dynamics.rows import Thresholds, prepare, rows_of
from tumble.dynamics.sleep import calm, islands_of, sleepers, still_quiet
from tumble.dynamics.solver import solve
from tumble.dynamics.state import Conditions, RigidBodies, State, check_motion, copied, poses_of
from tumble.scene import Scene, SceneCollisions

VERTEX_BITS = 32  # a key of a contact with a plane: the plane's number above, the vertex's number below


class StopWatch:
    """Seconds by phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def note(self, phase: str) -> None:
        """Count the time since the last note to a phase."""
        now = perf_counter()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._last
        self._last = now


def advance(
    given: Conditions, before: State, ahead: RigidBodies, scene: Scene, watch: StopWatch
) -> tuple[State, dict[str, int], float]:
    """Return the state after a step, counts of what was found and the lift; `scene` has bodies as they are `ahead`."""
    settings, movable = given.settings, given.roster.movable
    candidates = scene.count_candidates()
    watch.note("broad phase")

    touching = scene.collisions_and_curves(threads=given.threads, device=given.device)
    watch.note("narrow phase")

    contacts = find_contacts(given, before, ahead, touching)
    watch.note("contacts")

    bodies = copied(before.bodies)
    islands = islands_of(contacts, links_of(given.joints), movable)
    asleep = sleepers(islands, movable, before.quiet.time, settings.sleep_time)
    bodies.velocity[:-1][asleep] = bodies.spin[:-1][asleep] = 0.0
    moving = movable & ~asleep
    watch.note("sleep")

    rows, joints = rows_of(bodies, contacts, settings.slop), joint_system(bodies, moving, given.joints)
    means = bodies._replace(velocity=np.zeros_like(bodies.velocity), spin=np.zeros_like(bodies.spin))
    motors = driven(given.joints, len(movable))
    earlier = earlier_of(bodies, contacts, len(given.joints.kind), islands, motors)
    thresholds = Thresholds(settings.push_rate, settings.push_speed, settings.bounce_speed)
    sweeps = settings.iterations, settings.push_iterations, settings.push_speed, settings.tolerance
    time = given.time_step / settings.substeps
    lift = 0.0
    for _ in range(settings.substeps):
        prepare(bodies, contacts, moving, rows, given.gravity, thresholds, time)
        lift += solve(bodies, contacts, joints, moving, rows, means, earlier, islands, given.gravity, *sweeps, time)
        watch.note("solve")
        move(bodies, means, moving, time)
        settle_joints(bodies, moving, joints, time)
        watch.note("integrate")

    check_motion(bodies, given.roster, settings.fastest, before.steps + 1)
    radii = given.roster.hulls.radii
    with_joints = held(given.joints, len(radii))
    calm(bodies, contacts, radii, settings, given.time_step, with_joints)
    quiet = still_quiet(bodies, contacts, radii, before.quiet, settings, given.time_step, with_joints)
    quiet.time[motors] = 0.0
    watch.note("sleep")

    counts = {
        "broad pairs": candidates,
        "touching pairs": len(touching),
        "triangle pairs": len(touching.triangles),
        "contact points": len(contacts.keys),
        "awake": int(moving.sum()),
    }
    after = State(before.time + given.time_step, before.steps + 1, bodies, contacts, quiet, asleep)
    return after, counts, lift


def find_contacts(given: Conditions, state: State, ahead: RigidBodies, touching: SceneCollisions) -> Contacts:
    """Return this step's contacts, sorted, with the impulses of the last step."""
    moving, old = given.roster.movable & ~state.asleep, state.contacts
    awake = np.append(moving, False)  # never the world's row
    kept = chosen(old, ~(awake[old.body_a] | awake[old.body_b]))
    of_meshes = taken_back(mesh_contacts(given, ahead, touching), ahead, state.bodies, given.settings)
    found = joined(plane_contacts(given, state, moving), of_meshes)
    return joined(with_impulses(found, old, given.settings.match_distance), kept)


def plane_contacts(given: Conditions, state: State, moving: NDArray[np.bool_]) -> Contacts:
    """Return the contacts of moving bodies with planes."""
    roster, planes, time = given.roster, given.planes, given.time_step
    hulls = roster.hulls
    most = MOST_POINTS * int(moving.sum()) * len(planes.offsets)
    numbers = np.empty(most, np.int32), np.empty(most, np.int32)
    rows = PlaneRows(*numbers, np.empty((most, 3)), np.empty(most), np.empty(most, np.int64))
    near = np.empty((int((hulls.stops - hulls.starts).max(initial=0)), 3))
    fall = length(given.gravity) * time
    slop = given.settings.slop
    count = touch_planes(state.bodies, moving, hulls, planes, time, fall, slop, near, DIRECTIONS, rows)
    body, plane = rows.bodies[:count], rows.planes[:count]
    friction = mixed_friction(roster.column("friction")[body], planes.friction[plane])
    restitution = np.maximum(roster.column("restitution")[body], planes.restitution[plane])
    keys = plane.astype(np.int64) << VERTEX_BITS | rows.numbers[:count]
    world_rows = np.full(count, WORLD, np.int32)
    normals = planes.normals[plane]
    return contacts_of(body, world_rows, rows.points[:count], normals, rows.depths[:count], keys, friction, restitution)


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


def mixed_friction(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coefficient of friction between two materials: the geometric mean, so a slippery one counts most."""
    return np.sqrt(a * b)
