"""Figure 7: bulk beside streams, between objects, with the front of the frame before.

As in Section 6.1: trees are built for both frames, the front is made by a traversal of the first and followed in those
of the second. Trees and front are there before the clock starts; it stops when the leaf pairs are here. Work is not
redistributed among groups, as in the paper.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.bench.bsp.asking import Ask, bulk_on_cpu, bulk_on_device, compare, pairs_for, trees_of, trees_on
from tumble.bench.bsp.records import BETWEEN, CPU, Findings, Raced
from tumble.bench.bsp.scenes import Scene
from tumble.bench.peers.race import Effort, race
from tumble.front_settings import DEFAULT
from tumble.gpu import Device
from tumble.hierarchy.implicit import ImplicitTrees
from tumble.parallel import thread_count

STREAMS, STREAMS_AT_ROOTS = "streams", "streams from the roots"


def called(way: str, method: str) -> str:
    """How a method on the CPU or on a device is called."""
    return f"{way}, {method}"


def race_streams(scene: Scene, effort: Effort, findings: Findings) -> None:
    """Bulk and streams in turn, on the CPU and on every device."""
    here = trees_of(scene.now)
    pairs = pairs_for(here, BETWEEN)
    asks = {CPU: bulk_on_cpu(here, pairs), **_streams_here(trees_of(scene.before), here, pairs)}
    for device in findings.devices:
        asks[device.name] = bulk_on_device(trees_on(device, scene.now), pairs)
        asks |= _streams_there(device, scene, pairs)
    truth = np.sort(asks[CPU]())
    for name, ask in asks.items():
        compare(scene.name, BETWEEN, name, ask(), truth, findings)
        ask.kernels.clear()
    rounds = race(asks, effort)
    kernels = {name: ask.kernels[1:] for name, ask in asks.items() if any(ask.kernels)}
    findings.streams.append(Raced(scene.name, BETWEEN, rounds, kernels, dict.fromkeys(asks, len(truth))))


def _streams_here(before: ImplicitTrees, now: ImplicitTrees, pairs: NDArray[np.int64]) -> dict[str, Ask]:
    from tumble.traversal.front.follow import front_pairs

    threads = thread_count(None)
    first = front_pairs(before, None, pairs_for(before, BETWEEN), DEFAULT, adjacent=True, threads=threads)[1]

    def ask(front: object) -> Ask:
        return Ask(lambda: front_pairs(now, front, pairs, DEFAULT, adjacent=True, threads=threads)[0])  # type: ignore[arg-type]

    return {called(CPU, STREAMS): ask(first), called(CPU, STREAMS_AT_ROOTS): ask(None)}


def _streams_there(device: Device, scene: Scene, pairs: NDArray[np.int64]) -> dict[str, Ask]:
    from tumble.gpu.front import device_front_pairs
    from tumble.gpu.front_streams import FrontRoom

    before, now = (trees_on(device, meshes) for meshes in (scene.before, scene.now))
    first = device_front_pairs(before, None, pairs_for(before, BETWEEN), DEFAULT, adjacent=True, counting=False)[1]
    options = {"adjacent": True, "counting": False, "room": FrontRoom()}

    def ask(front: object) -> Ask:
        return Ask(lambda: device_front_pairs(now, front, pairs, DEFAULT, **options)[0])  # type: ignore[arg-type]

    return {called(device.name, STREAMS): ask(first), called(device.name, STREAMS_AT_ROOTS): ask(None)}
