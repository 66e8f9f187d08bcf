"""Mass, centre and inertia of the solid that a closed mesh bounds, by volume integrals over signed tetrahedra.

Each face and a fixed point span a tetrahedron, counted negative where the face looks towards the point; what lies
outside the mesh cancels. The integrals of 1, x and xxᵀ over a tetrahedron are polynomials in its corners.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.core.keys import unique_rows
from tumble.core.products import column_sums, dot_product
from tumble.dynamics.hull import convex_hull
from tumble.dynamics.settings import number
from tumble.errors import MeshError
from tumble.mesh import Mesh, MeshLike, as_mesh

# Of the volume of the box around a mesh; below this it is rounding.
SMALLEST_SHARE = 1e-12


@dataclass(frozen=True, eq=False)
class Mass:
    """What the laws of motion need to know about a solid."""

    volume: float
    mass: float
    centre: NDArray[np.float64]
    """(3,) the centre of mass, in the mesh's frame"""
    inertia: NDArray[np.float64]
    """(3, 3) about the centre, along the mesh's axes"""

    def scaled_to(self, mass: float) -> Mass:
        """Return the same solid with another mass."""
        return Mass(self.volume, mass, self.centre, self.inertia * (mass / self.mass))


def mass_properties(mesh: MeshLike, density: float = 1.0, *, hull: bool = False) -> Mass:
    """Return the mass properties of the solid within a closed mesh, or of its convex hull.

    An open mesh bounds no solid and is refused; so is one that is inside out. Vertices in the same place count as one.
    """
    density = number(density, "density", 0.0, above=True)
    source = convex_hull(mesh) if hull else as_mesh(mesh)
    check_closed(source)
    assert source.bounds is not None
    middle = source.bounds.mean(axis=0)  # near the solid, so that little cancels
    volume, first, second = _integrals(source.triangles - middle)
    if not abs(volume) > SMALLEST_SHARE * np.prod(np.ptp(source.bounds, axis=0)):
        raise MeshError(f"the mesh encloses no volume ({volume:.3g}), so a body of it would have no mass")
    if volume < 0:
        raise MeshError(
            f"the mesh is inside out: its faces enclose the volume {volume:.3g}; "
            "turn them with tumble.Mesh(mesh.vertices, mesh.faces[:, ::-1])"
        )
    centre = first / volume
    spread = second - volume * np.multiply.outer(centre, centre)
    inertia = ((spread[0, 0] + spread[1, 1]) + spread[2, 2]) * np.eye(3) - spread
    return Mass(float(volume), float(density * volume), centre + middle, density * inertia)


def check_closed(mesh: Mesh) -> None:
    """Refuse a mesh with an edge that is not crossed equally often both ways, as every edge of a solid's surface is."""
    if len(mesh.faces) == 0:
        raise MeshError("a mesh without faces encloses no volume, so it can be no body")
    # STL files and the like store a vertex once for each face
    same = unique_rows(mesh.vertices).which
    faces = same.reshape(-1)[mesh.faces]
    edges = np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]))
    forward = edges[:, 0] < edges[:, 1]
    low, high = edges.min(axis=1), edges.max(axis=1)
    _, which = np.unique(low * (int(faces.max()) + 1) + high, return_inverse=True)
    which, ends_differ = which.reshape(-1), low != high
    uses = np.bincount(which, weights=ends_differ)
    balance = np.bincount(which, weights=np.where(forward, 1.0, -1.0) * ends_differ)
    boundary, turned = int((uses % 2 == 1).sum()), int(((uses % 2 == 0) & (balance != 0)).sum())
    if boundary:
        raise MeshError(
            f"the mesh is open: {boundary} of its edges are boundary edges, with a face on one side only; "
            "close it, ask for its convex hull with hull=True, or make the body static"
        )
    if turned:
        raise MeshError(
            f"the mesh is no surface of a solid: at {turned} edges neighbouring faces look to opposite sides"
        )


def _integrals(corners: NDArray[np.float64]) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return the integrals of 1, x and xxᵀ over the tetrahedra between the origin and each of (m, 3, 3) triangles."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    six = dot_product(a, np.cross(b, c))  # six times the signed volumes
    total = a + b + c
    places = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
    squares = [sum(each[:, i] * each[:, j] for each in (total, a, b, c)) for i, j in places]
    columns = np.stack([np.ones(len(six)), *total.T, *squares], axis=1)
    sums = column_sums(six[:, None] * columns)
    second = np.empty((3, 3))
    for (i, j), value in zip(places, sums[4:].tolist(), strict=True):
        second[i, j] = second[j, i] = value
    return float(sums[0]) / 6, sums[1:4] / 24, second / 120
