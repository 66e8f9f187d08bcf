"""Traversals: one file per algorithm, each written once for all volumes, layouts and questions.

Importing this package registers all of them as engines, see `tumble.query.engine`. A file of this folder that ends with
a row `METHOD` is a method; nothing else has to name it.
"""

from importlib import import_module
from pkgutil import iter_modules

import tumble.traversal.boxtree.engine
import tumble.traversal.bulk.engine
import tumble.traversal.packed.engine  # noqa: F401
from tumble.traversal import generic
from tumble.traversal.generic import prepare
from tumble.traversal.protocol import METHODS
from tumble.traversal.query import Query

for _module in iter_modules(__path__):
    if not _module.ispkg:
        _row = getattr(import_module(f"{__name__}.{_module.name}"), "METHOD", None)
        if _row is not None:
            generic.add_method(_row)

__all__ = ["METHODS", "Query", "prepare"]
