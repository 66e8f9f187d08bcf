"""Opening a pair of nodes: a frame of their children, with the states of these and the pairs that overlap.

The children are those of both nodes, or of one of them; then the other's state stays where it is, in a frame below.
"""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import int64_at, lowest_bit, set_int64
from tumble.hierarchy.boxtree.nodes import kind_of, offset_of
from tumble.traversal.boxtree.frame import HEAD_BYTES, STATES, WAITING, enter, finish, products_for, row_of
from tumble.traversal.boxtree.overlaps import PLAIN
from tumble.traversal.boxtree.plain import open_plainly
from tumble.traversal.boxtree.states import open_a, open_b, open_both, open_one, overlapping

# masks of `waiting`, whose bit i + 2 j is the pair of a's child i and b's child j
OF_FIRST_A, OF_SECOND_A, OF_FIRST_B, OF_SECOND_B = 0b0101, 0b1010, 0b0011, 0b1100  # pairs of each child


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
    products2 = products_for(test, 1, b.nodes, b.first, kind2, by2)
    products3 = products_for(test, 1, b.nodes, b.first + 1, kind3, by3)
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
    # a child whose pairs are all parted by its first plane needs no further planes
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
        products = products_for(test, 1, b.nodes, node_b, kind_b, by_b)
        overlap = open_one(
            test.number, a.state, row_of(test, 0, kind_a), by_a,
            b.state, row_of(test, 1, kind_b), by_b, products, child_a, child_b,
        )  # fmt: skip
        chained_a = finish(test, 0, a.nodes, node_a, child_a)
        chained_b = finish(test, 1, b.nodes, node_b, child_b)
        # a chain only shrinks a box: pairs that were apart stay apart
        if overlap != 0 and (chained_a or chained_b) and overlapping(test.number, child_a, child_b) == 0:
            overlap = 0
        waiting |= overlap << pair
    return waiting


@inlined_kernel
def open_pair(test, a, word_a, b, word_b, frame):
    """Open a pair of overlapping nodes into a new frame; return how many pairs were tested.

    Section 3.2.5: pre-transformed, the states of all children are computed once, before any pair is compared; otherwise
    each pair computes the states of its two nodes. Where just one node has children, that is the same.
    """
    # the three ways find the same pairs, which is tested; the plain one takes almost twice as long (docs/boxtree.md)
    if test.flags & PLAIN != 0:
        waiting = open_plainly(
            test.number | test.flags, test.pre_transformed, test.size, test.setup, test.table,
            a.nodes, 1 if a.down else 0, a.first, a.state, word_a,
            b.nodes, 1 if b.down else 0, b.first, b.state, word_b, frame,
        )  # fmt: skip
        set_int64(frame, WAITING, waiting)
        return 4 if a.down and b.down else 2
    enter(test, a, 0, word_a, frame)
    enter(test, b, 1, word_b, frame)
    if test.pre_transformed == 0 and a.down and b.down:
        waiting = open_each(test, a, b, frame)
    else:
        waiting = open_pre_transformed(test, a, b, frame)
        if waiting != 0:
            waiting = finish_all(test, a, b, frame, waiting)
    set_int64(frame, WAITING, waiting)
    return 4 if a.down and b.down else 2
