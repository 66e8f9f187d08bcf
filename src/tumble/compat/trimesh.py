"""`CollisionManager` with the methods, signatures and return values of `trimesh.collision.CollisionManager`.

    from tumble.compat.trimesh import CollisionManager  # instead of: from trimesh.collision import CollisionManager

The answers are Tumble's, exact for float64 transforms, which has consequences where FCL answers otherwise:

- Only surfaces count. trimesh hands convex meshes to FCL as solids: a body that lies entirely inside a convex one then
  collides. Here it does not.
- Touching counts, to the last bit; FCL invents and misses contacts within its tolerance.
- Transforms must be rigid: a scale is refused instead of dropped.
- Data about contacts lists every touching pair of triangles once, without a limit, in the order in which the objects
  were added. FCL lists up to two points for a pair of triangles, and one for a pair of convex meshes.
- Distances are those of surfaces and never negative: 0 where objects touch. FCL measures overlapping convex meshes by
  how deep they overlap, as a negative number. Without objects to compare the distance is infinite, and names are None.

Normals have FCL's direction, from the first object of a pair to the second; see `ContactData.normal` for which is
which.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import InputError
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.scene import BodiesNearest, Scene, SceneCollisions

__all__ = ["CollisionManager", "ContactData", "DistanceData"]

EXTERNAL = "__external"

Name = Hashable


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class ContactData:
    """A touching pair of triangles of two objects; where they meet is in world coordinates (docs/contacts.md)."""

    names: set[Name]
    _inds: dict[Name, int]
    point: NDArray[np.float64]
    """(3,): a point of both triangles, the middle of the segment in which they meet"""
    normal: NDArray[np.float64]
    """(3,): unit, from the first object to the second, which leaves the first by the shortest way along it

    The first object is the manager's in `in_collision_single`, this manager's in `in_collision_other`, and the one
    that was added first in `in_collision_internal`."""
    depth: float
    """how far the second triangle has to go along the normal to get free of the first; 0 or more"""

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
    """0 where they touch"""

    def index(self, name: Name) -> int:
        """Return the nearest face of the object by this name ('__external': the mesh of the query)."""
        return self._inds[name]

    def point(self, name: Name) -> NDArray[np.float64]:
        """Return the (3,) nearest point of the object by this name."""
        return self._points[name]

    def __repr__(self) -> str:
        return f"<DistanceData of {self._inds}: {self.distance!r}>"


class CollisionManager:
    """Named objects, and which of them touch; see the module for where the answers differ from trimesh's."""

    def __init__(self) -> None:
        self._scene = Scene()
        # Names may be any hashable, as in trimesh; those of bodies are strings.
        self._bodies: dict[Name, str] = {}
        self._names: dict[str, Name] = {}

    def add_object(self, name: Name, mesh: MeshLike, transform: ArrayLike | None = None) -> None:
        """Add an object, or replace the one by this name. (There is no FCL object to return.)"""
        # checked first: an error must not remove the object of this name
        mesh, pose = as_mesh(mesh), as_rigid(transform)
        try:
            hash(name)
        except TypeError as error:  # a tuple of lists is one, too
            raise InputError(f"the name of an object must be hashable, not {name!r}") from error
        if name in self._bodies:
            self.remove_object(name)
        body = str(name)
        while body in self._scene:  # 7 and "7" are two names
            body += "'"
        self._scene.add(body, mesh, pose)
        self._bodies[name] = body
        self._names[body] = name

    def remove_object(self, name: Name) -> None:
        """Remove an object."""
        body = self._body(name)
        self._scene.remove(body)
        del self._bodies[name], self._names[body]

    def set_transform(self, name: Name, transform: ArrayLike) -> None:
        """Place an object anew."""
        self._scene.move(self._body(name), transform)

    def in_collision_single(
        self,
        mesh: MeshLike,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Tell whether a mesh touches any object: a bool, then the set of names and the list of contacts."""
        found = self._scene.collisions_with(
            as_mesh(mesh), as_rigid(transform), first=not return_data, contacts=return_data
        )
        named: list[tuple[Name, Name]] = [(EXTERNAL, self._names[body]) for _, body in found.names]
        names = {name for _, name in named} if return_names else None
        return _answer(found, names, _contacts(found, named, second_first=True) if return_data else None)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Tell whether any two objects touch: a bool, then the set of sorted name pairs and the list of contacts."""
        if not (return_names or return_data):
            return self._scene.collides()
        found = self._scene.collisions(first=not return_data, contacts=return_data)
        named = [(self._names[str(a)], self._names[b]) for a, b in found.names]
        names = set(map(_sorted, named)) if return_names else None
        return _answer(found, names, _contacts(found, named) if return_data else None)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Tell whether any object touches one of another manager; name pairs have this manager's name first."""
        if not isinstance(other_manager, CollisionManager):
            raise InputError(f"expected another tumble.compat.trimesh.CollisionManager, not {other_manager!r}")
        # a manager may be asked about itself: every object touches its twin
        other = other_manager._scene.copy() if other_manager is self else other_manager._scene
        found = self._scene.collisions_between(other, first=not return_data, contacts=return_data)
        named = [(self._names[str(a)], other_manager._names[b]) for a, b in found.names]
        return _answer(found, set(named) if return_names else None, _contacts(found, named) if return_data else None)

    def min_distance_single(
        self,
        mesh: MeshLike,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Return the distance of a mesh from the nearest object, then its name and where they are nearest."""
        found = self._scene.nearest(as_mesh(mesh), as_rigid(transform))
        name = None if found.b is None else self._names[found.b]
        return _distance(found, name if return_name else _NOT_ASKED, (EXTERNAL, name) if return_data else None)

    def min_distance_internal(
        self, name: Name | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Return the distance of the nearest two objects, or of one to the nearest other; sorted names, and where."""
        found = self._scene.distance() if name is None else self._scene.nearest(self._body(name))
        names = (None, None) if found.b is None else (self._names[str(found.a)], self._names[found.b])
        return _distance(found, _sorted(names) if return_names else _NOT_ASKED, names if return_data else None)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Return the distance of the nearest two objects of two managers; names, this manager's first, and where."""
        if not isinstance(other_manager, CollisionManager):
            raise InputError(f"expected another tumble.compat.trimesh.CollisionManager, not {other_manager!r}")
        other = other_manager._scene.copy() if other_manager is self else other_manager._scene
        found = self._scene.distance_between(other)
        names = (None, None) if found.b is None else (self._names[str(found.a)], other_manager._names[found.b])
        return _distance(found, names if return_names else _NOT_ASKED, names if return_data else None)

    def _body(self, name: Name) -> str:
        if name not in self._bodies:
            raise InputError(f"{name!r} not in collision manager!")
        return self._bodies[name]


def _contacts(
    touching: SceneCollisions, names: list[tuple[Name, Name]], *, second_first: bool = False
) -> Iterator[ContactData]:
    """Yield every touching pair of triangles of each two objects that touch, by the names of a and b of each record.

    second_first   whether b is what trimesh calls the first object
    """
    for record, named in zip(touching, names, strict=True):
        contacts = record.contacts
        assert contacts is not None
        # Tumble's normals push a away, FCL's the second object; subtracted, so that no zero becomes -0
        normals = contacts.normals if second_first else 0.0 - contacts.normals
        rows = zip(record.pairs.tolist(), contacts.points, normals, contacts.depths.tolist(), strict=True)
        for triangles, point, normal, depth in rows:
            # as in trimesh, the second index hides the first where objects of two managers have one name
            faces = dict(zip(named, triangles, strict=True))
            yield ContactData(set(named), faces, point.copy(), normal.copy(), depth)


def _sorted(pair: tuple[Name, Name]) -> tuple[Name, ...]:
    """Return two names in their order, as trimesh does; those that have none as the objects were added."""
    try:
        return tuple(sorted(pair))  # type: ignore[type-var]
    except TypeError:
        return pair


def _answer(found: SceneCollisions, names: set[Any] | None, contacts: Iterator[ContactData] | None) -> Any:
    """Return the bool, alone or with names and contacts."""
    asked = [value for value in (names, contacts and list(contacts)) if value is not None]
    return (len(found) > 0, *asked) if asked else len(found) > 0


_NOT_ASKED = object()


def _distance(found: BodiesNearest, names: Any, of_data: tuple[Name, Name] | None) -> Any:
    """Return the distance, alone or with names and data, as asked; `of_data` are the names of a and b."""
    answer: list[Any] = [found.distance]
    if names is not _NOT_ASKED:
        answer.append(names)
    if of_data is not None:
        # as in trimesh, the second object hides the first where both have one name
        faces = {} if found.pair is None else dict(zip(of_data, found.pair, strict=True))
        points = {} if found.points is None else {name: found.points[k].copy() for k, name in enumerate(of_data)}
        answer.append(DistanceData(set(of_data), faces, points, found.distance))
    return tuple(answer) if len(answer) > 1 else found.distance
