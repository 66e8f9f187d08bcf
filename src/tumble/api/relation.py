"""`relation`: how two closed meshes lie to each other, as solids."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.collide import collide
from tumble.api.self_collide import self_collide
from tumble.core.parallel import thread_count
from tumble.errors import said_of
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.closed import require_closed
from tumble.mesh.rigid import as_rigid
from tumble.query.bodies import mesh_of
from tumble.solid.body import Body
from tumble.solid.decide import quick_crossing, relation_in_contact, relation_without_contact
from tumble.solid.evidence import Relation


@dataclass(frozen=True)
class RelationResult:
    """How two solids lie to each other; equal to the name of the relation."""

    relation: Relation
    triangles: tuple[int, int] | None = None
    """a triangle of a and one of b that touch; None where the surfaces share no point"""


def relation(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> RelationResult:
    """Say how two closed meshes lie to each other, as solids, exactly: `.relation`, and `.triangles` as the witness."""
    workers = thread_count(threads)
    meshes = [mesh_of(each) if isinstance(each, Tree | BoxTree) else as_mesh(each) for each in (a, b)]
    poses = []
    for name, pose in (("pose_a", pose_a), ("pose_b", pose_b)):
        with said_of(name):
            poses.append(as_rigid(pose))
    surfaces = [require_closed(mesh, name, "relation") for mesh, name in zip(meshes, "ab", strict=True)]
    if any(len(mesh) == 0 for mesh in meshes):
        return RelationResult(Relation.APART)
    witness = collide(*meshes, *poses, first=True).pairs
    a_body, b_body = (
        Body(mesh, surface, None if pose is None else np.ascontiguousarray(pose[:3]), workers)
        for mesh, surface, pose in zip(meshes, surfaces, poses, strict=True)
    )
    bodies = a_body, b_body
    if len(witness) == 0:
        return RelationResult(relation_without_contact(bodies, _self_pairs))
    i, j = witness[0].tolist()
    if quick_crossing(bodies, (i, j)):
        return RelationResult(Relation.CROSSING, (i, j))
    pairs = collide(*meshes, *poses, threads=threads).pairs
    return RelationResult(relation_in_contact(bodies, pairs, _self_pairs), (i, j))


def _self_pairs(body: Body) -> NDArray[np.int64]:
    """Return the triangles of a body that meet each other, beyond what neighbours share."""
    return self_collide(Mesh(body.points, body.surface.faces), threads=body.threads).pairs
