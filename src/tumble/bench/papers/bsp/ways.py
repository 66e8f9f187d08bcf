"""Ways to find the leaf pairs of a scene: the CPU twin and every device, over trees that are there before the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.table import Study, Table
from tumble.bench.framework.timing import Effort, race
from tumble.core.parallel import thread_count
from tumble.device import Device, measured
from tumble.hierarchy.implicit import ImplicitTrees, implicit_trees
from tumble.mesh import Mesh
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES, BulkSettings
from tumble.traversal.bulk.entry import tree_pairs
from tumble.traversal.bulk.rounds import leaf_pairs

Keys = NDArray[np.int64]

CPU = "CPU twin"
PAPER = "as in the paper"
BETWEEN, ALL = "between objects", "between and within objects"
DEVICES, ANSWERS = "devices", "answers"


def papers_way(device: str) -> str:
    """What a device is called where descendants are written before they are tested, with the paper's parameters."""
    return f"{device}, {PAPER}"


def device_of(way: str) -> str:
    """The device of a way, or the CPU."""
    return way.removesuffix(f", {PAPER}")


def ways_of(table: Table) -> list[str]:
    """The CPU, and all devices by default and in the paper's way."""
    return [CPU, *(way for name in table.study(DEVICES).cases() for way in (name, papers_way(name)))]


def papers_ways(table: Table) -> list[str]:
    """What the paper's claims are put to: devices in its way, and without any the CPU."""
    return [papers_way(name) for name in table.study(DEVICES).cases()] or [CPU]


@dataclass
class Ask:
    """A question that can be asked again and again; what its kernels took is noted."""

    find: Callable[[], Keys]
    kernels: list[float] = field(default_factory=list)

    def __call__(self) -> Keys:
        """Ask once."""
        with measured() as timings:
            found = self.find()
        self.kernels.append(timings.kernel)
        return found


def trees_of(meshes: Sequence[Mesh], padded: bool = True) -> ImplicitTrees:
    """Trees in this process."""
    return implicit_trees(meshes, padded=padded)


def trees_on(device: Device, meshes: Sequence[Mesh], padded: bool = True) -> Any:
    """Trees on a device."""
    from tumble.device.engines import device_trees

    return device_trees(meshes, device=device.name, padded=padded)


def pairs_for(trees: Any, question: str) -> NDArray[np.int64]:
    """The pairs of trees that a question is about."""
    return tree_pairs(trees.posed, question != BETWEEN)


def bulk_on_cpu(trees: ImplicitTrees, pairs: NDArray[np.int64], settings: BulkSettings | None = None) -> Ask:
    """The CPU twin, on all cores."""
    threads = thread_count(None)
    return Ask(lambda: leaf_pairs(trees, pairs, settings or BulkSettings(), adjacent=True, threads=threads)[0])


def bulk_on_device(trees: Any, pairs: NDArray[np.int64], settings: BulkSettings | None = None) -> Ask:
    """The traversal on a device, until its leaf pairs are here."""
    from tumble.device.host.bulk import device_leaf_pairs

    return Ask(lambda: device_leaf_pairs(trees, pairs, settings or BULK_ON_DEVICES, adjacent=True, counting=False)[0])


def bulk_ways(meshes: Sequence[Mesh], devices: Sequence[Device], question: str) -> dict[str, Ask]:
    """The CPU twin and all devices, each with trees of its own, by default and in the paper's way."""
    here = trees_of(meshes)
    pairs = pairs_for(here, question)
    found = {CPU: bulk_on_cpu(here, pairs)}
    for device in devices:
        there = trees_on(device, meshes)
        found[device.name] = bulk_on_device(there, pairs)
        found[papers_way(device.name)] = bulk_on_device(there, pairs, BULK_AS_IN_PAPER)
    return found


def add_answer(table: Table, case: str, way: str, same: bool, found: int, wanted: int) -> None:
    """Write whether a way found what it should, and the numbers where it did not."""
    table.study(ANSWERS).add(case, way, "same", same)
    if not same:
        table.study(ANSWERS).add_values(case, way, {"found": found, "wanted": wanted})


def compare(table: Table, case: str, way: str, found: Keys, truth: Keys) -> None:
    """Write whether a way found what it should; the truth is sorted."""
    add_answer(table, case, way, bool(np.array_equal(np.sort(found), truth)), len(found), len(truth))


def race_ways(
    table: Table, study: Study, case: str, asks: Mapping[str, Ask], pairs: Sequence[tuple[str, str]], effort: Effort
) -> None:
    """Compare all ways with the CPU twin, then race them; kernels are timed by the device's clock."""
    truth = np.sort(asks[CPU]())
    for name, ask in asks.items():
        compare(table, f"{study.name}: {case}", name, ask(), truth)
        ask.kernels.clear()
    study.add(case, "", "leaf pairs", len(truth))
    study.add_race(case, race(asks, effort), pairs)
    for name, ask in asks.items():
        # The first call finds out what a round costs.
        if any(ask.kernels[1:]):
            study.add(case, name, "kernels", float(np.median(ask.kernels[1:])), "s")
