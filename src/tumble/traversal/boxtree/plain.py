"""States end by end, as paper `boxtree` counts: only what a cut changes is computed, and only that is compared.

Ends that no cut of the two nodes moves need no comparison: the parents were compared, and did overlap. Which ends those
are is looked up (`intervals`), so that there is nothing to decide by signs on the way. `tumble.bench.operations` counts
what is done here.
"""

from numba import int64

from tumble.core.jit import external, inlined_kernel
from tumble.core.simd.memory import float64_at, int64_at, set_float64, set_int64
from tumble.hierarchy.boxtree.nodes import kind_of, offset_of
from tumble.traversal.boxtree.frame import (
    HEAD_BYTES,
    NODES,
    PLANE_BITS,
    OpenNode,
    OverlapTest,
    enter_one,
    enter_places,
    node_word,
    products_for,
    row_of,
)
from tumble.traversal.boxtree.intervals import CHANGES, FIRST_OTHER, OTHERS, OWN, STATE_BYTES
from tumble.traversal.boxtree.overlaps import LOOKUP, TEST_BITS, TWO_PLANES
from tumble.traversal.boxtree.two_planes import child_word, plane_kind, plane_offset


@inlined_kernel
def cut_changes(changes, row, offset, side, place):
    """Change the ends that a plane moves."""
    # along the tree's own axis the factor is one, and the paper counts no multiplication
    own = int64_at(changes, OWN)
    if own >= 0:
        end = float64_at(place, own)
        set_float64(place, own, end + offset if side == 0 else end - offset)
    for k in range(FIRST_OTHER, FIRST_OTHER + int64_at(changes, OTHERS)):
        at = int64_at(changes, k)
        set_float64(place, at, float64_at(place, at) + offset * float64_at(row, at))


@inlined_kernel
def cut_changes_by_products(changes, products, place):
    """Change the ends that a plane of tree b moves, by the products of a lookup table."""
    for k in range(FIRST_OTHER, FIRST_OTHER + int64_at(changes, OTHERS)):
        at = int64_at(changes, k)
        set_float64(place, at, float64_at(place, at) - float64_at(products, at & 3))


@inlined_kernel
def changes_apart(changes, state_a, state_b):
    """Tell whether one of the ends that a cut moved parts two nodes."""
    own = int64_at(changes, OWN)
    if own >= 0 and float64_at(state_a, own) > float64_at(state_b, own):
        return True
    for k in range(FIRST_OTHER, FIRST_OTHER + int64_at(changes, OTHERS)):
        at = int64_at(changes, k)
        if float64_at(state_a, at) > float64_at(state_b, at):
            return True
    return False


@inlined_kernel
def changes_of(test, side, kind):
    """Return which ends a plane moves."""
    return test.setup + CHANGES[side] + (kind & PLANE_BITS) * STATE_BYTES


@inlined_kernel
def kind_at(test, nodes, node):
    """Return axis and side of a node's plane, in either layout."""
    return plane_kind(nodes, node) if test.flags & TWO_PLANES else kind_of(nodes, node)


@inlined_kernel
def offset_at(test, nodes, node):
    """Return the offset of a node's plane, in either layout."""
    return plane_offset(nodes, node) if test.flags & TWO_PLANES else offset_of(nodes, node)


@inlined_kernel
def word_at(test, nodes, node):
    """Return the word of a node, in either layout; nodes with two planes are never chains."""
    return child_word(nodes, node) if test.flags & TWO_PLANES else node_word(nodes, node)


@inlined_kernel
def last_word_at(test, nodes, node):
    """Return the word of a chain's last node, in either layout."""
    word = word_at(test, nodes, node)
    while word < 0:
        word = word_at(test, nodes, ~word)
    return word


@inlined_kernel
def enter_plainly(test, node, side, word, frame):
    """Do what `enter` does, in either layout."""
    if not node.down:
        enter_one(node, side, word, frame)
        return
    enter_places(test, side, frame)
    set_int64(frame, NODES[side], last_word_at(test, node.nodes, node.first))
    set_int64(frame, NODES[side] + 1, last_word_at(test, node.nodes, node.first + 1))


@inlined_kernel
def cut_plainly(test, side, parent, child, place):
    """Write the state of a child of a node: the parent's, with the ends changed that planes move."""
    for k in range(test.size >> 3):
        set_float64(place, k, float64_at(parent.state, k))
    word = ~child
    while word < 0:
        node = ~word
        kind, offset = kind_at(test, parent.nodes, node), offset_at(test, parent.nodes, node)
        changes = changes_of(test, side, kind)
        if test.number == LOOKUP and side == 1:
            cut_changes_by_products(changes, products_for(test, side, parent.nodes, node, kind, offset), place)
        else:
            cut_changes(changes, row_of(test, side, kind), offset, side, place)
        word = word_at(test, parent.nodes, node)


@inlined_kernel
def apart_plainly(test, side, nodes, node, state_a, state_b):
    """Tell whether what the planes of a node have moved parts two states."""
    word = ~node
    while word < 0:
        node = ~word
        # every plane of the chain: each may have moved other ends
        if changes_apart(changes_of(test, side, kind_at(test, nodes, node)), state_a, state_b):
            return True
        word = word_at(test, nodes, node)
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


@external(int64(*16 * (int64,)))
def open_plainly(
    overlap, pre_transformed, size, setup, table,
    nodes_a, down_a, first_a, state_a, word_a, nodes_b, down_b, first_b, state_b, word_b, frame,
):  # fmt: skip
    """Write the nodes into a new frame and call `open_end_by_end`, whose code need not be part of the walk."""
    test = OverlapTest(overlap & TEST_BITS, overlap & ~TEST_BITS, pre_transformed, size, setup, table)
    a, b = OpenNode(nodes_a, down_a, first_a, state_a), OpenNode(nodes_b, down_b, first_b, state_b)
    enter_plainly(test, a, 0, word_a, frame)
    enter_plainly(test, b, 1, word_b, frame)
    return open_end_by_end(test, a, b, frame)
