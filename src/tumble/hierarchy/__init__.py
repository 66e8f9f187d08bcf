"""Trees: building, layouts, validating, saving."""

from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.build import build
from tumble.hierarchy.files import load_tree
from tumble.hierarchy.tree import Bvh, Tree

__all__ = ["BoxTree", "Bvh", "Tree", "build", "load_tree"]
