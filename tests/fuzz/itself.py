"""A mesh against itself: `self_collide`, Deformable and `collide_all` against the judge of adjacent triangles."""

from __future__ import annotations

import numpy as np

import adjacent_oracle
import tumble

from .meshes import awkward
from .questions import difference

Random = np.random.Generator


def case(rng: Random) -> None:
    """Compare all ways to ask which triangles of one mesh meet."""
    mesh = awkward(rng, 16)
    expected = adjacent_oracle.meeting_pairs(mesh.vertices, mesh.faces)
    compare(tumble.self_collide(mesh).pairs, expected, "self_collide")
    first = tumble.self_collide(mesh, first=True).pairs
    if len(first) != min(len(expected), 1) or not {*map(tuple, first.tolist())} <= {*map(tuple, expected.tolist())}:
        raise AssertionError(f"self_collide first=True: {first.tolist()}, {len(expected)} pairs meet")
    compare(tumble.Deformable(mesh).self_collide().pairs, expected, "Deformable.self_collide")
    compare(tumble.collide_all([mesh], within=True).pairs(0, 0), expected, "collide_all within")
    triangles = mesh.triangles
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    meet = ((low[:, None] <= high) & (low <= high[:, None])).all(axis=2)
    boxes = np.argwhere(np.triu(meet, 1))
    compare(tumble.self_collide(mesh, candidates=True).pairs, boxes, "self_collide candidates")
    found = tumble.collide_all([mesh], within=True, candidates=True, neighbours=True)
    compare(found.pairs(0, 0), boxes, "collide_all within, candidates")


def compare(found: np.ndarray, expected: np.ndarray, what: str) -> None:
    """Compare pairs of triangles."""
    if found.shape != expected.shape or not (found == expected).all():
        raise AssertionError(f"{what}: {difference(found, expected)}")
