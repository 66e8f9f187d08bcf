"""Traversals: one file per algorithm, each written once for all volumes, layouts and sinks."""

from tumble.traversal.methods import METHODS
from tumble.traversal.query import Query, prepare

__all__ = ["METHODS", "Query", "prepare"]
