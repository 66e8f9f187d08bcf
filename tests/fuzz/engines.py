"""Larger meshes, for which the rational judge is too slow: all ways against brute force with the same triangle test."""

from __future__ import annotations

import numpy as np

import tumble

from . import meshes
from .poses import awkward_poses
from .questions import Question
from .ways import draw

Random = np.random.Generator


def ways(rng: Random) -> str:
    """Return the name of the way that a case draws."""
    return draw(rng).name


def large(rng: Random) -> tumble.Mesh:
    """Return a mesh of hundreds of triangles."""
    kind = int(rng.integers(9))
    count = int(rng.integers(100, 700))
    if kind == 8:  # so many pairs that every buffer for them has to grow
        few = meshes.awkward(rng, 3)
        return tumble.Mesh(few.vertices, np.tile(few.faces, (min(count, 350), 1))[: count // 2])
    if kind == 0:
        return tumble.shapes.torus(
            1.0, float(rng.uniform(0.01, 0.9)), int(rng.integers(3, 40)), int(rng.integers(3, 9))
        )
    if kind == 1:
        return tumble.shapes.gear(int(rng.integers(6, 14)), bore=float(rng.choice([0, 0.15])))
    if kind == 2:
        return tumble.shapes.cloth(int(rng.integers(2, 18)), int(rng.integers(2, 18)), wave=float(rng.choice([0, 0.1])))
    if kind == 3:
        return tumble.shapes.knot(segments=int(rng.integers(24, 60)), sides=int(rng.integers(3, 8)))
    if kind == 4:
        return tumble.shapes.icosphere(2, float(rng.choice([0.5, 1.0])))
    maker = (meshes.needles, meshes.scattered, meshes.grid_soup)[kind - 5]
    return maker(rng, count)


def case(rng: Random) -> None:
    """Compare one way, and the fast path, with brute force."""
    way = draw(rng)
    a = large(rng)
    b = a if rng.random() < 0.2 else large(rng)
    if rng.random() < 0.3:
        a, b = (tumble.Mesh(meshes.resized(rng, mesh.vertices), mesh.faces) for mesh in (a, b))
    asked = Question(a, b, *awkward_poses(rng, a, b))
    brute = tumble.collide(a, b, asked.pose_a, asked.pose_b, method="brute")
    asked.__dict__["expected"] = brute.pairs
    asked.check(tumble.collide(a, b, asked.pose_a, asked.pose_b).pairs, "collide")
    way.ask(rng, asked)
