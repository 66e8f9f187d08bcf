"""`CollisionManager` with the methods, signatures and return values of `trimesh.collision.CollisionManager`.

    from tumble.compat.trimesh import CollisionManager  # instead of: from trimesh.collision import CollisionManager

As in trimesh, convex meshes are solids, by trimesh's own test with its tolerance (`trimesh.Trimesh.is_convex`): what
lies entirely inside one collides with it. Of other meshes only the surfaces count. `CollisionManager(solid=True)` takes
all closed meshes as solids, `solid=False` none.

The answers are Tumble's, exact for float64 transforms, which has consequences where FCL answers otherwise:

- Touching counts, to the last bit; FCL invents and misses contacts within its tolerance.
- Transforms must be rigid: a scale is refused instead of dropped.
- Data about contacts lists every touching pair of triangles once, without a limit, in the order in which the objects
  were added. FCL lists up to two points for a pair of triangles, one for a pair of convex meshes, without their faces,
  and one for each triangle inside a convex mesh.
- An object inside another has one contact, after all others: the faces where both surfaces are nearest, and the way out
  there, which is not always the shortest of all.
- Distances are never negative: 0 where objects touch, or one is inside a solid other; both points are the same then.
  FCL measures by how deep convex meshes overlap, as a negative number. Without objects to compare the distance is
  infinite, and names are None.

Normals have FCL's direction, from the first object of a pair to the second; see `ContactData.normal` for which is
which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from tumble.api.relation import checked_solid
from tumble.compat.records import ContactData, DistanceData, Name
from tumble.errors import InputError
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.convexity import is_convex
from tumble.mesh.edges import edges_of
from tumble.mesh.rigid import as_rigid
from tumble.query.plan import Options
from tumble.scene import BodiesNearest, Scene, SceneCollisions

if TYPE_CHECKING:
    from tumble.scene.solids import Buried, View

__all__ = ["CollisionManager", "ContactData", "DistanceData"]

EXTERNAL = "__external"


class CollisionManager:
    """Named objects, and which of them collide; see the module for where the answers differ from trimesh's.

    solid   None: what is inside a convex object collides with it, as in trimesh; True: inside any closed object; False:
            only surfaces count
    """

    def __init__(self, solid: bool | None = None) -> None:
        self._solid = checked_solid(solid)
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
        """Tell whether a mesh collides with any object: a bool, then the set of names and the list of contacts."""
        from tumble.scene.solids import around

        view, solid = around(self._scene, as_mesh(mesh), as_rigid(transform)), (self._is_solid,) * 2
        if not (return_names or return_data):
            return view.collides(_ONE, solid)
        found, buried = view.collisions(_options(return_data), solid)
        named: list[tuple[Name, Name]] = [(EXTERNAL, self._names[body]) for _, body in found.names]
        inside: list[tuple[Name, Name]] = [(EXTERNAL, self._names[each.b]) for each in buried]
        names = {name for _, name in named + inside}
        contacts = chain(_contacts(found, named, second_first=True), _ways_out(buried, inside, second_first=True))
        return _answer(names, contacts, return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Tell whether any two objects collide: a bool, then the set of sorted name pairs and the list of contacts."""
        from tumble.scene.solids import within

        view, solid = within(self._scene), (self._is_solid,) * 2
        if not (return_names or return_data):
            return view.collides(_ONE, solid)
        found, buried = view.collisions(_options(return_data), solid)
        named = [(self._names[str(a)], self._names[b]) for a, b in found.names]
        inside = [(self._names[each.a], self._names[each.b]) for each in buried]
        contacts = chain(_contacts(found, named), _ways_out(buried, inside))
        return _answer(set(map(_sorted, named + inside)), contacts, return_names, return_data)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Tell whether any object collides with one of another manager; name pairs have this manager's name first."""
        view, solid = self._view_with(other_manager), (self._is_solid, other_manager._is_solid)
        if not (return_names or return_data):
            return view.collides(_ONE, solid)
        found, buried = view.collisions(_options(return_data), solid)
        named = [(self._names[str(a)], other_manager._names[b]) for a, b in found.names]
        inside = [(self._names[each.a], other_manager._names[each.b]) for each in buried]
        contacts = chain(_contacts(found, named), _ways_out(buried, inside))
        return _answer(set(named + inside), contacts, return_names, return_data)

    def min_distance_single(
        self,
        mesh: MeshLike,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Return the distance of a mesh from the nearest object, then its name and where they are nearest."""
        from tumble.scene.solids import around

        view = around(self._scene, as_mesh(mesh), as_rigid(transform))
        found = view.distance(_ALL, (self._is_solid,) * 2)
        name = None if found.b is None else self._names[found.b]
        return _distance(found, name if return_name else _NOT_ASKED, (EXTERNAL, name) if return_data else None)

    def min_distance_internal(
        self, name: Name | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Return the distance of the nearest two objects, or of one to the nearest other; sorted names, and where."""
        from tumble.scene.solids import around, within

        view = within(self._scene) if name is None else around(self._scene, self._body(name), None)
        found = view.distance(_ALL, (self._is_solid,) * 2)
        names = (None, None) if found.b is None else (self._names[str(found.a)], self._names[found.b])
        return _distance(found, _sorted(names) if return_names else _NOT_ASKED, names if return_data else None)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Return the distance of the nearest two objects of two managers; names, this manager's first, and where."""
        view = self._view_with(other_manager)
        found = view.distance(_ALL, (self._is_solid, other_manager._is_solid))
        names = (None, None) if found.b is None else (self._names[str(found.a)], other_manager._names[found.b])
        return _distance(found, names if return_names else _NOT_ASKED, names if return_data else None)

    def _is_solid(self, mesh: Mesh) -> bool:
        """Tell whether a mesh is solid, so that what is inside it collides."""
        if self._solid is None:
            return is_convex(mesh)
        return self._solid and edges_of(mesh).closed

    def _view_with(self, other: CollisionManager) -> View:
        from tumble.scene.solids import between

        if not isinstance(other, CollisionManager):
            raise InputError(f"expected another tumble.compat.trimesh.CollisionManager, not {other!r}")
        return between(self._scene, other._scene)

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


def _ways_out(
    buried: list[Buried], names: list[tuple[Name, Name]], *, second_first: bool = False
) -> Iterator[ContactData]:
    """Yield one contact for each two objects of which one is inside the other."""
    for each, named in zip(buried, names, strict=True):
        faces, point, normal, depth = each.way_out()
        faces_of = dict(zip(named, faces, strict=True))
        yield ContactData(set(named), faces_of, point, 0.0 - normal if second_first else normal, depth)


def _sorted(pair: tuple[Name, Name]) -> tuple[Name, ...]:
    """Return two names in their order, as trimesh does; those that have none as the objects were added."""
    try:
        return tuple(sorted(pair))  # type: ignore[type-var]
    except TypeError:
        return pair


def _answer(names: set[Any], contacts: Iterable[ContactData], return_names: bool, return_data: bool) -> Any:
    """Return the bool, with names and contacts as asked."""
    return (len(names) > 0, *([names] if return_names else []), *([list(contacts)] if return_data else []))


def _options(return_data: bool) -> Options:
    return Options(first=not return_data, contacts=return_data)


_ONE, _ALL, _NOT_ASKED = Options(first=True), Options(), object()


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
