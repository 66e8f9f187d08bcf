"""The list traversal of paper `chip` on an image, as plain as can be: recursion, sets, no masks, no time."""

from collections import Counter

import numpy as np

from tumble.chip.design import NODE_BYTES
from tumble.chip.dotadd import dotadd
from tumble.chip.image import EMPTY, INNER, LEAF


class Reference:
    """Counts what a chip with so many tumbled nodes at once has to do."""

    def __init__(self, a, b, setup, tumbled):
        self.a, self.b, self.setup, self.at_once = a, b, setup, tumbled
        self.half = max(1, tumbled // 2)
        self.lists = self.aligned_nodes = self.tumbled_nodes = 0
        self.leaf_pairs = Counter()
        self.moved = Counter()
        self.process([(0, [0])], [(0, [0], {0})])

    def process(self, group, entries):
        """Compare a group, pairs and which siblings, with a list: pairs, which siblings, for which of the group."""
        self.lists += 1
        tumbled = self.read(group)
        lists = [], []
        waiting = list(entries)
        while waiting:
            address, sides, members = waiting.pop()
            self.aligned_nodes += len(sides)
            kept = [(set(), set()), (set(), set())]
            for side in sides:
                node = self.a.node(address + NODE_BYTES * side)
                met = {m for m in members if m in tumbled and self.overlap(tumbled[m][1], node)}
                leaves = {m for m in met if tumbled[m][0].flags != INNER}
                if node.flags == INNER and leaves:
                    waiting.append((node.pointer, [0, 1], leaves))
                if node.flags != INNER:
                    self.leaf_pairs.update((node.triangle, tumbled[m][0].triangle) for m in leaves)
                for h in (0, 1):
                    deeper = {m for m in met - leaves if m // self.half == h}
                    if deeper and node.flags == INNER:
                        lists[h].append((node.pointer, [0, 1], self.children(deeper, h)))
                    elif deeper:
                        kept[h][0].add(side)
                        kept[h][1].update(self.children(deeper, h))
            for h in (0, 1):
                if kept[h][0]:
                    lists[h].append((address, sorted(kept[h][0]), kept[h][1]))
        self.go_down(tumbled, lists)

    def read(self, group):
        tumbled = {}
        for q, member in enumerate(group):
            for n, side in enumerate(member[1] if member else ()):
                self.tumbled_nodes += 1
                node = self.b.node(member[0] + NODE_BYTES * side)
                self.moved[member[0] + NODE_BYTES * side] += 1
                if node.flags != EMPTY:
                    bare = node.flags == LEAF and not self.b.leaf_dops
                    tumbled[2 * q + n] = node, None if bare else self.move(node.dop)
        return tumbled

    def children(self, members, h):
        if self.at_once == 1:
            return {0}
        return {child for m in members for child in (2 * (m - h * self.half), 2 * (m - h * self.half) + 1)}

    def go_down(self, tumbled, lists):
        for h in (0, 1):
            if not lists[h]:
                continue
            if self.at_once == 1:
                for side in (0, 1):
                    self.process([(tumbled[0][0].pointer, [side])], lists[h])
                continue
            wanted = set().union(*(members for _, _, members in lists[h]))
            group = [None] * self.half
            for q in range(self.half):
                if 2 * q in wanted:
                    group[q] = tumbled[h * self.half + q][0].pointer, [0, 1]
            self.process(group, lists[h])

    def move(self, dop):
        places, lines = self.setup.places, self.setup.lines
        return np.array([dotadd(lines[i], *(dop[p] for p in places[i])) for i in range(len(dop))])

    def overlap(self, moved, node):
        dop = node.dop
        if node.flags == EMPTY:
            return False
        if moved is None or (node.flags == LEAF and not self.a.leaf_dops):
            return True
        half = len(dop) // 2
        return bool((moved[:half] <= dop[half:]).all() and (np.array(dop[:half]) <= moved[half:]).all())
