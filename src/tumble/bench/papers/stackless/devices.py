"""The walks on OpenCL devices, which the paper looks forward to: its object in many poses, beside the binary stack.

A device answers for all poses in one call, with one work-item for each or with a pool of work. Raced is what the
traversal kernels take by the device's own clock; copies and exact tests are the same for all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import tumble
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.stackless.published import COUNTERS
from tumble.device import Device, measured
from tumble.mesh import random_pose
from tumble.query.settings import DeviceSettings
from tumble.report import count
from tumble.scenario.pairs import subdivided

DEVICES = "devices"
BASE = "binary-stack"
IN_TURNS = ("alternating", "stackless", "stackless-post")
WALKS = (BASE, *IN_TURNS, "leaf")
POOL, EACH = "pool", "one work-item per pair"
SETTINGS = {POOL: DeviceSettings(), EACH: DeviceSettings(pool=False)}
# How far apart two objects of radius 1 are at most: about half of them touch.
REACH = 1.5


@dataclass(frozen=True)
class Crowd:
    """An object and another in many poses: how often each is subdivided, and how many poses there are."""

    times_a: int
    times_b: int
    poses: int

    @property
    def name(self) -> str:
        """The crowd in words."""
        faces = [count(len(subdivided(times))) for times in (self.times_a, self.times_b)]
        return f"{faces[0]} against {faces[1]} triangles, {self.poses} poses"


def by_way(method: str, way: str) -> str:
    """The name of a contestant."""
    return f"{method}, {way}"


def race_crowd(study: Study, device: Device, crowd: Crowd, rounds: int) -> None:
    """Answers, counters and kernel times of every walk on one device."""
    a, b = subdivided(crowd.times_a), subdivided(crowd.times_b)
    poses = np.array([random_pose(seed, REACH) for seed in range(crowd.poses)])
    case, expected = f"{device.name}: {crowd.name}", tumble.collide_many(a, b, poses, first=False)
    facts = {"device": device.device, "platform": device.platform, "kind": device.kind}
    study.add_values(case, "", {**facts, "touching": int(expected.hit.sum()), "pairs": int(expected.counts.sum())})
    asks: dict[str, Callable[..., Any]] = {
        by_way(method, way): partial(
            tumble.collide_many, a, b, poses, first=False, device=device.name, method=method, settings=settings
        )
        for method in WALKS
        for way, settings in SETTINGS.items()
    }
    for name, ask in asks.items():
        _add_answer(study, case, name, ask(stats=True), expected)
        ask()  # so that its kernel is there: the one that counts is another
    study.add_race(case, _kernel_seconds(asks, rounds), _compared(), quantity=TIME)


def _kernel_seconds(asks: Mapping[str, Callable[..., Any]], rounds: int) -> dict[str, list[float]]:
    """What kernels take by the device's clock, all contestants in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in asks}
    for _ in range(rounds):
        for name, ask in asks.items():
            with measured() as timings:
                ask()
            seconds[name].append(timings.kernel)
    return seconds


def _compared() -> list[tuple[str, str]]:
    """Every walk beside the binary stack, with a pool beside without, post-indexed beside pre-order."""
    found = [(by_way(method, way), by_way(BASE, way)) for method in WALKS[1:] for way in SETTINGS]
    found += [(by_way(method, POOL), by_way(method, EACH)) for method in WALKS]
    return found + [(by_way("stackless-post", way), by_way("stackless", way)) for way in SETTINGS]


def _add_answer(study: Study, case: str, name: str, found: Any, expected: Any) -> None:
    same = np.array_equal(found.counts, expected.counts) and np.array_equal(found.triangles, expected.triangles)
    study.add(case, name, "wrong answers", int(not same))
    study.add_values(case, name, {what: getattr(found.stats, field) for what, field in COUNTERS.items()})
