"""A frame of the walk: up to two nodes of each tree, their states, and which of their pairs are still to be visited.

    word 0          the pairs that wait, a bit each: number of a's node plus twice that of b's
    words 1, 2      the addresses of a's states, words 3, 4 those of b's
    words 5, 6      a's nodes, words 7, 8 b's: number of triangles in the upper half (0: an inner one), link below
    then            memory for the states of four children

Opening a pair of nodes makes a frame of their children: of both, or of one of them, and then the other's state stays
where it is, in a frame below.
"""

from typing import NamedTuple

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import int64_at, lowest_bit, set_int64
from tumble.hierarchy.boxtree.layout import AXIS_BITS, COUNT_SHIFT, SIDE_BIT
from tumble.hierarchy.boxtree.nodes import kind_of, link_of, offset_of
from tumble.traversal.boxtree.intervals import CHANGES, ROWS, STATE_BYTES
from tumble.traversal.boxtree.lookup import products_of
from tumble.traversal.boxtree.overlaps import AXIS, LOOKUP
from tumble.traversal.boxtree.plain import changes_apart, copy_state, cut_changes, cut_changes_by_products
from tumble.traversal.boxtree.states import cut_on, open_a, open_b, open_both, open_one, overlapping

WAITING = 0
STATES = (1, 3)
NODES = (5, 7)
HEAD_BYTES = 96
PLANE_BITS = AXIS_BITS | SIDE_BIT
OF_FIRST_A, OF_SECOND_A, OF_FIRST_B, OF_SECOND_B = 0b0101, 0b1010, 0b0011, 0b1100
"""pairs of each child"""


class OverlapTest(NamedTuple):
    """The overlap test of one query."""

    number: int
    """AXIS, LOOKUP, SAT or SAT_LITE: see `overlaps`"""
    plain: int
    """not 0: end by end instead of by vectors"""
    pre_transformed: int
    """not 0: the states of all children are computed once, before any of their pairs is compared"""
    size: int
    """bytes of a state"""
    setup: int
    """address of the factors of planes and the roots' states: see `intervals`"""
    table: int
    """address of the lookup tables, if the test has any"""


class OpenNode(NamedTuple):
    """One node of a pair that is opened."""

    nodes: int
    """address of its tree's nodes"""
    down: int
    """not 0: its children take its place"""
    first: int
    """the first of the children"""
    state: int
    """address of its state"""


@inlined_kernel
def node_word(nodes, node):
    """Return triangles and link of a node in one word; it is negative when the node's box is not finished."""
    return (kind_of(nodes, node) >> COUNT_SHIFT) << 32 | link_of(nodes, node)


@inlined_kernel
def last_word(nodes, node):
    """Return the word of a chain's last node, or of a node that is not a chain."""
    word = node_word(nodes, node)
    while word < 0:
        word = node_word(nodes, ~word)
    return word


@inlined_kernel
def enter(test, node, side, word, frame):
    """Write one tree's nodes into a new frame: a node's children, or itself with its state."""
    if not node.down:
        set_int64(frame, STATES[side], node.state)
        set_int64(frame, NODES[side], word)
        return
    # a's two children first, then b's: where `states` writes them
    place = frame + HEAD_BYTES + 2 * side * test.size
    set_int64(frame, STATES[side], place)
    set_int64(frame, STATES[side] + 1, place + test.size)
    set_int64(frame, NODES[side], last_word(node.nodes, node.first))
    set_int64(frame, NODES[side] + 1, last_word(node.nodes, node.first + 1))


@inlined_kernel
def row_of(test, side, kind):
    """Return the factors of a plane."""
    return test.setup + ROWS[side] + (kind & PLANE_BITS) * STATE_BYTES


@inlined_kernel
def changes_of(test, side, kind):
    """Return which ends a plane moves."""
    return test.setup + CHANGES[side] + (kind & PLANE_BITS) * STATE_BYTES


@inlined_kernel
def products_for(test, side, kind, offset):
    """Return the products of a plane of tree b, if the test has any."""
    return products_of(test.table, kind & AXIS_BITS, offset) if test.number == LOOKUP and side == 1 else test.table


