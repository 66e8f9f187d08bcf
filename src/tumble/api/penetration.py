"""`penetration` and `penetration_many`: how deep two solids are in each other, and what they have in common.

touching pairs → relation → curves, volume, centroid and box (`tumble.solid.overlap`) → a shift that parts them
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.collide import collide, collide_many
from tumble.api.local_depth import LocalDepth, local_depth_of, no_local_depth
from tumble.api.relation import RULES, SOLIDS, Pose, checked_solid, placed, relation_of_bodies, self_pairs
from tumble.api.separation import Separation, separation
from tumble.api.sheet_pairs import pairs_between_sheets, pose_of
from tumble.core.options import refuse_arrays
from tumble.core.parallel import thread_count
from tumble.core.records import FrozenArrays
from tumble.errors import PoseError, said_of
from tumble.hierarchy import BoxTree, Tree
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.edges import require_closed
from tumble.mesh.rigid import as_poses, as_rigid
from tumble.query.answer import PairContacts
from tumble.query.bodies import mesh_of
from tumble.solid.body import Body
from tumble.solid.evidence import Relation
from tumble.solid.overlap.reach import USUAL, Effort
from tumble.solid.overlap.records import Common, Curve, nothing

WANTED, INSTEAD = "penetration", "pass solid=None: an open mesh is a surface then, without a volume"


@dataclass(frozen=True, eq=False)
class Penetration(FrozenArrays):
    """How deep two bodies are in each other, and what they have in common; in the world, read-only."""

    relation: Relation
    """apart, touching, crossing, a_inside_b, b_inside_a or equal, as `tumble.relation` says"""
    depth: float
    """the length of a shift of b that parts the two; 0 where they are apart or only touch, NaN if not asked for"""
    direction: NDArray[np.float64]
    """(3,): its unit direction; zero where the depth is"""
    least_depth: float
    """no shorter shift parts them: the depth itself, up to rounding, for convex bodies; 0 where that is not known"""
    translation: NDArray[np.float64]
    """(3,): the shift with a margin for rounding: after it the two are apart or touch, exactly"""
    volume: float
    """of what both have in common; NaN if one of them is open"""
    centroid: NDArray[np.float64]
    """(3,): of the common volume; NaN where there is none"""
    box: NDArray[np.float64]
    """(2, 3): the lowest and the highest corner of what both have in common; NaN where there is none"""
    curves: list[Curve]
    """where the surfaces cross: polylines, closed if both meshes are"""
    pairs: NDArray[np.int64]
    """(k, 2): the triangles of a and of b that touch"""
    contacts: PairContacts
    """segment, point, normal and depth of each of them, in the order of `pairs`"""
    crosses_itself: tuple[bool, bool] = (False, False)
    """whether a and b cross themselves: what they wind around twice counts twice in the volume"""
    rule: str = SOLIDS
    """what was compared: solids, a_is_surface, b_is_surface or surfaces"""
    local: LocalDepth | None = None
    """how far one surface reaches into the other body; None if not asked for, or not known: for surfaces, and for
    bodies whose common volume float64 cannot tell from nothing"""

    def __bool__(self) -> bool:
        return self.relation not in (Relation.APART, Relation.TOUCHING)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.relation}, depth {self.depth:.6g}, volume {self.volume:.6g}>"


@dataclass(frozen=True, eq=False, repr=False)
class BodyPenetration(Penetration):
    """How deep two bodies of a scene are in each other."""

    a: str = ""
    b: str = ""


def penetration(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    pose_a: ArrayLike | None = None,
    pose_b: ArrayLike | None = None,
    *,
    depth: bool = True,
    local_depth: bool = False,
    solid: bool | None = True,
    threads: int | None = None,
) -> Penetration:
    """Say how deep two closed meshes are in each other, and what they have in common.

    depth, direction   a shift of b that parts them, so that they touch at most: the shortest one for convex bodies; for
                       others one that is known to part them, and `least_depth` is 0. `.translation` has a margin
    volume, centroid, box   of the common solid
    curves             where the surfaces cross, as closed polylines
    contacts           point, normal and depth for each touching pair of triangles

    Meshes and poses are those of `collide`, solids those of `relation`, and `.relation` is what that says: where bodies
    are apart or only touch, all is zero. docs/penetration.md has the bounds on rounding.

    depth     False: leave out the depth, which takes most of the time unless both bodies are convex
    local_depth   True: find out, too, how far one surface reaches into the other body: `.local`. For a shaft that is
              pressed into a bore that is how much thicker it is, where the depth is how far it has to be pulled
    solid     True: a mesh with open edges is refused with a `MeshError` that names one of them. None: it is a surface,
              without a volume. False: both are surfaces
    threads   how many threads share the work, at most; None: all cores. The result does not depend on it.
    """
    refuse_arrays(depth=depth, local_depth=local_depth)
    workers, solid = thread_count(threads), checked_solid(solid)
    meshes = _checked_meshes(a, b, solid)
    poses = []
    for name, pose in (("pose_a", pose_a), ("pose_b", pose_b)):
        with said_of(name):
            poses.append(as_rigid(pose))
    found = collide(*meshes, *poses, contacts=True, threads=threads)
    assert found.contacts is not None
    return penetration_of(
        meshes, poses, (found.pairs, found.contacts), Asked(bool(depth), bool(local_depth), solid, workers)
    )


def penetration_many(
    a: MeshLike | Tree | BoxTree,
    b: MeshLike | Tree | BoxTree,
    poses_b: ArrayLike,
    poses_a: ArrayLike | None = None,
    *,
    depth: bool = True,
    local_depth: bool = False,
    solid: bool | None = True,
    threads: int | None = None,
) -> list[Penetration]:
    """Ask for many poses in one call: a list with what `penetration` returns for each.

    poses_b  (n, 4, 4): where b is, one rigid pose for each question
    poses_a  None, one 4×4 pose for all questions, or (n, 4, 4)
    """
    refuse_arrays(depth=depth, local_depth=local_depth)
    workers, solid = thread_count(threads), checked_solid(solid)
    meshes = _checked_meshes(a, b, solid)
    moving = as_poses(poses_b, "poses_b")
    fixed = None if poses_a is None else as_poses(poses_a, "poses_a", single=True)
    if fixed is not None and fixed.ndim == 3 and len(fixed) != len(moving):
        counts = f"poses_a holds {len(fixed)} poses and poses_b {len(moving)}"
        raise PoseError(f"{counts}; give as many, or one 4×4 pose for a")
    found = collide_many(*meshes, moving, fixed, first=False, contacts=True, threads=threads)
    results = []
    for k, pose in enumerate(moving):
        first = fixed if fixed is None or fixed.ndim == 2 else fixed[k]
        contacts = found.contacts_of(k)
        assert contacts is not None
        asked = Asked(bool(depth), bool(local_depth), solid, workers)
        results.append(penetration_of(meshes, (first, pose), (found.pairs(k), contacts), asked))
    return results


@dataclass(frozen=True)
class Asked:
    """What is asked for."""

    depth: bool
    local_depth: bool
    solid: bool | None
    threads: int
    effort: Effort = USUAL
    """for the local depth"""


def penetration_of(
    meshes: tuple[Mesh, Mesh],
    poses: Sequence[Pose],
    touching: tuple[NDArray[np.int64], PairContacts],
    asked: Asked,
) -> Penetration:
    """Return how deep two meshes with checked poses are in each other; `touching` are all their touching triangles."""
    from tumble.solid.overlap.shared import Finders, crossing_of, overlap_in

    pairs = touching[0]
    a, b = (placed(mesh, pose, asked.threads, asked.solid) for mesh, pose in zip(meshes, poses, strict=True))
    relation = relation_of_bodies((a, b), pairs[:1], lambda: pairs).relation
    rule = RULES[a.solid, b.solid]
    if relation in (Relation.APART, Relation.TOUCHING):
        local = no_local_depth() if asked.local_depth and rule == SOLIDS else None
        none = nothing(0.0 if rule == SOLIDS else np.nan)
        return _record(relation, _no_shift(), none, [], touching, rule=rule, local=local)
    finders = Finders(self_pairs, _pairs_with_itself, pairs_between_sheets)
    crossing = crossing_of((a, b), pairs, finders)
    found = overlap_in(crossing, pairs, finders, asked.local_depth)
    shift = _no_shift(np.nan)
    if asked.depth:
        shift = separation(crossing, (poses[0], poses[1]))
    local = local_depth_of((a, b), found.common.boundary, asked.effort) if asked.local_depth else None
    return _record(relation, shift, found.common, found.curves, touching, found.crosses_itself, rule, local)


def _pairs_with_itself(body: Body) -> NDArray[np.int64]:
    """Return all pairs of triangles of a body and its copy that touch."""
    pose = pose_of(body)
    return collide(body.mesh, body.mesh, pose, pose, threads=body.threads).pairs


def _record(
    relation: Relation,
    shift: Separation,
    common: Common,
    curves: list[Curve],
    touching: tuple[NDArray[np.int64], PairContacts],
    crosses_itself: tuple[bool, bool] = (False, False),
    rule: str = SOLIDS,
    local: LocalDepth | None = None,
) -> Penetration:
    arrays = shift.direction, shift.translation, common.centroid, common.box
    for array in arrays:
        array.flags.writeable = False
    return Penetration(
        relation, shift.depth, shift.direction, shift.least, shift.translation, common.volume, common.centroid,
        common.box, curves, *touching, crosses_itself, rule, local,
    )  # fmt: skip


def _no_shift(depth: float = 0.0) -> Separation:
    return Separation(np.full(3, depth), depth, depth, np.full(3, depth))


def _checked_meshes(
    a: MeshLike | Tree | BoxTree, b: MeshLike | Tree | BoxTree, solid: bool | None
) -> tuple[Mesh, Mesh]:
    one, other = (mesh_of(each) if isinstance(each, Tree | BoxTree) else as_mesh(each) for each in (a, b))
    if solid:
        for mesh, called in ((one, "mesh a"), (other, "mesh b")):
            require_closed(mesh, called, WANTED, INSTEAD)
    return one, other
