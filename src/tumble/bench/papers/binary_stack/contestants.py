"""What answers for all pairs of bodies of a recorded moment: the default engine, traversals of turned boxes, devices.

Trees and prepared queries are there before the clock starts. A timed call ends with the triangles of every pair of
bodies on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tumble
from tumble.api.ask import ask
from tumble.bench.framework.answers import Pairs
from tumble.bench.papers.binary_stack.fall import Moment
from tumble.device import Device, DeviceTimings, measured
from tumble.mesh import Mesh
from tumble.query.answer import PairTable
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.options import Options
from tumble.query.settings import DeviceSettings
from tumble.traversal import prepare
from tumble.traversal.rules import DEFAULT_RULE

DEFAULT, DEFAULT_ONE = "default engine, all cores", "default engine, one core"
BINARY, STACK = "binary stack", "ordinary stack"
METHODS = {BINARY: "binary-stack", STACK: "stack"}
PAPERS_WAY = DeviceSettings(pool=False)
# Where the time of a call on a device goes: relative poses sent, traversal, candidates back, exact tests.
PARTS = ("upload", "kernel", "copy", "confirm")

Ask = Callable[[], Any]


def default_engine(mesh: Mesh, moment: Moment, threads: int | None) -> Ask:
    """The fast path, as the simulator calls it."""
    bodies = _bodies(mesh, moment)
    return lambda: ask(TOUCHING, bodies, bodies, moment.pairs, Options(threads=threads))


def _bodies(mesh: Mesh, moment: Moment) -> Bodies:
    return Bodies([mesh], np.zeros(len(moment.poses), np.int64), moment.poses)


def queries(mesh: Mesh, moment: Moment, method: str, rule: str = DEFAULT_RULE) -> list[Any]:
    """A prepared query for each pair of bodies; trees of turned boxes with one triangle per leaf, as on devices."""
    tree, poses = tumble.build(mesh, "obb", leaf_size=1), moment.poses
    return [prepare(tree, tree, poses[i], poses[j], method=method, rule=rule) for i, j in moment.pairs.tolist()]


def traversal(prepared: Sequence[Any]) -> Ask:
    """All pairs of all queries, on one core."""
    return lambda: [query.collect() for query in prepared]


def one_each(device: str) -> str:
    """How a device is called where it works as in the paper; where it draws from a pool it has its own name."""
    return f"{device}, {EACH}"


EACH = "one work-item per pair"


@dataclass
class OnDevice:
    """A device's answers, and where the time of each call went."""

    device: Device
    mesh: Mesh
    moment: Moment
    settings: DeviceSettings = field(default_factory=DeviceSettings)
    noted: list[DeviceTimings] = field(default_factory=list)

    def __call__(self) -> PairTable:
        """Ask once."""
        bodies = _bodies(self.mesh, self.moment)
        with measured() as timings:
            options = Options(device=self.device.name, settings=self.settings)
            found = ask(TOUCHING, bodies, bodies, self.moment.pairs, options)
        self.noted.append(timings)
        return found

    def times(self) -> dict[str, float]:
        """Seconds by part, the medians of all calls but the first, in which buffers grow."""
        noted = self.noted[1:] or self.noted
        return {name: float(np.median([getattr(one, name) for one in noted])) for name in PARTS}

    def counts(self) -> dict[str, float]:
        """Candidates of the last call, and those that float32 could not decide."""
        return {"candidates": self.noted[-1].candidates, "unsure": self.noted[-1].unsure}


def on_devices(devices: Sequence[Device], mesh: Mesh, moment: Moment) -> dict[str, OnDevice]:
    """Every device, in the paper's way and with the pool of work."""
    found = {}
    for device in devices:
        found[one_each(device.name)] = OnDevice(device, mesh, moment, PAPERS_WAY)
        found[device.name] = OnDevice(device, mesh, moment)
    return found


def triangle_pairs(answer: Any) -> list[Pairs]:
    """The triangle pairs of every pair of bodies."""
    if isinstance(answer, PairTable):
        return [answer.triangles[answer.rows(i)] for i in range(len(answer))]
    return list(answer)
