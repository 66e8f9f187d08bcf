"""The sign of a distance between solids: minus where their surfaces share no point, but the solids do.

One of them is then inside the other, or has a component there; the winding number at a vertex of each component tells:
`tumble.traversal.points.buried`, or exact arithmetic where a vertex is too far away for its coordinates.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.limits import refuse
from tumble.core.options import refuse_arrays
from tumble.core.parallel import run_pieces, thread_count
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.edges import require_closed
from tumble.mesh.rigid import as_rigid
from tumble.query.bodies import Bodies, mesh_of
from tumble.query.nearest import Nearest, NearestMany
from tumble.query.run import piece_size
from tumble.solid.body import body_of

WANTED, INSTEAD = "signed=True", "leave it out for the distance of the surfaces"


def wants_sign(signed: Any) -> bool:
    """Return the option `signed` as a bool; an array is refused."""
    refuse_arrays(signed=signed)
    return bool(signed)


def closed_shape(given: MeshLike | Tree, name: str) -> Mesh | Tree:
    """Return a tree or a mesh whose mesh is closed; open ones are refused by one of their open edges.

    The packed tree of the mesh knows its components then.
    """
    shape: Any = given if isinstance(given, Tree | BoxTree) else as_mesh(given)
    mesh = mesh_of(shape)
    edges = require_closed(mesh, f"mesh {name}", WANTED, INSTEAD)
    packed(mesh).know_components(edges.record)
    return shape


def with_exact_sign(found: Nearest, a: Mesh, b: Mesh, pose_a: ArrayLike | None, pose_b: ArrayLike | None) -> Nearest:
    """Return the distance of two closed meshes at poses that were checked, its sign by exact arithmetic."""
    if not _exactly(a, b, as_rigid(pose_a), as_rigid(pose_b)):
        return found
    return Nearest(-found.distance, found.pair, found.points, found.stats)


def with_signs(
    found: NearestMany, a: Bodies, b: Bodies, pairs: NDArray[np.int64], threads: int | None = 1
) -> NearestMany:
    """Return the distances of two closed meshes in many places, negative where one is buried."""
    from tumble.traversal.points.buried import INSIDE, OUTSIDE, UNSURE, buried_many

    signed, pairs = found.distances.copy(), np.require(pairs, np.int64, ["C", "W"])
    buried, size = np.full(len(pairs), OUTSIDE, np.int64), piece_size(len(pairs))

    def run(piece: int) -> None:
        span = piece * size, min((piece + 1) * size, len(pairs))
        trees = packed(a.mesh(0)).address, packed(b.mesh(0)).address
        code = buried_many(trees[0], a.poses, trees[1], b.poses, pairs, *span, signed, buried)
        if code < 0:
            refuse(code)

    run_pieces(run, -(-len(pairs) // size), thread_count(threads))
    for k in np.flatnonzero(buried == UNSURE).tolist():
        i, j = pairs[k].tolist()
        buried[k] = INSIDE if _exactly(a.mesh(0), b.mesh(0), a.poses[i], b.poses[j]) else OUTSIDE
    signed[buried == INSIDE] *= -1.0
    signed.flags.writeable = False
    return NearestMany(signed, found.pairs, found.points, found.stats)


def _exactly(a: Mesh, b: Mesh, pose_a: NDArray[np.float64] | None, pose_b: NDArray[np.float64] | None) -> bool:
    from tumble.solid.decide import one_is_buried

    return one_is_buried(body_of(a, pose_a, "", WANTED), body_of(b, pose_b, "", WANTED))
