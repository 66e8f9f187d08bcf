"""Small questions of every kind, so that the kernels of all public calls are compiled, or loaded, by asking them.

python -m tumble.tools.workloads check distance      asks these
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import numpy as np

import tumble
from tumble.api.ask import with_contacts
from tumble.api.local_depth import local_depth_of
from tumble.errors import TumbleError
from tumble.mesh import shapes
from tumble.query.answer import PairTable
from tumble.query.bodies import one_body
from tumble.robot import FIXED, SLIDES, TURNS, Kinematics, Robot
from tumble.scenario import assembly
from tumble.solid.body import Body
from tumble.solid.overlap.reach import Effort

THREADS = 2
OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""as in commands: see `tumble.cli`"""


def _two() -> tuple[tumble.Mesh, tumble.Mesh]:
    return shapes.torus(40, 20), shapes.icosphere(3)


def _near() -> np.ndarray:
    return tumble.translation(1.0, 0.2, 0.1) @ tumble.rotation("x", 0.3)


def _far() -> np.ndarray:
    return tumble.translation(5.0, 0.2, 0.1)


def check() -> None:
    """A clash report."""
    from tumble.clash import CheckSettings, check_parts

    for tolerance, clearance in ((0.05, 0.0), (0.0, 0.5)):
        check_parts(assembly(), CheckSettings(tolerance=tolerance, clearance=clearance, threads=THREADS))


CORNERS = [[0.0, 0.0, 0.0], [2.0, 0.1, 0.0], [0.1, 2.0, 0.2], [0.2, 0.1, 2.0]]
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
SHIFT = [0.31, 0.22, 0.13]
TOUCHING = [[2, 0], [2, 1], [2, 3]]
"""of a solid and its copy that is shifted: what a process need not compile much for to ask about an overlap"""


def overlapping_parts() -> list[tumble.Part]:
    """Return two solids of four triangles each that overlap."""
    corners, faces = np.array(CORNERS), np.array(FACES)
    return [tumble.Part(name, tumble.Mesh(corners + by, faces)) for name, by in (("a", np.zeros(3)), ("b", SHIFT))]


def _overlap(bodies: tuple[Body, Body]) -> None:
    """What a clash report asks about an overlap, the last first."""
    from tumble.clash.fit import fit_of
    from tumble.solid.overlap.piercing import pieces_outside
    from tumble.solid.overlap.shared import Finders, crossing_of, overlap_in

    none, pairs = np.empty((0, 2), np.int64), np.array(TOUCHING)
    finders = Finders(lambda _: none, lambda _: none, lambda *_: none)
    crossing = crossing_of(bodies, pairs, finders)
    pieces_outside(crossing, 0)
    overlap_in(crossing, pairs, finders, boundary=True)
    fit_of(crossing, 0.05)


def check_backwards() -> None:
    """What a clash report asks late, for a process that compiles beside it.

    In the order in which both processes seldom want the same: first what needs no exact predicates, while the other
    compiles those; then distances, the last of all; then sizes of overlaps, a third of all; then what precedes them.
    """
    from tumble.clash import CheckSettings, check_parts
    from tumble.clash.assembly import Assembly

    a, first = shapes.torus(12, 6), np.zeros((1, 2), np.int64)
    b = tumble.Mesh(a.vertices + np.array([0.9, 0.1, 0.2]), a.faces)
    with_contacts(PairTable(np.ones(1, np.int64), first), one_body(a, None), one_body(a, None), first)
    bodies = Assembly(overlapping_parts()).two(0, 1)
    local_depth_of(bodies, (bodies[0].corners, bodies[1].corners), Effort())
    tumble.distance(a, tumble.transformed(b, _far()))
    _overlap(bodies)
    places = np.random.default_rng(1).uniform(-2, 2, (50, 3))
    tumble.self_collide(a)
    tumble.contains(a, places, threads=1)
    tumble.closest_points(a, places, threads=1)
    for tolerance in (5.0, 0.0):
        check_parts([tumble.Part("a", a), tumble.Part("b", b)], CheckSettings(tolerance=tolerance, threads=1))


def collide() -> None:
    """Touching triangles of two meshes, one pose and many."""
    a, b = _two()
    for pose in (None, _near(), _far()):
        tumble.collides(a, b, pose_b=pose)
        tumble.collides(a, b, pose_b=pose, solid=True)
        tumble.collide(a, b, pose_b=pose)
        tumble.collide(a, b, pose_b=pose, contacts=True, threads=THREADS)
    poses = np.stack([tumble.translation(0.1 * k, 0, 0) for k in range(40)])
    for options in ({}, {"first": False}, {"clearance": 0.1}):
        tumble.collide_many(a, b, poses, threads=THREADS, **options)
    tumble.self_collide(a)
    tumble.collide_all([a, b], within=True)
    tumble.touching_parts([tumble.Part("a", a), tumble.Part("b", b)])


def distance() -> None:
    """Distances and clearances."""
    a, b = _two()
    poses = np.stack([_near(), _far()])
    for pose in poses:
        tumble.distance(a, b, pose_b=pose)
        tumble.clearance(a, b, pose_b=pose, d=2.0)
        tumble.relation(a, b, pose_b=pose)
    tumble.distance_many(a, b, poses, threads=THREADS)
    tumble.relation_many(a, b, poses)


