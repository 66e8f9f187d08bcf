"""The traversals by name: what the folder holds, as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tumble.traversal.alternating import Alternating
from tumble.traversal.binary_stack import binary_stack
from tumble.traversal.brute import Brute
from tumble.traversal.leaf import Leaf
from tumble.traversal.lists import lists
from tumble.traversal.lists_pairs import lists_pairs
from tumble.traversal.stack import Stack
from tumble.traversal.stack_ahead import stack_ahead
from tumble.traversal.stackless import Stackless
from tumble.traversal.stackless_post import StacklessPost


class Sizes(NamedTuple):
    """What the memory of a method depends on."""

    waiting: int
    """node pairs that can wait on a stack"""
    leaves_a: int
    """leaves of a, or more"""
    depth_b: int
    """levels of b below its root"""
    moved: int
    """numbers of a moved volume"""
    depths: int
    """levels of both trees below their roots: the longest way down"""


class Method(NamedTuple):
    """A traversal by name."""

    name: str
    layout: str | None
    """the order of nodes that it walks: "preorder", "postorder", or None when it looks at no tree"""
    make: Callable[[Sizes, int], Any]
    """makes the method's record from sizes and a descent rule; one with a method `grown` can run out of memory: see
    `tumble.traversal.query`"""
    takes_rule: bool = False
    """whether the descent rule can be chosen"""


def _pairs(size: int) -> Any:
    return np.empty((size, 2), np.int32)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("brute", None, lambda of, rule: Brute()),
        Method("leaf", "preorder", lambda of, rule: Leaf()),
        Method("stack", "preorder", lambda of, rule: Stack(_pairs(of.waiting), rule), takes_rule=True),
        Method("stack-ahead", "preorder", lambda of, rule: stack_ahead(of.waiting, of.moved, rule), takes_rule=True),
        Method("alternating", "preorder", lambda of, rule: Alternating(_pairs(of.waiting))),
        Method("stackless", "preorder", lambda of, rule: Stackless()),
        Method("stackless-post", "postorder", lambda of, rule: StacklessPost()),
        Method("binary-stack", "postorder", lambda of, rule: binary_stack(of.depths, rule), takes_rule=True),
        Method("lists", "preorder", lambda of, rule: lists(of.leaves_a, of.depth_b, of.moved)),
        Method("lists-pairs", "preorder", lambda of, rule: lists_pairs(of.leaves_a, of.depth_b, of.moved)),
    )
}
