"""A frame of the walk: up to two nodes of each tree, their states, and which of their pairs still wait.

    word 0          the pairs that wait, a bit each: number of a's node plus twice that of b's
    words 1, 2      the addresses of a's states, words 3, 4 those of b's
    words 5, 6      a's nodes, words 7, 8 b's: number of triangles in the upper half (0: an inner one), link below
    then            room for the states of four children

Opening a pair of nodes makes a frame of their children: of both, or of one of them, and then the other's state stays
where it is, in a frame below.
"""

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import int64_at, lowest_bit, set_int64
from tumble.hierarchy.boxtree.layout import AXIS_BITS, COUNT_SHIFT, SIDE_BIT
from tumble.hierarchy.boxtree.nodes import kind_of, link_of, offset_of
from tumble.traversal.boxtree.intervals import CHANGES, ROWS, STATE_BYTES
from tumble.traversal.boxtree.lookup import products_of
from tumble.traversal.boxtree.overlaps import LOOKUP
from tumble.traversal.boxtree.plain import changes_apart, copy_state, cut_changes, cut_changes_by_products
from tumble.traversal.boxtree.states import cut_on, open_a, open_b, open_both, open_one, overlapping

WAITING = 0
STATES = (1, 3)
NODES = (5, 7)
HEAD_BYTES = 96
LOW_HALF = 0xFFFFFFFF
PLANE_BITS = AXIS_BITS | SIDE_BIT
OF_FIRST_A, OF_SECOND_A, OF_FIRST_B, OF_SECOND_B = 0b0101, 0b1010, 0b0011, 0b1100
"""pairs of each child"""


@inlined_kernel
def node_word(nodes, node):
    """Return triangles and link of a node in one word; it is negative when the node's box is not finished."""
    return (kind_of(nodes, node) >> COUNT_SHIFT) << 32 | link_of(nodes, node)


@inlined_kernel
def last_word(nodes, node):
    """Return the word of a chain's last node, or of a node that is no chain."""
    word = node_word(nodes, node)
    while word < 0:
        word = node_word(nodes, ~word)
    return word


@inlined_kernel
def enter(nodes, side, down, word, state, size, frame):
    """Write one tree's nodes into a new frame: a node's children, or itself with its state."""
    if not down:
        set_int64(frame, STATES[side], state)
        set_int64(frame, NODES[side], word)
        return
    first, place = word & LOW_HALF, frame + HEAD_BYTES + 2 * side * size
    set_int64(frame, STATES[side], place)
    set_int64(frame, STATES[side] + 1, place + size)
    set_int64(frame, NODES[side], last_word(nodes, first))
    set_int64(frame, NODES[side] + 1, last_word(nodes, first + 1))


@inlined_kernel
def row_of(room, side, kind):
    """Return the factors of a plane."""
    return room + ROWS[side] + (kind & PLANE_BITS) * STATE_BYTES


@inlined_kernel
def products_for(test, table, side, kind, offset):
    """Return the products of a plane of tree b, if the test wants any."""
    return products_of(table, kind & AXIS_BITS, offset) if test == LOOKUP and side == 1 else table


@inlined_kernel
def finish(test, room, table, side, nodes, node, state):
    """Cut a node's state by the further planes of its chain; return whether there are any."""
    word = node_word(nodes, node)
    if word >= 0:
        return False
    while word < 0:
        node = ~word
        kind, by = kind_of(nodes, node), offset_of(nodes, node)
        cut_on(test, side, state, row_of(room, side, kind), by, products_for(test, table, side, kind, by))
        word = node_word(nodes, node)
    return True


