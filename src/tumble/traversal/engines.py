"""What finds the touching triangles of many pairs of bodies, by the kind of tree that it walks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tumble.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tumble.hierarchy import BoxTree
    from tumble.mesh import Mesh

TREES = ("auto", "boxtree")


class Engine(NamedTuple):
    """A kind of tree, and the kernel that asks about many pairs of them."""

    tree_of: Callable[[Mesh], Any]
    """the tree of a mesh, which keeps it: its `address` is what kernels take"""
    query_many: Callable[..., int]
    """see `tumble.traversal.chunk.query_each`"""


def wide_engine() -> Engine:
    """Return the fast path."""
    from tumble.hierarchy.packed import packed
    from tumble.traversal.packed.chunk import query_many

    return Engine(packed, query_many)


def boxtree_engine() -> Engine:
    """Return the walk of boxtrees, with its default overlap test."""
    from tumble.traversal.boxtree.chunk import query_many_by

    return Engine(_boxtree, query_many_by())


def _boxtree(mesh: Mesh) -> BoxTree:
    from tumble.hierarchy import build

    return build(mesh, "boxtree")


def checked_tree(tree: str) -> str:
    """Return the name of trees that many queries at once can walk, or raise OptionError."""
    if not isinstance(tree, str) or tree not in TREES:
        raise OptionError(
            f"many queries at once walk trees {', '.join(TREES)}, not {tree!r}; `collide` knows the others"
        )
    return tree


def engine_of(tree: str) -> Engine:
    """Return the engine that walks trees of this name; "auto" is the fast path."""
    return boxtree_engine() if checked_tree(tree) == "boxtree" else wide_engine()
