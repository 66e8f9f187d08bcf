"""`CollisionManager` with the methods, signatures and return values of `trimesh.collision.CollisionManager`.

    from tumble.trimesh import CollisionManager        # instead of: from trimesh.collision import CollisionManager

The answers are Tumble's, exact for float64 transforms, which has consequences where FCL answers otherwise:

- Only surfaces count. trimesh hands convex meshes to FCL as solids: a body that lies wholly inside a convex one then
  collides. Here it does not.
- Touching counts, to the last bit; FCL invents and misses contacts within its tolerance.
- Transforms must be rigid: a scale is refused instead of dropped.
- Data about contacts lists every touching pair of triangles, without a limit, in the order in which the objects were
  added. Where a pair touches, and how deep it goes in, is not computed yet; neither are distances.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NoReturn

from numpy.typing import ArrayLike

from tumble.errors import InputError, NotAvailableError
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.scene import Scene, SceneCollisions

__all__ = ["CollisionManager", "ContactData", "NotAvailableError"]

EXTERNAL = "__external"

Name = Hashable
NamePairs = list[tuple[Name, Name]]


class ContactData:
    """A touching pair of triangles of two objects."""

    __slots__ = ("_inds", "names")

    def __init__(self, names: tuple[Name, Name], triangles: tuple[int, int]) -> None:
        self.names = set(names)
        # as in trimesh, the second index hides the first where objects of two managers have one name
        self._inds = {names[0]: triangles[0], names[1]: triangles[1]}

    def index(self, name: Name) -> int:
        """Return the face in contact of the object by this name ('__external': the mesh that was asked about)."""
        return self._inds[name]

    @property
    def point(self) -> NoReturn:
        """Not computed yet."""
        raise _no_geometry("point")

    @property
    def normal(self) -> NoReturn:
        """Not computed yet."""
        raise _no_geometry("normal")

    @property
    def depth(self) -> NoReturn:
        """Not computed yet."""
        raise _no_geometry("depth")

    def __repr__(self) -> str:
        return f"<ContactData of {self._inds}>"


class CollisionManager:
    """Named objects, and which of them touch; see the module for where the answers differ from trimesh's."""

    def __init__(self) -> None:
        self._scene = Scene()
        # Names may be any hashable, as in trimesh; those of bodies are strings.
        self._bodies: dict[Name, str] = {}
        self._names: dict[str, Name] = {}

    def add_object(self, name: Name, mesh: MeshLike, transform: ArrayLike | None = None) -> None:
        """Add an object, or replace the one by this name. (There is no FCL object to return.)"""
        # checked first: what is wrong with them must not cost the object that is there
        mesh, pose = as_mesh(mesh), as_rigid(transform)
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
        found = self._scene.collisions_with(mesh, transform, first=not return_data)
        names: NamePairs = [(self._names[body], EXTERNAL) for _, body in found.names]
        contacts = _contacts(names, found, swapped=True) if return_data else None
        return _answer(found, {name for name, _ in names} if return_names else None, contacts)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Tell whether any two objects touch: a bool, then the set of sorted name pairs and the list of contacts."""
        if not (return_names or return_data):
            return self._scene.collides()
        found = self._scene.collisions(first=not return_data)
        names: NamePairs = [(self._names[a], self._names[b]) for a, b in found.names if a is not None]
        sorted_names = {tuple(sorted(pair)) for pair in names} if return_names else None  # type: ignore[type-var]
        return _answer(found, sorted_names, _contacts(names, found) if return_data else None)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Tell whether any object touches one of another manager; name pairs have this manager's name first."""
        if not isinstance(other_manager, CollisionManager):
            raise InputError(f"expected another tumble.trimesh.CollisionManager, not {other_manager!r}")
        # a manager may be asked about itself: every object touches its twin
        other = self._scene.copy() if other_manager is self else other_manager._scene
        found = self._scene.collisions_between(other, first=not return_data)
        names = [(self._names[a], other_manager._names[b]) for a, b in found.names if a is not None]
        return _answer(found, set(names) if return_names else None, _contacts(names, found) if return_data else None)

    def min_distance_single(
        self,
        mesh: MeshLike,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> NoReturn:
        """Not available yet: Tumble has no distance queries."""
        raise _no_distance("min_distance_single", "in_collision_single")

    def min_distance_internal(
        self, name: Name | None = None, return_names: bool = False, return_data: bool = False
    ) -> NoReturn:
        """Not available yet: Tumble has no distance queries."""
        raise _no_distance("min_distance_internal", "in_collision_internal")

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> NoReturn:
        """Not available yet: Tumble has no distance queries."""
        raise _no_distance("min_distance_other", "in_collision_other")

    def _body(self, name: Name) -> str:
        if name not in self._bodies:
            raise InputError(f"{name!r} not in collision manager!")
        return self._bodies[name]


def _contacts(names: NamePairs, found: SceneCollisions, swapped: bool = False) -> list[ContactData]:
    """Return every touching pair of triangles under the names of its objects; swapped: found with the second first."""

    def listed() -> Iterator[ContactData]:
        for pair, collision in zip(names, found, strict=True):
            for i, j in collision.pairs.tolist():
                yield ContactData(pair, (j, i) if swapped else (i, j))

    return list(listed())


def _answer(found: SceneCollisions, names: set[Any] | None, contacts: list[ContactData] | None) -> Any:
    """Return the bool, alone or with what was asked for."""
    asked = [value for value in (names, contacts) if value is not None]
    return (len(found) > 0, *asked) if asked else len(found) > 0


def _no_geometry(what: str) -> NotAvailableError:
    return NotAvailableError(f"the {what} of a contact is not computed yet; contact.index(name) gives the triangles")


def _no_distance(method: str, instead: str) -> NotAvailableError:
    return NotAvailableError(
        f"{method} needs distance queries, which Tumble does not have yet; {instead} tells what touches"
    )