def points() -> None:
    """Questions about points and rays."""
    a, _ = _two()
    places = np.random.default_rng(1).uniform(-2, 2, (500, 3))
    tumble.closest_points(a, places, threads=THREADS)
    tumble.signed_distance(a, places, threads=THREADS)
    for rule in ("auto", "parity", "winding"):
        tumble.contains(a, places, rule=rule, threads=THREADS)
    tumble.cast_rays(a, places, -places, threads=THREADS)
    tumble.inside_frustum(a, np.array([[1.0, 0, 0, 0.5]]))


def penetration() -> None:
    """Depths and common volumes."""
    a, b = _two()
    tumble.penetration(a, b, pose_b=_near(), local_depth=True)
    tumble.penetration_many(a, b, np.stack([_near(), _far()]))


def impact() -> None:
    """Times of impact, of rigid and of deforming bodies."""
    a, b = _two()
    for angle in (0.0, 1.0):
        motion = tumble.Motion.screw(_far(), translation=(-9, 0, 0), axis=(0, 0, 1), angle=angle)
        tumble.time_of_impact(a, b, motion_b=motion)
        tumble.swept(a, b, motion_b=motion)
        tumble.time_of_impact_many(a, b, [motion, motion], threads=THREADS)
        tumble.swept_many(a, b, [motion, motion], threads=THREADS)
    cloth = tumble.Deformable(shapes.cloth(8))
    lower = cloth.vertices - np.array([0.0, 0.0, 1.0])
    cloth.time_of_impact(lower, b)
    cloth.update(lower)
    cloth.self_collide()
    cloth.collide(b)
    tumble.candidates(a)


def scene() -> None:
    """Many bodies."""
    a, b = _two()
    for phase in ("auto", "tree"):
        bodies = tumble.Scene(broad_phase=phase)
        for k in range(4):
            bodies.add(str(k), b if k else a, tumble.translation(1.2 * k, 0, 0))
        bodies.collisions(threads=THREADS)
        bodies.move("1", _far())
        bodies.collisions(threads=THREADS)
        bodies.candidates()
        bodies.nearest("2")
        bodies.relations()
        bodies.penetrations()
    tracker = tumble.Tracker(a, b)
    tracker.collide(pose_b=_near())
    tracker.collide(pose_b=_far())


def dynamics() -> None:
    """Rigid bodies, with joints and fast ones."""
    from tumble.dynamics import Hinge, Settings, World

    for continuous in (False, True):
        world = World(settings=Settings(continuous=continuous), threads=THREADS)
        world.add_plane()
        for height in (0.49, 1.48):
            world.add_body(shapes.box(), tumble.translation(0.0, 0.0, height))
        world.add_body(shapes.box(0.1), tumble.translation(0.0, 0.0, 2.5), velocity=(0.0, 0.0, -100.0))
        world.add_joint(Hinge(0, None, (0, 0, 0), (0, 0, 1)))
        world.step(3)


def methods() -> None:
    """Every method over every kind of tree."""
    a, b = _two()
    names = "brute leaf stack stack-ahead alternating stackless stackless-post stackless-merge lists lists-pairs"
    trees = "aabb sphere obb obb-covariance kdop6 kdop14 kdop18 kdop24 kdop26"
    for tree in (*trees.split(), "boxtree", "auto"):
        for method in (*names.split(), "binary-stack", "bulk", "front", "auto"):
            for first, stats in ((False, False), (True, False), (False, True)):
                try:
                    tumble.collide(a, b, pose_b=_near(), method=method, tree=tree, first=first, stats=stats)
                except TumbleError:
                    continue  # there is no such pair


def robot() -> None:
    """Configurations and motions of a robot, in a scene and alone."""
    a, b = _two()
    arm = Kinematics.of(
        parents=[-1, 0, 1], kinds=[FIXED, TURNS, SLIDES], columns=[-1, 0, 1], factors=np.ones(3), offsets=np.zeros(3),
        origins=np.stack([np.eye(4), _near(), _near()]), axes=np.eye(3),
    )  # fmt: skip
    made = Robot(["base", "arm", "hand"], [a, None, b], arm, ["turn", "slide"], np.array([[-1.0, 1.0]] * 2))
    made.find_allowed_pairs(20, depths=True, threads=THREADS)
    Q, bodies = made.random(40), tumble.Scene()
    for k in range(4):  # long triangles that are turned, whose boxes are cut up
        bodies.add(str(k), shapes.box((3.0, 1.0, 0.02)), _near() @ tumble.rotation("z", 0.4 * k))
    made.poses(Q)
    for clearance in (0.0, 0.1):
        made.collides(Q, bodies, clearance=clearance, threads=THREADS)
        made.collides(Q, bodies, clearance=clearance, links=True)
    for links in (False, True):
        made.distance(Q, bodies, links=links, threads=THREADS)
    made.check_motions(Q[:20], Q[20:], bodies, threads=THREADS)


USUAL: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (check, collide, distance, points, penetration, impact, scene, robot, dynamics)
}
ALL = {**USUAL, "methods": methods}
BESIDE = {"check-backwards": check_backwards}
"""parts of others, for processes beside them"""


def main(names: list[str]) -> None:
    """Ask the questions of some names."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    for name in names:
        {**ALL, **BESIDE}[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
