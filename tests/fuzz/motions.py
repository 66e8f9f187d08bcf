"""`time_of_impact` and `swept` of rigid motions: never late, never far, by the exact test at many moments."""

from __future__ import annotations

import math

import numpy as np

import tumble
from oracle import pose_points
from tumble import Mesh, Motion
from tumble.mesh import random_pose

from . import closed, meshes
from .distances import same
from .poses import as_matrix, awkward_pose, touching_pose, turn
from .poses import proper as is_rotation

Random = np.random.Generator
SAMPLES = 200
DEFAULT = 2.0**-20
"""of the radius of the larger mesh: the tolerance unless another is given"""
LEAST = 2.0**-38
"""of the size of a motion: what a tolerance is raised to"""
FARTHEST = 1e6


class Asked:
    """Two meshes in motion."""

    def __init__(self, sides: tuple[Mesh, Mesh], motions: tuple[Motion, Motion], tolerance: float | None) -> None:
        self.sides, self.motions, self.tolerance = sides, motions, tolerance

    @property
    def swapped(self) -> Asked:
        """The same with a and b exchanged."""
        return Asked(self.sides[::-1], self.motions[::-1], self.tolerance)

    def hits(self, times: np.ndarray) -> np.ndarray:
        """Tell at which times the meshes touch: exactly, for the poses of that moment."""
        if len(times) == 0:
            return np.zeros(0, bool)
        a, b = (np.stack([motion.at(float(time)) for time in times]) for motion in self.motions)
        return tumble.collide_many(*self.sides, b, a).hit

    def nearest(self, time: float) -> float:
        """Return how far the meshes are apart at a time."""
        return tumble.distance(*self.sides, *(motion.at(time) for motion in self.motions)).distance

    @property
    def allowed(self) -> float:
        """How far apart the meshes may be at the time found."""
        radii = [np.linalg.norm(np.ptp(mesh.vertices[mesh.faces].reshape(-1, 3), axis=0)) for mesh in self.sides]
        asked = DEFAULT * max(map(float, radii)) if self.tolerance is None else self.tolerance
        return max(asked, LEAST * self.size) * (1.0 + 1e-9)

    @property
    def size(self) -> float:
        """The size of the motion: at least four times every coordinate, the way, and where it turns about."""
        places = [
            np.abs(pose_points(mesh.vertices, motion.at(float(time)))).max()
            for mesh, motion in zip(self.sides, self.motions, strict=True)
            for time in np.linspace(0.0, 1.0, 33)
        ]
        return 16.0 * float(max(places)) + 16.0 * max(float(np.abs(motion.pieces).max()) for motion in self.motions)


def case(rng: Random) -> None:
    """Judge one answer."""
    asked = question(rng)
    found = tumble.time_of_impact(*asked.sides, *asked.motions, tolerance=asked.tolerance)
    judge(asked, found)
    judge(asked.swapped, tumble.time_of_impact(*asked.swapped.sides, *asked.swapped.motions, tolerance=asked.tolerance))
    same("swept", bool(found), tumble.swept(*asked.sides, *asked.motions, tolerance=asked.tolerance))
    others = [None] * int(rng.integers(0, 3))
    many = tumble.time_of_impact_many(
        *asked.sides, [*others, asked.motions[1]], asked.motions[0], tolerance=asked.tolerance
    )
    same("among others", found.time, float(many.times[-1]))
    many_swept = tumble.swept_many(*asked.sides, [asked.motions[1]], asked.motions[0], tolerance=asked.tolerance)
    same("swept_many", bool(found), bool(many_swept[0]))


