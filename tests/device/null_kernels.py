"""Kernels in Python for the null device: numbers that double at each level stand for pairs of nodes.

A pair is a number with its level in the upper bits. It has two children, 2 n and 2 n + 1, one level down, and those of
the last level are leaf pairs. So the leaf pairs below 0, …, k - 1 are 0, …, 2**LEVELS k - 1, each once, whatever the
host does in between; kernels write as far as there is room and go on counting, as the OpenCL ones do.
"""

import numpy as np

LEVELS = 5
SHIFT = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)


def children(pair):
    level, number = pair >> SHIFT, pair & LOW
    below = (level + np.uint64(1)) << SHIFT
    return [below | number * np.uint64(2), below | (number * np.uint64(2) + np.uint64(1))]


def is_leaf(pair):
    return pair >> SHIFT == LEVELS


def expected_leaves(first):
    return np.arange(len(first) << LEVELS)


def expand(source, begin, count):
    """Return the pairs and the leaf pairs one level below a part of a source."""
    below = [child for pair in source.view(np.uint64)[begin : begin + count] for child in children(pair)]
    return [pair for pair in below if not is_leaf(pair)], [pair & LOW for pair in below if is_leaf(pair)]


def write(values, buffer, at, capacity):
    room = min(len(values), max(0, capacity - at))
    buffer.view(np.uint64)[at : at + room] = values[:room]


def bulk_tested(launch):
    leaves, found, leaf_capacity, capacity, counters, begin, count, number, source, target = launch.arguments[6:]
    counts = counters.view(np.uint32).reshape(-1, 8)
    for pairs, leaf_pairs, *_ in counts[:number].tolist():
        count, found = pairs, found + leaf_pairs
        if count > capacity or found > leaf_capacity:
            return
    pairs, leaf_pairs = expand(source, begin, count)
    write(pairs, target, 0, capacity)
    write(leaf_pairs, leaves, found, leaf_capacity)
    counts[number, :2] = len(pairs), len(leaf_pairs)


def bulk_untested(launch):
    source, begin, count, target, capacity, leaves, leaf_capacity, counters = launch.arguments[10:]
    counts = counters.view(np.uint32)
    pairs, leaf_pairs = expand(source, begin, count)
    write(pairs, target, int(counts[0]), capacity)
    write(leaf_pairs, leaves, int(counts[1]), leaf_capacity)
    counts[:2] += np.array([len(pairs), len(leaf_pairs)], np.uint32)


def bulk_round(launch):
    (bulk_tested if "bulk_tested" in launch.program.files else bulk_untested)(launch)


def front_walk(launch):
    """Replace each pair of the source by its children: all go to the front, leaves to the leaf pairs or the rest."""
    source, firsts, stride, segments, count, _, *targets, counters = launch.arguments[10:]
    options = dict(launch.program.options)
    counts = counters.view(np.uint32)[:: options["SPREAD"]]

    def put(stream, value):
        buffer, room = targets[2 * stream : 2 * stream + 2]
        for segment in range(options["SEGMENTS"]):
            at = counts[stream * options["SEGMENTS"] + segment]
            counts[stream * options["SEGMENTS"] + segment] += 1
            if at < room:
                buffer.view(np.uint64)[segment * room + at] = value
                return
        counts[3 * options["SEGMENTS"] + stream] += 1

    starts = firsts.view(np.uint32)
    for item in range(count):
        part = int(np.searchsorted(starts[:segments], item, side="right")) - 1
        pair = source.view(np.uint64)[part * stride + item - starts[part]]
        for child in children(pair):
            put(0, child)
            if is_leaf(child):
                put(1, child & LOW)
            else:
                put(2, child)


class Finding:
    """A binary stack that finds given candidates for each task, and splits walks as often as told."""

    def __init__(self, rows, splits=0):
        self.rows, self.splits = np.array(rows, np.uint32), splits

    def __call__(self, launch):
        tasks, count, candidates, capacity, counters, pool, room, steps, _, _, most, _, _ = launch.arguments[5:]
        counts, tasks = counters.view(np.uint32), tasks.view(np.uint32).reshape(-1, 4)[:count].copy()
        if steps and self.splits:
            self.splits -= 1
            pool.view(np.uint32).reshape(-1, 4)[:count] = tasks
            counts[2] = min(count, room)
            return
        for task in tasks[:, 0].tolist():
            for sure, one, other in self.rows.tolist():
                if counts[0] < capacity:
                    found = candidates.view(np.uint32)[3 * counts[0] : 3 * counts[0] + 3]
                    found[:] = task | sure << 31, one, other
                counts[0] += 1
                if counts[0] > most:
                    return
