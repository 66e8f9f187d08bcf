"""A thick-walled bowl, and a closed object of any even number of triangles made from it."""

import numpy as np
from numpy.typing import NDArray

from tumble.core.elementary import cosines, sines
from tumble.core.products import lengths
from tumble.errors import OptionError
from tumble.mesh.mesh import Mesh
from tumble.mesh.shapes.check import check_triangles, positive, whole
from tumble.mesh.shapes.grid import turned


def bowl(radius: float = 1.0, wall: float = 0.2, segments: int = 22, rings: int = 18) -> Mesh:
    """Return half a hollow sphere, open upwards (+z), of 2 · segments · rings triangles.

    It is closed (the wall has a thickness) and far from convex. `rings` is the number of circles of vertices
    from the pole outside, over the rim, to the pole inside.
    """
    radius, wall = positive("radius", radius), positive("wall", wall)
    segments, rings = whole("segments", segments, 3), whole("rings", rings, 2)
    if wall >= radius:
        raise OptionError(f"wall {wall} must be smaller than radius {radius}")
    check_triangles(2 * segments * rings)
    outer = (rings + 1) // 2
    # From straight down to level along the outside, and back along the inside.
    outside = _arc(radius, np.linspace(0, np.pi / 2, outer + 1))
    inside = _arc(radius - wall, np.linspace(np.pi / 2, 0, rings - outer + 1))
    return turned([*outside, *inside], segments)


def closed_object(faces: int = 796) -> Mesh:
    """Return a closed, non-convex object of exactly `faces` triangles (an even number, 24 or more).

    It is a bowl of at most that many, whose longest edges are then split: each split adds two triangles and
    leaves the surface closed. The default is the object of the benchmark of paper `stackless`.
    """
    faces = whole("faces", faces, 24)
    if faces % 2:
        raise OptionError(f"faces must be even, not {faces}: a closed surface has an even number of triangles")
    rings = int(np.sqrt(faces / 2 * 18 / 22))
    mesh = bowl(segments=faces // (2 * rings), rings=rings)
    for _ in range((faces - len(mesh)) // 2):
        mesh = _longest_edge_split(mesh)
    return mesh


def _arc(radius: float, angle: NDArray[np.float64]) -> list[tuple[float, float]]:
    return list(zip(radius * sines(angle), -radius * cosines(angle), strict=True))


def _longest_edge_split(mesh: Mesh) -> Mesh:
    tails, heads = mesh.faces, np.roll(mesh.faces, -1, axis=1)
    edges = lengths(mesh.vertices[tails] - mesh.vertices[heads])
    # Edges equal by symmetry differ in the last bits; rounding makes the choice the same on every machine.
    face, corner = np.unravel_index(np.argmax(np.round(edges, 9)), edges.shape)
    a, b = mesh.faces[face, corner], heads[face, corner]
    middle = len(mesh.vertices)
    has_edge = ((tails == a) & (heads == b)) | ((tails == b) & (heads == a))
    kept = mesh.faces[~has_edge.any(axis=1)]
    halves = []
    for f, k in np.argwhere(has_edge):
        start, end, opposite = np.roll(mesh.faces[f], -k)
        halves += [[start, middle, opposite], [middle, end, opposite]]
    vertices = np.concatenate([mesh.vertices, [(mesh.vertices[a] + mesh.vertices[b]) / 2]])
    return Mesh(vertices, np.concatenate([kept, halves]))
