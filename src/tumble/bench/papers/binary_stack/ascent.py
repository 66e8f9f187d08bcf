"""Section 2, Figure 4: the binary stack that goes up by parents, node by node, beside the one that goes by numbering.

    if the bit on top is a's:    i is a last child: pop; i ← parent(i), and again        else: i ← next sibling of i
    else the same with b and j

Figure 9, which `tumble.traversal.binary_stack` implements, finds the same next pair without a look at what is between.
Both visit the same pairs of nodes in the same order. Both are here with what they read on their ways up counted: every
link goes through `read_link`, which sees whether it is one of the pair from which the way up began. The most bits that
were on the stack at once are noted as well.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_generic, inlined_kernel
from tumble.hierarchy.layout import ESCAPE, FIRST, PARENT, RIGHT, RIGHTS
from tumble.traversal.binary_stack import ONE, BinaryStack, pop, push
from tumble.traversal.protocol import leaf_pair, link, must_end, traverse, visit
from tumble.traversal.query import Query
from tumble.traversal.rules import DOWN_A, descend

READ, MOST_BITS, LINKS, STEPS_UP, PLACES = 0, 1, 2, 3, 4


class Notes(NamedTuple):
    """Where a walk writes what it counts on its ways up: see `Noted`."""

    values: NDArray[np.int64]


class ByParents(NamedTuple):
    """The words below the top one, the descent rule, and where to note what is done; None: nothing is counted."""

    words: NDArray[np.uint64]
    rule: int
    notes: Notes | None


class ByNumbering(NamedTuple):
    """The same for the ascent of Figure 9."""

    words: NDArray[np.uint64]
    rule: int
    notes: Notes | None


class Noted(NamedTuple):
    """What a query did on its ways up."""

    read: int
    """nodes that were read for going up from them: all but the pair with which a way up begins"""
    most_bits: int
    """on the stack at once"""
    links: int
    """numbers that were read of nodes, those of the first pair included"""
    steps_up: int
    """bits taken from the stack"""


@inlined_generic
def note(notes, place, value):  # type: ignore[no-untyped-def]
    """Add to what is counted; the most bits are replaced by more of them."""


@note.register(Notes)
def _note(notes, place, value):  # type: ignore[no-untyped-def]
    if place == MOST_BITS:
        notes.values[place] = max(notes.values[place], value)
    else:
        notes.values[place] += value


@note.register(type(None))
def _note_nothing(notes, place, value):  # type: ignore[no-untyped-def]
    pass


@inlined_kernel
def read_link(nodes, i, column, below, notes):  # type: ignore[no-untyped-def]
    """Read one column of a node on the way up from another one of its tree, and note it.

    A node is asked once whether it is a last child (RIGHT, or RIGHTS for all of a chain): that is when it counts.
    """
    note(notes, LINKS, 1)
    if i != below and column in (RIGHT, RIGHTS):
        note(notes, READ, 1)
    return link(nodes, i, column)


@traverse.register(ByParents)
def _by_parents(method, a, b, poses, question, counters):  # type: ignore[no-untyped-def]
    words, notes = method.words, method.notes
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    i, j = np.int64(0), np.int64(0)
    word, bits = np.uint64(0), np.int64(0)
    steps = 0
    while True:
        steps += 1
        if must_end(steps, question):
            return
        if visit(question, a.volumes, i, b.volumes, j, poses.relative, counters):
            if link(nodes_a, i, FIRST) >= 0 or link(nodes_b, j, FIRST) >= 0:
                if descend(method.rule, a, i, b, j) == DOWN_A:
                    i = link(nodes_a, i, FIRST)
                    word, bits = push(words, word, bits, ONE)
                else:
                    j = link(nodes_b, j, FIRST)
                    word, bits = push(words, word, bits, np.uint64(0))
                note(notes, MOST_BITS, bits)
                continue
            if leaf_pair(a, i, b, j, poses, question, counters):
                return
        below_a, below_b = i, j
        while bits > 0:
            if word & ONE:
                if not read_link(nodes_a, i, RIGHT, below_a, notes):
                    i = read_link(nodes_a, i, ESCAPE, below_a, notes)  # of a child that is not the last: its sibling
                    break
                i = read_link(nodes_a, i, PARENT, below_a, notes)
            else:
                if not read_link(nodes_b, j, RIGHT, below_b, notes):
                    j = read_link(nodes_b, j, ESCAPE, below_b, notes)
                    break
                j = read_link(nodes_b, j, PARENT, below_b, notes)
            note(notes, STEPS_UP, 1)
            word, bits = pop(words, word, bits)
        if bits == 0:
            return


@traverse.register(ByNumbering)
def _by_numbering(method, a, b, poses, question, counters):  # type: ignore[no-untyped-def]
    words, notes = method.words, method.notes
    nodes_a, nodes_b = a.layout.nodes, b.layout.nodes
    i, j = np.int64(0), np.int64(0)
    word, bits = np.uint64(0), np.int64(0)
    steps = 0
    while True:
        steps += 1
        if must_end(steps, question):
            return
        if visit(question, a.volumes, i, b.volumes, j, poses.relative, counters):
            if link(nodes_a, i, FIRST) >= 0 or link(nodes_b, j, FIRST) >= 0:
                if descend(method.rule, a, i, b, j) == DOWN_A:
                    i = link(nodes_a, i, FIRST)
                    word, bits = push(words, word, bits, ONE)
                else:
                    j = link(nodes_b, j, FIRST)
                    word, bits = push(words, word, bits, np.uint64(0))
                note(notes, MOST_BITS, bits)
                continue
            if leaf_pair(a, i, b, j, poses, question, counters):
                return
        last_a, last_b = read_link(nodes_a, i, RIGHTS, i, notes), read_link(nodes_b, j, RIGHTS, j, notes)
        up_a, up_b = np.int64(0), np.int64(0)
        while bits > 0:
            if word & ONE:
                if up_a == last_a:
                    break
                up_a += 1
            else:
                if up_b == last_b:
                    break
                up_b += 1
            note(notes, STEPS_UP, 1)
            word, bits = pop(words, word, bits)
        if bits == 0:
            return
        if word & ONE:
            i, j = read_link(nodes_a, i, ESCAPE, i, notes), j - up_b
        else:
            i, j = i - up_a, read_link(nodes_b, j, ESCAPE, j, notes)


def by_parents(query: Query, counting: bool = True) -> Query:
    """The same query of the binary stack with the ascent of Figure 4."""
    return _with_ascent(query, ByParents, counting)


def by_numbering(query: Query) -> Query:
    """The same query of the binary stack with its own ascent, what it reads counted."""
    return _with_ascent(query, ByNumbering, True)


def _with_ascent(query: Query, kind: type[ByParents] | type[ByNumbering], counting: bool) -> Query:
    method, a, b, poses = query._arguments
    assert isinstance(method, BinaryStack)
    notes = Notes(np.zeros(PLACES, np.int64)) if counting else None
    return Query(kind(np.zeros_like(method.words), method.rule, notes), a, b, poses, query.narrow, query.extent)


def noted(query: Query) -> Noted:
    """What a query that counts has noted since this was last asked."""
    values = query._arguments[0].notes.values
    found = Noted(*values.tolist())
    values[:] = 0
    return found
