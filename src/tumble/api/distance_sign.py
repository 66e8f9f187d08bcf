"""The sign of a distance between solids: minus where their surfaces share no point, but the solids do.

One of them is then inside the other, or has a component there; the winding number at a vertex of each component tells.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import refuse_arrays
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.edges import require_closed
from tumble.mesh.rigid import as_rigid
from tumble.query.bodies import Bodies, mesh_of
from tumble.query.nearest import Nearest, NearestMany
from tumble.solid.body import body_of

WANTED, INSTEAD = "signed=True", "leave it out for the distance of the surfaces"


def wants_sign(signed: Any) -> bool:
    """Return the option `signed` as a bool; an array is refused."""
    refuse_arrays(signed=signed)
    return bool(signed)


def closed_shape(given: MeshLike | Tree, name: str) -> Mesh | Tree:
    """Return a tree or a mesh whose mesh is closed; open ones are refused by one of their open edges."""
    shape: Any = given if isinstance(given, Tree | BoxTree) else as_mesh(given)
    require_closed(mesh_of(shape), f"mesh {name}", WANTED, INSTEAD)
    return shape


def with_sign(
    found: Nearest, a: Mesh | Tree, b: Mesh | Tree, pose_a: ArrayLike | None, pose_b: ArrayLike | None
) -> Nearest:
    """Return the distance of two closed meshes at poses that were checked, negative where one is buried."""
    from tumble.solid.decide import one_is_buried

    if found.distance == 0.0:
        return found
    one, other = (body_of(mesh_of(each), as_rigid(pose), "", WANTED) for each, pose in ((a, pose_a), (b, pose_b)))
    buried = one_is_buried(one, other)
    return Nearest(-found.distance, found.pair, found.points, found.stats) if buried else found


def with_signs(found: NearestMany, a: Bodies, b: Bodies, pairs: NDArray[np.int64]) -> NearestMany:
    """Return the distances of two closed meshes in many places, negative where one is buried."""
    from tumble.solid.decide import one_is_buried

    signed = found.distances.copy()
    apart = np.flatnonzero(signed).tolist()
    solids = [body_of(bodies.mesh(0), None, "", WANTED) for bodies in (a, b) if apart]
    for k in apart:
        one, other = (body.at(each.pose(i)) for body, each, i in zip(solids, (a, b), pairs[k].tolist(), strict=True))
        if one_is_buried(one, other):
            signed[k] = -signed[k]
    signed.flags.writeable = False
    return NearestMany(signed, found.pairs, found.points, found.stats)
