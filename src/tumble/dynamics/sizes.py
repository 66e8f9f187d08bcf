"""How large bodies are, for questions about their speed; and their cores, for contacts that are already there.

V/A, the volume of a solid over its surface, is a quarter of its mean chord: a sixth of the side of a cube or of the
diameter of a ball, a quarter of the side of a long bar, half the thickness of a plate. Of solids that are not convex it
is that of their arms and legs.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.broad.boxes import NOWHERE, RADIUS, extent_of, place
from tumble.core.keys import unique_rows
from tumble.core.products import column_sums, dot_product, lengths
from tumble.mesh import Mesh
from tumble.mesh.edges import edges_of

SHARPEST = 0.5
"""cosine; where a vertex is sharper, the faces around it come nearer to the surface than the others"""


class Sizes(NamedTuple):
    """A row for each body."""

    radii: NDArray[np.float64]  # (n,) about the middle of the mesh's box; tells which of two bodies is the smaller
    reaches: NDArray[np.float64]  # (n,) volume over surface, m; infinite for what bounds no volume
    boxes: NDArray[np.float64]  # (n, 6) of the bodies where they were put: static ones are there


def sizes_of(meshes: list[Mesh], poses: NDArray[np.float64]) -> Sizes:
    """Return the sizes of bodies, given by their meshes and where they were put, (n, 4, 4)."""
    extents = np.array([extent_of(mesh) for mesh in meshes]).reshape(-1, RADIUS + 1)
    boxes, kept = np.tile(NOWHERE, (len(meshes), 1)), np.empty((len(meshes), 4, 4))
    place(np.arange(len(meshes)), np.ascontiguousarray(poses), extents, kept, boxes)
    reach = cache(_reach_of)
    return Sizes(extents[:, RADIUS].copy(), np.array([reach(mesh) for mesh in meshes], np.float64), boxes)


def _reach_of(mesh: Mesh) -> float:
    if mesh.bounds is None or not (edges_of(mesh).closed and edges_of(mesh).oriented):
        return np.inf
    a, b, c = (mesh.triangles - mesh.bounds.mean(axis=0)).transpose(1, 0, 2)
    volume = column_sums(dot_product(a, np.cross(b, c))[:, None])[0] / 6.0
    surface = column_sums(lengths(np.cross(b - a, c - a))[:, None])[0] / 2.0
    return abs(float(volume)) / float(surface) if volume != 0.0 else np.inf


def core_of(mesh: Mesh, margin: float) -> Mesh:
    """Return a mesh whose faces are about a margin further in; where it is thinner than that they may turn over."""
    same = unique_rows(mesh.vertices).which
    same = same.reshape(-1)
    corners = same[mesh.faces]
    a, b, c = mesh.triangles.transpose(1, 0, 2)
    faces = np.cross(b - a, c - a)
    sums = np.zeros((int(same.max(initial=-1)) + 1, 3))
    np.add.at(sums, corners, faces[:, None])
    outward, facing = _units(sums), _units(faces)
    cosines = np.ones(len(outward))
    np.minimum.at(cosines, corners, dot_product(outward[corners], facing[:, None]))
    inset = outward * (margin / np.maximum(cosines, SHARPEST))[:, None]
    return Mesh(mesh.vertices - inset[same], mesh.faces)


def _units(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = lengths(vectors)[:, None]
    return vectors / np.where(sizes > 0.0, sizes, 1.0)
