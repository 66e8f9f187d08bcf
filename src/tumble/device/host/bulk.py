"""The bulk-synchronous traversal on a device: leaf pairs of many implicit trees. Paper `bsp`."""

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.bulk_rounds import MOST_COUNTED, Round, Rounds, confirmed_leaves
from tumble.device.host.bulk_variants import row_of_nodes, variant_of
from tumble.device.host.first_frontier import Source, first_sources
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.kinds import defaults_for
from tumble.device.host.leaf_triangles import LeafTriangles, leaves_after_test
from tumble.device.protocol import Buffer, program
from tumble.device.timings import current_timings, phase
from tumble.hierarchy.implicit.layout import Layout, steps_down
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.rounds import Keys, LeafPairs, RoundCounts

# Counters of a round that tests before it writes: two of 32 bits, then three of 64.
PAIRS, LEAVES, LONG, COUNTERS = 0, 1, 2, 8
# Those of an untested one, all of 32 bits: its tests and overlaps are no more than the pairs of its source.
# The last two count the additions and the turns of flushes.
UNTESTED_COUNTERS = 6


def device_leaf_pairs(
    trees: DeviceTrees, tree_pairs: NDArray[np.int64], settings: BulkSettings, *, adjacent: bool, counting: bool = True
) -> tuple[Keys, RoundCounts]:
    """Return the leaf pairs of pairs of trees, as `tumble.traversal.bulk.rounds.leaf_pairs` does, found on a device.

    counting   whether tests and overlaps are counted, which costs atomic additions
    """
    rounds, found = _traverse(trees, tree_pairs, settings, adjacent, counting, testing=False)
    work = RoundCounts() if rounds is None else rounds.work
    return confirmed_leaves(trees.posed, found, work, counting), work


def device_touching(
    trees: DeviceTrees, tree_pairs: NDArray[np.int64], settings: BulkSettings, *, counting: bool = True
) -> tuple[LeafPairs, RoundCounts]:
    """Return the leaf pairs of pairs of trees, neighbours included, with their triangles tested on the device.

    Without `counting`, pairs may be counted whose boxes touch in float32 alone.
    """
    rounds, found = _traverse(trees, tree_pairs, settings, True, counting, testing=True)
    count, work = (0, RoundCounts()) if rounds is None else (rounds.read, rounds.work)
    return leaves_after_test(trees.posed, found, count, work, counting), work


def _traverse(
    trees: DeviceTrees,
    tree_pairs: NDArray[np.int64],
    settings: BulkSettings,
    adjacent: bool,
    counting: bool,
    *,
    testing: bool,
) -> tuple[Rounds | None, NDArray[np.uint64]]:
    """Return the rounds, if there were any, and what was read of their leaf pairs."""
    current_timings().pairs += len(tree_pairs)
    with phase("trees"):
        trees.ready()
    if len(trees.posed.bodies.faces) == 0:
        return None, np.empty(0, np.uint64)
    with trees.device.working():
        kind = TestedRounds if settings.tested else UntestedRounds
        rounds: Rounds = kind(trees, settings, adjacent, counting)
        rounds.tester = LeafTriangles(trees, counting) if testing else None
        for first in first_sources(trees, np.ascontiguousarray(tree_pairs, np.int64), settings):
            rounds.run_from(first)
        return rounds, rounds.read_leaves()


class TestedRounds(Rounds):
    """Rounds that test descendants before they are written, sent to the device all at once: `kernels/bulk_tested.cl`.

    The depths of the trees limit the number of rounds. Each reads from the counters of the one before how long its
    source is, so the host reads counters once, at the end.
    """

    queues = 2
    per_triangle = 24

    def __init__(self, trees: DeviceTrees, settings: BulkSettings, adjacent: bool, counting: bool) -> None:
        super().__init__(trees, settings)
        device, layout, step, defaults = self.device, trees.layout, settings.step, defaults_for(self.device)
        options = {"STEP": step, "QUEUE": settings.queue, "COUNTING": int(counting)}
        self.choose_group(
            defaults.bulk_group,
            lambda group: program("counters", "leaf_pairs", "bulk_tested", GROUP=group, **options),
        )
        self.items = defaults.groups_per_unit * max(1, device.info.units) * self.group
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
        leaves, long = self.found, np.ascontiguousarray(counts[:, LONG:]).view(np.uint64).tolist()
        for number, count in enumerate(counts.tolist()):
            leaves += count[LEAVES]
            overlaps, leaf_overlaps, tests = long[number]
            done.append(Round(targets[number % 2], count[PAIRS], leaves, tests, overlaps, leaf_overlaps))
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
        variant, layout = variant_of(trees, settings)
        self.choose_group(
            defaults_for(self.device).untested_group,
            lambda group: program("search", "leaf_pairs", "bulk", GROUP=group, **options, **variant),
        )
        self.arguments = *trees.arguments, *layout, int(adjacent)
        self.counters = self.device.empty(4 * UNTESTED_COUNTERS)

    def launch(self, source: Source, waiting: list[Source]) -> list[Round]:
        """Do one round, in launches that cannot overrun the counters."""
        device = self.device
        (target,) = self.targets(1, source, waiting)
        counts = np.zeros(UNTESTED_COUNTERS, np.uint32)
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
        pairs, leaves, *counted = counts.tolist()
        return [Round(target, pairs, leaves, source.pairs, *counted)]


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
