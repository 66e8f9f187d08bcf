"""Whether times of impact are right: flights looked at pose by pose, with the exact `collides`.

At the time that the judge names, the two do touch. It may not be the first such time, as what touches between two
poses only is not seen: so an answer that is earlier than the judge's may be right, one that is later is not.
"""

from collections.abc import Sequence
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.mesh import Mesh
from tumble.scenario.flights import Flight

JUDGED = "impacts-judged"
LATE = 1e-4
"""of a flight: what FCL's requests allow by default. Only what is later counts as late"""
NEAR = 1e-3
"""of the longest side of both boxes: what is farther apart at the time of an answer was stopped too early"""
HALVINGS = 40
COLUMNS = ("flights", "touching", "missed", "late", "early")


def poses_at(flight: Flight, times: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the poses of both bodies at some times, (n, 4, 4) each."""
    return [np.stack([motion.at(time) for time in times.tolist()]) for motion in flight]


def first_contact(a: Mesh, b: Mesh, flight: Flight, samples: int) -> float:
    """Return the first time at which poses show that the two touch, narrowed down; infinity where none does."""
    times = np.linspace(0.0, 1.0, samples)
    poses_a, poses_b = poses_at(flight, times)
    hit = tumble.collide_many(a, b, poses_b, poses_a).hit
    if not hit.any():
        return inf
    first = int(np.argmax(hit))
    if first == 0:
        return 0.0
    apart, touching = times[first - 1], times[first]
    for _ in range(HALVINGS):
        middle = 0.5 * (apart + touching)
        if tumble.collides(a, b, flight[0].at(middle), flight[1].at(middle)):
            touching = middle
        else:
            apart = middle
    return float(touching)


def verdict(
    duo: tuple[Mesh, Mesh], flights: Sequence[Flight], truth: Sequence[float], found: Sequence[float]
) -> dict[str, int]:
    """Return how many flights touch, and how many contacts were missed, told late, or told while still far away."""
    near = NEAR * max(float(np.ptp(mesh.vertices, axis=0).max()) for mesh in duo)
    missed = late = early = 0
    for flight, right, time in zip(flights, truth, found, strict=True):
        if not isfinite(time):
            missed += isfinite(right)
        elif time > right + LATE:
            late += 1
        else:
            early += tumble.distance(*duo, *(motion.at(time) for motion in flight)).distance > near
    return dict(zip(COLUMNS, (len(flights), int(np.isfinite(truth).sum()), missed, late, early), strict=True))


def add_verdict(study: Study, case: str, contestant: str, found: dict[str, int]) -> None:
    """Write it, added to what the case has already."""
    for name, number in found.items():
        study.add(case, contestant, name, number + study.count(case, contestant, name, 0))
