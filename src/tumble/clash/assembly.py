"""The parts of an assembly in their places, as a check asks about them; what is found out of a part is kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tumble.api.relation import placed
from tumble.clash.finding import Finding, Kind, keys_of, pair_id
from tumble.errors import said_of
from tumble.mesh import Mesh, Part, as_mesh
from tumble.mesh.edges import KEY, edges_of
from tumble.mesh.weld import closed_by_welding
from tumble.query.bodies import IDENTITY, Bodies
from tumble.solid.body import Body

Poses = NDArray[np.float64]


class Assembly:
    """Parts and poses: (n, 4, 4), None where all parts stay where they are."""

    def __init__(self, parts: Sequence[Part], poses: Poses | None = None) -> None:
        self.parts = list(parts)
        given = [_mesh_of(part, k) for k, part in enumerate(self.parts)]
        welded = [closed_by_welding(mesh) for mesh in given]
        self.meshes = _by_places(
            [mesh if closed is None else closed for mesh, closed in zip(given, welded, strict=True)]
        )
        self.welded_parts = tuple(k for k, closed in enumerate(welded) if closed is not None)
        """parts whose seams were open by rounding, and were closed: see `tumble.mesh.weld`"""
        self.keys = keys_of(self.parts)
        self.poses = np.tile(np.eye(4), (len(self.parts), 1, 1)) if poses is None else poses
        self.posed = poses is not None
        self.bodies = Bodies(self.meshes, np.arange(len(self.parts)), self.poses, checked=poses is None)
        self._solids: dict[int, Body] = {}

    @classmethod
    def of_sound(cls, parts: Sequence[tuple[str, Mesh]], keys: list[str], poses: Poses, posed: bool) -> Assembly:
        """Return parts of an assembly as one of their own: their meshes are closed by welding already."""
        some = cls.__new__(cls)
        some.parts, some.meshes, some.keys = [Part(*part) for part in parts], [mesh for _, mesh in parts], keys
        some.poses, some.posed, some._solids, some.welded_parts = poses, posed, {}, ()
        some.bodies = Bodies(some.meshes, np.arange(len(parts)), poses, checked=True)
        return some

    def at(self, poses: Poses) -> Assembly:
        """Return the same parts in other places."""
        moved = Assembly.__new__(Assembly)
        moved.parts, moved.meshes, moved.keys = self.parts, self.meshes, self.keys
        moved.poses, moved.posed, moved._solids = poses, True, {}
        moved.welded_parts = self.welded_parts
        moved.bodies = Bodies(self.meshes, np.arange(len(self.parts)), poses, addresses=self.bodies.addresses)
        return moved

    def pose(self, k: int) -> NDArray[np.float64] | None:
        """Return the pose of a part, None for the identity, which costs no rounding."""
        return None if not self.posed or (self.poses[k] == IDENTITY).all() else self.poses[k]

    def body(self, k: int) -> Body:
        """Return a part as a solid if it is closed, else as a surface."""
        if k not in self._solids:
            self._solids[k] = placed(self.meshes[k], self.pose(k), 1)
        return self._solids[k]

    def two(self, i: int, j: int) -> tuple[Body, Body]:
        """Return two parts as bodies."""
        return self.body(i), self.body(j)

    @cached_property
    def open_parts(self) -> tuple[int, ...]:
        """Parts with open edges, which have no inside."""
        return tuple(k for k, mesh in enumerate(self.meshes) if not edges_of(mesh).closed)

    def finding(self, kind: Kind, a: int, b: int, triangle_pairs: int = 0) -> Finding:
        """Return a finding about two parts that has no size yet."""
        names = self.parts[a].name, self.parts[b].name
        return Finding(pair_id(self.keys[a], self.keys[b]), kind, a, b, *names, triangle_pairs=triangle_pairs)


def _by_places(meshes: list[Mesh]) -> list[Mesh]:
    """Return the same meshes with the first of several vertices in one place in place of the others.

    Then one tree serves for all, and for the triangles of a part that meet each other.
    """
    found: dict[int, Mesh] = {}
    for mesh in meshes:
        edges = edges_of(mesh)
        if id(mesh) not in found and edges.faces.ctypes.data != mesh.faces.ctypes.data:
            found[id(mesh)] = Mesh._of_checked(mesh.vertices, edges.faces)
            found[id(mesh)]._trees[KEY] = edges
    return [found.get(id(mesh), mesh) for mesh in meshes]


def _mesh_of(part: Part, index: int) -> Mesh:
    with said_of(f"part {index}, {part.name!r}"):
        return as_mesh(part.mesh)
