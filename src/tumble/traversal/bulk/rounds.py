"""Round after round, from the first frontier to the last leaf pair: Algorithm 1 of paper `bsp`, the host's part.

Two buffers take turns as source and target. A target that is too small is made as large as the counter says, and the
round is done again: its source is still there. A target that would be larger than allowed is not made; instead the
source is cut in half, and one half waits until all that follows from the other is done. A single pair always fits.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.growing import Growing
from tumble.core.keys import Keys
from tumble.core.parallel import run_pieces
from tumble.errors import OptionError
from tumble.hierarchy.implicit import ImplicitTrees
from tumble.hierarchy.implicit.layout import short_last_steps, steps_down
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import enter, first_frontiers
from tumble.traversal.bulk.expand import COUNTERS, LEAVES, PAIRS, TESTS, Walked, expand
from tumble.traversal.bulk.expand_untested import expand_untested

GROUP = 64
BOXES = "here all pairs count whose boxes meet; method='auto' counts touching ones only, and has first=True"
MANY = 4096  # pairs of a frontier for which a second thread pays


@dataclass
class RoundCounts:
    """What a traversal did."""

    rounds: int = 0  # rounds done, without those that were repeated
    tests: int = 0  # overlap tests of two nodes; those of the first frontier only where it is written untested
    overlaps: int = 0  # of those, how many overlapped
    leaf_overlaps: int = 0  # of those, how many were two leaves; triangles that share a vertex included
    largest: int = 0  # pairs of the largest frontier
    repeated: int = 0  # rounds repeated with more memory
    split: int = 0  # frontiers cut in half
    frontiers: list[int] = field(default_factory=list)
    """bulk on the CPU: pairs of each frontier, from the first on; what is done in parts is added up"""
    flushes: int = 0  # untested bulk on devices: atomic additions in global memory that reserved places for pairs
    most_flushes: int = 0  # ... and the most turns that a group took to write

    def add_round(self, counters: NDArray[np.int64]) -> None:
        """Count a round, whose counters begin with its tests, its overlaps and those of two leaves."""
        tests, overlaps, leaf_overlaps = counters[:3].tolist()
        self.rounds += 1
        self.tests += tests
        self.overlaps += overlaps
        self.leaf_overlaps += leaf_overlaps

    def add_frontier(self, number: int, pairs: int) -> None:
        """Add a frontier, or a part of it, that is a number of rounds behind the first."""
        self.frontiers += [0] * (number + 1 - len(self.frontiers))
        self.frontiers[number] += pairs


class LeafPairs(NamedTuple):
    """Leaf pairs whose triangles were tested already, as far as float32 can tell; the rest touch for certain or not."""

    unsure: Keys
    hits: Keys  # those that touch
    total: int  # all of them, with those that do not touch


def walked(trees: ImplicitTrees, step: int, *, short_first: bool = True) -> Walked:
    """Return trees as a round sees them, for pairs that descend by `step` levels at once."""
    layout, vertices = trees.layout, trees.posed.world.vertices
    down = steps_down(layout, step) if short_first else short_last_steps(layout, step)
    return Walked(
        layout.starts, layout.active, layout.left, down, layout.tree, layout.first_leaf,
        trees.boxes, trees.order, vertices, trees.corners,
    )  # fmt: skip


def leaf_pairs(
    trees: ImplicitTrees,
    tree_pairs: NDArray[np.int64],
    settings: BulkSettings,
    *,
    adjacent: bool,
    threads: int,
) -> tuple[Keys, RoundCounts]:
    """Return the leaf pairs of pairs of trees, (n, 2), two times the same for a tree with itself.

    A leaf pair is a key, two triangles counted through all meshes; they come in no order, each once. With `adjacent`,
    triangles of one mesh that share a vertex are among them.
    """
    if settings.variant:
        raise OptionError(f"search={settings.search!r}, places={settings.places!r}: only on devices")
    rounds = (_Rounds if settings.tested else _UntestedRounds)(trees, settings, adjacent, threads)
    layout, wanted = trees.layout, np.ascontiguousarray(tree_pairs, np.int64)

    def enter_range(start: int, stop: int, level: int, pairs: Keys) -> int:
        boxes = trees.boxes if settings.tested else None
        where = layout.starts, layout.active, layout.first_row, layout.depth, boxes
        return int(enter(*where, wanted, start, stop, level, pairs))

    for first in first_frontiers(enter_range, len(wanted), settings, settings.capacity(len(trees.order))):
        rounds.run(first)
    return rounds.leaves.filled, rounds.work


class _Rounds:
    """The buffers of one traversal, and what it has found so far."""

    short_first = True
    """whether the step that is left over when a depth is divided by µ is the first or the last"""

    def __init__(self, trees: ImplicitTrees, settings: BulkSettings, adjacent: bool, threads: int) -> None:
        self.walked = walked(trees, settings.step, short_first=self.short_first)
        self.settings, self.adjacent, self.threads = settings, adjacent, threads
        self.group = settings.group or GROUP
        capacity = settings.capacity(len(trees.order))
        self.leaves = Growing(capacity, hint=BOXES)
        self.target, self.other = (np.empty(min(capacity, settings.most), np.int64) for _ in range(2))
        self.queues = [np.empty(2 * settings.queue, np.int64) for _ in range(threads)]
        self.work = RoundCounts()

    def run(self, first: Keys) -> None:
        """Find all leaf pairs that follow from a frontier."""
        waiting = [(first, 0)]
        while waiting:
            source, number = waiting.pop()
            while len(source):
                counters = self._expand(source)
                count, leaves_fit = int(counters[PAIRS]), self.leaves.fits(int(counters[LEAVES]))
                # depth first beyond this size: the second half waits until all that follows from the first is done
                if count > self.settings.most:
                    half = len(source) // 2
                    waiting.append((source[half:].copy(), number))
                    source = source[:half]
                    self.work.split += 1
                elif count > len(self.target) or not leaves_fit:
                    self.work.repeated += 1
                    if count > len(self.target):
                        self.target = np.empty(count, np.int64)
                else:
                    self.leaves.advance(int(counters[LEAVES]))
                    self.work.add_round(counters[TESTS:])
                    self.work.largest = max(self.work.largest, count)
                    self.work.add_frontier(number, len(source))
                    number += 1
                    source = self.target[:count]
                    self.target, self.other = self.other, self.target

    def _expand(self, source: Keys) -> Keys:
        """Do a round; counters say what was found, and whether it fitted."""
        settings, counters = self.settings, np.zeros(COUNTERS, np.int64)
        # small frontiers, at the beginning and the end, are done before a second thread has started
        workers = min(self.threads, -(-len(source) * 4**settings.step // MANY), -(-len(source) // self.group))

        def work(worker: int) -> None:
            self._work(source, self.queues[worker], counters)

        run_pieces(work, max(workers, 1), self.threads)
        return counters

    def _work(self, source: Keys, queue: Keys, counters: Keys) -> None:
        """One thread's part of a round."""
        expand(self.walked, source, self.group, self.adjacent, queue, self.target, self.leaves.free, counters)


class _UntestedRounds(_Rounds):
    """Rounds as in the paper: descendants are written untested, and tested when they are read."""

    short_first = False

    def _work(self, source: Keys, queue: Keys, counters: Keys) -> None:
        expand_untested(
            self.walked, source, self.group, self.adjacent, self.settings.inactive, queue,
            self.target, self.leaves.free, counters,
        )  # fmt: skip
