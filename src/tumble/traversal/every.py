"""Every traversal: importing this module registers all of them as engines, see `tumble.query.engine`.

A file of this folder that ends with a row `METHOD` is a method; nothing else has to name it. The fast path alone is
registered by `tumble.traversal.packed.engine`, as most calls need no other.
"""

from importlib import import_module
from pkgutil import iter_modules

import tumble.traversal.boxtree.engine
import tumble.traversal.bulk.engine
import tumble.traversal.packed.engine
from tumble.traversal import generic
from tumble.traversal.generic import prepare
from tumble.traversal.protocol import METHODS
from tumble.traversal.query import Query

for _module in iter_modules(tumble.traversal.__path__):
    if not _module.ispkg and _module.name != "every":
        _row = getattr(import_module(f"tumble.traversal.{_module.name}"), "METHOD", None)
        if _row is not None:
            generic.add_method(_row)

__all__ = ["METHODS", "Query", "prepare"]
