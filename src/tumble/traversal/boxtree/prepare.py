"""A query of boxtrees from what a user gives: options checked, trees found or built, poses checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError
from tumble.hierarchy import BoxTree, Tree, build
from tumble.mesh import as_mesh
from tumble.mesh.plain import plain_copy
from tumble.mesh.rigid import as_rigid
from tumble.query.answer import Collision
from tumble.traversal.boxtree.overlaps import DEFAULT_OVERLAP
from tumble.traversal.boxtree.query import boxtree_collide

METHODS = ("auto", "stack")
"""boxes that are not stored can only be walked from the top, with a stack"""


def collide_boxtrees(
    a: Any,
    b: Any,
    pose_a: Any,
    pose_b: Any,
    *,
    method: str,
    tree: str,
    first: bool,
    stats: bool,
    overlap: str | None,
    ahead: bool | None,
) -> Collision:
    """Return the touching triangles of meshes or boxtrees."""
    if method not in METHODS:
        raise OptionError(f"method {method!r} cannot walk boxtrees; choose one of: {', '.join(METHODS)}")
    if tree not in ("auto", "boxtree"):
        raise OptionError(f"tree={tree!r} does not fit the given BoxTree; leave tree='auto'")
    poses = _own(pose_a), _own(pose_b)
    trees = _tree_of(a), _tree_of(b)
    test = DEFAULT_OVERLAP if overlap is None else overlap
    shifted = True if ahead is None else bool(ahead)
    return boxtree_collide(*trees, *poses, bool(first), test, shifted, bool(stats))


def _own(pose: Any) -> NDArray[np.float64] | None:
    """Return a copy of a pose, read once; whether it is rigid is left to the kernel, as that is so much faster."""
    if type(pose) is np.ndarray and pose.dtype == np.float64 and pose.shape == (4, 4):
        return plain_copy(pose)
    return as_rigid(pose)


def _tree_of(side: Any) -> BoxTree:
    if isinstance(side, Tree):
        raise OptionError(f"the trees have different volumes, {side.volume!r} and 'boxtree'; build both with one")
    return side if isinstance(side, BoxTree) else build(as_mesh(side), "boxtree")
