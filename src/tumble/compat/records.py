"""What a `CollisionManager` says about two objects, with the names that trimesh has for it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Name = Hashable


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class ContactData:
    """A touching pair of triangles of two objects; where they meet is in world coordinates (docs/contacts.md).

    Or the one contact of two objects of which one is inside the other: the nearest face of each, the nearest point of
    the inner one, and the way out of the outer one by that face.
    """

    names: set[Name]
    _inds: dict[Name, int]
    point: NDArray[np.float64]
    """(3,): a point of both triangles, the middle of the segment in which they meet; or one inside both objects"""
    normal: NDArray[np.float64]
    """(3,): unit, from the first object to the second, which leaves the first by the shortest way along it

    The first object is the manager's in `in_collision_single`, this manager's in `in_collision_other`, and the one
    that was added first in `in_collision_internal`."""
    depth: float
    """how far the second triangle has to go along the normal to get free of the first, 0 or more; if one is inside the
    other, how far the second object has to go until a plane is between them"""

    def index(self, name: Name) -> int:
        """Return the face in contact of the object by this name ('__external': the mesh of the query)."""
        return self._inds[name]

    def __repr__(self) -> str:
        return f"<ContactData of {self._inds}>"


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class DistanceData:
    """Where two objects are nearest, in world coordinates."""

    names: set[Name]
    _inds: dict[Name, int]
    _points: dict[Name, NDArray[np.float64]]
    distance: float
    """0 where they touch, or one is inside the other"""

    def index(self, name: Name) -> int:
        """Return the nearest face of the object by this name ('__external': the mesh of the query)."""
        return self._inds[name]

    def point(self, name: Name) -> NDArray[np.float64]:
        """Return the (3,) nearest point of the object by this name."""
        return self._points[name]

    def __repr__(self) -> str:
        return f"<DistanceData of {self._inds}: {self.distance!r}>"
