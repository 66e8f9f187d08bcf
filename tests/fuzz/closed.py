"""Awkward closed meshes: solids that are flush, thin, nested, overlapping, wound the other way or cut finer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import overlap_oracle
import solid_cases
import solid_forms
import solid_oracle
import tumble
from tumble import Mesh, shapes

Random = np.random.Generator
Maker = Callable[[Random], Mesh]


def plain_box(rng: Random) -> Mesh:
    """Return a box with sides of whole numbers, of any length, or far apart in length."""
    kind = rng.random()
    if kind < 0.4:
        return solid_forms.box(np.zeros(3), rng.integers(1, 4, 3).astype(float))
    return shapes.box(rng.uniform(0.1, 2.0, 3) if kind < 0.8 else 10.0 ** rng.uniform(-6, 1, 3))


def hull(rng: Random) -> Mesh:
    """Return a hull of a few points of a grid, mapped by any matrix: convex, or nearly so where that rounds."""
    points, faces, _ = overlap_oracle.random_hull(rng, 3)
    matrix = np.eye(3) if rng.random() < 0.5 else rng.normal(size=(3, 3))
    mapped = points @ matrix.T
    return Mesh(mapped, faces if np.linalg.det(matrix) > 0 else faces[:, ::-1])


def round_shape(rng: Random) -> Mesh:
    """Return a ball, a ring or a bowl, all of them coarse."""
    makers = (
        lambda: shapes.icosphere(int(rng.integers(0, 2)), float(rng.uniform(0.5, 2))),
        lambda: shapes.torus(1.0, float(rng.uniform(0.1, 0.9)), int(rng.integers(3, 8)), int(rng.integers(3, 6))),
        lambda: shapes.bowl(segments=int(rng.integers(4, 8)), rings=int(rng.integers(3, 6))),
        lambda: shapes.gear(teeth=int(rng.integers(6, 9)), bore=0.1),
    )
    return makers[rng.integers(len(makers))]()


def cells(rng: Random) -> Mesh:
    """Return a union of cells of a grid, which often meet in an edge or a corner only."""
    inside = rng.random((3, 3, 3)) < rng.choice([0.1, 0.3, 0.6])
    inside[tuple(rng.integers(0, 3, 3))] = True
    return Mesh(*solid_oracle.cells_mesh(inside, rng))


def needle(rng: Random) -> Mesh:
    """Return a tetrahedron, many times longer than wide."""
    corners = rng.normal(size=(4, 3)) * 10.0 ** rng.uniform(-4, 1, (1, 3))
    if np.linalg.det(corners[1:] - corners[0]) < 0:
        corners = corners[::-1]
    return solid_forms.tetrahedron(*corners)


def blocks(rng: Random) -> Mesh:
    """Return blocks on a grid, united or cut out of each other."""
    return Mesh(*solid_oracle.block_mesh(solid_cases.random_blocks(rng, True), rng, rng.random() < 0.5))


def sheet(rng: Random) -> Mesh:
    """Return a triangle and its back."""
    return solid_forms.sheet(*rng.integers(0, 3, (3, 3)).astype(float))


SIMPLE: tuple[Maker, ...] = (plain_box, hull, round_shape, cells, needle)
"""each is one solid, with nothing in it: its volume is the sum of its cones"""
OTHERS: tuple[Maker, ...] = (blocks, sheet)


def closed_mesh(rng: Random) -> tuple[Mesh, bool]:
    """Return a closed mesh, and whether it is one simple solid."""
    simple = bool(rng.random() < 0.8)
    makers = SIMPLE if simple else OTHERS
    mesh = makers[rng.integers(len(makers))](rng)
    if rng.random() < 0.15:
        shift = rng.integers(-2, 3, 3) if rng.random() < 0.5 else rng.normal(size=3)
        mesh, simple = solid_forms.joined(mesh, solid_forms.moved(mesh, *shift.astype(float))), False
    return changed(rng, mesh), simple


def changed(rng: Random, mesh: Mesh) -> Mesh:
    """Return the same solid: turned inside out, in loose triangles, cut finer, with other numbers; or as it is."""
    kind = rng.random()
    if kind < 0.1:
        return solid_forms.inverted(mesh)
    if kind < 0.2:
        return solid_forms.soup(mesh)
    if kind < 0.3 and len(mesh) < 60:
        return tumble.subdivide(mesh)
    if kind < 0.5:
        numbers = rng.permutation(len(mesh.vertices))
        return Mesh(mesh.vertices[np.argsort(numbers)], numbers[mesh.faces][rng.permutation(len(mesh))])
    return mesh


def volume_of(mesh: Mesh) -> float:
    """Return the volume of a simple solid, by its cones from its middle."""
    corners = mesh.triangles - mesh.vertices.mean(axis=0)
    return abs(float(np.linalg.det(corners).sum())) / 6.0
