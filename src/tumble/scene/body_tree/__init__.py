"""The dynamic tree of bodies."""

from tumble.scene.body_tree.tree import Tree

__all__ = ["Tree"]
