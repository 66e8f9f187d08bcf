"""`relation` and `relation_many`: how two meshes lie to each other: closed ones as solids, open ones as surfaces.

The common cases are cheap: surfaces that do not touch take one point of each component, and of two that cross, the
corners of the first touching triangles nearly always show it. Everything else looks at all touching triangles: see
`tumble.solid.evidence` for what decides, and why it is enough.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.collide import collide, collide_many
from tumble.core.parallel import thread_count
from tumble.errors import OptionError, PoseError, said_of
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.edges import edges_of, require_closed
from tumble.mesh.rigid import as_poses, as_rigid
from tumble.query.bodies import mesh_of
from tumble.solid.body import Body, body_of, surface_of
from tumble.solid.evidence import Effort, Relation
from tumble.traversal.packed.engine import pairs_within

Pose = NDArray[np.float64] | None
KEY = ("self pairs",)

SOLIDS, A_IS_SURFACE, B_IS_SURFACE, SURFACES = "solids", "a_is_surface", "b_is_surface", "surfaces"
RULES = {(True, True): SOLIDS, (False, True): A_IS_SURFACE, (True, False): B_IS_SURFACE, (False, False): SURFACES}

INSTEAD = "leave solid=True out: an open mesh is a surface then"


@dataclass(frozen=True)
class RelationResult:
    """How two meshes lie to each other."""

    relation: Relation
    """apart, touching, crossing, a_inside_b, b_inside_a or equal; a string as well"""
    triangles: tuple[int, int] | None = None
    """a triangle of a and one of b that touch; None where the surfaces share no point"""
    rule: str = SOLIDS
    """what was compared: solids, a_is_surface, b_is_surface or surfaces; a surface has no inside"""


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
    solid: bool | None = None,
    threads: int | None = None,
) -> RelationResult:
    """Say how two meshes lie to each other, exactly: `.relation`, `.triangles` as the witness, and `.rule`.

    apart         they share no point; so does an empty mesh with everything
    touching      their surfaces meet, their interiors do not
    crossing      their interiors meet, and each has points that the other does not have
    a_inside_b    a is a subset of b, as closed sets: it may touch the surface of b from within
    b_inside_a    the other way round
    equal         they are the same set of points, however triangulated

    Meshes and poses are those of `collide`. A mesh may have several components, and shells within shells: a point is
    inside where the winding number is not zero, so a shell that faces inward in another one bounds a cavity, and bodies
    of one mesh that overlap are united. Vertices with equal coordinates are one. A mesh with open edges is a surface
    without an inside: it is in a solid or crosses it like any body; two surfaces cross where one passes through the
    other along a segment. docs/relation.md says more.

    solid     None: closed meshes are solids, open ones surfaces, and `.rule` says which is what. True: a mesh with open
              edges is refused with a `MeshError` that names one of them. False: both are surfaces, closed or not.
    threads   how many threads share the work, at most; None: all cores. The result does not depend on it.
    """
    workers, solid = thread_count(threads), checked_solid(solid)
    meshes = _checked_meshes(a, b, solid)
    poses = []
    for name, pose in (("pose_a", pose_a), ("pose_b", pose_b)):
        with said_of(name):
            poses.append(as_rigid(pose))
    return relation_of(meshes, poses, collide(*meshes, *poses, first=True).pairs, workers, solid)


def relation_many(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    solid: bool | None = None,
    threads: int | None = None,
) -> list[RelationResult]:
    """Ask for many poses in one call: a list with what `relation` returns for each.

    poses_b  (n, 4, 4): where b is, one rigid pose for each question
    poses_a  None, one 4×4 pose for all questions, or (n, 4, 4)
    """
    workers, solid = thread_count(threads), checked_solid(solid)
    meshes = _checked_meshes(a, b, solid)
    moving = as_poses(poses_b, "poses_b")
    fixed = None if poses_a is None else as_poses(poses_a, "poses_a", single=True)
    if fixed is not None and fixed.ndim == 3 and len(fixed) != len(moving):
        counts = f"poses_a holds {len(fixed)} poses and poses_b {len(moving)}"
        raise PoseError(f"{counts}; give as many, or one 4×4 pose for a")
    found = collide_many(*meshes, moving, fixed, threads=threads)
    results = []
    for k, pose in enumerate(moving):
        first = fixed if fixed is None or fixed.ndim == 2 else fixed[k]
        results.append(relation_of(meshes, (first, pose), found.pairs(k), workers, solid))
    return results


def relation_of(
    meshes: tuple[Mesh, Mesh],
    poses: Sequence[Pose],
    witness: NDArray[np.int64],
    threads: int,
    solid: bool | None = None,
) -> RelationResult:
    """Return the relation of two meshes with checked poses; `witness` has a touching pair, if there is one."""
    one, other = (placed(mesh, pose, threads, solid) for mesh, pose in zip(meshes, poses, strict=True))
    return relation_of_bodies((one, other), witness, lambda: collide(*meshes, *poses, threads=threads).pairs)


def relation_of_bodies(
    bodies: tuple[Body, Body],
    witness: NDArray[np.int64],
    all_pairs: Callable[[], NDArray[np.int64]],
    effort: Effort | None = None,
) -> RelationResult:
    """Return the relation of two bodies, from one touching pair of triangles, or none, and if need be from all.

    What takes more than an effort raises `Undecided`.
    """
    from tumble.solid.decide import (
        boxes_meet_in_a_plane,
        quick_crossing,
        relation_in_contact,
        relation_without_contact,
        same_triangles,
    )

    rule = RULES[bodies[0].solid, bodies[1].solid]
    if any(len(body.mesh) == 0 for body in bodies):
        return RelationResult(Relation.APART, None, rule)
    if len(witness) == 0:
        return RelationResult(relation_without_contact(bodies, self_pairs), None, rule)
    i, j = witness[0].tolist()
    # the boxes of posed bodies cost more than the corners of two triangles
    posed = bodies[0].rows is not None or bodies[1].rows is not None
    if not posed and boxes_meet_in_a_plane(*bodies):
        return RelationResult(Relation.TOUCHING, (i, j), rule)
    if quick_crossing(bodies, (i, j)):
        return RelationResult(Relation.CROSSING, (i, j), rule)
    if posed and boxes_meet_in_a_plane(*bodies):
        return RelationResult(Relation.TOUCHING, (i, j), rule)
    if same_triangles(*bodies):
        return RelationResult(Relation.EQUAL, (i, j), rule)
    return RelationResult(relation_in_contact(bodies, all_pairs(), self_pairs, effort), (i, j), rule)


def placed(mesh: Mesh, pose: Pose, threads: int, solid: bool | None = None) -> Body:
    """Return a mesh at a checked pose: solid if it is closed, else, or if that is not wanted, a surface."""
    if solid is False or not edges_of(mesh).closed:
        return surface_of(mesh, pose, threads)
    return body_of(mesh, pose, "the mesh", "relation", threads)


def checked_solid(solid: bool | None) -> bool | None:
    """Return None, True or False, or raise OptionError."""
    if solid is None or isinstance(solid, bool | np.bool_):
        return None if solid is None else bool(solid)
    raise OptionError(f"solid must be None, True or False, not {solid!r}")


def _checked_meshes(
    a: MeshLike | Tree | BoxTree, b: MeshLike | Tree | BoxTree, solid: bool | None
) -> tuple[Mesh, Mesh]:
    one, other = (mesh_of(each) if isinstance(each, Tree | BoxTree) else as_mesh(each) for each in (a, b))
    if solid:
        for mesh, called in ((one, "mesh a"), (other, "mesh b")):
            require_closed(mesh, called, "solid=True", INSTEAD)
    return one, other


def self_pairs(body: Body) -> NDArray[np.int64]:
    """Return the triangles of a body that meet each other, beyond what neighbours share.

    Kept by the mesh where it is not posed.
    """
    known: NDArray[np.int64] | None = body.mesh._trees.get(KEY) if body.rows is None else None
    if known is None:
        mesh = body.mesh
        if body.rows is not None or not _same_memory(mesh.faces, body.surface.faces):
            mesh = Mesh._of_checked(body.points, body.surface.faces)
        known = pairs_within(mesh, body.threads)
        if body.rows is None:
            body.mesh._trees[KEY] = known
    return known


def _same_memory(one: NDArray[np.int32], other: NDArray[np.int32]) -> bool:
    return one.ctypes.data == other.ctypes.data and one.shape == other.shape
