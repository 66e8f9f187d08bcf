"""Restricted boxtrees (paper `boxtree`): nodes of nine bytes, each with one plane that cuts its parent's box."""

from tumble.hierarchy.boxtree.tree import BoxTree

__all__ = ["BoxTree"]
