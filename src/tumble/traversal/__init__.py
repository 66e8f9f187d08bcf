"""Traversals: one file per algorithm, each written once for all volumes, layouts and questions.

Importing this package registers all of them as engines, see `tumble.query.engine`.
"""

from tumble.traversal import generic
from tumble.traversal.boxtree import engine as boxtree
from tumble.traversal.bulk import engine as bulk
from tumble.traversal.front import engine as front
from tumble.traversal.methods import METHODS
from tumble.traversal.packed import engine as packed
from tumble.traversal.query import Query, prepare

__all__ = ["METHODS", "Query", "boxtree", "bulk", "front", "generic", "packed", "prepare"]