@inlined_kernel
def open_ahead(test, size, room, table, nodes_a, down_a, first_a, state_a, nodes_b, down_b, first_b, state_b, frame):
    """Compute the states of all children once, and compare all pairs; return those that overlap."""
    place = frame + HEAD_BYTES
    if down_a:
        row0, row1 = row_of(room, 0, kind_of(nodes_a, first_a)), row_of(room, 0, kind_of(nodes_a, first_a + 1))
        by0, by1 = offset_of(nodes_a, first_a), offset_of(nodes_a, first_a + 1)
        if not down_b:
            return open_a(test, state_a, row0, by0, row1, by1, state_b, place)
    kind2, kind3 = kind_of(nodes_b, first_b), kind_of(nodes_b, first_b + 1)
    row2, row3 = row_of(room, 1, kind2), row_of(room, 1, kind3)
    by2, by3 = offset_of(nodes_b, first_b), offset_of(nodes_b, first_b + 1)
    products2, products3 = products_for(test, table, 1, kind2, by2), products_for(test, table, 1, kind3, by3)
    if not down_a:
        return open_b(test, state_a, state_b, row2, by2, products2, row3, by3, products3, place)
    return open_both(test, state_a, row0, by0, row1, by1, state_b, row2, by2, products2, row3, by3, products3, place)


@inlined_kernel
def finish_all(test, size, room, table, nodes_a, down_a, first_a, nodes_b, down_b, first_b, frame, waiting):
    """Finish the states of the children that overlap any, and compare again; return the pairs that still overlap."""
    chained = False
    place = frame + HEAD_BYTES
    if down_a:
        if waiting & OF_FIRST_A != 0 and finish(test, room, table, 0, nodes_a, first_a, place):
            chained = True
        if waiting & OF_SECOND_A != 0 and finish(test, room, table, 0, nodes_a, first_a + 1, place + size):
            chained = True
    if down_b:
        if waiting & OF_FIRST_B != 0 and finish(test, room, table, 1, nodes_b, first_b, place + 2 * size):
            chained = True
        if waiting & OF_SECOND_B != 0 and finish(test, room, table, 1, nodes_b, first_b + 1, place + 3 * size):
            chained = True
    if not chained:
        return waiting
    overlapping_pairs = 0
    while waiting != 0:
        pair = lowest_bit(waiting)
        waiting &= waiting - 1
        if overlapping(test, int64_at(frame, STATES[0] + (pair & 1)), int64_at(frame, STATES[1] + (pair >> 1))):
            overlapping_pairs |= 1 << pair
    return overlapping_pairs


@inlined_kernel
def open_each(test, size, room, table, nodes_a, first_a, state_a, nodes_b, first_b, state_b, frame):
    """Compute the states of both nodes for each pair of children; return those pairs that overlap."""
    waiting = 0
    for pair in range(4):
        node_a, node_b = first_a + (pair & 1), first_b + (pair >> 1)
        child_a, child_b = int64_at(frame, STATES[0] + (pair & 1)), int64_at(frame, STATES[1] + (pair >> 1))
        kind_a, kind_b = kind_of(nodes_a, node_a), kind_of(nodes_b, node_b)
        by_a, by_b = offset_of(nodes_a, node_a), offset_of(nodes_b, node_b)
        overlap = open_one(
            test, state_a, row_of(room, 0, kind_a), by_a,
            state_b, row_of(room, 1, kind_b), by_b, products_for(test, table, 1, kind_b, by_b), child_a, child_b,
        )  # fmt: skip
        chained_a = finish(test, room, table, 0, nodes_a, node_a, child_a)
        chained_b = finish(test, room, table, 1, nodes_b, node_b, child_b)
        if overlap != 0 and (chained_a or chained_b) and not overlapping(test, child_a, child_b):
            overlap = 0
        waiting |= overlap << pair
    return waiting


@inlined_kernel
def cut_plainly(test, room, table, side, nodes, node, parent, place, size):
    """Write the state of a child: the parent's, with the ends changed that planes move."""
    copy_state(parent, place, size >> 3)
    word = ~node
    while word < 0:
        node = ~word
        kind, offset = kind_of(nodes, node), offset_of(nodes, node)
        changes = room + CHANGES[side] + (kind & PLANE_BITS) * STATE_BYTES
        if test == LOOKUP and side == 1:
            cut_changes_by_products(changes, products_of(table, kind & AXIS_BITS, offset), place)
        else:
            cut_changes(changes, row_of(room, side, kind), offset, side, place)
        word = node_word(nodes, node)


