"""Ways to find the leaf pairs of a scene: the CPU twin and every device, over trees that are there before the clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.bsp.records import BETWEEN, CPU, Answer, Findings, papers_way
from tumble.core.parallel import thread_count
from tumble.device import Device, measured
from tumble.hierarchy.implicit import ImplicitTrees, implicit_trees
from tumble.mesh import Mesh
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES, BulkSettings
from tumble.traversal.bulk.entry import tree_pairs
from tumble.traversal.bulk.rounds import leaf_pairs

Keys = NDArray[np.int64]


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


def compare(scene: str, question: str, way: str, found: Keys, truth: Keys, findings: Findings) -> None:
    """Note whether a way found what it should; the truth is sorted."""
    same = np.array_equal(np.sort(found), truth)
    findings.answers.append(Answer(scene, question, way, len(found), len(truth), bool(same)))
