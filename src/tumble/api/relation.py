"""`relation` and `relation_many`: how two closed meshes lie to each other, as solids.

The common cases are cheap: surfaces that do not touch take one point of each component, and of two that cross, the
corners of the first touching triangles nearly always show it. Everything else looks at all touching triangles: see
`tumble.solid.evidence` for what decides, and why it is enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.collide import collide, collide_many
from tumble.api.self_collide import self_collide
from tumble.core.parallel import thread_count
from tumble.errors import PoseError, said_of
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.edges import require_closed
from tumble.mesh.rigid import as_poses, as_rigid
from tumble.query.bodies import mesh_of
from tumble.solid.body import Body, body_of
from tumble.solid.evidence import Relation

Pose = NDArray[np.float64] | None


@dataclass(frozen=True)
class RelationResult:
    """How two solids lie to each other."""

    relation: Relation
    """apart, touching, crossing, a_inside_b, b_inside_a or equal; a string as well"""
    triangles: tuple[int, int] | None = None
    """a triangle of a and one of b that touch; None where the surfaces share no point"""


@dataclass(frozen=True)
class BodyRelation(RelationResult):
    """How two bodies of a scene lie to each other."""

    a: str = ""
    b: str = ""


def relation(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> RelationResult:
    """Say how two closed meshes lie to each other as solids, exactly: `.relation`, and `.triangles` as the witness.

    apart         they share no point; so does an empty mesh with everything
    touching      their surfaces meet, their interiors do not
    crossing      their interiors meet, and each has points that the other does not have
    a_inside_b    a is a subset of b, as closed sets: it may touch the surface of b from within
    b_inside_a    the other way round
    equal         they are the same set of points, however triangulated

    Meshes and poses are those of `collide`. A mesh may have several components, and shells within shells: a point is
    inside where the winding number is not zero, so a shell that faces inward in another one bounds a cavity, and bodies
    of one mesh that overlap are united. Vertices with equal coordinates are one. A mesh with open edges is refused with
    a `MeshError` that names one of them. docs/relation.md says more.

    threads   how many threads share the work, at most; None: all cores. The result does not depend on it.
    """
    workers = thread_count(threads)
    meshes = _closed_meshes(a, b)
    poses = []
    for name, pose in (("pose_a", pose_a), ("pose_b", pose_b)):
        with said_of(name):
            poses.append(as_rigid(pose))
    return relation_of(meshes, poses, collide(*meshes, *poses, first=True).pairs, workers)


def relation_many(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> list[RelationResult]:
    """Ask for many poses in one call: a list with what `relation` returns for each.

    poses_b  (n, 4, 4): where b is, one rigid pose for each question
    poses_a  None, one 4×4 pose for all questions, or (n, 4, 4)
    """
    workers = thread_count(threads)
    meshes = _closed_meshes(a, b)
    moving = as_poses(poses_b, "poses_b")
    fixed = None if poses_a is None else as_poses(poses_a, "poses_a", single=True)
    if fixed is not None and fixed.ndim == 3 and len(fixed) != len(moving):
        counts = f"poses_a holds {len(fixed)} poses and poses_b {len(moving)}"
        raise PoseError(f"{counts}; give as many, or one 4×4 pose for a")
    found = collide_many(*meshes, moving, fixed, threads=threads)
    results = []
    for k, pose in enumerate(moving):
        first = fixed if fixed is None or fixed.ndim == 2 else fixed[k]
        results.append(relation_of(meshes, (first, pose), found.pairs(k), workers))
    return results


def relation_of(
    meshes: tuple[Mesh, Mesh], poses: Sequence[Pose], witness: NDArray[np.int64], threads: int
) -> RelationResult:
    """Return the relation of two closed meshes with checked poses; `witness` has a touching pair, if there is one."""
    from tumble.solid.decide import quick_crossing, relation_in_contact, relation_without_contact, same_triangles

    if any(len(mesh) == 0 for mesh in meshes):
        return RelationResult(Relation.APART)
    one, other = (
        body_of(mesh, pose, f"mesh {name}", "relation", threads)
        for mesh, pose, name in zip(meshes, poses, "ab", strict=True)
    )
    bodies = one, other
    if len(witness) == 0:
        return RelationResult(relation_without_contact(bodies, _self_pairs))
    i, j = witness[0].tolist()
    if quick_crossing(bodies, (i, j)):
        return RelationResult(Relation.CROSSING, (i, j))
    if same_triangles(*bodies):
        return RelationResult(Relation.EQUAL, (i, j))
    pairs = collide(*meshes, poses[0], poses[1], threads=threads).pairs
    return RelationResult(relation_in_contact(bodies, pairs, _self_pairs), (i, j))


def _closed_meshes(a: MeshLike | Tree | BoxTree, b: MeshLike | Tree | BoxTree) -> tuple[Mesh, Mesh]:
    one, other = (mesh_of(each) if isinstance(each, Tree | BoxTree) else as_mesh(each) for each in (a, b))
    require_closed(one, "mesh a", "relation")
    require_closed(other, "mesh b", "relation")
    return one, other


def _self_pairs(body: Body) -> NDArray[np.int64]:
    """Return the triangles of a body that meet each other, beyond what neighbours share."""
    return self_collide(Mesh(body.points, body.surface.faces), threads=body.threads).pairs
