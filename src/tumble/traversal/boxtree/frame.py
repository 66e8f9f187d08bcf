"""A frame of the walk: up to two nodes of each tree, their states, and which of their pairs still wait.

    word 0          the pairs that wait, a bit each: number of a's node plus twice that of b's
    words 1, 2      the addresses of a's states, words 3, 4 those of b's
    words 5, 6      a's nodes, words 7, 8 b's: number of triangles in the upper half (0: an inner node), link in the lower
    then            room for the states of four children

Opening a pair of nodes makes a frame of their children: of both, or of one of them, and then the other's state stays
where it is, in a frame below.
"""

from tumble.hierarchy.boxtree.layout import AXIS_BITS, COUNT_SHIFT, SIDE_BIT, kind_of, link_of, offset_of
from tumble.jit import inlined_kernel
from tumble.simd.memory import int64_at, set_int64
from tumble.simd.vector import VECTOR_BYTES
from tumble.traversal.boxtree.intervals import CHANGES, ROWS, STATE_BYTES
from tumble.traversal.boxtree.lanes import any_apart, cut_all, cut_by_products
from tumble.traversal.boxtree.lookup import products_of
from tumble.traversal.boxtree.overlaps import LOOKUP
from tumble.traversal.boxtree.plain import changes_apart, copy_state, cut_changes, cut_changes_by_products

WAITING = 0
STATES = (1, 3)
NODES = (5, 7)
HEAD_BYTES = 96
LOW_HALF = 0xFFFFFFFF
PLANE_BITS = AXIS_BITS | SIDE_BIT


@inlined_kernel
def node_word(nodes, node):
    """Return triangles and link of a node in one word."""
    return (kind_of(nodes, node) >> COUNT_SHIFT) << 32 | link_of(nodes, node)


@inlined_kernel
def state_place(frame, side, child, vectors):
    """Return where the state of a child is kept."""
    return frame + HEAD_BYTES + (2 * side + child) * vectors * VECTOR_BYTES


@inlined_kernel
def cut_state(test, plain, vectors, room, table, side, nodes, node, parent, place):
    """Write the state of a child."""
    kind = kind_of(nodes, node) & PLANE_BITS
    offset = offset_of(nodes, node)
    row = room + ROWS[side] + kind * STATE_BYTES
    if plain:
        changes = room + CHANGES[side] + kind * STATE_BYTES
        copy_state(parent, place, 4 * vectors)
        if test == LOOKUP and side == 1:
            cut_changes_by_products(changes, parent, products_of(table, kind & AXIS_BITS, offset), place)
        else:
            cut_changes(changes, parent, row, offset, side, place)
    elif test == LOOKUP and side == 1:
        cut_by_products(parent, row, products_of(table, kind & AXIS_BITS, offset), place)
    else:
        cut_all(parent, row, offset, place, vectors)


@inlined_kernel
def children_apart(plain, vectors, room, nodes_a, node_a, down_a, state_a, nodes_b, node_b, down_b, state_b):
    """Tell whether two nodes are apart, of which one or both are children of nodes that overlap."""
    if not plain:
        return any_apart(state_a, state_b, vectors)
    if down_a:
        changes = room + CHANGES[0] + (kind_of(nodes_a, node_a) & PLANE_BITS) * STATE_BYTES
        if changes_apart(changes, state_a, state_b):
            return True
    if down_b:
        changes = room + CHANGES[1] + (kind_of(nodes_b, node_b) & PLANE_BITS) * STATE_BYTES
        return changes_apart(changes, state_a, state_b)
    return False


@inlined_kernel
def enter(nodes, side, down, word, state, frame, vectors):
    """Write one tree's nodes of a new frame: a node's children, or itself with its state; return how many."""
    if not down:
        set_int64(frame, STATES[side], state)
        set_int64(frame, NODES[side], word)
        return 1
    first = word & LOW_HALF
    for child in range(2):
        set_int64(frame, STATES[side] + child, state_place(frame, side, child, vectors))
        set_int64(frame, NODES[side] + child, node_word(nodes, first + child))
    return 2


@inlined_kernel
def open_pair(
    test, plain, vectors, ahead, room, table, nodes_a, down_a, word_a, state_a, nodes_b, down_b, word_b, state_b, frame
):
    """Open a pair of overlapping nodes into a new frame; return how many pairs were tested.

    Section 3.2.5: with `ahead` the states of all children are computed once, before any pair is looked at; without, each
    pair computes the states of its two nodes.
    """
    count_a = enter(nodes_a, 0, down_a, word_a, state_a, frame, vectors)
    count_b = enter(nodes_b, 1, down_b, word_b, state_b, frame, vectors)
    first_a, first_b = word_a & LOW_HALF, word_b & LOW_HALF
    if ahead and down_a:
        for i in range(2):
            place = state_place(frame, 0, i, vectors)
            cut_state(test, plain, vectors, room, table, 0, nodes_a, first_a + i, state_a, place)
    if ahead and down_b:
        for j in range(2):
            place = state_place(frame, 1, j, vectors)
            cut_state(test, plain, vectors, room, table, 1, nodes_b, first_b + j, state_b, place)
    waiting = 0
    for j in range(count_b):
        child_b = int64_at(frame, STATES[1] + j)
        for i in range(count_a):
            child_a = int64_at(frame, STATES[0] + i)
            if not ahead and down_a:
                cut_state(test, plain, vectors, room, table, 0, nodes_a, first_a + i, state_a, child_a)
            if not ahead and down_b:
                cut_state(test, plain, vectors, room, table, 1, nodes_b, first_b + j, state_b, child_b)
            apart = children_apart(
                plain, vectors, room,
                nodes_a, first_a + i, down_a, child_a, nodes_b, first_b + j, down_b, child_b,
            )  # fmt: skip
            if not apart:
                waiting |= 1 << (i + 2 * j)
    set_int64(frame, WAITING, waiting)
    return count_a * count_b
