"""The traversals by name: what the folder holds, as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tumble.traversal.alternating import Alternating
from tumble.traversal.brute import Brute
from tumble.traversal.leaf import Leaf
from tumble.traversal.stack import Stack
from tumble.traversal.stack_ahead import stack_ahead
from tumble.traversal.stackless import Stackless
from tumble.traversal.stackless_post import StacklessPost


class Method(NamedTuple):
    """A traversal by name."""

    name: str
    layout: str | None
    """the order of nodes that it walks: "preorder", "postorder", or None when it looks at no tree"""
    make: Callable[[int, int], Any]
    """makes the method's record for a number of waiting pairs and a number of columns of moved volumes"""


def _pairs(size: int) -> Any:
    return np.empty((size, 2), np.int32)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("brute", None, lambda size, width: Brute()),
        Method("leaf", "preorder", lambda size, width: Leaf()),
        Method("stack", "preorder", lambda size, width: Stack(_pairs(size))),
        Method("stack-ahead", "preorder", stack_ahead),
        Method("alternating", "preorder", lambda size, width: Alternating(_pairs(size))),
        Method("stackless", "preorder", lambda size, width: Stackless()),
        Method("stackless-post", "postorder", lambda size, width: StacklessPost()),
    )
}
