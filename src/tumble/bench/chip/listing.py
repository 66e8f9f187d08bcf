"""What list traversal alone gains in software: recursive and list traversals over every kind of volume, in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

import tumble
from tumble.bench.chip.reached import nodes_reached
from tumble.bench.chip.records import Findings, Listed, contestant, mean_counts
from tumble.bench.chip.rotating import RECURSIVE, chip_tree, counted, prepared, repetitions_for
from tumble.bench.peers.agreement import compare_pairs
from tumble.bench.peers.objects import Duo
from tumble.bench.peers.race import Effort, race
from tumble.bench.peers.records import Case
from tumble.bench.peers.tumbling import tumbling_poses
from tumble.report import count
from tumble.traversal.query import Query
from tumble.volume import KINDS

METHODS = ("stack", "stack-ahead", "lists", "lists-pairs")
LISTS = METHODS[2:]
VOLUMES = tuple(KINDS)


def list_gain(
    duo: Duo, distance: float, steps: int, effort: Effort, volumes: Sequence[str], findings: Findings
) -> None:
    """One object: every method over every volume, all pairs counted, with queries prepared beforehand.

    Each query is repeated inside one call: the way into a kernel takes as long as hundred node pairs.
    """
    poses = tumbling_poses(distance, steps)
    truth = [tumble.collide(duo.a, duo.b, None, pose).pairs for pose in poses]
    case = Case("lists", f"{duo.name} at {distance:.2f}", duo.name, duo.faces, steps, distance)
    asked: dict[str, list[Query]] = {}
    counts = {}
    for volume in volumes:
        trees = chip_tree(duo.a, volume), chip_tree(duo.b, volume)
        for method in METHODS:
            name = contestant(volume, method)
            queries = asked[name] = prepared(*trees, poses, method)
            answers, stats = zip(*(counted(query) for query in queries), strict=True)
            counts[name] = mean_counts(stats)
            if method in LISTS:
                counts[name]["reached"] = float(np.mean([nodes_reached(query) for query in queries]))
            findings.differences.append(compare_pairs(case, name, truth, answers))
    for queries in asked.values():
        queries[0].repeat(1)
    repetitions = repetitions_for(asked[contestant(volumes[-1], RECURSIVE)])
    runs = {name: _repeated(queries, repetitions) for name, queries in asked.items()}
    case = replace(case, items=steps * repetitions)
    told = f"{count(round(float(np.mean([len(pairs) for pairs in truth]))))} pairs a pose"
    findings.listed.append(Listed(case, race(runs, effort), told, duo.kind, duo.faces, {}, counts))


def _repeated(queries: Sequence[Query], repetitions: int) -> Callable[[], object]:
    return lambda: [query.repeat(repetitions) for query in queries]
