"""Is this a tree over this mesh? Links in both layouts, triangle order and containment, checked without any kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble.errors import TreeError
from tumble.hierarchy.layout.columns import COLUMNS, COUNT, START
from tumble.hierarchy.links import nodes_by_level, validate_links, validate_ranges

if TYPE_CHECKING:
    from tumble.hierarchy.tree import Tree


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
    count = len(tree.nodes)
    if tree.nodes.shape != (count, COLUMNS) or tree.rows.shape != (count, tree.kind.width):
        raise TreeError(f"nodes of shape {tree.nodes.shape} and volumes of shape {tree.rows.shape} do not fit")
    tree._check_triangles()
    sound = tree.kind.sound(tree.rows, tree.mesh.extent)
    if not sound.all():
        raise TreeError(f"node {int(np.argmin(sound))} has a volume that is not finite, or far larger than the mesh")


def _check_containment(tree: Tree) -> None:
    """Check level by level that each node's volume contains the corners of its triangles."""
    corners = tree.mesh.triangles[tree.order]
    for nodes in nodes_by_level(tree.nodes):
        counts = tree.nodes[nodes, COUNT]
        owner = np.repeat(nodes, counts)
        offsets = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = tree.nodes[owner, START] + offsets
        good = tree.kind.contains(tree.rows[owner][:, None, :], corners[places]).all(axis=1)
        if not good.all():
            worst = int(np.argmin(good))
            raise TreeError(f"node {owner[worst]} does not contain its triangle {tree.order[places[worst]]}")
