"""Trees: building, layouts, validating, saving."""

from tumble.hierarchy.build import build
from tumble.hierarchy.files import load_tree
from tumble.hierarchy.tree import Bvh, Tree

__all__ = ["Bvh", "Tree", "build", "load_tree"]
