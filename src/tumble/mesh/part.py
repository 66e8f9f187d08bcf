"""A named piece of an assembly."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tumble.mesh.mesh import Mesh


class Part(NamedTuple):
    """One named mesh of an assembly, already where the file's scene puts it."""

    name: str
    mesh: Mesh


def concatenated(meshes: Sequence[Mesh]) -> Mesh:
    """Return one Mesh of all vertices and faces, in order; nothing is merged."""
    if len(meshes) == 1:
        return meshes[0]
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices = [np.empty((0, 3)), *(mesh.vertices for mesh in meshes)]
    shifted = [mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return Mesh(np.concatenate(vertices), np.concatenate([np.empty((0, 3), np.int64), *shifted]))


def compacted(mesh: Mesh) -> Mesh:
    """Return the same faces over only the vertices they use, in their old order."""
    used = np.zeros(len(mesh.vertices), dtype=bool)
    used[mesh.faces] = True
    renumbered = np.cumsum(used) - 1
    return Mesh(mesh.vertices[used], renumbered[mesh.faces])
