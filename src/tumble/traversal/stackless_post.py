"""Paper `stackless`, Section 8.3: the stackless traversal over post-indexed trees.

The same pairs in the same order as `stackless`; only the climb along right children differs. In the post-indexed order
a right child stands right after its parent, so going up x levels is a subtraction instead of x links.

For: the climb takes constant time in any tree. Against: the traversal walks its arrays against the grain.
"""

from typing import NamedTuple

from tumble.hierarchy.layout import Postorder
from tumble.traversal.protocol import Method, traverse
from tumble.traversal.stackless import level_up, walk


class StacklessPost(NamedTuple):
    """No memory at all."""


@level_up.register(Postorder)
def _subtract(layout, i, steps):
    return i - steps


@traverse.register(StacklessPost)
def _traverse(method, a, b, poses, question, counters):
    walk(a, b, poses, question, counters)


METHOD = Method("stackless-post", "postorder", lambda sizes, rule: StacklessPost())
