"""Table 1, the leaf pairs of each frame and how long a query takes; scenes beside each other; and trees."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.bsp import ways
from tumble.bench.papers.bsp.published import FUNNEL, TABLE_1
from tumble.bench.papers.bsp.scenes import Scene
from tumble.bench.papers.bsp.streams import called
from tumble.core.keys import LOWER_HALF
from tumble.core.parallel import thread_count
from tumble.device import Device
from tumble.hierarchy import build
from tumble.hierarchy.implicit import ImplicitTrees, implicit_trees
from tumble.mesh import Mesh
from tumble.query.settings import BulkSettings
from tumble.traversal.bulk.rounds import leaf_pairs

LOADS, QUERIES, SCENES = "leaf pairs", "queries", "scenes"
TREES, CLOTH_AND_FUNNEL = "trees", "between cloth and funnel"
PADDED, COMPRESSED = FORMS = ("padded", "compressed")
BUILD, REFIT, QUERY = STEPS = ("rebuild", "refit", "query")
CONSTRUCTION, LINKED = "construction on one thread", "with links"
"""trees from nothing, beside trees whose nodes say where their children are: top down, one triangle per leaf"""


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
        found = ways.ask_bulk(trees, ways.pairs_for(trees, ways.BETWEEN))()
        within, apart = (
            len(leaf_pairs(trees, own, BulkSettings(), adjacent=adjacent, threads=thread_count(None))[0])
            for adjacent in (True, False)
        )
        study, case = table.study(LOADS), f"{scene.name}, {frame}"
        study.add_values(case, "", {"scene": scene.name, "frame": frame, "real": scene.real})
        study.add_values(case, "", {"objects": len(meshes), "triangles": sum(map(len, meshes))})
        study.add_values(case, "", {"between": len(found), "within": within, "within apart": apart})
        if scene.name == FUNNEL:
            study.add(case, "", CLOTH_AND_FUNNEL, _of_first_two(trees, found))


def _of_first_two(trees: ImplicitTrees, found: ways.Keys) -> int:
    """How many leaf pairs are of the first two objects: on Funnel, the cloth and the funnel."""
    behind = trees.posed.bodies.first_face[2]
    return int(((found >> 32 < behind) & (found & LOWER_HALF < behind)).sum())


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
    asks = _constructions(scene)
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
    places = [ways.CPU, *(device.name for device in devices)]
    pairs = [tuple(called(way, QUERY, form) for form in FORMS) for way in places]
    pairs += [tuple(called(way, step, form) for step in (BUILD, REFIT)) for way in places for form in FORMS]
    pairs += [tuple(called(ways.CPU, CONSTRUCTION, form) for form in (LINKED, PADDED))]
    study.add_race(scene.name, race(asks, effort), [(one, other) for one, other in pairs])


def _constructions(scene: Scene) -> dict[str, Callable[[], Any]]:
    """Build trees of the second frame from meshes that remember nothing: implicit ones, and some with links."""

    def fresh() -> list[Mesh]:
        return [Mesh(mesh.vertices, mesh.faces) for mesh in scene.now]

    return {
        called(ways.CPU, CONSTRUCTION, PADDED): lambda: implicit_trees(fresh(), threads=1),
        called(ways.CPU, CONSTRUCTION, LINKED): lambda: [build(mesh, "aabb") for mesh in fresh()],
    }


def mean(values: Mapping[str, float]) -> float:
    """The plain mean, as the paper's average is one; NaN of nothing."""
    return sum(values.values()) / len(values) if values else float("nan")


def ordered(table: Table, case: str) -> int:
    """The leaf pairs of a frame that Table 1 is about, both orders counted."""
    loads = table.study(LOADS)
    within = loads.count(case, "", "within") if TABLE_1[loads.text(case, "", "scene")].within else 0
    return 2 * (loads.count(case, "", "between") + within)
