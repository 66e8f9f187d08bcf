"""The traversals by name: each ends its file with its row."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Sizes(NamedTuple):
    """What the memory of a method depends on."""

    waiting: int
    """node pairs that can wait on a stack"""
    leaves_a: int
    """leaves of a, or more"""
    depth_b: int
    """levels of b below its root"""
    row_width: int
    """numbers of a volume in the other tree's frame"""
    depths: int
    """levels of both trees below their roots: the longest way down"""


class Method(NamedTuple):
    """A traversal by name."""

    name: str
    layout: str | None
    """the order of nodes that it walks: "preorder", "postorder", or None when it needs no tree"""
    make: Callable[[Sizes, int], Any]
    """makes the method's record from sizes and a descent rule; one with a method `grown` can run out of memory, and one
    with a method `nearest_first` can visit near pairs before far ones: see `tumble.traversal.query`"""
    takes_rule: bool = False
    """whether the descent rule can be chosen"""


METHODS: dict[str, Method] = {}
"""the traversals by name, see `tumble.traversal.generic.add_method`"""


def stack_of_pairs(sizes: Sizes) -> NDArray[np.int32]:
    """Return memory for all node pairs that can wait on a stack."""
    return np.empty((sizes.waiting, 2), np.int32)
