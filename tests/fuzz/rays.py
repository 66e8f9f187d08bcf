"""Rays against the rational judge: aimed at vertices, edges and faces, from far away, from the surface, along it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import tumble
from oracle import pose_points
from ray_oracle import hits_of
from tumble.api.rays import TREES

from .meshes import awkward
from .poses import awkward_pose, point_of

Random = np.random.Generator
ERROR = 2.0**-28
"""of distances, relative to the way from the origin to the hit and to the triangle's corner: `ray_triangle.py`;
whether and what a ray hits is exact"""
LONGEST, SHORTEST = 1e100, 1e-100


def case(rng: Random) -> None:
    """Compare hits of a few rays."""
    mesh = awkward(rng, 30)
    pose = None if rng.random() < 0.5 else awkward_pose(rng, mesh.extent or 1.0)
    triangles = pose_points(mesh.vertices, pose)[mesh.faces].reshape(-1, 3, 3)
    if len(triangles) and np.abs(triangles).max() > LONGEST / 4:
        return
    origins, directions = aimed(rng, triangles, int(rng.integers(1, 12)))
    longest = float(rng.choice([np.inf, 1.0, 0.5, 0.0]))
    given = tumble.build(mesh, "boxtree") if rng.random() < 0.2 else mesh
    options = {"pose": pose, "longest": longest, "tree": str(rng.choice(TREES))}
    found = tumble.cast_rays(given, origins, directions, **options)
    shadow = tumble.cast_rays(given, origins, directions, any_hit=True, **options)
    for k, (origin, direction) in enumerate(zip(origins, directions, strict=True)):
        hits = hits_of(origin, direction, triangles)
        told = f"ray {k}: {origin.tolist()} {direction.tolist()} {options}"
        check_nearest(found, k, hits, longest, ERROR * way_to(triangles, hits, origin, direction), told)
        if shadow.hit[k] != found.hit[k] or (shadow.hit[k] and int(shadow.triangles[k]) not in hits):
            raise AssertionError(f"{told}: any_hit says {shadow.triangles[k]}, nearest {found.triangles[k]}")


def way_to(triangles: np.ndarray, hits: dict[int, Fraction], origin: np.ndarray, direction: np.ndarray) -> float:
    """Return how far the corners of hit triangles are, and the hits, in lengths of the direction."""
    corners = np.abs(triangles[list(hits)] - origin).max(initial=0.0) / np.abs(direction).max()
    return float(corners) + float(max(hits.values(), default=Fraction(0)))


def check_nearest(
    found: tumble.RayHits, k: int, hits: dict[int, Fraction], longest: float, slack: float, told: str
) -> None:
    """Judge one ray; distances that differ by no more than the slack may change places."""
    nearest = min(hits.values(), default=None)
    triangle, distance = int(found.triangles[k]), float(found.distances[k])
    within = nearest is not None and nearest <= Fraction(longest) if np.isfinite(longest) else nearest is not None
    if nearest is not None and np.isfinite(longest) and abs(float(nearest) - longest) <= slack:
        return  # a rounded distance may fall on either side
    if (triangle >= 0) != within:
        raise AssertionError(f"{told}: hits {triangle}, the judge {within} at {nearest and float(nearest)}")
    if triangle >= 0:
        if triangle not in hits or float(hits[triangle] - nearest) > slack:
            raise AssertionError(f"{told}: hits {triangle}, nearest are {min(hits, key=lambda each: hits[each])}")
        if abs(distance - float(nearest)) > slack:
            raise AssertionError(f"{told}: distance {distance}, the judge says {float(nearest)}")


def aimed(rng: Random, triangles: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return origins and directions of rays that mostly hit something in an awkward place."""
    size = float(np.abs(triangles).max(initial=0)) or 1.0
    origins, directions = np.empty((2, count, 3))
    for k in range(count):
        target = point_of(rng, triangles[rng.integers(len(triangles))]) if len(triangles) else rng.normal(size=3)
        kind = rng.random()
        if kind < 0.3:
            origin = np.round(rng.normal(size=3) * 3)
        elif kind < 0.7:
            origin = target + rng.normal(size=3) * size * rng.choice([1e-6, 1, 1e6])
        elif kind < 0.85:  # along an axis
            origin = target + np.eye(3)[rng.integers(3)] * size * rng.choice([-2, 2])
        else:
            origin = point_of(rng, triangles[rng.integers(len(triangles))]) if len(triangles) else target
        direction = target - origin
        if not SHORTEST * 2 < np.abs(direction).max() < LONGEST / 2 or rng.random() < 0.1:
            direction = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
        if rng.random() < 0.2:
            direction = direction * 2.0 ** rng.integers(-20, 20)
        origins[k], directions[k] = np.clip(origin, -LONGEST / 2, LONGEST / 2), direction
    usable = (np.abs(directions).max(axis=1) > SHORTEST * 2) & (np.abs(directions).max(axis=1) < LONGEST / 2)
    directions[~usable] = [1.0, 0.0, 0.0]
    return origins, directions
