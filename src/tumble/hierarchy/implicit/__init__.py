"""Implicit trees: complete, in level order, many in one array; what the bulk-synchronous traversal walks."""

from tumble.hierarchy.implicit.layout import Layout, layout_of
from tumble.hierarchy.implicit.trees import ImplicitTrees, implicit_trees

__all__ = ["ImplicitTrees", "Layout", "implicit_trees", "layout_of"]
