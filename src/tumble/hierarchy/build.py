"""`tumble.build`: options checked, then boxes, nodes and volumes, one line each; trees are cached on their mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.errors import OptionError
from tumble.hierarchy.layout.columns import COLUMNS
from tumble.hierarchy.tree import Tree
from tumble.mesh import Mesh, MeshLike, as_mesh

MAX_ARITY = 64
SPLITS = ("median", "sah", "middle")


def build(mesh: MeshLike, volume: str = "aabb", split: str = "median", leaf_size: int = 1, arity: int = 2) -> Tree:
    """Build a tree over a mesh from the top down, or return the one that the mesh has cached.

    volume     bounding volume of the nodes: "aabb" or "sphere"
    split      where ranges are cut: "median" (half of the triangles, as in paper `stackless`), "sah" (least surface
               area: the best trees, slower to build), "middle" (half of the space)
    leaf_size  triangles in a leaf, at most; larger leaves save memory and cost triangle tests
    arity      children of an inner node, at most
    """
    mesh = as_mesh(mesh)
    key = (
        checked_volume(volume),
        _checked_split(split),
        _checked_integer("leaf_size", leaf_size, 1, 2**31 - 1),
        _checked_integer("arity", arity, 2, MAX_ARITY),
    )
    tree = mesh._trees.get(key)
    if tree is None:
        # two threads may both build it; the first to finish is kept, so that all share one
        tree = mesh._trees.setdefault(key, _build(mesh, *key))
    return tree


def _build(mesh: Mesh, volume: str, split: str, leaf_size: int, arity: int) -> Tree:
    from tumble.hierarchy.split import RULES
    from tumble.hierarchy.split.protocol import Boxes, triangle_boxes
    from tumble.hierarchy.topdown import build_nodes

    if len(mesh) == 0:
        return finished_tree(mesh, volume, np.empty((0, COLUMNS), np.int32), np.empty(0, np.int32))
    boxes = Boxes(*triangle_boxes(mesh.vertices, mesh.faces))
    nodes, order = build_nodes(RULES[split](), boxes, leaf_size, arity)
    return finished_tree(mesh, volume, nodes, order)


def finished_tree(mesh: Mesh, volume: str, nodes: Any, order: Any) -> Tree:
    """Fit the volumes to nodes and triangle order, and make the Tree."""
    from tumble.hierarchy.topdown import fit_volumes
    from tumble.volume import KINDS

    kind = KINDS[volume]
    rows = np.empty((len(nodes), kind.width))
    if len(nodes):
        fit_volumes(kind.record(rows), nodes, order, mesh.vertices, mesh.faces, kind.fit_inner)
    return Tree(mesh, volume, nodes, rows, order)


def checked_volume(volume: str) -> str:
    """Return the name of a bounding volume, or raise OptionError with the names that there are."""
    from tumble.volume import KINDS

    if not isinstance(volume, str) or volume not in KINDS:
        raise OptionError(f"unknown volume {volume!r}; choose one of: {', '.join(sorted(KINDS))}")
    return volume


def _checked_split(split: str) -> str:
    if not isinstance(split, str) or split not in SPLITS:
        raise OptionError(f"unknown split rule {split!r}; choose one of: {', '.join(SPLITS)}")
    return split


def _checked_integer(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise OptionError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)
