"""A local origin for coordinates that are far from zero: those of a survey, or of a car.

A wall at nine million metres north has coordinates in steps of two nanometres, and in the float32 of a viewer in steps
of a metre. So an origin near the model is subtracted, before placing rounds anything: from the matrix that places a
mesh, else from its vertices. The latter is exact: a coordinate x and an origin o with o/2 <= x <= 2·o have a difference
that float64 holds (Sterbenz), and an axis where this may fail is left alone.
"""

from collections.abc import Sequence
from itertools import product
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from tumble.mesh.formats.placing import Instance
from tumble.mesh.mesh import Mesh

FAR = 100
"""how many times its size a model may be away from zero"""
_CLEAR = 4
"""sizes between zero and an axis' coordinates, for o/2 <= x <= 2·o"""


def local_origin(instances: Sequence[Instance]) -> NDArray[np.float64] | None:
    """Return what to subtract from all coordinates, a short number per axis; None if they are near enough to zero."""
    corners = np.concatenate([_box_corners(instance) for instance in instances])
    low, high = corners.min(axis=0), corners.max(axis=0)
    size, centre = float((high - low).max()), (low + high) / 2
    if not (0 < size < np.inf) or np.abs(centre).max() <= FAR * size:
        return None
    digits = -floor(log10(size))
    origin = np.array([round(each, digits) for each in centre.tolist()])
    return np.where(np.abs(centre) >= _CLEAR * size, origin, 0.0)


def moved_to(origin: NDArray[np.float64], instance: Instance, meshes: dict[int, Mesh]) -> Instance:
    """Return an instance with the origin subtracted; `meshes` keeps those that were moved, by their old identity."""
    if instance.matrix is not None:
        matrix = instance.matrix.copy()
        matrix[:3, 3] -= origin
        return instance._replace(matrix=matrix)
    mesh = instance.mesh
    if id(mesh) not in meshes:
        meshes[id(mesh)] = Mesh(mesh.vertices - origin, mesh.faces)
    return instance._replace(mesh=meshes[id(mesh)])


def _box_corners(instance: Instance) -> NDArray[np.float64]:
    bounds = instance.mesh.bounds
    assert bounds is not None  # readers leave out meshes without faces
    corners = np.array(list(product(*bounds.T)))
    matrix = instance.matrix
    return corners if matrix is None else corners @ matrix[:3, :3].T + matrix[:3, 3]
