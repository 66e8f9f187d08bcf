"""Trees that are built and refitted, with padding and without: their size, and what it costs to make and walk them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tumble.bench.bsp.asking import bulk_on_cpu, bulk_on_device, pairs_for, trees_of, trees_on
from tumble.bench.bsp.records import CPU, Findings, Grown
from tumble.bench.bsp.scenes import Scene
from tumble.bench.bsp.table import questions
from tumble.bench.framework.timing import Effort, race

PADDED, COMPRESSED = "padded", "compressed"
BUILD, REFIT, QUERY = "rebuild", "refit", "query"


def called(way: str, what: str, form: str) -> str:
    """How a contestant is called."""
    return f"{way}, {what}, {form}"


def race_trees(scene: Scene, effort: Effort, findings: Findings) -> None:
    """Build, refit and walk both forms, on the CPU and on every device.

    A rebuild or refit is a whole move to the other frame: vertices checked, sent where trees are elsewhere, boxes made.
    """
    asks: dict[str, Callable[[], Any]] = {}
    here = {form: trees_of(scene.before, form == PADDED) for form in (PADDED, COMPRESSED)}
    for form, trees in here.items():
        _add(asks, CPU, form, trees, scene)
        pairs = pairs_for(trees, questions(scene)[-1])
        asks[called(CPU, QUERY, form)] = bulk_on_cpu(trees, pairs)
    for device in findings.devices:
        for form in (PADDED, COMPRESSED):
            there = trees_on(device, scene.before, form == PADDED)
            _add(asks, device.name, form, there, scene)
            asks[called(device.name, QUERY, form)] = bulk_on_device(there, pairs_for(there, questions(scene)[-1]))
    for ask in asks.values():
        ask()
    padded, compressed = here[PADDED], here[COMPRESSED]
    nodes, sizes = (padded.layout.nodes, compressed.layout.nodes), (padded.nbytes, compressed.nbytes)
    findings.grown.append(Grown(scene.name, *nodes, *sizes, race(asks, effort)))


def _add(asks: dict[str, Callable[[], Any]], way: str, form: str, trees: Any, scene: Scene) -> None:
    vertices = [mesh.vertices for mesh in scene.now]
    asks[called(way, BUILD, form)] = lambda: trees.move(vertices, rebuild=True)
    asks[called(way, REFIT, form)] = lambda: trees.move(vertices)
