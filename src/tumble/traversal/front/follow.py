"""From the front of one frame to that of the next, the host's part.

Every pair of triangles is below exactly one pair of the front, or below the roots of two trees that are not yet in it:
the front is a cut through the test tree, and stays one however vertices move and even when trees are built anew, as
nodes keep their place. It only ever moves down. To make it smaller, start again from the roots; a start costs about a
third more tests than a front that fits, and so less than looking upwards from every pair would.

When to start again is a rule on counted pairs (`Restarts`), so the same everywhere and every time. With n pairs before
and m after, a frame takes about m + (m - n) / 3 tests, as each pair that goes down gives up to four; a start from the
roots that ends with a front of r pairs takes about 4 r / 3. So a front is dropped after a frame

    that took more tests than the last start          the meshes have moved far, or much more of them is close
    with less than half of the leaf pairs of then     they have come apart, and the front may be far too low
    that was the 32nd since then                      or it is for another reason

A front that is dropped after its first frame did not pay: then the next 1, 2, 4, … at most 16 frames all start at the
roots, until a front has paid again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.growing import Growing
from tumble.core.keys import unique_pairs
from tumble.core.parallel import run_pieces
from tumble.errors import OptionError
from tumble.hierarchy.implicit import ImplicitTrees, Layout
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.rounds import BOXES, GROUP, Keys, RoundCounts, walked
from tumble.traversal.front.walk import COUNTERS, FRONT, LEAVES, REST, TESTS, FrontStreams, first_pairs, walk

SHARE = 4  # groups for each thread, so that none waits long for the last
SLACK = 256  # pairs, of fronts so small that it does not matter
LONGEST = 32  # frames for which a front is followed
MOST_STARTS = 16  # frames that start at the roots before a front is tried again


class Front(NamedTuple):
    """Where a traversal ended; it goes with all trees over as many triangles, in the same order of meshes."""

    pairs: Keys  # pairs of nodes, the first in the upper half
    tree_pairs: NDArray[np.int64]  # (n, 2) pairs of trees below whose roots it lies, sorted
    layout: Layout

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return len(self.pairs)


def front_pairs(
    trees: ImplicitTrees,
    front: Front | None,
    tree_pairs: NDArray[np.int64],
    settings: FrontSettings,
    *,
    adjacent: bool,
    threads: int,
) -> tuple[Keys, Front, RoundCounts]:
    """Return the leaf pairs of pairs of trees, as `tumble.traversal.bulk.rounds.leaf_pairs` does, and the new front.

    It starts from a front, and from the roots of pairs of trees that are not in it; the leaf pairs are those of the
    pairs of trees in the front as well. The front that was given is still good, for another try.
    """
    covered, roots = start_of(trees.layout, front, tree_pairs)
    streams = _Streams(trees, settings, adjacent, threads, 0 if front is None else front.size)
    for source in (roots,) if front is None else (front.pairs, roots):
        if len(source):
            streams.round(source, tested=False)
    while len(rest := streams.taken_rest()):
        streams.round(rest, tested=True)
    new = streams.streams[FRONT].filled.copy()
    streams.work.largest = len(new)
    return streams.streams[LEAVES].filled, Front(new, covered, trees.layout), streams.work


def start_of(layout: Layout, front: Any, tree_pairs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of trees that a new front covers, and the roots of those that the given one does not.

    The front is one of the host or of a device, with `tree_pairs` and `layout`, or None.
    """
    wanted = np.ascontiguousarray(tree_pairs, np.int64).reshape(-1, 2)
    if front is None:
        return wanted, first_pairs(layout.offset, layout.depth, wanted)
    if not (np.array_equal(front.layout.offset, layout.offset) and np.array_equal(front.layout.active, layout.active)):
        raise OptionError("the front is of trees over other meshes; start without one")
    code, known = (pairs[:, 0] << 32 | pairs[:, 1] for pairs in (wanted, front.tree_pairs))
    # pairs of trees that the front does not cover yet start at their roots
    missing = wanted[~np.isin(code, known)]
    if len(missing) == 0:
        return front.tree_pairs, np.empty(0, np.int64)
    covered = unique_pairs(np.concatenate([front.tree_pairs, missing]))
    return covered, first_pairs(layout.offset, layout.depth, missing)


class _Streams:
    """The buffers of one traversal, and how far they are filled."""

    def __init__(
        self, trees: ImplicitTrees, settings: FrontSettings, adjacent: bool, threads: int, before: int
    ) -> None:
        self.walked = walked(trees, 1)
        self.settings, self.adjacent, self.threads = settings, adjacent, threads
        capacity = settings.capacity(len(trees.order), before)
        hints = {FRONT: None, LEAVES: BOXES, REST: None}
        self.streams = {stream: Growing(capacity, hint=hint) for stream, hint in hints.items()}
        self.queues = [np.empty(3 * settings.queue, np.int64) for _ in range(threads)]
        self.stacks = [np.empty(settings.stack, np.int64) for _ in range(threads)]
        self.work = RoundCounts()

    def taken_rest(self) -> Keys:
        """Return the pairs that are left to the next round, and forget them."""
        rest = self.streams[REST].filled.copy()
        self.streams[REST].clear()
        return rest

    def round(self, source: Keys, tested: bool) -> None:
        """Walk down from all pairs of a source."""
        while True:
            counters = self._walk(source, tested)
            if all([growing.fits(int(counters[stream])) for stream, growing in self.streams.items()]):  # noqa: C419
                break  # a list, not a generator: every stream that is too small grows, not just the first
            self.work.repeated += 1
        for stream, growing in self.streams.items():
            growing.advance(int(counters[stream]))
        self.work.add_round(counters[TESTS:])

    def _walk(self, source: Keys, tested: bool) -> NDArray[np.int64]:
        settings, counters = self.settings, np.zeros(COUNTERS, np.int64)
        # small sources in small groups: otherwise one thread would take them all
        group = max(1, min(settings.group or GROUP, len(source) // (SHARE * self.threads)))
        streams = FrontStreams(*(self.streams[stream].free for stream in (FRONT, LEAVES, REST)))

        def work(worker: int) -> None:
            walk(
                self.walked, source, tested, group, settings.steps, self.adjacent, self.stacks[worker],
                self.queues[worker], streams, counters,
            )  # fmt: skip

        run_pieces(work, min(self.threads, -(-len(source) // group)), self.threads)
        return counters


@dataclass(frozen=True)
class Restarts:
    """The state of the rule; replaced after each frame."""

    front: int = 0  # pairs of the front after the last start
    leaves: int = 0  # leaf pairs of that frame
    followed: int = 0  # frames since then
    starts: int = 1  # frames yet to start at the roots
    next_starts: int = 1  # how many there will be when a front does not pay again

    @property
    def due(self) -> bool:
        """Whether the next frame is to start at the roots."""
        return self.starts > 0

    def after_start(self, front: int, leaves: int) -> Restarts:
        """Return the record after a frame that started at the roots."""
        return replace(self, front=front, leaves=leaves, followed=0, starts=max(self.starts - 1, 0))

    def after_step(self, before: int, front: int, leaves: int) -> Restarts:
        """Return the record after a frame that led from one front to the next."""
        followed = self.followed + 1
        if 3 * front + (front - before) > 4 * self.front + 3 * SLACK:
            starts = self.next_starts if followed == 1 else 1
            return replace(self, followed=followed, starts=starts, next_starts=min(2 * starts, MOST_STARTS))
        old = followed >= LONGEST or (2 * leaves < self.leaves and front > SLACK)
        return replace(self, followed=followed, starts=int(old), next_starts=1)
