"""Convex shapes: a box, and a sphere of nearly equal triangles."""

from collections.abc import Sequence

import numpy as np

from tumble.core.products import lengths
from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import positive, whole
from tumble.mesh.shapes.grid import circle, lifted
from tumble.mesh.subdivide import subdivide

MOST_SUBDIVISIONS = 13
_QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def box(size: float | Sequence[float] = 1.0) -> Mesh:
    """Return a box of 12 triangles around the origin; `size` is its edge length, or one per axis."""
    try:
        lengths = [size] * 3 if np.ndim(size) == 0 else list(size)  # type: ignore[arg-type]
    except ValueError:  # rows of different lengths
        lengths = []
    if len(lengths) != 3:
        raise OptionError(f"size must be one number or three, not {size!r}")
    edges = np.array([positive("size", length) for length in lengths])  # type: ignore[arg-type]
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return Mesh(corners * edges, np.concatenate([_QUADS[:, [0, 1, 2]], _QUADS[:, [0, 2, 3]]]))


def icosphere(subdivisions: int = 3, radius: float = 1.0) -> Mesh:
    """Return a sphere of 20 · 4**subdivisions triangles around the origin."""
    subdivisions = whole("subdivisions", subdivisions, 0)
    if subdivisions > MOST_SUBDIVISIONS:
        raise OptionError(
            f"subdivisions must be at most {MOST_SUBDIVISIONS}, not {subdivisions}: a mesh has below 2**31 faces"
        )
    radius = positive("radius", radius)
    sphere = _icosahedron()
    for _ in range(subdivisions):
        finer = subdivide(sphere)
        sphere = Mesh(finer.vertices / lengths(finer.vertices)[:, None], finer.faces)
    return Mesh(sphere.vertices * radius, sphere.faces)


def _icosahedron() -> Mesh:
    """Two poles and two rings of five, one turned by half a step."""
    height, ring_radius = 1 / np.sqrt(5), 2 / np.sqrt(5)
    upper = lifted(circle(ring_radius, 5), height)
    lower = lifted(circle(ring_radius, 5, np.pi / 5), -height)
    k = np.arange(5)
    u, u_next, l, l_next = k + 1, (k + 1) % 5 + 1, k + 6, (k + 1) % 5 + 6
    top, bottom = np.zeros(5, int), np.full(5, 11)
    faces = [(top, u, u_next), (u, l, u_next), (l, l_next, u_next), (bottom, l_next, l)]
    vertices = np.concatenate([[[0.0, 0.0, 1.0]], upper, lower, [[0.0, 0.0, -1.0]]])
    return Mesh(vertices, np.concatenate([np.stack(face, axis=1) for face in faces]))
