"""A sphere of nearly equal triangles."""

import numpy as np

from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import positive, whole
from tumble.mesh.subdivide import subdivide

MOST_SUBDIVISIONS = 13


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
        sphere = Mesh(finer.vertices / np.linalg.norm(finer.vertices, axis=1, keepdims=True), finer.faces)
    return Mesh(sphere.vertices * radius, sphere.faces)


def _icosahedron() -> Mesh:
    """Two poles and two rings of five, one turned by half a step."""
    height, ring_radius = 1 / np.sqrt(5), 2 / np.sqrt(5)
    step = 2 * np.pi * np.arange(5) / 5
    upper = np.stack([ring_radius * np.cos(step), ring_radius * np.sin(step), np.full(5, height)], axis=1)
    lower = np.stack(
        [ring_radius * np.cos(step + np.pi / 5), ring_radius * np.sin(step + np.pi / 5), np.full(5, -height)],
        axis=1,
    )
    k = np.arange(5)
    u, u_next, l, l_next = k + 1, (k + 1) % 5 + 1, k + 6, (k + 1) % 5 + 6
    top, bottom = np.zeros(5, int), np.full(5, 11)
    faces = [(top, u, u_next), (u, l, u_next), (l, l_next, u_next), (bottom, l_next, l)]
    vertices = np.concatenate([[[0.0, 0.0, 1.0]], upper, lower, [[0.0, 0.0, -1.0]]])
    return Mesh(vertices, np.concatenate([np.stack(face, axis=1) for face in faces]))