@inlined_kernel
def finish(test, side, nodes, node, state):
    """Cut a node's state by the further planes of its chain; return whether there are any."""
    word = node_word(nodes, node)
    if word >= 0:
        return False
    while word < 0:
        node = ~word
        kind, by = kind_of(nodes, node), offset_of(nodes, node)
        number = AXIS if side == 0 and test.number == LOOKUP else test.number
        cut_on(number, state, row_of(test, side, kind), by, products_for(test, side, kind, by))
        word = node_word(nodes, node)
    return True


@inlined_kernel
def open_pre_transformed(test, a, b, frame):
    """Compute the states of all children once, and compare all pairs; return those that overlap.

    Only the first plane of each child: the further ones of chains are cut when a pair has survived, see `finish_all`.
    """
    place = frame + HEAD_BYTES
    if a.down:
        # the row of factors follows from axis and side of the plane: six kinds, no arithmetic
        row0, row1 = row_of(test, 0, kind_of(a.nodes, a.first)), row_of(test, 0, kind_of(a.nodes, a.first + 1))
        by0, by1 = offset_of(a.nodes, a.first), offset_of(a.nodes, a.first + 1)
        if not b.down:
            return open_a(test.number, a.state, row0, by0, row1, by1, b.state, place)
    # looked up only when b is opened: for a leaf, `first` is not a node
    kind2, kind3 = kind_of(b.nodes, b.first), kind_of(b.nodes, b.first + 1)
    row2, row3 = row_of(test, 1, kind2), row_of(test, 1, kind3)
    by2, by3 = offset_of(b.nodes, b.first), offset_of(b.nodes, b.first + 1)
    products2, products3 = products_for(test, 1, kind2, by2), products_for(test, 1, kind3, by3)
    if not a.down:
        return open_b(test.number, a.state, b.state, row2, by2, products2, row3, by3, products3, place)
    return open_both(
        test.number, a.state, row0, by0, row1, by1, b.state, row2, by2, products2, row3, by3, products3, place
    )


@inlined_kernel
def finish_all(test, a, b, frame, waiting):
    """Finish the states of the children that overlap any, and compare again; return the pairs that still overlap."""
    # most children have one plane: then nothing changed, and no pair is compared again
    chained = False
    place, size = frame + HEAD_BYTES, test.size
    if a.down:
        if waiting & OF_FIRST_A != 0 and finish(test, 0, a.nodes, a.first, place):
            chained = True
        if waiting & OF_SECOND_A != 0 and finish(test, 0, a.nodes, a.first + 1, place + size):
            chained = True
    if b.down:
        if waiting & OF_FIRST_B != 0 and finish(test, 1, b.nodes, b.first, place + 2 * size):
            chained = True
        if waiting & OF_SECOND_B != 0 and finish(test, 1, b.nodes, b.first + 1, place + 3 * size):
            chained = True
    if not chained:
        return waiting
    overlapping_pairs = 0
    while waiting != 0:
        pair = lowest_bit(waiting)
        waiting &= waiting - 1
        state_a, state_b = int64_at(frame, STATES[0] + (pair & 1)), int64_at(frame, STATES[1] + (pair >> 1))
        if overlapping(test.number, state_a, state_b) != 0:
            overlapping_pairs |= 1 << pair
    return overlapping_pairs


@inlined_kernel
def open_each(test, a, b, frame):
    """Compute the states of both nodes for each pair of children; return those pairs that overlap."""
    waiting = 0
    # states are computed again for each pair, as the paper counts it without pre-transformation
    for pair in range(4):
        node_a, node_b = a.first + (pair & 1), b.first + (pair >> 1)
        child_a, child_b = int64_at(frame, STATES[0] + (pair & 1)), int64_at(frame, STATES[1] + (pair >> 1))
        kind_a, kind_b = kind_of(a.nodes, node_a), kind_of(b.nodes, node_b)
        by_a, by_b = offset_of(a.nodes, node_a), offset_of(b.nodes, node_b)
        overlap = open_one(
            test.number, a.state, row_of(test, 0, kind_a), by_a,
            b.state, row_of(test, 1, kind_b), by_b, products_for(test, 1, kind_b, by_b), child_a, child_b,
        )  # fmt: skip
        chained_a = finish(test, 0, a.nodes, node_a, child_a)
        chained_b = finish(test, 1, b.nodes, node_b, child_b)
        # a chain only shrinks a box: pairs that were apart stay apart
        if overlap != 0 and (chained_a or chained_b) and overlapping(test.number, child_a, child_b) == 0:
            overlap = 0
        waiting |= overlap << pair
    return waiting