def judge(asked: Asked, found: tumble.Impact) -> None:
    """Compare with the exact test before, and with the distance at the time found."""
    touching = bool(asked.hits(np.zeros(1))[0])
    if touching:
        same("the time of meshes that touch at the start", 0.0, found.time)
        return
    before = moments(found.time)
    hits = asked.hits(before)
    if hits.any():
        raise AssertionError(f"found {found!r}, but the meshes touch at {float(before[np.argmax(hits)])!r}")
    if not found:
        return
    apart = asked.nearest(found.time)
    if not apart <= asked.allowed:
        raise AssertionError(f"{found!r}: {apart!r} apart, the tolerance is {asked.allowed!r}")
    i, j = found.pair
    pair = [Mesh(mesh.triangles[k], [[0, 1, 2]]) for mesh, k in zip(asked.sides, (i, j), strict=True)]
    of_pair = tumble.distance(*pair, *(motion.at(found.time) for motion in asked.motions)).distance
    if not of_pair <= asked.allowed:
        raise AssertionError(f"{found!r}: these triangles are {of_pair!r} apart, the tolerance is {asked.allowed!r}")


def moments(time: float) -> np.ndarray:
    """Return times before a time, dense just before it; up to the end where it is infinite."""
    if time == math.inf:
        return np.linspace(0.0, 1.0, SAMPLES + 1)
    even = np.linspace(0.0, time, SAMPLES + 1)[:-1]
    close = time * (1.0 - 2.0 ** -np.arange(1.0, 53.0))
    found = np.unique([*even, *close, np.nextafter(time, 0.0)])
    return found[(found >= 0.0) & (found < time)]


def question(rng: Random) -> Asked:
    """Return two meshes and motions that often bring them together, hardly, or not quite."""
    sides = some_mesh(rng), some_mesh(rng)
    motions = some_motion(rng, None), some_motion(rng, sides)
    if rng.random() < 0.3:
        motions = Motion.path(np.eye(4)[None]), motions[1]
    tolerance = None if rng.random() < 0.5 else float(rng.choice([0.0, 10.0 ** rng.uniform(-12, -1)]))
    return Asked(sides, motions, tolerance)


def some_mesh(rng: Random) -> Mesh:
    """Return a small mesh of ordinary size: closed, open, flat, thin, or nothing but points."""
    if rng.random() < 0.4:
        return closed.closed_mesh(rng)[0]
    kinds = (meshes.grid_soup, meshes.blocks, meshes.shape, meshes.scattered, meshes.flat, meshes.degenerate)
    return kinds[rng.integers(len(kinds))](rng, int(rng.integers(1, 16)))


def some_motion(rng: Random, sides: tuple[Mesh, Mesh] | None) -> Motion:
    """Return a screw, a path, or no motion; some end, or pass by, where the second mesh touches the first at rest."""
    poses = [start_pose(rng) for _ in range(int(rng.integers(1, 4)))]
    if sides is not None and rng.random() < 0.5:
        touching = touching_pose(rng, *sides, None)
        if touching is not None and np.abs(touching).max() < FARTHEST:
            poses.append(touching)
    rng.shuffle(poses)
    if len(poses) > 1 and rng.random() < 0.6:
        return Motion.path(np.stack(poses))
    start, size = poses[0], float(rng.choice([0.1, 1.0, 3.0, 100.0]))
    way = np.round(rng.normal(size=3) * size) if rng.random() < 0.3 else rng.normal(size=3) * size
    way = way * (rng.random() < 0.8)
    axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.3 else rng.normal(size=3)
    angle = float(rng.choice([0.0, math.pi / 2, math.pi, 2 * math.pi, rng.uniform(-7, 7), rng.uniform(-100, 100)]))
    centre = None if rng.random() < 0.5 else rng.normal(size=3) * float(rng.choice([0.0, 1.0, 100.0]))
    return Motion.screw(start, way, axis, angle, centre)


def start_pose(rng: Random) -> np.ndarray:
    """Return a pose, on a grid or not, near the origin."""
    pose = awkward_pose(rng) if rng.random() < 0.3 else random_pose(rng, 2.0)
    if pose is None or np.abs(pose).max() > FARTHEST:
        rotation = turn(rng)
        shift = rng.integers(-3, 4, 3).astype(float)
        pose = as_matrix(rotation if is_rotation(rotation) else np.eye(3), shift)
    return pose
