"""Trees that are built and refitted, with padding and without: their size, and what it costs to make and walk them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.bsp.queries import questions
from tumble.bench.papers.bsp.scenes import Scene
from tumble.bench.papers.bsp.ways import CPU, bulk_on_cpu, bulk_on_device, pairs_for, trees_of, trees_on
from tumble.device import Device

TREES = "trees"
PADDED, COMPRESSED = FORMS = ("padded", "compressed")
BUILD, REFIT, QUERY = STEPS = ("rebuild", "refit", "query")


def called(way: str, what: str, form: str) -> str:
    """How a contestant is called."""
    return f"{way}, {what}, {form}"


def race_trees(scene: Scene, devices: Sequence[Device], effort: Effort, table: Table) -> None:
    """Build, refit and walk both forms, on the CPU and on every device.

    A rebuild or refit is a whole move to the other frame: vertices checked, sent where trees are elsewhere, boxes made.
    """
    asks: dict[str, Callable[[], Any]] = {}
    study, question = table.study(TREES), questions(scene.name)[-1]
    for form in FORMS:
        trees = trees_of(scene.before, form == PADDED)
        study.add_values(scene.name, form, {"nodes": trees.layout.nodes, "bytes": trees.nbytes})
        _add(asks, CPU, form, trees, scene)
        asks[called(CPU, QUERY, form)] = bulk_on_cpu(trees, pairs_for(trees, question))
    for device in devices:
        for form in FORMS:
            there = trees_on(device, scene.before, form == PADDED)
            _add(asks, device.name, form, there, scene)
            asks[called(device.name, QUERY, form)] = bulk_on_device(there, pairs_for(there, question))
    for ask in asks.values():
        ask()
    study.add_race(scene.name, race(asks, effort))


def _add(asks: dict[str, Callable[[], Any]], way: str, form: str, trees: Any, scene: Scene) -> None:
    vertices = [mesh.vertices for mesh in scene.now]
    asks[called(way, BUILD, form)] = lambda: trees.move(vertices, rebuild=True)
    asks[called(way, REFIT, form)] = lambda: trees.move(vertices)
