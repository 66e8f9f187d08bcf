"""The questions whose growth is measured: each takes a size and returns what is timed.

Three kinds of size: triangles of one mesh, bodies of a scene, and triangles of all its bodies. What is asked about is
made, and trees are built, before the clock starts; points, poses and rays are as many at every size.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.entrants import MAKERS, POINT_MAKERS
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.points.ours import TumblePoints
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, shapes
from tumble.scenario.objects import arrays, shape_duo

SHAPE = "torus"
POSES, POINTS = 1_000, 10_000
POINT_PEERS = ("fcpw", "libigl")
PAIR_PEERS = ("fcl", "coal-obbrss")
TRIANGLES, BODIES, IN_ALL = "triangles", "bodies", "triangles in all"
SPACING = 1.1
"""of bodies in a scene, in their lengths: few touch"""
IN_SCENE = 0.8
"""the same, of tori turned at random"""
SHARE = 0.01
"""of the bodies of a scene that move between two questions"""
LARGE = "scene of 100 large meshes"
IN_LARGE = 100
"""its bodies, each with a mesh and a tree of its own"""

Ask = Callable[[], Any]


class Question(NamedTuple):
    """What is asked, and of what."""

    name: str
    size: str
    """what is counted: TRIANGLES of each of two meshes, BODIES of a scene, or triangles IN_ALL of them"""
    prepare: Callable[[int], Ask]
    answer: Callable[[Any], int] = lambda found: 0
    """how much an answer holds, which what is asked may have to grow with"""
    most: int = 10**9
    """the largest size that it is asked at: it takes minutes beyond"""
    peers: tuple[str, ...] = ()
    """other libraries that are asked the same"""


def near() -> NDArray[np.float64]:
    """Return a pose in which two objects of length 1 cross."""
    return tumble.translation(0.6, 0.05, 0.02) @ tumble.rotation("x", 0.7)


def far() -> NDArray[np.float64]:
    """Return a pose in which they are apart by a fifth of their length."""
    return tumble.translation(1.2, 0.05, 0.02) @ tumble.rotation("x", 0.7)


def mesh_of(faces: int) -> Mesh:
    """Return a torus of about so many triangles, without a tree."""
    return shape_duo(SHAPE, faces).a


def _built(faces: int) -> Mesh:
    mesh = mesh_of(faces)
    packed(mesh)
    return mesh


def _build(faces: int) -> Ask:
    vertices, triangles = arrays(mesh_of(faces))
    return lambda: packed(tumble.Mesh(vertices, triangles))


def _of_two(ask: Callable[[Mesh, NDArray[np.float64]], Any], pose: NDArray[np.float64], faces: int) -> Ask:
    mesh = _built(faces)
    return partial(ask, mesh, pose)


def _motion() -> NDArray[np.float64]:
    return np.stack([tumble.rotation("z", angle) @ near() for angle in np.linspace(0, 2 * np.pi, POSES)])


def _points() -> NDArray[np.float64]:
    return np.random.default_rng(7).uniform(-0.6, 0.6, (POINTS, 3))


def _about_points(ask: Callable[[Mesh, NDArray[np.float64]], Any], faces: int) -> Ask:
    return partial(ask, _built(faces), _points())


def _many(faces: int) -> Ask:
    mesh, poses = _built(faces), _motion()
    return lambda: tumble.collide_many(mesh, mesh, poses)


def _impact(faces: int) -> Ask:
    mesh, motion = _built(faces), tumble.Motion.screw(far(), translation=(-1.5, 0, 0), axis=(0, 0, 1), angle=1.0)
    return lambda: tumble.time_of_impact(mesh, mesh, motion_b=motion)


def scene_of(bodies: int) -> tuple[tumble.Scene, list[str], NDArray[np.float64]]:
    """Return a scene of balls, their names and poses: each is a little off its place on a grid, and some touch."""
    ball, scene = shapes.icosphere(2, radius=0.5), tumble.Scene()
    side = int(np.ceil(bodies ** (1 / 3)))
    places = SPACING * np.stack(np.unravel_index(np.arange(bodies), (side, side, side)), axis=1)
    places += np.random.default_rng(3).uniform(-0.15, 0.15, places.shape)
    poses = np.tile(np.eye(4), (bodies, 1, 1))
    poses[:, :3, 3] = places
    names = [str(k) for k in range(bodies)]
    for name, pose in zip(names, poses, strict=True):
        scene.add(name, ball, pose)
    return scene, names, poses


def large_scene(triangles: int) -> tuple[tumble.Scene, list[str], NDArray[np.float64]]:
    """Return a scene of tori with so many triangles in all, turned at random; no tree is made yet."""
    scene, random = tumble.Scene(), np.random.default_rng(5)
    side = int(np.ceil(IN_LARGE ** (1 / 3)))
    places = IN_SCENE * np.stack(np.unravel_index(np.arange(IN_LARGE), (side, side, side)), axis=1)
    names, poses = [str(k) for k in range(IN_LARGE)], []
    for name, place in zip(names, places, strict=True):
        poses.append(tumble.translation(*place) @ tumble.rotation(random.normal(size=3), random.uniform(0.0, np.pi)))
        scene.add(name, mesh_of(triangles // IN_LARGE), poses[-1])
    return scene, names, np.stack(poses)


def _moving(share: float, made: Callable[[int], tuple[tumble.Scene, list[str], NDArray[np.float64]]], size: int) -> Ask:
    scene, names, poses = made(size)
    random = np.random.default_rng(4)
    moved = np.sort(random.choice(len(names), max(1, round(share * len(names))), replace=False))
    chosen, base = [names[k] for k in moved.tolist()], poses[moved]

    def ask() -> Any:
        shift = base.copy()
        shift[:, :3, 3] += random.uniform(-0.02, 0.02, (len(base), 3))
        scene.move_many(chosen, shift)
        return scene.collisions()

    return ask


def _pairs(found: Any) -> int:
    return len(found.pairs)


def _triangle_pairs(found: Any) -> int:
    return len(found.triangles)


QUESTIONS = (
    Question("build", TRIANGLES, _build, peers=PAIR_PEERS),
    Question(
        "first hit", TRIANGLES, partial(_of_two, lambda m, pose: tumble.collides(m, m, None, pose), near()),
        peers=PAIR_PEERS,
    ),
    Question(
        "all pairs", TRIANGLES, partial(_of_two, lambda m, pose: tumble.collide(m, m, None, pose), near()), _pairs,
        peers=PAIR_PEERS,
    ),
    Question("many poses", TRIANGLES, _many),
    Question(
        "distance", TRIANGLES, partial(_of_two, lambda m, pose: tumble.distance(m, m, None, pose), far()),
        peers=PAIR_PEERS,
    ),
    Question(
        "clearance", TRIANGLES, partial(_of_two, lambda m, pose: tumble.clearance(m, m, 0.25, None, pose), far()),
        _pairs, most=64_000,
    ),
    Question("relation", TRIANGLES, partial(_of_two, lambda m, pose: tumble.relation(m, m, None, pose), near())),
    Question(
        "common volume", TRIANGLES,
        partial(_of_two, lambda m, pose: tumble.penetration(m, m, None, pose, depth=False), near()), most=1_000_000,
    ),
    Question("time of impact", TRIANGLES, _impact),
    Question("self-collision", TRIANGLES, partial(_of_two, lambda m, _: tumble.self_collide(m), near()), _pairs),
    Question(
        "closest points", TRIANGLES, partial(_about_points, tumble.closest_points), peers=POINT_PEERS,
    ),
    Question("points inside", TRIANGLES, partial(_about_points, tumble.contains)),
    Question(
        "rays", TRIANGLES, partial(_about_points, lambda m, points: tumble.cast_rays(m, points, -points)),
    ),
    Question("scene, all move", BODIES, partial(_moving, 1.0, scene_of), len),
    Question("scene, one in 100 moves", BODIES, partial(_moving, SHARE, scene_of), len),
    Question(LARGE, IN_ALL, partial(_moving, 1.0, large_scene), _triangle_pairs),
)  # fmt: skip


def of_peer(name: str, question: Question, faces: int) -> Ask:
    """Return the same question to another library."""
    mesh = mesh_of(faces)
    if name in POINT_MAKERS:
        scene = POINT_MAKERS[name]().scene(*arrays(mesh))
        points = scene.native(_points())
        return lambda: scene.closest(points, 1)
    peer: Peer = MAKERS[name]()
    if question.name == "build":
        return partial(peer.prepare, *arrays(mesh))
    solid = peer.prepare(*arrays(mesh))
    pair: Any = peer.pair(solid, solid)
    pose = (far() if question.name == "distance" else near())[None]
    asked = {"first hit": "first_hits", "all pairs": "all_pairs", "distance": "distances"}[question.name]
    return partial(getattr(pair, asked), pair.native(pose))


def of_tumble_on_one_thread(faces: int) -> Ask:
    """Return the question for closest points as libraries are asked it, on one thread."""
    scene, points = TumblePoints().scene(*arrays(mesh_of(faces))), _points()
    return lambda: scene.closest(points, 1)


def asked(contestant: str, name: str, size: int) -> tuple[Question, Ask]:
    """Return a question by its name, and what asks it once."""
    (question,) = (each for each in QUESTIONS if each.name == name)
    if contestant != OURS:
        return question, of_peer(contestant, question, size)
    if set(question.peers) & set(POINT_MAKERS):
        return question, of_tumble_on_one_thread(size)
    return question, question.prepare(size)
