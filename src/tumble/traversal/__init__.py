"""Traversals: one file per algorithm, each written once for all volumes, layouts and questions.

Importing this package registers all of them as engines, see `tumble.query.engine`.
"""

import tumble.traversal.boxtree.engine
import tumble.traversal.bulk.engine
import tumble.traversal.front.engine
import tumble.traversal.generic
import tumble.traversal.packed.engine  # noqa: F401
from tumble.traversal.methods import METHODS
from tumble.traversal.query import Query, prepare

__all__ = ["METHODS", "Query", "prepare"]
