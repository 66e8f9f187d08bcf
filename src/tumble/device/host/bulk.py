"""The bulk-synchronous traversal on a device: leaf pairs of many implicit trees. Paper `bsp`."""

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.bulk_rounds import MOST_COUNTED, Round, Rounds, Source, confirmed_leaves
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.protocol import Buffer, program
from tumble.device.timings import current_timings, phase
from tumble.hierarchy.implicit.layout import Layout, steps_down
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.entry import enter, first_frontiers
from tumble.traversal.bulk.rounds import Keys, RoundCounts

# Counters of a round; untested ones do not count tests, which are as many as the pairs of the source.
PAIRS, LEAVES, OVERLAPS, LEAF_OVERLAPS, TESTS, COUNTERS = 0, 1, 2, 3, 4, 6
GROUPS_PER_UNIT = 16  # groups of a launch for each compute unit: enough that those with little to do do not matter


def device_leaf_pairs(
    trees: DeviceTrees, tree_pairs: NDArray[np.int64], settings: BulkSettings, *, adjacent: bool, counting: bool = True
) -> tuple[Keys, RoundCounts]:
    """Return the leaf pairs of pairs of trees, as `tumble.traversal.bulk.rounds.leaf_pairs` does, found on a device.

    counting   whether tests and overlaps are counted, which costs atomic additions
    """
    current_timings().pairs += len(tree_pairs)
    with phase("trees"):
        trees.ready()
    layout, wanted = trees.layout, np.ascontiguousarray(tree_pairs, np.int64)
    if len(trees.posed.bodies.faces) == 0:
        return np.empty(0, np.int64), RoundCounts()

    def enter_range(start: int, stop: int, level: int, pairs: Keys) -> int:
        where = layout.starts, layout.active, layout.first_row, layout.depth
        return int(enter(*where, None, wanted, start, stop, level, pairs))

    with trees.device.working():
        posed = trees.posed
        kind = TestedRounds if settings.tested else UntestedRounds
        rounds: Rounds = kind(trees, settings, adjacent, counting)
        for first in first_frontiers(enter_range, len(wanted), settings, settings.capacity(1)):
            rounds.run(first)
        found = rounds.read_leaves()
    return confirmed_leaves(posed, found, rounds.work, counting), rounds.work


class TestedRounds(Rounds):
    """Rounds that test descendants before they are written, sent to the device all at once: `kernels/bulk_tested.cl`.

    The depths of the trees limit the number of rounds. Each reads from the counters of the one before how long its
    source is, so the host reads counters once, at the end.
    """

    queues = 2
    cpu_group = 1  # a CPU does the work-items of a group one after the other, and vectors by itself
    per_triangle = 24

    def __init__(self, trees: DeviceTrees, settings: BulkSettings, adjacent: bool, counting: bool) -> None:
        super().__init__(trees, settings)
        device, layout, step = self.device, trees.layout, settings.step
        options = {"STEP": step, "QUEUE": settings.queue, "GROUP": self.group, "COUNTING": int(counting)}
        self.program = program("leaf_pairs", "bulk_tested", **options)
        self.items = GROUPS_PER_UNIT * max(1, device.info.units) * self.group
        self.rounds = max(1, -(-int(layout.depth.max()) // step))
        with phase("upload"):
            rows = trees.keep("rows", lambda: device.upload(row_of_nodes(layout)))
            down = trees.keep(("down", step), lambda: device.upload(row_records(layout, step)))
            self.counters = trees.keep(("counters", step), lambda: device.empty(4 * COUNTERS * self.rounds))
        self.arguments = trees.boxes, rows, down, trees.order, trees.faces, int(adjacent)

    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do all rounds that can follow from a source."""
        device, targets = self.device, self.targets(2, source, waiting)
        device.fill(self.counters, 0)
        launches = []
        for number in range(self.rounds):
            begin, buffer = (0, targets[(number - 1) % 2]) if number else (source.begin, source.buffer)
            launches.append(device.launch(
                self.program, "bulk_round", self.items, self.group, *self.arguments,
                self.leaves.buffer, self.found, self.leaves.capacity, self.capacity, self.counters,
                begin, source.pairs, number, buffer, targets[number % 2],
            ))  # fmt: skip
        current_timings().launched(device.wait(*launches), len(launches))
        counts = np.empty((self.rounds, COUNTERS), np.uint32)
        device.read(self.counters, counts)
        return self._outcome(counts, targets)

    def _outcome(self, counts: NDArray[np.uint32], targets: list[Buffer]) -> list[Round]:
        done: list[Round] = []
        leaves = self.found
        for number, count in enumerate(counts.tolist()):
            leaves += count[LEAVES]
            tests = count[TESTS] | count[TESTS + 1] << 32
            done.append(Round(targets[number % 2], count[PAIRS], leaves, tests, count[OVERLAPS], count[LEAF_OVERLAPS]))
            if count[PAIRS] == 0 or not self.had_room(done[-1]):
                break
        return done


class UntestedRounds(Rounds):
    """Rounds as in the paper: descendants are written untested, and a work-item tests the pair that it reads.

    After each round of `kernels/bulk.cl` the host reads how long the next frontier is.
    """

    def __init__(self, trees: DeviceTrees, settings: BulkSettings, adjacent: bool, counting: bool) -> None:
        super().__init__(trees, settings)
        options = {"STEP": settings.step, "QUEUE": settings.queue, "COUNTING": int(counting)}
        self.program = program("search", "leaf_pairs", "bulk", **options)
        self.arguments = *trees.arguments, int(adjacent)
        self.counters = self.device.empty(4 * TESTS)

    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do one round, in launches that cannot overrun the counters."""
        device = self.device
        (target,) = self.targets(1, source, waiting)
        counts = np.zeros(TESTS, np.uint32)
        counts[LEAVES] = self.found
        device.write(self.counters, counts)
        at_once = max(1, MOST_COUNTED // 4**self.settings.step)
        for begin in range(0, source.pairs, at_once):
            size = min(at_once, source.pairs - begin)
            launch = device.launch(
                self.program, "bulk_round", size, self.group, *self.arguments,
                source.buffer, source.begin + begin, size, target, self.capacity,
                self.leaves.buffer, self.leaves.capacity, self.counters,
            )  # fmt: skip
            current_timings().launched(device.wait(launch))
            device.read(self.counters, counts)
            if counts[PAIRS] > self.most or counts[LEAVES] > self.most_leaves:
                break
        pairs, leaves, overlaps, leaf_overlaps = (int(n) for n in counts)
        return [Round(target, pairs, leaves, source.pairs, overlaps, leaf_overlaps)]


def row_of_nodes(layout: Layout) -> NDArray[np.uint32]:
    """Return the row of each node."""
    sizes = np.diff(layout.starts, append=layout.nodes)
    return np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)


def row_records(layout: Layout, step: int) -> NDArray[np.uint32]:
    """Return (rows, 8): what the kernel reads about descending from each row, in the order of its macros."""
    down = steps_down(layout, step)
    there = np.arange(len(layout.left)) + down
    shift = layout.first_leaf[layout.tree] - layout.starts[there]
    starts, at_leaves = layout.starts, layout.left[there] == 0
    columns = starts, down, starts[there], layout.active[there], shift, layout.tree, at_leaves
    records = np.zeros((len(down), 8), np.int64)
    records[:, : len(columns)] = np.stack(columns, axis=1)
    return records.astype(np.uint32)
