"""Table 1, the leaf pairs of each frame and how long a query takes; scenes beside each other; and trees that move."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle, permutations
from typing import Any

import numpy as np

from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.published import TABLE_1
from tumble.bench.papers.bsp.scenes import Scene
from tumble.bench.papers.bsp.streams import called
from tumble.core.parallel import thread_count
from tumble.device import Device
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.rounds import leaf_pairs

LOADS, QUERIES, SCENES = "leaf pairs", "queries", "scenes"
TREES = "trees"
PADDED, COMPRESSED = FORMS = ("padded", "compressed")
BUILD, REFIT, QUERY = STEPS = ("rebuild", "refit", "query")
REBUILT, REFITTED = FRAMES = ("frame, rebuilt", "frame, refitted")
"""the next frame and a query about it, trees built anew or only refitted since the first frame"""


def questions(scene: str) -> tuple[str, ...]:
    """The questions about a scene: between objects, and last what the paper asks where it looks within them, too."""
    return (ways.BETWEEN, ways.ALL) if TABLE_1[scene].within else (ways.BETWEEN,)


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


def race_scenes(scenes: Sequence[Scene], devices: Sequence[Device], effort: Effort, table: Table) -> None:
    """Race the scenes against each other, as Table 1 asks about them, in the paper's way: one race for each device."""
    asked: dict[str, dict[str, ways.Ask]] = {}
    for scene in scenes:
        for way in ways.all_ways(scene.now, devices):
            if way.name in ways.papers_ways(table):
                asked.setdefault(way.name, {})[scene.name] = way.ask(questions(scene.name)[-1])
    for name, asks in asked.items():
        for ask in asks.values():
            ask()
        table.study(SCENES).add_race(name, race(asks, effort), permutations(asks, 2))


def _bulk(scene: Scene, devices: Sequence[Device], question: str) -> dict[str, ways.Ask]:
    return {way.name: way.ask(question) for way in ways.all_ways(scene.now, devices)}


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
        asks |= {called(way, what, form): _frames(scene, device, form, what == REBUILT) for what in FRAMES}
    for ask in asks.values():
        ask()
    places = [ways.CPU, *(device.name for device in devices)]
    pairs = [tuple(called(way, QUERY, form) for form in FORMS) for way in places]
    for steps in ((BUILD, REFIT), FRAMES):
        pairs += [tuple(called(way, step, form) for step in steps) for way in places for form in FORMS]
    study.add_race(scene.name, race(asks, effort), [(one, other) for one, other in pairs])


def _frames(scene: Scene, device: Device | None, form: str, rebuild: bool) -> Callable[[], None]:
    """Move trees to the other of two frames and ask about it, back and forth."""
    trees, question = ways.trees_on(device, scene.before, form == PADDED), questions(scene.name)[-1]
    frames = cycle([[mesh.vertices for mesh in meshes] for meshes in (scene.now, scene.before)])

    def step() -> None:
        trees.move(next(frames), rebuild=rebuild)
        ways.ask_bulk(trees, ways.pairs_for(trees, question))()

    return step


def mean(values: Mapping[str, float]) -> float:
    """The plain mean, as the paper's average is one; NaN of nothing."""
    return sum(values.values()) / len(values) if values else float("nan")


def ordered(table: Table, case: str) -> int:
    """The leaf pairs of a frame that Table 1 is about, both orders counted."""
    loads = table.study(LOADS)
    within = loads.count(case, "", "within") if TABLE_1[loads.text(case, "", "scene")].within else 0
    return 2 * (loads.count(case, "", "between") + within)
