"""How evenly work is spread over work-items that run in lockstep: counted, for bulk as in the paper and for streams.

A group of work-items takes as long as the longest of them. Of bulk, a work-item tests one pair, and writes the pairs of
its descendants; of streams, it tests all that follows from one pair of the front. The share of the time in which
work-items do something is the work of all of them beside that of groups full of the longest. Frontiers are in the order
of their sources, fronts are sorted, which has neighbours side by side, so that both are the same everywhere.

Work-items that test in lockstep also read in lockstep: the lines of memory that their boxes lie on, beside the boxes,
tell how far accesses are coalesced.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.races import COMPRESSED, PADDED
from tumble.bench.papers.bsp.scenes import Scene
from tumble.core.keys import LOWER_HALF
from tumble.device.front_primed import primed_front
from tumble.hierarchy.implicit import ImplicitTrees

GROUP = 32
"""work-items that share an instruction: of Nvidia's GPUs, half of AMD's"""
BOXES_PER_LINE = 4
"""boxes of 32 bytes, as devices have them, on lines of 128 bytes"""
Nodes = NDArray[np.int64]


def busy_shares(scene: Scene) -> dict[str, float]:
    """The share of both between objects, all pairs of them, and how many tests a work-item of streams makes at most."""
    trees = ways.trees_on(None, scene.now)
    rounds = list(bulk_work(trees, ways.pairs_for(trees, ways.BETWEEN, True)))
    front = np.sort(primed_front(scene.before, scene.now, every=True).front.pairs)
    walks = stream_work(trees, front)
    values = {"bulk busy": _share([steps for _, _, steps in rounds]), "streams busy": _share([walks])}
    read = [(a, b) for a, b, _ in rounds]
    lines, boxes = _lines(read)
    theirs, their_boxes = _lines([(front >> 32, front & LOWER_HALF)])
    values |= {"bulk lines": lines / max(boxes, 1), "streams lines": theirs / max(their_boxes, 1)}
    compressed = ways.trees_on(None, scene.now, padded=False)
    enter = ways.pairs_for(compressed, ways.BETWEEN, True)
    for form, reads in {PADDED: read, COMPRESSED: [(a, b) for a, b, _ in bulk_work(compressed, enter)]}.items():
        values |= {f"line reads, {form}": _lines(reads)[0], f"line reads anywhere, {form}": _lines_anywhere(reads)}
    return values | {"longest walk": float(walks.max()), "mean walk": float(walks.mean())}


def _share(rounds: list[NDArray[np.int64]]) -> float:
    work = [np.pad(steps, (0, -len(steps) % GROUP)).reshape(-1, GROUP) for steps in rounds]
    return sum(map(np.sum, work)) / sum(GROUP * steps.max(axis=1).sum() for steps in work)


def _lines(rounds: list[tuple[Nodes, Nodes]], begin: int = 0) -> tuple[int, int]:
    """How many lines of memory are read, and for how many boxes: two of each work-item; whole groups only.

    begin   at which of the boxes of a line the array of boxes begins
    """
    lines = boxes = 0
    for sides in rounds:
        whole = len(sides[0]) // GROUP * GROUP
        read = np.concatenate([(side[:whole].reshape(-1, GROUP) + begin) // BOXES_PER_LINE for side in sides], axis=1)
        read.sort(axis=1)
        lines += len(read) + int((np.diff(read, axis=1) != 0).sum())
        boxes += read.size
    return lines, boxes


def _lines_anywhere(rounds: list[tuple[Nodes, Nodes]]) -> float:
    """The same for an array that begins anywhere in a line, on average.

    Levels of padded trees begin at 2^l - 1, so that four siblings lie on two lines, if the array begins with a line.
    """
    return sum(_lines(rounds, begin)[0] for begin in range(BOXES_PER_LINE)) / BOXES_PER_LINE


def bulk_work(
    trees: ImplicitTrees, tree_pairs: NDArray[np.int64], step: int = 2
) -> Iterator[tuple[Nodes, Nodes, NDArray[np.int64]]]:
    """Yield each frontier, and the steps of each work-item: a test and the pairs that it writes."""
    a, b = (trees.layout.offset[tree_pairs[:, k]] for k in (0, 1))
    while len(a):
        meet = _meet(trees, a, b)
        steps, frontier = np.ones(len(a), np.int64), (a, b)
        a, b, written = _descendants(trees, a[meet], b[meet], step)
        steps[meet] += written
        yield *frontier, steps


def stream_work(trees: ImplicitTrees, front: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the tests of each work-item, which starts at one pair of a front."""
    a, b, owner = front >> 32, front & LOWER_HALF, np.arange(len(front))
    tests = np.zeros(len(front), np.int64)
    while len(a):
        tests += np.bincount(owner, minlength=len(front))
        meet = _meet(trees, a, b)
        a, b, written = _descendants(trees, a[meet], b[meet], 1)
        owner = np.repeat(owner[meet], written)
    return tests


def _meet(trees: ImplicitTrees, a: Nodes, b: Nodes) -> NDArray[np.bool_]:
    low, high = trees.boxes[:3], trees.boxes[3:]
    return np.logical_and.reduce((low[:, a] <= high[:, b]) & (low[:, b] <= high[:, a]))


def _descendants(trees: ImplicitTrees, a: Nodes, b: Nodes, step: int) -> tuple[Nodes, Nodes, Nodes]:
    """All pairs of descendants of pairs of different trees, by Equations 1 and 2, and how many each pair has."""
    (first_a, count_a, left_a), (first_b, count_b, left_b) = (_below(trees, nodes, step) for nodes in (a, b))
    counts = np.where((left_a > 0) | (left_b > 0), count_a * count_b, 0)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    wide = np.repeat(count_b, counts)
    return np.repeat(first_a, counts) + number // wide, np.repeat(first_b, counts) + number % wide, counts


def _below(trees: ImplicitTrees, nodes: Nodes, step: int) -> tuple[Nodes, Nodes, Nodes]:
    layout = trees.layout
    row = np.searchsorted(layout.starts, nodes, side="right") - 1
    down = np.minimum(step, layout.left[row])
    place = (nodes - layout.starts[row]) << down
    return layout.starts[row + down] + place, np.minimum(1 << down, layout.active[row + down] - place), layout.left[row]
