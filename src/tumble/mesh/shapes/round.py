"""Balls, cylinders and capsules as polyhedra: inside the round shape, or around it.

    inside    vertices lie on the surface
    around    every plane of a face has at least the distance of the surface from the centre, or from the axis: the
              polyhedron is star-shaped about it, so no point of the round shape is outside

Between the two lies `DEVIATION` of the radius at most.
"""

import numpy as np

from tumble.core.elementary import cosines
from tumble.core.products import area_vectors, dot_product, lengths
from tumble.mesh.edges import edges_of
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.convex import icosphere
from tumble.mesh.shapes.grid import turned

DEVIATION = 0.005
"""of the radius: how far a vertex is outside, or a face inside"""
SIDES, SUBDIVISIONS = 64, 3
ROUNDING = 1.0 + 1e-12
"""shapes around others are larger by this factor too: their coordinates are rounded, when they are posed again"""


def ball(around: bool) -> Mesh:
    """Return a ball of radius 1."""
    mesh = icosphere(SUBDIVISIONS)
    return Mesh(mesh.vertices * (ROUNDING / _inner_radius(mesh)), mesh.faces) if around else mesh


def cylinder(around: bool) -> Mesh:
    """Return a cylinder of radius 1 and length 1 about the z axis, its middle at the origin."""
    radius = ROUNDING / float(cosines(np.pi / SIDES)) if around else 1.0
    return turned([(0.0, -0.5), (radius, -0.5), (radius, 0.5), (0.0, 0.5)], SIDES)


def capsule(radius: float, length: float, around: bool) -> Mesh:
    """Return a ball of a radius swept along the z axis by a length, its middle at the origin.

    Faces that look up move up, the others down; between them, a strip joins the edges at which they met.
    """
    whole = ball(around)
    upward = area_vectors(whole.triangles)[:, 2] > 0.0
    edges, count = edges_of(whole), len(whole.vertices)
    face, k = np.nonzero(upward[:, None] & ~upward[edges.twins])
    start, end = whole.faces[face, k], whole.faces[face, (k + 1) % 3]
    strip = [np.stack([end, start, start + count], axis=1), np.stack([end, start + count, end + count], axis=1)]
    faces = np.where(upward[:, None], whole.faces, whole.faces + count)
    way = np.array([0.0, 0.0, 0.5 * length])
    ends = np.concatenate([radius * whole.vertices + way, radius * whole.vertices - way])
    used, places = np.unique(np.concatenate([faces, *strip]), return_inverse=True)
    return Mesh(ends[used], places.reshape(-1, 3))


def _inner_radius(mesh: Mesh) -> float:
    """Return the least distance of the origin from the plane of a face."""
    normals = area_vectors(mesh.triangles)
    return float((dot_product(normals, mesh.triangles[:, 0]) / lengths(normals)).min())
