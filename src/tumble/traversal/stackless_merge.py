"""A stackless traversal for other rules than alternating, that of volumes included: paper `stackless`, outlook.

The paper finds the next pair without a stack for one rule, whose steps follow from the levels, and shows in Figure 2
that volumes give no such pattern. They need none: what a step back has to know is in which tree the last step down was
made, and a rule that descends the node with the larger key says so itself, if no key is larger than that of its parent.

    The steps down to (i, j) left the ancestors of i and those of j one by one, the node with the larger key first. Both
    chains are in descending order of keys, so the steps are the merge of two sorted lists, and the last of them left
    the parent that comes later in it: the one that the rule would not have left first, of the two parents.

So one comparison of parents takes the place of a stack, of a bit (`binary_stack`) or of the paper's eight cases:

    if i and j overlap and are not both leaves:
        i ← first child, or j ← first child, as the rule says
    else (after testing triangles, if both are leaves), until the node on that side is not a right child:
        last step: a's, if j is the root, or if the rule says b for the two parents; else b's
        the node on that side: right child: go to its parent; left child: go to its escape index, and on from there

The pairs and their order are those of `stack` with the same rule. Keys that never grow are levels (`alternate`,
`b-twice`), numbers of triangles, constants (`a-first`, `b-first`), and volumes or lengths where a child's volume lies
within its parent's, as straight boxes and k-DOPs do. Spheres and turned boxes are fitted anew at each node and may be
larger than their parent's: the chains are not sorted then, and a step back could be taken for another. Such trees are
walked by `triangles`, and refuse `volume` and `longest-side` by name.

For: no memory, and the iterations of the dynamic rule. Against: parents are read on the way up.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.errors import OptionError
from tumble.hierarchy import Tree
from tumble.hierarchy.layout import ESCAPE, FIRST, PARENT, RIGHT
from tumble.traversal.protocol import Method, leaf_pair, link, must_end, traverse, visit
from tumble.traversal.rules import DOWN_A, DOWN_B, LONGEST_SIDE, RULES, TRIANGLES, VOLUME, descend
from tumble.volume.protocol import longest_side, measure

OF_VOLUMES = (VOLUME, LONGEST_SIDE)


class StacklessMerge(NamedTuple):
    """The descent rule; no memory at all."""

    rule: int


@kernel
def never_grows(rule, volumes, nodes):
    """Tell whether no node has a larger key than its parent; not a number is larger than anything."""
    for i in range(1, nodes.shape[0]):
        parent = link(nodes, i, PARENT)
        if rule == LONGEST_SIDE:
            shrinks = longest_side(volumes, np.int64(i)) <= longest_side(volumes, parent)
        else:
            shrinks = measure(volumes, np.int64(i)) <= measure(volumes, parent)
        if not shrinks:
            return False
    return True


_sorted_trees: WeakKeyDictionary[Tree, dict[int, bool]] = WeakKeyDictionary()


def is_sorted(tree: Tree, rule: int) -> bool:
    """Tell whether the keys of a rule never grow from parent to child; found out once for each tree."""
    if rule not in OF_VOLUMES:
        return True
    known = _sorted_trees.setdefault(tree, {})
    if rule not in known:
        known[rule] = bool(never_grows(rule, tree.preorder.volumes, tree.nodes))
    return known[rule]


def rule_for(a: Tree, b: Tree, chosen: int, by_name: bool) -> int:
    """Return the rule to walk two trees by: the one chosen, or that of triangles where it cannot be followed."""
    growing = [tree for tree in (a, b) if not is_sorted(tree, chosen)]
    if not growing:
        return chosen
    if by_name:
        name = next(name for name, number in RULES.items() if number == chosen)
        raise OptionError(
            f"rule={name!r} cannot be followed without a stack in {growing[0]!r}, as some nodes are larger than their "
            "parents; choose another rule, tree='aabb', or method='binary-stack'"
        )
    return TRIANGLES


@inlined_kernel
def last_step(rule, a, i, b, j):
    """Say in which tree the last step down to a pair was made; not for two roots."""
    if j == 0:
        return DOWN_A
    if i == 0:
        return DOWN_B
    parent_a, parent_b = link(a.layout.nodes, i, PARENT), link(b.layout.nodes, j, PARENT)
    return DOWN_A if descend(rule, a, parent_a, b, parent_b) == DOWN_B else DOWN_B


@traverse.register(StacklessMerge)
def _traverse(method, a, b, poses, question, counters):
    rule, nodes_a, nodes_b = method.rule, a.layout.nodes, b.layout.nodes
    i, j = np.int64(0), np.int64(0)
    steps = 0
    while True:
        steps += 1
        if must_end(steps, question):
            return
        if visit(question, a.volumes, i, b.volumes, j, poses.relative, counters):
            if link(nodes_a, i, FIRST) >= 0 or link(nodes_b, j, FIRST) >= 0:
                if descend(rule, a, i, b, j) == DOWN_A:
                    i = link(nodes_a, i, FIRST)
                else:
                    j = link(nodes_b, j, FIRST)
                continue
            if leaf_pair(a, i, b, j, poses, question, counters):
                return
        while True:
            if i == 0 and j == 0:
                return
            if last_step(rule, a, i, b, j) == DOWN_A:
                if not link(nodes_a, i, RIGHT):
                    i = link(nodes_a, i, ESCAPE)
                    break
                i = link(nodes_a, i, PARENT)
            else:
                if not link(nodes_b, j, RIGHT):
                    j = link(nodes_b, j, ESCAPE)
                    break
                j = link(nodes_b, j, PARENT)


METHOD = Method(
    "stackless-merge", "preorder", lambda sizes, rule: StacklessMerge(rule), takes_rule=True, rule_for=rule_for
)
