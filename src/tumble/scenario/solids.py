"""Closed solids of revolution for machine parts: shafts, spacers, covers, hollow bodies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.mesh.shapes.grid import band_faces, fan_faces, lifted

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
    sides = [band_faces(i * count, (i + 1) * count, count) for i in range(len(rings) - 1)]
    ring, pole = np.arange(count), len(rings) * count
    below, above = fan_faces(pole, ring)[:, [0, 2, 1]], fan_faces(pole + 1, ring + pole - count)
    return Mesh(vertices, np.vstack([*sides, below, above]))


def tube(outer: float, inner: float, low: float, high: float, count: int) -> Mesh:
    """A cylinder along z with a round hole through it."""
    outside, inside = circle(outer, count), circle(inner, count)
    loops = [lifted(outside, low), lifted(outside, high), lifted(inside, high), lifted(inside, low)]
    bands = [band_faces(i * count, (i + 1) % 4 * count, count) for i in range(4)]
    return Mesh(np.vstack(loops), np.vstack(bands))


def hollow(outside: Mesh, cavity: Mesh) -> Mesh:
    """One mesh of two closed surfaces, the second turned inside out: a body with a void sealed in it."""
    faces = np.vstack([outside.faces, cavity.faces[:, ::-1] + len(outside.vertices)])
    return Mesh(np.vstack([outside.vertices, cavity.vertices]), faces)
