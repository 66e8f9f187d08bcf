"""Packed trees: what the fast path walks; made once for each mesh."""

from tumble.hierarchy.packed.tree import PackedTree, packed

__all__ = ["PackedTree", "packed"]
