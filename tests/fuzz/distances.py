"""Distances of two small awkward meshes: the fast path and the generic methods, against the rational judge."""

from __future__ import annotations

import math

import numpy as np

import tumble
from distance_oracle import distance
from oracle import pose_points
from tumble.narrow.distance import SMALLEST, TOLERANCE

from .questions import Question, question

Random = np.random.Generator
METHODS = ("brute", "stack", "stackless")
MOST_PAIRS = 64
"""of triangles, which the judge compares one by one"""


def ways(rng: Random) -> str:
    """Return the name of the method that a case draws."""
    return f"distance {rng.choice(METHODS)}"


def case(rng: Random) -> None:
    """Ask one question in several ways."""
    method = str(rng.choice(METHODS))
    asked = question(rng, 8)
    a, b, poses = asked.a, asked.b, (asked.pose_a, asked.pose_b)
    found = tumble.distance(a, b, *poses)
    if len(a) == 0 or len(b) == 0:
        if found.distance != math.inf or found.pair is not None:
            raise AssertionError(f"an empty mesh is at {found}")
        return
    asked.check_hit(found.distance == 0.0, "distance")
    judge(asked, found)
    same("exchanged", found.distance, tumble.distance(b, a, *poses[::-1]).distance)
    same("by itself as a bound", found.distance, tumble.distance(a, b, *poses, upper_bound=found.distance).distance)
    if found.distance > 0.0:
        below = float(np.nextafter(found.distance, 0.0))
        same("above its bound", math.inf, tumble.distance(a, b, *poses, upper_bound=below).distance)
    by_method = tumble.distance(a, b, *poses, method=method).distance
    if abs(by_method - found.distance) > 2.0 * error_of(asked) or (by_method == 0.0) != (found.distance == 0.0):
        raise AssertionError(f"{method} says {by_method!r}, packed {found.distance!r}")
    pose = np.eye(4) if poses[1] is None else poses[1]
    others = [np.eye(4)] * int(rng.integers(0, 3))
    many = tumble.distance_many(a, b, np.stack([*others, pose, pose]), poses[0])
    same("among others", [found.distance] * 2, many.distances[len(others) :].tolist())


def same(what: str, expected: object, found: object) -> None:
    """Compare two answers that must be equal to the last bit."""
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def worlds(asked: Question) -> list[np.ndarray]:
    """The posed triangles of both meshes."""
    sides = ((asked.a, asked.pose_a), (asked.b, asked.pose_b))
    return [pose_points(mesh.vertices, pose)[mesh.faces].reshape(-1, 3, 3) for mesh, pose in sides]


def error_of(asked: Question) -> float:
    """How far a distance may be off: at least by the smallest number, which is what is next to zero but not zero."""
    return 2.0 * TOLERANCE * max(float(np.abs(world).max()) for world in worlds(asked)) + SMALLEST


def judge(asked: Question, found: tumble.Nearest) -> None:
    """Compare with rational arithmetic, pair by pair; with many triangles, that of the answer and some others."""
    a, b = worlds(asked)
    i, j = found.pair or (0, 0)
    pairs = [(i, j), *((k // len(b), k % len(b)) for k in range(min(len(a) * len(b), MOST_PAIRS)))]
    exact = [float(distance(a[p], b[q])) for p, q in pairs]
    error = error_of(asked)
    if not abs(found.distance - exact[0]) <= error or found.distance > min(exact) + error:
        raise AssertionError(f"{found}: the judge says {exact[0]!r} for this pair, and {min(exact)!r} at least")
