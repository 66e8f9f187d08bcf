"""A named piece of an assembly."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tumble.mesh.mesh import Mesh


class _NameAndMesh(NamedTuple):
    name: str
    mesh: Mesh


class Part(_NameAndMesh):
    """One named mesh of an assembly, already where the file's scene puts it: a pair of `name` and `mesh`.

    `units` is the unit of length that the file states ("um", "mm", "cm", "m", "in" or "ft"), None where it states
    none. Coordinates are as in the file, whatever the unit.
    """

    units: str | None = None

    def __new__(cls, name: str, mesh: Mesh, units: str | None = None) -> "Part":
        """Make a part; its units are not an element of the pair."""
        part = super().__new__(cls, name, mesh)
        part.units = units
        return part

    def _replace(self, **changes: Any) -> "Part":
        return Part(**{"name": self.name, "mesh": self.mesh, "units": self.units, **changes})

    def __repr__(self) -> str:
        units = "" if self.units is None else f", units={self.units!r}"
        return f"Part(name={self.name!r}, mesh={self.mesh!r}{units})"


def concatenated(meshes: Sequence[Mesh]) -> Mesh:
    """Return one Mesh of all vertices and faces, in order; nothing is merged."""
    if len(meshes) == 1:
        return meshes[0]
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices = [np.empty((0, 3)), *(mesh.vertices for mesh in meshes)]
    shifted = [mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return Mesh(np.concatenate(vertices), np.concatenate([np.empty((0, 3), np.int64), *shifted]))