@inlined_kernel
def apart_plainly(room, side, nodes, node, state_a, state_b):
    """Tell whether what the planes of a node have moved parts two states."""
    word = ~node
    while word < 0:
        node = ~word
        changes = room + CHANGES[side] + (kind_of(nodes, node) & PLANE_BITS) * STATE_BYTES
        if changes_apart(changes, state_a, state_b):
            return True
        word = node_word(nodes, node)
    return False


@inlined_kernel
def open_end_by_end(
    test, ahead, size, room, table, nodes_a, down_a, first_a, state_a, nodes_b, down_b, first_b, state_b, frame
):
    """Do what `open_ahead` and `open_each` do, end by end."""
    waiting = 0
    for j in range(2 if down_b else 1):
        for i in range(2 if down_a else 1):
            child_a, child_b = state_a, state_b
            if down_a:
                child_a = frame + HEAD_BYTES + i * size
                if j == 0 or not ahead:
                    cut_plainly(test, room, table, 0, nodes_a, first_a + i, state_a, child_a, size)
            if down_b:
                child_b = frame + HEAD_BYTES + (2 + j) * size
                if i == 0 or not ahead:
                    cut_plainly(test, room, table, 1, nodes_b, first_b + j, state_b, child_b, size)
            if down_a and apart_plainly(room, 0, nodes_a, first_a + i, child_a, child_b):
                continue
            if down_b and apart_plainly(room, 1, nodes_b, first_b + j, child_a, child_b):
                continue
            waiting |= 1 << (i + 2 * j)
    return waiting


@external(int64(*14 * (int64,)))
def open_plainly(
    test, ahead, size, room, table, nodes_a, down_a, first_a, state_a, nodes_b, down_b, first_b, state_b, frame
):
    """Call `open_end_by_end`, whose code need not be part of the walk."""
    return open_end_by_end(
        test, ahead, size, room, table, nodes_a, down_a, first_a, state_a, nodes_b, down_b, first_b, state_b, frame
    )


@inlined_kernel
def open_pair(
    test, plain, ahead, size, room, table,
    nodes_a, down_a, word_a, state_a, nodes_b, down_b, word_b, state_b, frame,
):  # fmt: skip
    """Open a pair of overlapping nodes into a new frame; return how many pairs were tested.

    Section 3.2.5: with `ahead` the states of all children are computed once, before any pair is looked at; without,
    each pair computes the states of its two nodes. Where just one node has children, that is the same.
    """
    enter(nodes_a, 0, down_a, word_a, state_a, size, frame)
    enter(nodes_b, 1, down_b, word_b, state_b, size, frame)
    first_a, first_b = word_a & LOW_HALF, word_b & LOW_HALF
    if plain != 0:
        waiting = open_plainly(
            test, ahead, size, room, table, nodes_a, 1 if down_a else 0, first_a, state_a,
            nodes_b, 1 if down_b else 0, first_b, state_b, frame,
        )  # fmt: skip
    elif ahead == 0 and down_a and down_b:
        waiting = open_each(test, size, room, table, nodes_a, first_a, state_a, nodes_b, first_b, state_b, frame)
    else:
        waiting = open_ahead(
            test, size, room, table, nodes_a, down_a, first_a, state_a, nodes_b, down_b, first_b, state_b, frame
        )
        if waiting != 0:
            waiting = finish_all(
                test, size, room, table, nodes_a, down_a, first_a, nodes_b, down_b, first_b, frame, waiting
            )
    set_int64(frame, WAITING, waiting)
    return 4 if down_a and down_b else 2
