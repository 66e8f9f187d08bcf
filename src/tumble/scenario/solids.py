"""Closed solids of revolution for machine parts: shafts, spacers, covers, hollow bodies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh

Points = NDArray[np.float64]
Profile = Sequence[tuple[float, float]]


def circle(radius: float, count: int) -> Points:
    """The corners of a regular polygon about the origin, the first on the x axis."""
    angles = 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def turned(profile: Profile, count: int) -> Mesh:
    """The solid of revolution of a profile of (radius, z) from axis to axis, lower end first."""
    (_, bottom), *middle, (_, top) = profile
    rings = [lifted(circle(radius, count), z) for radius, z in middle]
    vertices = np.vstack([*rings, [(0.0, 0.0, bottom), (0.0, 0.0, top)]])
    sides = [band(i * count, (i + 1) * count, count) for i in range(len(rings) - 1)]
    here, after = np.arange(count), (np.arange(count) + 1) % count
    last, pole = (len(rings) - 1) * count, np.full(count, len(rings) * count)
    below = np.column_stack([pole, after, here])
    above = np.column_stack([pole + 1, last + here, last + after])
    return Mesh(vertices, np.vstack([*sides, below, above]))


def tube(outer: float, inner: float, low: float, high: float, count: int) -> Mesh:
    """A cylinder along z with a round hole through it."""
    outside, inside = circle(outer, count), circle(inner, count)
    loops = [lifted(outside, low), lifted(outside, high), lifted(inside, high), lifted(inside, low)]
    bands = [band(i * count, (i + 1) % 4 * count, count) for i in range(4)]
    return Mesh(np.vstack(loops), np.vstack(bands))


def hollow(outside: Mesh, cavity: Mesh) -> Mesh:
    """One mesh of two closed surfaces, the second turned inside out: a body with a void sealed in it."""
    faces = np.vstack([outside.faces, cavity.faces[:, ::-1] + len(outside.vertices)])
    return Mesh(np.vstack([outside.vertices, cavity.vertices]), faces)


def lifted(points: Points, z: float) -> Points:
    """Points of the plane put at a height."""
    return np.column_stack([points, np.full(len(points), z)])


def band(lower: int, upper: int, count: int) -> NDArray[np.int64]:
    """Triangles between two loops of `count` vertices, given by the index of their first: two a step."""
    here, after = np.arange(count), (np.arange(count) + 1) % count
    return np.vstack(
        [
            np.column_stack([lower + here, lower + after, upper + after]),
            np.column_stack([lower + here, upper + after, upper + here]),
        ]
    )
