"""Clearances of two small awkward meshes, at and beside distances that occur, against the rational judge."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import tumble
from distance_oracle import squared_distance
from triangle_rows import triangle_distances

from .distances import METHODS, same, worlds
from .questions import question

Random = np.random.Generator
MOST_PAIRS = 64
"""of triangles, which the judge compares one by one"""


def ways(rng: Random) -> str:
    """Return the name of the method that a case draws."""
    return f"clearance {rng.choice(METHODS)}"


def case(rng: Random) -> None:
    """Ask one question in several ways."""
    method = str(rng.choice(METHODS))
    asked = question(rng, 8)
    a, b, poses = asked.a, asked.b, (asked.pose_a, asked.pose_b)
    if len(a) == 0 or len(b) == 0:
        same("an empty mesh", 0, len(tumble.clearance(a, b, 1.0, *poses)))
        return
    world_a, world_b = worlds(asked)
    i, j = np.indices((len(world_a), len(world_b))).reshape(2, -1)
    apart, _ = triangle_distances(world_a[i], world_b[j])
    # a distance that occurs, or a float beside it, or another number of its size
    d = float(rng.choice(apart))
    d = float(rng.choice([d, np.nextafter(d, np.inf), max(np.nextafter(d, 0.0), 0.0), 0.0, d * rng.uniform(0.5, 2.0)]))
    found = tumble.clearance(a, b, d, *poses)
    pairs = found.pairs.tolist()
    same("in the order of collide", sorted(pairs), pairs)
    for k in rng.permutation(len(i))[:MOST_PAIRS].tolist():
        square = squared_distance(world_a[i[k]], world_b[j[k]])
        near = square == 0 or square < Fraction(d) ** 2
        same(f"triangles {i[k]} and {j[k]} within {d!r}", near, [int(i[k]), int(j[k])] in pairs)
    if not ((found.distances < d) | (found.distances == 0.0) | (d <= 5e-324)).all():
        raise AssertionError(f"{found} lists distances that are not below {d!r}")
    same(method, pairs, tumble.clearance(a, b, d, *poses, method=method).pairs.tolist())
    same("exchanged", sorted(pairs), sorted(tumble.clearance(b, a, d, *poses[::-1]).pairs[:, ::-1].tolist()))
    same("collides", bool(pairs), tumble.collides(a, b, *poses, clearance=d))
    pose = np.eye(4) if poses[1] is None else poses[1]
    many = tumble.collide_many(a, b, [pose, pose], poses[0], clearance=[0.0, d], first=False)
    same("among others", pairs, many.pairs(1).tolist())
    same("touching", tumble.collide(a, b, *poses).pairs.tolist(), many.pairs(0).tolist())
