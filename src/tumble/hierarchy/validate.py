"""Is this a tree over this mesh? Links in both layouts, triangle order and containment, checked without any kernel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tumble.errors import TreeError
from tumble.hierarchy.layout.columns import COLUMNS, COUNT, START
from tumble.hierarchy.links import nodes_by_level, validate_links, validate_ranges
from tumble.hierarchy.tree import Tree
from tumble.volume.kdop import contains as in_kdop
from tumble.volume.kdop.directions import DIRECTIONS
from tumble.volume.obb import contains as in_obb
from tumble.volume.obb.kinds import KINDS as OBBS

Rows = NDArray[np.float64]


def validate(tree: Tree) -> None:
    """Check a tree and both its layouts; raise TreeError at the first fault."""
    _check_shapes(tree)
    if len(tree) == 0:
        return
    validate_links(tree.nodes)
    validate_ranges(tree.nodes, len(tree.order))
    validate_links(tree.postorder.layout.nodes, post_indexed=True)
    _check_containment(tree)


def _check_shapes(tree: Tree) -> None:
    count, triangles = len(tree.nodes), len(tree.mesh)
    if (count == 0) != (triangles == 0):
        raise TreeError(f"there are {count} nodes over {triangles} triangles")
    if tree.nodes.shape != (count, COLUMNS) or tree.rows.shape != (count, tree.kind.width):
        raise TreeError(f"nodes of shape {tree.nodes.shape} and volumes of shape {tree.rows.shape} do not fit")
    if not np.array_equal(np.sort(tree.order), np.arange(triangles)):
        raise TreeError("the triangle order does not name every triangle of the mesh once")
    sound = SOUND[tree.volume](tree.rows, tree.mesh.extent)
    if not sound.all():
        raise TreeError(f"node {int(np.argmin(sound))} has a volume that is not finite, or far larger than the mesh")


def _check_containment(tree: Tree) -> None:
    """Check level by level that each node's volume contains the corners of its triangles."""
    corners = tree.mesh.triangles[tree.order]
    inside = CONTAINS[tree.volume]
    for nodes in nodes_by_level(tree.nodes):
        counts = tree.nodes[nodes, COUNT]
        owner = np.repeat(nodes, counts)
        offsets = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = tree.nodes[owner, START] + offsets
        good = inside(tree.rows[owner][:, None, :], corners[places]).all(axis=1)
        if not good.all():
            worst = int(np.argmin(good))
            raise TreeError(f"node {owner[worst]} does not contain its triangle {tree.order[places[worst]]}")


def _sound_boxes(rows: Rows, extent: float) -> NDArray[np.bool_]:
    # the margins of overlap tests follow the mesh's largest coordinate, so boxes must not reach beyond
    return np.asarray((np.abs(rows) <= extent).all(axis=1))


def _sound_spheres(rows: Rows, extent: float) -> NDArray[np.bool_]:
    # a ball about a point of the mesh's box that holds the mesh has a radius below 2 √3 times the extent
    centres = (np.abs(rows[:, :3]) <= extent).all(axis=1)
    return np.asarray(centres & (rows[:, 3] > 0.0) & (rows[:, 3] <= 4.0 * extent + SMALLEST_RADIUS))


def _in_box(rows: Rows, points: Rows) -> NDArray[np.bool_]:
    return np.asarray(((points >= rows[..., :3]) & (points <= rows[..., 3:])).all(axis=-1))


def _in_sphere(rows: Rows, points: Rows) -> NDArray[np.bool_]:
    # scaled by the radius, so that squares neither overflow nor underflow; the radius was rounded up by more than
    # this rounds
    with np.errstate(over="ignore"):  # far outside a minute ball is outside
        scaled = (points - rows[..., :3]) / rows[..., 3:]
        inside: NDArray[np.bool_] = (scaled * scaled).sum(axis=-1) <= 1.0
    return inside


SMALLEST_RADIUS = 1e-300  # that of a point at the origin is a few denormals
SOUND: dict[str, Callable[[Rows, float], NDArray[np.bool_]]] = {
    "aabb": _sound_boxes,
    "sphere": _sound_spheres,
    **{f"kdop{k}": in_kdop.sound for k in DIRECTIONS},
    **{kind.name: in_obb.sound for kind in OBBS},
}
CONTAINS: dict[str, Callable[[Rows, Rows], NDArray[np.bool_]]] = {
    "aabb": _in_box,
    "sphere": _in_sphere,
    **{f"kdop{k}": in_kdop.holds for k in DIRECTIONS},
    **{kind.name: in_obb.holds for kind in OBBS},
}
