"""Figure 7: bulk beside streams, between objects, with the front of the frame before.

As in Section 6.1: trees are built for both frames, the front is made by a traversal of the first and followed in those
of the second. Trees and front are there before the clock starts; it stops when the leaf pairs are here. The paper
leaves out Tang's redistribution of work among groups; here a work-item hands over to another round what is left after
some pairs (`FrontSettings.steps`) or finds no room on its stack.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tumble.bench.bsp.asking import Ask, bulk_ways, compare
from tumble.bench.bsp.records import BETWEEN, CPU, Findings, Raced
from tumble.bench.bsp.scenes import Scene
from tumble.bench.framework.timing import Effort, race
from tumble.device.front_primed import PrimedFront, primed_front

STREAMS = "streams"
REFITTED, AT_ROOTS = "streams, refitted trees", "streams from the roots"


def called(way: str, method: str) -> str:
    """How a method on the CPU or on a device is called."""
    return f"{way}, {method}"


def race_streams(scene: Scene, effort: Effort, findings: Findings) -> None:
    """Bulk and streams in turn, on the CPU and on every device."""
    asks = bulk_ways(scene.now, findings.devices, BETWEEN)
    asks |= _streams(CPU, "cpu", scene)
    for device in findings.devices:
        asks |= _streams(device.name, device.name, scene)
    truth = np.sort(asks[CPU]())
    for name, ask in asks.items():
        compare(scene.name, BETWEEN, name, ask(), truth, findings)
        ask.kernels.clear()
    rounds = race(asks, effort)
    kernels = {name: ask.kernels[1:] for name, ask in asks.items() if any(ask.kernels)}
    findings.streams.append(Raced(scene.name, BETWEEN, rounds, kernels, dict.fromkeys(asks, len(truth))))


def _streams(way: str, device: str, scene: Scene) -> dict[str, Ask]:
    """Streams with the front of the frame before: with new trees as in the paper, with refitted ones, and without."""
    anew, refitted = (
        primed_front(scene.before, scene.now, rebuild=rebuild, device=device) for rebuild in (True, False)
    )
    steps = {STREAMS: anew, REFITTED: refitted, AT_ROOTS: replace(anew, front=None)}
    return {called(way, method): _ask(step) for method, step in steps.items()}


def _ask(step: PrimedFront) -> Ask:
    return Ask(lambda: step.run()[0])