@inlined_kernel
def cut_plainly(test, side, parent, child, place):
    """Write the state of a child of a node: the parent's, with the ends changed that planes move."""
    copy_state(parent.state, place, test.size >> 3)
    word = ~child
    while word < 0:
        node = ~word
        kind, offset = kind_of(parent.nodes, node), offset_of(parent.nodes, node)
        changes = changes_of(test, side, kind)
        if test.number == LOOKUP and side == 1:
            cut_changes_by_products(changes, products_of(test.table, kind & AXIS_BITS, offset), place)
        else:
            cut_changes(changes, row_of(test, side, kind), offset, side, place)
        word = node_word(parent.nodes, node)


@inlined_kernel
def apart_plainly(test, side, nodes, node, state_a, state_b):
    """Tell whether what the planes of a node have moved parts two states."""
    word = ~node
    while word < 0:
        node = ~word
        if changes_apart(changes_of(test, side, kind_of(nodes, node)), state_a, state_b):
            return True
        word = node_word(nodes, node)
    return False


@inlined_kernel
def open_end_by_end(test, a, b, frame):
    """Do what `open_pre_transformed` and `open_each` do, end by end."""
    waiting, place = 0, frame + HEAD_BYTES
    for j in range(2 if b.down else 1):
        for i in range(2 if a.down else 1):
            child_a, child_b = a.state, b.state
            if a.down:
                child_a = place + i * test.size
                # pre-transformed: a child's state is computed for its first pair, and kept for the second
                if j == 0 or not test.pre_transformed:
                    cut_plainly(test, 0, a, a.first + i, child_a)
            if b.down:
                child_b = place + (2 + j) * test.size
                if i == 0 or not test.pre_transformed:
                    cut_plainly(test, 1, b, b.first + j, child_b)
            # ends that neither plane moved need no comparison: the parents overlap along them
            if a.down and apart_plainly(test, 0, a.nodes, a.first + i, child_a, child_b):
                continue
            if b.down and apart_plainly(test, 1, b.nodes, b.first + j, child_a, child_b):
                continue
            waiting |= 1 << (i + 2 * j)
    return waiting


@external(int64(*14 * (int64,)))
def open_plainly(
    number, pre_transformed, size, setup, table,
    nodes_a, down_a, first_a, state_a, nodes_b, down_b, first_b, state_b, frame,
):  # fmt: skip
    """Call `open_end_by_end`, whose code need not be part of the walk."""
    test = OverlapTest(number, 1, pre_transformed, size, setup, table)
    a, b = OpenNode(nodes_a, down_a, first_a, state_a), OpenNode(nodes_b, down_b, first_b, state_b)
    return open_end_by_end(test, a, b, frame)


@inlined_kernel
def open_pair(test, a, word_a, b, word_b, frame):
    """Open a pair of overlapping nodes into a new frame; return how many pairs were tested.

    Section 3.2.5: pre-transformed, the states of all children are computed once, before any pair is compared; otherwise
    each pair computes the states of its two nodes. Where just one node has children, that is the same.
    """
    enter(test, a, 0, word_a, frame)
    enter(test, b, 1, word_b, frame)
    if test.plain != 0:
        waiting = open_plainly(
            test.number, test.pre_transformed, test.size, test.setup, test.table,
            a.nodes, 1 if a.down else 0, a.first, a.state, b.nodes, 1 if b.down else 0, b.first, b.state, frame,
        )  # fmt: skip
    elif test.pre_transformed == 0 and a.down and b.down:
        waiting = open_each(test, a, b, frame)
    else:
        waiting = open_pre_transformed(test, a, b, frame)
        if waiting != 0:
            waiting = finish_all(test, a, b, frame, waiting)
    set_int64(frame, WAITING, waiting)
    return 4 if a.down and b.down else 2
