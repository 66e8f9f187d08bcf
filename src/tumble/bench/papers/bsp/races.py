"""Table 1, the leaf pairs of each frame and how long a query takes; Figure 7, bulk beside streams; and trees that move.

Figure 7 as in Section 6.1: trees and front are there before the clock starts, which stops when the leaf pairs are here.
The paper leaves out Tang's redistribution of work among groups; here a work-item hands on what is left.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.published import TABLE_1
from tumble.bench.papers.bsp.scenes import Scene
from tumble.core.parallel import thread_count
from tumble.device import Device
from tumble.device.front_primed import PrimedFront, primed_front
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.rounds import leaf_pairs

LOADS, QUERIES, FIGURE_7 = "leaf pairs", "queries", "streams"
STREAMS = "streams"
REFITTED, AT_ROOTS = "streams, refitted trees", "streams from the roots"
TREES = "trees"
PADDED, COMPRESSED = FORMS = ("padded", "compressed")
BUILD, REFIT, QUERY = STEPS = ("rebuild", "refit", "query")


def questions(scene: str) -> tuple[str, ...]:
    """The questions about a scene: between objects, and last what the paper asks where it looks within them, too."""
    return (ways.BETWEEN, ways.ALL) if TABLE_1[scene].within else (ways.BETWEEN,)


def called(way: str, *what: str) -> str:
    """How a method on the CPU or on a device is called, or what is done to trees there."""
    return ", ".join((ways.device_of(way), *what))


def case_of(scene: str, question: str) -> str:
    """How a question about a scene is called."""
    return f"{scene}, {question}"


def add_loads(scene: Scene, table: Table) -> None:
    """Write the leaf pairs of both frames, each counted once; within objects with neighbours and without."""
    frames = zip((scene.before, scene.now), scene.frames, strict=True)
    for meshes, frame in frames if scene.real else [(scene.now, "stand-in")]:
        trees = ways.trees_on(None, meshes)
        own = np.repeat(np.arange(len(meshes)), 2).reshape(-1, 2)
        between = len(ways.ask_bulk(trees, ways.pairs_for(trees, ways.BETWEEN))())
        within, apart = (
            len(leaf_pairs(trees, own, BulkSettings(), adjacent=adjacent, threads=thread_count(None))[0])
            for adjacent in (True, False)
        )
        study, case = table.study(LOADS), f"{scene.name}, {frame}"
        study.add_values(case, "", {"scene": scene.name, "frame": frame, "real": scene.real})
        study.add_values(case, "", {"objects": len(meshes), "triangles": sum(map(len, meshes))})
        study.add_values(case, "", {"between": between, "within": within, "within apart": apart})


def race_queries(scene: Scene, devices: Sequence[Device], effort: Effort, table: Table) -> None:
    """Race every way to answer Table 1's questions."""
    for question in questions(scene.name):
        study, case = table.study(QUERIES), case_of(scene.name, question)
        study.add_values(case, "", {"scene": scene.name, "question": question})
        ways.race_ways(table, study, case, _bulk(scene, devices, question), [], effort)


def race_streams(scene: Scene, devices: Sequence[Device], effort: Effort, table: Table) -> None:
    """Race bulk and streams on the CPU and on every device, between objects."""
    asks = {**_bulk(scene, devices, ways.BETWEEN), **_streams(ways.CPU, "cpu", scene)}
    for device in devices:
        asks |= _streams(device.name, device.name, scene)
    pairs = [(called(way, STREAMS), way) for way in ways.ways_of(table)]
    ways.race_ways(table, table.study(FIGURE_7), scene.name, asks, pairs, effort)


def _bulk(scene: Scene, devices: Sequence[Device], question: str) -> dict[str, ways.Ask]:
    return {
        way: ways.ask_bulk(trees, ways.pairs_for(trees, question), settings)
        for way, trees, settings in ways.all_ways(scene.now, devices)
    }


def _streams(way: str, device: str, scene: Scene) -> dict[str, ways.Ask]:
    """Streams with the front of the frame before: with new trees as in the paper, with refitted ones, and without."""
    anew, refitted = (
        primed_front(scene.before, scene.now, rebuild=rebuild, device=device) for rebuild in (True, False)
    )
    steps = {STREAMS: anew, REFITTED: refitted, AT_ROOTS: replace(anew, front=None)}
    return {called(way, method): ways.Ask(partial(_keys, step)) for method, step in steps.items()}


def _keys(step: PrimedFront) -> ways.Keys:
    return step.run()[0]


def race_trees(scene: Scene, devices: Sequence[Device], effort: Effort, table: Table) -> None:
    """Build, refit and walk trees with padding and without, on the CPU and on every device.

    A rebuild or refit is a whole move to the other frame: vertices checked, sent where trees are elsewhere, boxes made.
    """
    asks: dict[str, Callable[[], Any]] = {}
    study, vertices = table.study(TREES), [mesh.vertices for mesh in scene.now]
    for device, form in [(device, form) for device in (None, *devices) for form in FORMS]:
        trees, way = ways.trees_on(device, scene.before, form == PADDED), ways.CPU if device is None else device.name
        if device is None:
            study.add_values(scene.name, form, {"nodes": trees.layout.nodes, "bytes": trees.nbytes})
        asks[called(way, BUILD, form)] = partial(trees.move, vertices, rebuild=True)
        asks[called(way, REFIT, form)] = partial(trees.move, vertices)
        asks[called(way, QUERY, form)] = ways.ask_bulk(trees, ways.pairs_for(trees, questions(scene.name)[-1]))
    for ask in asks.values():
        ask()
    study.add_race(scene.name, race(asks, effort))


def speedups(table: Table, way: str) -> dict[str, float]:
    """How many times as long as bulk streams take on one way, by scene."""
    return table.study(FIGURE_7).ratios(called(way, STREAMS), way)


def kernel_speedups(table: Table, way: str) -> dict[str, float]:
    """The same by the device's clock."""
    study, names = table.study(FIGURE_7), (called(way, STREAMS), way)
    timed = [scene for scene in study.cases(*names) if all(study.has(scene, name, "kernels") for name in names)]
    times = {scene: [study.value(scene, name, "kernels") for name in names] for scene in timed}
    return {scene: theirs / ours for scene, (theirs, ours) in times.items()}


def mean(values: Mapping[str, float]) -> float:
    """The plain mean, as the paper's average is one; NaN of nothing."""
    return sum(values.values()) / len(values) if values else float("nan")


def ordered(table: Table, case: str) -> int:
    """The leaf pairs of a frame that Table 1 is about, both orders counted."""
    loads = table.study(LOADS)
    within = loads.count(case, "", "within") if TABLE_1[loads.text(case, "", "scene")].within else 0
    return 2 * (loads.count(case, "", "between") + within)
