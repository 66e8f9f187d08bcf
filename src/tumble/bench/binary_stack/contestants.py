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
from tumble.bench.binary_stack.records import DeviceTimes, Moment
from tumble.device import Device, DeviceTimings, measured
from tumble.device.doors import collide_poses
from tumble.device.settings import Settings
from tumble.mesh import Mesh
from tumble.query.answer import Collisions
from tumble.query.run import Bodies, collide_bodies
from tumble.traversal import prepare
from tumble.traversal.engines import wide_engine
from tumble.traversal.rules import DEFAULT_RULE

DEFAULT, DEFAULT_ONE = "default engine, all cores", "default engine, one core"
BINARY, STACK = "binary stack", "ordinary stack"
METHODS = {BINARY: "binary-stack", STACK: "stack"}
PAPERS_WAY = Settings(pool=False)

Ask = Callable[[], Any]


def default_engine(mesh: Mesh, moment: Moment, threads: int | None) -> Ask:
    """The fast path, as the simulator calls it."""
    engine = wide_engine()
    bodies = Bodies(np.full(len(moment.poses), engine.tree_of(mesh).address, np.int64), moment.poses)
    return lambda: collide_bodies(bodies, bodies, moment.pairs, engine, threads=threads)


def queries(mesh: Mesh, moment: Moment, method: str, rule: str = DEFAULT_RULE) -> list[Any]:
    """A prepared query for each pair of bodies, over trees of turned boxes with one triangle a leaf, as on devices."""
    tree, poses = tumble.build(mesh, "obb", leaf_size=1), moment.poses
    return [prepare(tree, tree, poses[i], poses[j], method=method, rule=rule) for i, j in moment.pairs.tolist()]


def traversal(prepared: Sequence[Any]) -> Ask:
    """All pairs of all queries, on one core."""
    return lambda: [query.collect() for query in prepared]


def called(device: Device, way: str = "") -> str:
    """How a device is called in tables, where it draws from a pool and where it works as in the paper."""
    return f"{device.name}{way and ', '}{way}"


EACH = "one work-item a pair"


@dataclass
class OnDevice:
    """A device's answers, and where the time of each call went."""

    device: Device
    mesh: Mesh
    moment: Moment
    settings: Settings = field(default_factory=Settings)
    noted: list[DeviceTimings] = field(default_factory=list)

    def __call__(self) -> Collisions:
        """Ask once."""
        poses = self.moment.poses
        with measured() as timings:
            found = collide_poses(
                self.device.name, (self.mesh, self.mesh), (poses, poses), self.moment.pairs, settings=self.settings
            )
        self.noted.append(timings)
        return found

    def times(self) -> DeviceTimes:
        """The medians of all calls but the first, in which buffers grow."""
        noted = self.noted[1:] or self.noted
        names = ("upload", "kernel", "copy", "confirm", "launches")
        medians = {name: float(np.median([getattr(one, name) for one in noted])) for name in names}
        return DeviceTimes(**medians, candidates=noted[-1].candidates, unsure=noted[-1].unsure)


def on_devices(devices: Sequence[Device], mesh: Mesh, moment: Moment) -> dict[str, OnDevice]:
    """Every device, in the paper's way and with the pool of work."""
    found = {}
    for device in devices:
        found[called(device, EACH)] = OnDevice(device, mesh, moment, PAPERS_WAY)
        found[called(device)] = OnDevice(device, mesh, moment)
    return found


def as_keys(answer: Any) -> list[Any]:
    """The triangle pairs of every pair of bodies as sorted numbers."""
    each = [answer.pairs(i) for i in range(len(answer))] if isinstance(answer, Collisions) else answer
    return [np.sort(pairs[:, 0] << 32 | pairs[:, 1]) for pairs in each]


def differing(answer: Any, truth: Sequence[Any]) -> int:
    """How many pairs of bodies have other triangles than in the truth, both as `as_keys` gives them."""
    return sum(not np.array_equal(mine, theirs) for mine, theirs in zip(as_keys(answer), truth, strict=True))
