"""Paper `binary-stack`, Figure 9: the stack traversal with one bit for each step down instead of node pairs.

The bit says in which tree the step was made. Children are visited from left to right, so the way back follows from the
bits and the two current nodes; over post-indexed trees no node on it is read:

    if i and j overlap and are not both leaves:
        the rule says a: push 1; i ← first child          the rule says b: push 0; j ← first child
    else (after testing triangles, if both are leaves):
        pop bits as long as the node on the bit's side is a last child: that many steps up on each side
        no bit left: the end
        the bit on top is a's: i ← escape(i), j ← j - steps up        else: j ← escape(j), i ← i - steps up

The ancestor counters (`RIGHTS`) say how many last children follow each other upwards from a node, and a last child
stands right behind its parent, which makes going up a subtraction. The pairs and their order are those of `stack` with
the same rule.

The bits are kept in 64-bit words, the top one in a register. Two words hold any pair of trees whose depths add up to
128; deeper trees get as many as they need.

For: next to no memory, for any rule and any number of children. Against: on a CPU a stack of pairs is in the cache, and
popping one is cheaper than computing it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import inlined_kernel
from tumble.hierarchy.layout import ESCAPE, FIRST, RIGHTS
from tumble.traversal.protocol import Method, Sizes, leaf_pair, link, must_end, traverse, visit
from tumble.traversal.rules import DOWN_A, descend

BITS = 64
LEAST_WORDS = 2

ONE = np.uint64(1)


class BinaryStack(NamedTuple):
    """The words below the top one, and the descent rule."""

    words: NDArray[np.uint64]
    rule: int


def binary_stack(sizes: Sizes, rule: int) -> BinaryStack:
    """Make room for as many bits as there are steps down."""
    return BinaryStack(np.zeros(max(LEAST_WORDS, -(-sizes.depths // BITS)), np.uint64), rule)


@inlined_kernel
def push(words, word, bits, bit):
    """Put a bit on top of the stack; return its top word and its length."""
    if bits > 0 and bits % BITS == 0:
        words[bits // BITS - 1] = word
        word = np.uint64(0)
    return word << ONE | bit, bits + 1


@inlined_kernel
def pop(words, word, bits):
    """Take a bit from the stack; return its top word and its length."""
    bits -= 1
    if bits > 0 and bits % BITS == 0:
        return words[bits // BITS - 1], bits
    return word >> ONE, bits


@traverse.register(BinaryStack)
def _traverse(method, a, b, poses, question, counters):
    words = method.words
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
                continue
            if leaf_pair(a, i, b, j, poses, question, counters):
                return
        # how far each side can climb is read once; the bits then say in which order
        last_a, last_b = link(nodes_a, i, RIGHTS), link(nodes_b, j, RIGHTS)
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
            word, bits = pop(words, word, bits)
        if bits == 0:
            return
        if word & ONE:
            i, j = link(nodes_a, i, ESCAPE), j - up_b
        else:
            i, j = i - up_a, link(nodes_b, j, ESCAPE)


METHOD = Method("binary-stack", "postorder", binary_stack, takes_rule=True)
