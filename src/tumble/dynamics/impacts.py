"""Times of impact of fast bodies within a substep, and the contacts that follow from them.

In a substep the centre of mass of a body moves in a straight line, and the body turns at a constant rate (`motion`):
that is a screw, as `tumble.time_of_impact` takes it. So its answer holds for what the bodies really do.

Bodies that touch already have the time of impact 0. There the core of the thicker one takes the place of its mesh: it
lies a little deeper inside than bodies rest in each other, so a body that slides along another is not stopped, and one
that goes through it is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.core.products import applied, dot_product
from tumble.dynamics.contacts import Contacts, contacts_of, mixed_friction
from tumble.dynamics.cores import with_cores
from tumble.dynamics.progress import Progress
from tumble.dynamics.rows import Rows, rows_of
from tumble.dynamics.state import Conditions, RigidBodies, poses_of
from tumble.mesh import Mesh
from tumble.mesh.motion import pose_at
from tumble.mesh.motion_pieces import made_pieces, rotations_between, straightened
from tumble.mesh.motions import Motions, motions_of_pieces
from tumble.query.bodies import Bodies
from tumble.query.engine import IMPACT
from tumble.query.plan import Options

NEAR = 1 / 16
"""of the slop: how near counts as an impact"""


class Hits(NamedTuple):
    """First contacts of pairs of bodies."""

    bodies: NDArray[np.int64]  # (k, 2)
    times: NDArray[np.float64]  # (k,) from 0 to 1
    triangles: NDArray[np.int64]  # (k, 2)
    points: NDArray[np.float64]  # (k, 2, 3) on each body
    normals: NDArray[np.float64]  # (k, 3) from a to b
    distances: NDArray[np.float64]  # (k,)
    depths: NDArray[np.float64]  # (k,) of the core that hit, below the surface; 0 where the mesh itself did

    def chosen(self, which: NDArray[np.bool_]) -> "Hits":
        """Return some of them."""
        columns: tuple[NDArray, ...] = self
        return Hits(*(column[which] for column in columns))


NO_HITS = Hits(
    np.empty((0, 2), np.int64), np.empty(0), np.empty((0, 2), np.int64), np.empty((0, 2, 3)), np.empty((0, 3)),
    np.empty(0), np.empty(0),
)  # fmt: skip


class Flights(NamedTuple):
    """How bodies move in a substep: a row for each body."""

    motions: Motions
    centres: NDArray[np.float64]  # (n, 3) of mass, at the start
    ways: NDArray[np.float64]  # (n, 3) of the centres


def flights_of(given: Conditions, start: RigidBodies, progress: Progress, time: float) -> Flights:
    """Return the motions of a substep that began at `start`."""
    end, mean_spins = progress.bodies, progress.means.spin[:-1]
    ways = end.position[:-1] - start.position[:-1]
    axes, angles = rotations_between(start.rotation[:-1], end.rotation[:-1])
    whole = np.where(progress.moving, (axes * mean_spins).sum(axis=1) * time - angles, 0.0)
    angles = angles + 2.0 * np.pi * np.rint(whole / (2.0 * np.pi))  # of several turns only the rest is seen
    poses, centres = straightened(poses_of(start, given.roster)), start.position[:-1]
    return Flights(motions_of_pieces(made_pieces(poses, ways, axes, angles, centres)), centres, ways)


def first_hits(given: Conditions, flights: Flights, pairs: NDArray[np.int64], stopped: NDArray[np.bool_]) -> Hits:
    """Return when pairs of bodies meet first; the cores of those that touch already or were `stopped` before."""
    free = _asked(given, flights, pairs[~stopped], False)
    inside = free.times == 0.0
    pairs = np.concatenate([pairs[stopped], free.bodies[inside]])
    deep = _asked(given, flights, pairs, True)
    deep = deep.chosen(deep.times > 0.0)  # what is deeper in each other than the core is pushed apart, as ever
    return Hits(*(np.concatenate(both) for both in zip(free.chosen(~inside), deep, strict=True)))


def _asked(given: Conditions, flights: Flights, pairs: NDArray[np.int64], cores: bool) -> Hits:
    """Return when the meshes of pairs of bodies meet; or the core of the thicker body of each and the other's mesh."""
    if len(pairs) == 0:
        return NO_HITS
    count = len(given.roster)
    shapes: list[Mesh | None] = [entry.mesh for entry in given.roster.entries]
    asked, depths = pairs, np.zeros(len(pairs))
    if cores:
        shapes, asked, depths = with_cores(given, pairs)
    motions = motions_of_pieces(flights.motions.pieces[np.arange(len(shapes)) % count])
    bodies = Bodies(shapes, np.arange(len(shapes)), motions.starts, checked=True)
    tolerances = np.full(len(pairs), NEAR * given.settings.slop)
    options = Options(threads=given.threads)
    table = ask(IMPACT, bodies, bodies, asked, options, motions=(motions, motions), tolerances=tolerances)
    assert table.impacts is not None
    assert table.distances is not None
    hit, found = table.hit, table.distances
    return Hits(
        pairs[hit], table.impacts.times, table.triangles, found.points, table.impacts.normals, found.distances,
        depths[hit],
    )  # fmt: skip


def contacts_of_hits(
    given: Conditions, flights: Flights, hits: Hits, bodies: RigidBodies, soon: NDArray[np.bool_]
) -> tuple[Contacts, Rows]:
    """Return contacts where bodies meet, fixed to both as they are then.

    bodies   as they are now
    soon     (k,) hits at which bodies are stopped as they are now; the gaps of the others may close before
    """
    roster, slop = given.roster, given.settings.slop
    a, b = hits.bodies.T
    friction = mixed_friction(roster.column("friction")[a], roster.column("friction")[b])
    restitution = np.maximum(roster.column("restitution")[a], roster.column("restitution")[b])
    middles, keys = hits.points.mean(axis=1), ~(hits.triangles[:, 0] << 31 | hits.triangles[:, 1])
    contacts = contacts_of(a, b, middles, -hits.normals, hits.depths, keys, friction, restitution)
    anchors = [_anchors(flights, hits.bodies[:, k], hits.times, hits.points[:, k]) for k in (0, 1)]
    on_a, on_b = (
        bodies.position[which] + applied(bodies.rotation[which], anchor)
        for which, anchor in zip((a, b), anchors, strict=True)
    )
    stops = np.where(soon, dot_product(contacts.normals, on_a - on_b), hits.distances)
    gaps = -stops - np.maximum(hits.depths - slop, 0.0)  # from its core a body is pushed back to where it may rest
    rows = rows_of(bodies, contacts, slop)._replace(anchors_a=anchors[0], anchors_b=anchors[1], gaps=gaps)
    rows.shares[:] = shares_of(given, contacts)
    return contacts, rows


def shares_of(given: Conditions, contacts: Contacts) -> NDArray[np.float64]:
    """Return where the impulses of fast bodies act: at the place on the smaller body of each contact."""
    radii = np.append(given.roster.sizes.radii, np.inf)  # the last is the world
    return np.where(radii[contacts.body_a] <= radii[contacts.body_b], 0.0, 1.0)


def _anchors(
    flights: Flights, bodies: NDArray[np.int64], times: NDArray[np.float64], points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return points of bodies at times of their flights, in the frames of their centres of mass."""
    turns = [pose_at(flights.motions.pieces[body], time)[:3, :3] for body, time in zip(bodies, times, strict=True)]
    centres = flights.centres[bodies] + times[:, None] * flights.ways[bodies]
    return applied(np.array(turns).reshape(-1, 3, 3).transpose(0, 2, 1), points - centres)
