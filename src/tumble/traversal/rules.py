"""Descent rules: in which tree to go down from two nodes that overlap, by name.

    volume        the node with the larger volume; the fewest tests on most scenes
    longest-side  the node that is longer in some direction: for long parts, whose volume says little
    triangles     the node with more triangles
    alternate     the tree that is less far down; a's where they are level
    a-first       a's tree until its leaves, then b's
    b-first       b's tree until its leaves, then a's
    b-twice       by level: two steps in b, then one in a

A node without children leaves no choice. All rules find the same pairs of triangles; they differ in the way there.
A rule is a number that kernels look at: one kernel serves all rules, and the branch is always foretold.
"""

from tumble.core.jit import inlined_kernel, kernel
from tumble.hierarchy.layout import COUNT, FIRST, LEVEL
from tumble.traversal.protocol import link
from tumble.volume.protocol import longest_side, measure

NAMES = ("volume", "longest-side", "triangles", "alternate", "a-first", "b-first", "b-twice")
RULES = {name: number for number, name in enumerate(NAMES)}
VOLUME, LONGEST_SIDE, TRIANGLES, ALTERNATE, _, B_FIRST, B_TWICE = RULES.values()
DEFAULT_RULE = "volume"

DOWN_A = 0
DOWN_B = 1


@kernel
def prefers_b(rule, volumes_a, nodes_a, i, volumes_b, nodes_b, j):
    """Tell whether a rule other than that of volumes goes down in b from two inner nodes."""
    if rule == LONGEST_SIDE:
        return longest_side(volumes_a, i) < longest_side(volumes_b, j)
    if rule == TRIANGLES:
        return link(nodes_a, i, COUNT) < link(nodes_b, j, COUNT)
    if rule == ALTERNATE:
        return link(nodes_a, i, LEVEL) > link(nodes_b, j, LEVEL)
    if rule == B_TWICE:
        return 2 * (link(nodes_a, i, LEVEL) + 1) > link(nodes_b, j, LEVEL)
    return rule == B_FIRST


@inlined_kernel
def descend(rule, a, i, b, j):
    """Say where to go down from an overlapping pair of which at least one has children: DOWN_A or DOWN_B."""
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    if link(nodes_a, i, FIRST) < 0:
        return DOWN_B
    if link(nodes_b, j, FIRST) < 0:
        return DOWN_A
    if rule == VOLUME:
        return DOWN_B if measure(a.volumes, i) < measure(b.volumes, j) else DOWN_A
    return DOWN_B if prefers_b(rule, a.volumes, nodes_a, i, b.volumes, nodes_b, j) else DOWN_A
