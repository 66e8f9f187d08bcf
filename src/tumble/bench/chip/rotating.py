"""Table 1, after Section 5: one of two equal objects rotates, and every pose is counted and timed.

Nodes visited come from the list traversal of sibling pairs, which does in software what the chip does; the chip's time
from them by Equation 5, and on a few poses by the cycle model. The software's time is that of the recursive traversal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble import chip
from tumble.bench.chip.published import BEST_K
from tumble.bench.chip.reached import nodes_reached
from tumble.bench.chip.records import Rotation, Sample, Steps
from tumble.bench.peers.contract import Poses
from tumble.bench.peers.objects import Duo
from tumble.bench.peers.race import SHORTEST_TIMER
from tumble.bench.peers.tumbling import tumbling_poses
from tumble.chip.cost import seconds
from tumble.chip.sweep import equation_cycles, run_twice
from tumble.mesh import Mesh, compose, rotation, shapes, translation
from tumble.query.answer import Stats
from tumble.traversal import prepare
from tumble.traversal.query import Query, new_counters, stats_of

VOLUME = f"kdop{BEST_K}"
RECURSIVE, LISTED = "stack", "lists-pairs"
# Each pose is asked so often, and the quickest counts: what takes the processor for a while does not do so thrice.
PASSES = 3
MOST_REPETITIONS = 50
# The cycle model does some ten thousand cycles a second; a pair of triangles takes about so many on the chip.
MOST_CYCLES, CYCLES_A_CHECK = 150_000, 150
# In lengths of the cube around each object.
BOX_SIDE = 0.06


def chip_tree(mesh: Mesh, volume: str = VOLUME) -> Any:
    """The tree that chip and software both walk: by surface, one triangle a leaf."""
    return tumble.build(mesh, volume, split="sah", leaf_size=1)


def rotate(duo: Duo, what: str, distance: float, steps: int, samples: int) -> Rotation:
    """One row of the table."""
    tree_a, tree_b = chip_tree(duo.a), chip_tree(duo.b)
    poses = tumbling_poses(distance, steps)
    listing = prepared(tree_a, tree_b, poses, LISTED)
    stats = [counted(query)[1] for query in listing]
    columns = {column: _column(stats, column) for column in ("tests", "iterations", "moves", "triangle_tests", "hits")}
    rotation = Rotation(
        duo.name,
        what,
        duo.faces,
        distance,
        int((columns["hits"] > 0).sum()),
        columns["tests"],
        columns["iterations"],
        columns["moves"],
        np.array([nodes_reached(query) for query in listing], float),
        columns["triangle_tests"],
        _timed(prepared(tree_a, tree_b, poses, RECURSIVE)),
        _timed(listing),
    )
    chosen = chosen_steps(rotation, samples)
    return replace(rotation, samples=[sample(tree_a, tree_b, duo, poses[step], step) for step in chosen])


def prepared(tree_a: Any, tree_b: Any, poses: Poses, method: str) -> list[Query]:
    """A query for each pose, ready to be asked; there is one unless a mesh is empty."""
    asked = [prepare(tree_a, tree_b, None, pose, method=method) for pose in poses]
    return [query for query in asked if query is not None]


def counted(query: Query) -> tuple[NDArray[np.int64], Stats]:
    """The pairs of a query and what it did, from one specialisation of its kernel."""
    counters = new_counters()
    pairs = query.collect(counters)
    return pairs, stats_of(counters, len(pairs))


def _column(stats: Sequence[Any], name: str) -> Steps:
    return np.array([getattr(one, name) for one in stats], float)


def _timed(queries: Sequence[Any]) -> Steps:
    """Seconds of each query under its own clock, the way into the kernel not counted."""
    queries[0].repeat(1)
    times = np.empty((PASSES, len(queries)))
    for step, query in enumerate(queries):
        repetitions = repetitions_for([query])
        for measured in times:
            start = perf_counter()
            query.repeat(repetitions)
            measured[step] = (perf_counter() - start) / repetitions
    return times.min(axis=0)


def repetitions_for(queries: Sequence[Any]) -> int:
    """How often to repeat queries inside one call, on average, so that the call itself is a few per cent."""
    start = perf_counter()
    for query in queries:
        query.repeat(1)
    cost = (perf_counter() - start) / len(queries)
    return max(1, min(MOST_REPETITIONS, round(SHORTEST_TIMER / cost)))


def chosen_steps(rotation: Rotation, samples: int) -> list[int]:
    """Steps for the cycle model: the dearest that is not too long, then others spread evenly by what they cost."""
    cycles = rotation.hardware / seconds(1) + CYCLES_A_CHECK * rotation.checks
    order = [int(step) for step in np.argsort(cycles, kind="stable")[::-1] if cycles[step] <= MOST_CYCLES]
    return order[:: max(1, -(-len(order) // samples))]


def long_lists(duo: Duo) -> tuple[str, Sample]:
    """A box, a dozen triangles, in the wall of the first object: few lists, and each of them long."""
    box = shapes.box(BOX_SIDE)
    low, high = duo.a.bounds if duo.a.bounds is not None else np.zeros((2, 3))
    corner = duo.a.vertices[np.argmin(np.abs(duo.a.vertices - (low + high) / 2 - (high - low) / 4).sum(axis=1))]
    pose = compose(translation(*corner), rotation("z", 0.4), rotation("x", 0.9))
    return f"{duo.name} and a box", sample(chip_tree(duo.a), chip_tree(box), Duo("", "", duo.a, box), pose, 0)


def sample(tree_a: Any, tree_b: Any, duo: Duo, pose: Any, step: int) -> Sample:
    """One pose on the cycle model."""
    run, plain = run_twice(chip.load(tree_a), chip.load(tree_b), None, pose, chip.Design())
    truth = tumble.collide(duo.a, duo.b, None, pose).pairs
    return Sample(
        step=step,
        cycles=run.cycles,
        seconds=run.seconds,
        plain_cycles=plain.cycles,
        equation_cycles=equation_cycles(plain),
        lists=plain.lists,
        pairs_a_list=plain.aligned_nodes / 2 / plain.lists if plain.lists else 0.0,
        tumbled=run.tumbled_nodes,
        different_tumbled=run.different_tumbled_nodes,
        polygon_checks=run.polygon_checks,
        unsure=run.unsure,
        bottleneck=run.bottleneck,
        plain_bottleneck=plain.bottleneck,
        agrees=bool(np.array_equal(run.pairs, truth)),
    )
