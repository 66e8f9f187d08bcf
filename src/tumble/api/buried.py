"""Solids in calls that ask whether meshes touch: a part buried in another collides, too."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.query.answer import Collisions
from tumble.query.bodies import Bodies, mesh_of
from tumble.solid.body import Body, body_of


def closed_bodies(a: Any, b: Any, pose_a: Any, pose_b: Any) -> list[Body]:
    """Return two posed solids, or refuse a mesh that is not closed."""
    meshes = [mesh_of(each) if isinstance(each, Tree | BoxTree) else as_mesh(each) for each in (a, b)]
    return [
        body_of(mesh, as_rigid(pose), f"mesh {name}", "solid=True")
        for mesh, pose, name in zip(meshes, (pose_a, pose_b), "ab", strict=True)
    ]


def are_buried(one: Body, other: Body) -> bool:
    """Tell whether one of two solids, whose surfaces do not touch, is inside the other."""
    from tumble.solid.decide import one_is_buried

    return one_is_buried(one, other)


def solids_of(a: Bodies, b: Bodies) -> tuple[Body, Body]:
    """Return the mesh of each side of a question about two meshes in many places, or refuse one that is not closed."""
    one, other = (body_of(bodies.mesh(0), None, name, "solid=True") for bodies, name in ((a, "mesh a"), (b, "mesh b")))
    return one, other


def with_buried(
    found: Collisions, touching: NDArray[np.bool_], a: Bodies, b: Bodies, pairs: NDArray[np.int64]
) -> Collisions:
    """Return an answer with the column of buried solids: of queries whose surfaces do not touch."""
    buried = np.zeros(len(pairs), bool)
    apart = np.flatnonzero(~touching)
    buried[apart] = list(_each_buried(solids_of(a, b), a, b, pairs[apart]))
    buried.flags.writeable = False
    return replace(found, buried=buried)


def any_buried(solids: tuple[Body, Body], a: Bodies, b: Bodies, pairs: NDArray[np.int64]) -> bool:
    """Tell whether one of two solids is inside the other in any of some places; their surfaces touch in none."""
    return any(_each_buried(solids, a, b, pairs))


def _each_buried(solids: tuple[Body, Body], a: Bodies, b: Bodies, pairs: NDArray[np.int64]) -> Iterator[bool]:
    one, other = solids
    return (are_buried(one.at(a.pose(i)), other.at(b.pose(j))) for i, j in pairs.tolist())
