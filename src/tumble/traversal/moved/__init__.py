"""Volumes of tree b as seen from a, computed once for many tests: one file for each kind of volume."""

from tumble.traversal.moved import aabb, kdop, obb, sphere
from tumble.traversal.moved.protocol import move, overlap_moved

__all__ = ["aabb", "kdop", "move", "obb", "overlap_moved", "sphere"]
