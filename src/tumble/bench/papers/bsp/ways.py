"""Ways to find the leaf pairs of a scene: the CPU twin and every device, over trees that are there before the clock."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.claims import UNKNOWN, Verdict
from tumble.bench.framework.table import Study, Table
from tumble.bench.framework.timing import Effort, race
from tumble.core.parallel import thread_count
from tumble.device import Device, measured
from tumble.device.engines import device_trees
from tumble.device.host.bulk import device_leaf_pairs
from tumble.hierarchy.implicit import ImplicitTrees, implicit_trees
from tumble.mesh import Mesh
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES, BulkSettings
from tumble.traversal.bulk.entry import every_tree_pair, tree_pairs
from tumble.traversal.bulk.rounds import leaf_pairs

Keys = NDArray[np.int64]

CPU = "CPU twin"
PAPER, PRUNED = "as in the paper", "pruned"
BETWEEN, ALL = "between objects", "between and within objects"
DEVICES, ANSWERS = "devices", "answers"


def papers_way(device: str) -> str:
    """What a device or the CPU is called where all pairs of objects enter, and descendants are written untested."""
    return f"{device}, {PAPER}"


def pruned_way(device: str) -> str:
    """The same where only objects whose boxes overlap enter."""
    return f"{papers_way(device)}, {PRUNED}"


def device_of(way: str) -> str:
    """The device of a way, or the CPU."""
    return way.removesuffix(f", {PRUNED}").removesuffix(f", {PAPER}")


def enters_all(way: str) -> bool:
    """Whether a way enters with all N (N - 1) / 2 pairs of objects."""
    return way.endswith(PAPER)


def ways_of(table: Table) -> list[str]:
    """The CPU by default and in the paper's way, and all devices, there also with a pruned list of objects."""
    devices = [way for name in table.study(DEVICES).cases() for way in (name, papers_way(name), pruned_way(name))]
    return [CPU, papers_way(CPU), *devices]


def papers_ways(table: Table) -> list[str]:
    """What the paper's claims are put to: devices in its way, and without any the CPU."""
    return [papers_way(name) for name in table.study(DEVICES).cases()] or [papers_way(CPU)]


def on_devices(test: Callable[[Table], Verdict | None]) -> Callable[[Table], Verdict | None]:
    """Let a test of a claim about kernels say why it cannot be put where there is no device."""

    @wraps(test)
    def on_table(table: Table) -> Verdict | None:
        if not table.study(DEVICES):
            return Verdict(UNKNOWN, "no OpenCL device here: it is about kernels")
        return test(table)

    return on_table


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


def trees_on(device: Device | None, meshes: Sequence[Mesh], padded: bool = True) -> Any:
    """Trees on a device, or in this process."""
    if device is None:
        return implicit_trees(meshes, padded=padded)
    return device_trees(meshes, device=device.name, padded=padded)


def pairs_for(trees: Any, question: str, every: bool = False) -> NDArray[np.int64]:
    """The pairs of trees that a question is about: all, or those whose boxes overlap."""
    return (every_tree_pair if every else tree_pairs)(trees.posed, question != BETWEEN)


def ask_bulk(trees: Any, pairs: NDArray[np.int64], settings: BulkSettings | None = None) -> Ask:
    """The traversal where the trees are, on all cores or on the device, until the leaf pairs are here."""
    if isinstance(trees, ImplicitTrees):
        chosen, threads = settings or BulkSettings(), thread_count(None)
        return Ask(lambda: leaf_pairs(trees, pairs, chosen, adjacent=True, threads=threads)[0])
    there = settings or BULK_ON_DEVICES
    return Ask(lambda: device_leaf_pairs(trees, pairs, there, adjacent=True, counting=False)[0])


class Way(NamedTuple):
    """A traversal with its trees and settings."""

    name: str
    trees: Any
    settings: BulkSettings

    def ask(self, question: str, settings: BulkSettings | None = None) -> Ask:
        """The way as a question about its trees."""
        return ask_bulk(self.trees, self.pairs(question), settings or self.settings)

    def pairs(self, question: str) -> NDArray[np.int64]:
        """The pairs of trees with which it enters."""
        return pairs_for(self.trees, question, enters_all(self.name))


def all_ways(meshes: Sequence[Mesh], devices: Sequence[Device]) -> Iterator[Way]:
    """Those of `ways_of`, each with its trees and settings."""
    here = trees_on(None, meshes)
    yield Way(CPU, here, BulkSettings())
    yield Way(papers_way(CPU), here, BULK_AS_IN_PAPER)
    for device in devices:
        there = trees_on(device, meshes)
        yield Way(device.name, there, BULK_ON_DEVICES)
        yield Way(papers_way(device.name), there, BULK_AS_IN_PAPER)
        yield Way(pruned_way(device.name), there, BULK_AS_IN_PAPER)


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
