"""`tumble.build`: options checked, then boxes, nodes and volumes, one line each; trees are cached on their mesh."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from tumble.core.options import checked_integer, checked_name
from tumble.errors import OptionError
from tumble.hierarchy.boxtree.layout import MOST_IN_LEAF
from tumble.hierarchy.layout import COLUMNS
from tumble.hierarchy.tree import Tree, kinds
from tumble.mesh import Mesh, MeshLike, as_mesh

if TYPE_CHECKING:
    from tumble.hierarchy.boxtree import BoxTree

MAX_ARITY = 64
SPLITS = ("median", "sah", "middle", "least-volume", "look-ahead")
BOXTREE = "boxtree"
BOXTREE_SPLITS = ("sah", "least-volume", "longest-axis", "median", "middle")
BOXTREE_PLANES = ("coplanar", "free", "chained")
BOXTREE_LEAF_SIZE = 4
"""as fast as 2, and half the nodes: docs/boxtree.md"""


@overload
def build(mesh: MeshLike, volume: Literal["boxtree"], *options: Any, **named: Any) -> BoxTree: ...


@overload
def build(mesh: MeshLike, volume: str = ..., *options: Any, **named: Any) -> Tree: ...


def build(
    mesh: MeshLike,
    volume: str = "aabb",
    split: str | None = None,
    leaf_size: int | None = None,
    arity: int = 2,
    planes: str | None = None,
) -> Tree | BoxTree:
    """Build a tree over a mesh from the top down, or return the one that the mesh has cached.

    volume     bounding volume of the nodes: "aabb", "sphere", "obb" (a box turned to fit) or "obb-covariance" (turned
               quickly), "kdop6", "kdop14", "kdop18", "kdop24", "kdop26" (boxes with edges and corners cut off);
               "boxtree" for a restricted boxtree of nine bytes a node
    split      where ranges are cut: "median" (half of the triangles, as in paper `stackless`), "sah" (least surface
               area: the best trees, slower to build), "middle" (half of the space), "least-volume", the criterion of
               paper `boxtree`; not for boxtrees "look-ahead" ("sah" that also looks at the cuts of the parts), for
               boxtrees only "longest-axis"; None: "median", "sah" for boxtrees
    leaf_size  triangles in a leaf, at most; larger leaves save memory and cost triangle tests; None: 1, 4 for boxtrees
    arity      children of an inner node, at most; boxtrees have two
    planes     of boxtrees, what a child's plane may cut: "coplanar" (a side across the axis of the split), "free" (any
               of the six sides), "chained" (any, and further ones by nodes of their own where they pay: the default)
    """
    mesh = as_mesh(mesh)
    if split is leaf_size is planes is None and type(arity) is int and arity == 2 and type(volume) is str:
        # every query asks for its trees with these options, and checking them would take as long as a small query
        key = (volume, "median", 1, 2) if volume != BOXTREE else (BOXTREE, "sah", BOXTREE_LEAF_SIZE, "chained")
        tree: Tree | BoxTree | None = mesh._trees.get(key)
        if tree is not None:
            return tree
    if checked_name("volume", volume, (*kinds(), BOXTREE)) == BOXTREE:
        return _boxtree(mesh, split, leaf_size, arity, planes)
    if planes is not None:
        raise OptionError(f"planes={planes!r} is an option of boxtrees; a tree of volume {volume!r} has none")
    key = (
        volume,
        checked_name("split rule", "median" if split is None else split, SPLITS),
        checked_integer("leaf_size", 1 if leaf_size is None else leaf_size, 1, 2**31 - 1),
        checked_integer("arity", arity, 2, MAX_ARITY),
    )
    return _cached(mesh, key, _build, key)


def _boxtree(mesh: Mesh, split: str | None, leaf_size: int | None, arity: int, planes: str | None) -> BoxTree:
    from tumble.hierarchy.boxtree.build import build_boxtree

    if checked_integer("arity", arity, 2, MAX_ARITY) != 2:
        raise OptionError(f"nodes of a boxtree have two children: arity must be 2, not {arity}")
    key = (
        BOXTREE,
        checked_name("split rule", "sah" if split is None else split, BOXTREE_SPLITS),
        checked_integer("leaf_size", BOXTREE_LEAF_SIZE if leaf_size is None else leaf_size, 1, MOST_IN_LEAF),
        checked_name("planes", "chained" if planes is None else planes, BOXTREE_PLANES),
    )
    return _cached(mesh, key, build_boxtree, key[1:])


def _cached(mesh: Mesh, key: tuple[Any, ...], make: Callable[..., Any], options: tuple[Any, ...]) -> Any:
    tree = mesh._trees.get(key)
    if tree is None:
        # two threads may both build it; the first to finish is kept, so that all share one
        tree = mesh._trees.setdefault(key, make(mesh, *options))
    return tree


def _build(mesh: Mesh, volume: str, split: str, leaf_size: int, arity: int) -> Tree:
    from tumble.hierarchy.split import RULES
    from tumble.hierarchy.split.protocol import Boxes, triangle_boxes
    from tumble.hierarchy.topdown import build_nodes

    if len(mesh) == 0:
        return Tree._fitted(mesh, volume, np.empty((0, COLUMNS), np.int32), np.empty(0, np.int32))
    boxes = Boxes(*triangle_boxes(mesh.vertices, mesh.faces))
    return Tree._fitted(mesh, volume, *build_nodes(RULES[split](), boxes, leaf_size, arity))
