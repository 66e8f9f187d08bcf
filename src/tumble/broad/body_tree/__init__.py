"""The dynamic tree of bodies."""

from tumble.broad.body_tree.tree import Tree

__all__ = ["Tree"]
