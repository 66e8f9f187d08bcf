"""What does not change about the bodies of a world: names, meshes, masses and materials."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.core.options import whole_number
from tumble.dynamics.body import BodyRecord
from tumble.dynamics.hull import hull_vertices
from tumble.dynamics.manifold import Surfaces, gather
from tumble.dynamics.planes import HullCorners
from tumble.errors import InputError
from tumble.mesh import Mesh


class Roster:
    """The bodies in the order in which they were added, and their columns as arrays."""

    def __init__(self) -> None:
        self.entries: list[BodyRecord] = []
        self._numbers: dict[str, int] = {}
        self._columns: dict[str, NDArray] = {}

    def add(self, entry: BodyRecord) -> int:
        """Add a body and return its number."""
        self._numbers[entry.name] = number = len(self.entries)
        self.entries.append(entry)
        self._columns.clear()
        for name in ("surfaces", "hulls"):
            self.__dict__.pop(name, None)
        return number

    def number(self, body: int | str) -> int:
        """Return the number of a body that is named, or numbered."""
        if isinstance(body, str) and body in self._numbers:
            return self._numbers[body]
        number = whole_number(body)
        if number is not None and 0 <= number < len(self.entries):
            return number
        raise InputError(f"there is no body {body!r} among the {len(self.entries)} of this world; add it first")

    def numbers_of(self, names: list[tuple[str | None, str]]) -> NDArray[np.int64]:
        """Return (k, 2) numbers of pairs of bodies by name."""
        known = self._numbers
        return np.array([(known[a], known[b]) for a, b in names if a is not None], np.int64).reshape(-1, 2)

    def __contains__(self, name: str) -> bool:
        return name in self._numbers

    def __len__(self) -> int:
        return len(self.entries)

    def column(self, name: str) -> NDArray:
        """Return one attribute of all bodies as an array."""
        if name not in self._columns:
            self._columns[name] = np.array([getattr(entry, name) for entry in self.entries])
        return self._columns[name]

    @property
    def movable(self) -> NDArray[np.bool_]:
        """(n,) all that is not static."""
        return self.column("movable").astype(bool)

    @cached_property
    def surfaces(self) -> tuple[NDArray[np.int64], Surfaces]:
        """The place of each body's mesh among the different meshes, and the surfaces of these."""
        places: dict[Mesh, int] = {}
        mesh_of = [places.setdefault(entry.mesh, len(places)) for entry in self.entries]
        return np.array(mesh_of, np.int64), gather(list(places))

    @cached_property
    def hulls(self) -> HullCorners:
        """The corners of the hulls of all bodies; bodies of one mesh share theirs."""
        places: dict[Mesh, tuple[int, int, float]] = {}
        corners, numbers, used = [np.empty((0, 3))], [np.empty(0, np.int64)], 0
        for entry in self.entries:
            if entry.mesh not in places:
                mine = hull_vertices(entry.mesh)
                offsets = entry.mesh.vertices[mine] - entry.centre
                radius = float(np.sqrt((offsets**2).sum(axis=1).max())) if len(mine) else 0.0
                places[entry.mesh] = used, used + len(mine), radius
                corners.append(offsets)
                numbers.append(mine)
                used += len(mine)
        starts, stops, radii = np.array([places[entry.mesh] for entry in self.entries]).reshape(-1, 3).T
        bounds = starts.astype(np.int64), stops.astype(np.int64)
        return HullCorners(np.concatenate(corners), np.concatenate(numbers), *bounds, radii.copy())
