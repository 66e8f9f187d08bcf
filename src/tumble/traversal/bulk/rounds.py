"""Round after round, from the first frontier to the last leaf pair: Algorithm 1 of paper `bsp`, the host's part.

Two buffers take turns as source and target. A target that is too small is made as large as the counter says, and the
round is done again: its source is still there. A target that would be larger than allowed is not made; instead the
source is cut in half, and one half waits until all that follows from the other is done. A single pair always fits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.core.growing import Growing
from tumble.core.keys import Keys
from tumble.core.parallel import run_pieces
from tumble.errors import OptionError
from tumble.hierarchy.implicit import ImplicitTrees
from tumble.hierarchy.implicit.layout import steps_down
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import enter, first_frontiers
from tumble.traversal.bulk.expand import COUNTERS, LEAVES, PAIRS, TESTS, Walked, expand

GROUP = 64
BOXES = "here all pairs count whose boxes meet; method='auto' counts touching ones only, and has first=True"
MANY = 4096  # pairs of a frontier for which a second thread pays


@dataclass
class RoundCounts:
    """What a traversal did."""

    rounds: int = 0  # rounds done, without those that were repeated
    tests: int = 0  # overlap tests of two nodes, without those of the first frontier
    overlaps: int = 0  # of those, how many overlapped
    leaf_overlaps: int = 0  # of those, how many were two leaves; triangles that share a vertex included
    largest: int = 0  # pairs of the largest frontier
    repeated: int = 0  # rounds repeated with more memory
    split: int = 0  # frontiers cut in half

    def add_round(self, counters: NDArray[np.int64]) -> None:
        """Count a round, whose counters begin with its tests, its overlaps and those of two leaves."""
        tests, overlaps, leaf_overlaps = counters[:3].tolist()
        self.rounds += 1
        self.tests += tests
        self.overlaps += overlaps
        self.leaf_overlaps += leaf_overlaps


def walked(trees: ImplicitTrees, step: int) -> Walked:
    """Return trees as a round sees them, for pairs that descend by `step` levels at once."""
    layout, vertices = trees.layout, trees.posed.world.vertices
    return Walked(
        layout.starts, layout.active, layout.left, steps_down(layout, step), layout.tree, layout.first_leaf,
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
    if not settings.tested:
        raise OptionError("BulkSettings(tested=False) is for devices; on the CPU all descendants are tested first")
    rounds = _Rounds(trees, settings, adjacent, threads)
    layout, wanted = trees.layout, np.ascontiguousarray(tree_pairs, np.int64)

    def enter_range(start: int, stop: int, level: int, pairs: Keys) -> int:
        where = layout.starts, layout.active, layout.first_row, layout.depth, trees.boxes
        return int(enter(*where, wanted, start, stop, level, pairs))

    for first in first_frontiers(enter_range, len(wanted), settings, settings.capacity(len(trees.order))):
        rounds.run(first)
    return rounds.leaves.filled, rounds.work


class _Rounds:
    """The buffers of one traversal, and what it has found so far."""

    def __init__(self, trees: ImplicitTrees, settings: BulkSettings, adjacent: bool, threads: int) -> None:
        self.walked = walked(trees, settings.step)
        self.settings, self.adjacent, self.threads = settings, adjacent, threads
        self.group = settings.group or GROUP
        capacity = settings.capacity(len(trees.order))
        self.leaves = Growing(capacity, hint=BOXES)
        self.target, self.other = (np.empty(min(capacity, settings.most), np.int64) for _ in range(2))
        self.queues = [np.empty(2 * settings.queue, np.int64) for _ in range(threads)]
        self.work = RoundCounts()

    def run(self, first: Keys) -> None:
        """Find all leaf pairs that follow from a frontier."""
        waiting = [first]
        while waiting:
            source = waiting.pop()
            while len(source):
                counters = self._expand(source)
                count, leaves_fit = int(counters[PAIRS]), self.leaves.fits(int(counters[LEAVES]))
                # depth first beyond this size: the second half waits until all that follows from the first is done
                if count > self.settings.most:
                    half = len(source) // 2
                    waiting.append(source[half:].copy())
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
                    source = self.target[:count]
                    self.target, self.other = self.other, self.target

    def _expand(self, source: Keys) -> Keys:
        """Do a round; counters say what was found, and whether it fitted."""
        settings, counters = self.settings, np.zeros(COUNTERS, np.int64)
        # small frontiers, at the beginning and the end, are done before a second thread has started
        workers = min(self.threads, -(-len(source) * 4**settings.step // MANY), -(-len(source) // self.group))

        def work(worker: int) -> None:
            expand(
                self.walked, source, self.group, self.adjacent, self.queues[worker],
                self.target, self.leaves.free, counters,
            )  # fmt: skip

        run_pieces(work, max(workers, 1), self.threads)
        return counters
