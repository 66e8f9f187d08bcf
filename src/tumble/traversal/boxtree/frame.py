"""A frame of the walk: up to two nodes of each tree, their states, and which of their pairs are still to be visited.

    word 0          the pairs that wait, a bit each: number of a's node plus twice that of b's
    words 1, 2      the addresses of a's states, words 3, 4 those of b's
    words 5, 6      a's nodes, words 7, 8 b's: number of triangles in the upper half (0: an inner one), link below
    then            memory for the states of four children

A node that is not opened keeps its state in the frame where it was made: states are addressed, never copied.
"""

from typing import NamedTuple

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import set_int64
from tumble.hierarchy.boxtree.layout import AXIS_BITS, COUNT_SHIFT, SIDE_BIT
from tumble.hierarchy.boxtree.nodes import kind_of, link_of, offset_of
from tumble.traversal.boxtree.axes import products_at, products_of
from tumble.traversal.boxtree.intervals import ROOTS, ROWS, STATE_BYTES
from tumble.traversal.boxtree.overlaps import AXIS, LOOKUP, TWO_PLANES, WHOLE
from tumble.traversal.boxtree.states import cut_on, overlapping
from tumble.traversal.boxtree.two_planes import record_word
from tumble.traversal.boxtree.whole_offsets import entry_of

WAITING = 0
STATES = (1, 3)
NODES = (5, 7)
# nine words, and room up to a multiple of a vector's 32 bytes: states behind them are read by whole vectors
HEAD_BYTES = 96
PLANE_BITS = AXIS_BITS | SIDE_BIT


class OverlapTest(NamedTuple):
    """The overlap test of one query."""

    number: int  # AXIS, LOOKUP, SAT or SAT_LITE: see `overlaps`
    flags: int  # PLAIN, WHOLE, TWO_PLANES: see `overlaps`
    pre_transformed: int  # not 0: the states of all children are computed once, before any of their pairs is compared
    size: int  # bytes of a state
    setup: int  # address of the factors of planes and the roots' states: see `intervals`
    table: int  # address of the lookup tables, if the test has any


class OpenNode(NamedTuple):
    """One node of a pair that is opened."""

    nodes: int  # address of its tree's nodes
    down: int  # not 0: its children take its place
    first: int  # the first of the children
    state: int  # address of its state


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
def enter_one(node, side, word, frame):
    """Write a node that is not opened into a new frame, with its state."""
    set_int64(frame, STATES[side], node.state)
    set_int64(frame, NODES[side], word)


@inlined_kernel
def enter_places(test, side, frame):
    """Write where the states of one tree's two children will be."""
    # a's two children first, then b's: where `states` writes them
    place = frame + HEAD_BYTES + 2 * side * test.size
    set_int64(frame, STATES[side], place)
    set_int64(frame, STATES[side] + 1, place + test.size)


@inlined_kernel
def enter(test, node, side, word, frame):
    """Write one tree's nodes into a new frame: a node's children, or itself with its state."""
    if not node.down:
        enter_one(node, side, word, frame)
        return
    enter_places(test, side, frame)
    set_int64(frame, NODES[side], last_word(node.nodes, node.first))
    set_int64(frame, NODES[side] + 1, last_word(node.nodes, node.first + 1))


@inlined_kernel
def row_of(test, side, kind):
    """Return the factors of a plane."""
    return test.setup + ROWS[side] + (kind & PLANE_BITS) * STATE_BYTES


@inlined_kernel
def products_for(test, side, nodes, node, kind, offset):
    """Return the products of a plane of tree b, if the test has any."""
    if test.number != LOOKUP or side == 0:
        return test.table
    if test.flags & WHOLE != 0:
        return products_at(test.table, kind & AXIS_BITS, entry_of(nodes, node))
    return products_of(test.table, kind & AXIS_BITS, offset)


@inlined_kernel
def finish(test, side, nodes, node, state):
    """Cut a node's state by the further planes of its chain; return whether there are any."""
    word = node_word(nodes, node)
    if word >= 0:
        return False
    while word < 0:
        node = ~word
        kind, by = kind_of(nodes, node), offset_of(nodes, node)
        # only b's planes have tables: a's are at right angles to one of its axes, along which the factor is one
        number = AXIS if side == 0 and test.number == LOOKUP else test.number
        cut_on(number, state, row_of(test, side, kind), by, products_for(test, side, nodes, node, kind, by))
        word = node_word(nodes, node)
    return True


@inlined_kernel
def first_frame(test, frames, nodes_a, nodes_b):
    """Write the frame of the two roots; return whether they overlap."""
    root_a, root_b = test.setup + ROOTS[0], test.setup + ROOTS[1]
    set_int64(frames, WAITING, 1)
    set_int64(frames, STATES[0], root_a)
    set_int64(frames, STATES[1], root_b)
    if test.flags & TWO_PLANES != 0:
        set_int64(frames, NODES[0], record_word(nodes_a, 0))
        set_int64(frames, NODES[1], record_word(nodes_b, 0))
    else:
        # roots may be chains too; their states are in `setup`, which belongs to this query alone
        finish(test, 0, nodes_a, 0, root_a)
        finish(test, 1, nodes_b, 0, root_b)
        set_int64(frames, NODES[0], last_word(nodes_a, 0))
        set_int64(frames, NODES[1], last_word(nodes_b, 0))
    return overlapping(test.number, root_a, root_b) != 0
