"""The edge check of a planner: is a motion free of contact?

Tumble sweeps each motion in one piece. FCL looks at poses along it, as planners do: no farther apart than a hundredth
of the space, or of the rotations, which is what OMPL takes unless told otherwise.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import ceil, inf, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.timing import race
from tumble.bench.peers.moving.contract import MovingPeer
from tumble.bench.peers.moving.judge import COLUMNS, JUDGED, add_verdict, first_contact, verdict
from tumble.bench.peers.moving.meeting import Asks, Meeting
from tumble.bench.peers.moving.ours import motions_of
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.races import Recorder, add_threaded, threaded
from tumble.mesh import Mesh
from tumble.mesh.motion_pieces import ANGLE, WAY
from tumble.scenario.flights import Flight, short_flights
from tumble.scenario.objects import Duo, shape_duo


@dataclass(frozen=True)
class EdgePlan:
    """How many motions, and at how many poses the judge looks in each."""

    count: int
    judged: int


EDGE_CHECK = "edge-check"
SEGMENT = 0.01
"""of the space or of half a turn: the farthest that poses are from each other"""
LONGEST, SMALL = 0.25, 0.25
"""of the space: how far edges reach; and of the obstacle, the size of what moves beside it"""


def made_duo(faces: int) -> Duo:
    """A knot as the obstacle, and a small torus that moves."""
    obstacle, mover = shape_duo("knot", faces), shape_duo("torus", faces)
    small = Mesh(mover.a.vertices * SMALL, mover.a.faces)
    return Duo(f"small {mover.name} beside {obstacle.name}", "edges", obstacle.a, small)


def samples_of(flight: Flight, space: float) -> int:
    """Return at how many poses a planner looks."""
    piece = flight[1].pieces[0]
    way, angle = float(np.sqrt((piece[WAY : WAY + 3] ** 2).sum())), abs(float(piece[ANGLE]))
    return 1 + max(1, ceil(way / (SEGMENT * space)), ceil(angle / (SEGMENT * pi)))


def edges(recorder: Recorder, peers: Sequence[MovingPeer], duo: Duo, plan: EdgePlan, threads: int) -> None:
    """Which of many short motions are free: one call of Tumble's, and loops over `collide`, plain and on threads."""
    meeting = Meeting.of(duo, peers, "free")
    around = np.stack([duo.a.vertices.min(axis=0), duo.a.vertices.max(axis=0)])
    space = float(np.ptp(around, axis=0).max())
    flights = short_flights(plan.count, around, LONGEST * space)
    samples = [samples_of(flight, space) for flight in flights]
    with ThreadPoolExecutor(threads) as pool:
        asks = _asks(meeting, flights, samples, pool, threads)
        free = _judged(recorder, meeting, flights, asks, plan.judged)
        answer = f"{int(free.sum())} of {plan.count} free"
        facts = meeting.facts(duo.name, answer=answer, items=plan.count, poses=sum(samples))
        add_threaded(recorder, EDGE_CHECK, facts, race(asks, recorder.effort), threads)


def _asks(
    meeting: Meeting, flights: Sequence[Flight], samples: Sequence[int], pool: ThreadPoolExecutor, threads: int
) -> dict[str, Callable[[], Any]]:
    together = motions_of(flights)
    found: dict[str, Callable[[], Any]] = {OURS: partial(meeting.ours.free_of_all, together, 1)}
    for name, pair in meeting.pairs.items():
        if name != OURS:
            found[name] = partial(pair.free, pair.native_edges(flights, samples))
    if threads > 1:
        found[threaded(OURS, threads)] = partial(meeting.ours.free_of_all, together, threads)
        shares = np.array_split(np.arange(len(flights)), threads)
        for name in meeting.pairs:
            if name != OURS:
                # every thread has objects of its own: they keep the pose of the last call
                pairs = [meeting.new_pair(name) for _ in shares]
                parts = [([flights[k] for k in share], [samples[k] for k in share]) for share in shares]
                work = [(pair.free, pair.native_edges(*part)) for pair, part in zip(pairs, parts, strict=True)]
                found[threaded(name, threads)] = partial(_shared_out, pool, work)
    return found


def _shared_out(pool: ThreadPoolExecutor, work: Sequence[tuple[Any, Any]]) -> NDArray[np.bool_]:
    futures = [pool.submit(ask, edges) for ask, edges in work]
    return np.concatenate([future.result() for future in futures])


def _judged(
    recorder: Recorder, meeting: Meeting, flights: Sequence[Flight], asks: Asks, samples: int
) -> NDArray[np.bool_]:
    """Write how many contacts each missed, and how many it told of motions that are free; return what Tumble says."""
    duo, study = (meeting.duo.a, meeting.duo.b), recorder.table.study(JUDGED)
    truth = np.array([first_contact(*duo, flight, samples) for flight in flights])
    answers = {name: ask() for name, ask in asks.items()}
    times = meeting.ours.impacts_of_all(motions_of(flights), 1)
    for name, free in answers.items():
        if name.startswith(OURS):
            found = verdict(duo, flights, truth.tolist(), np.where(free, inf, times).tolist())
        else:
            wrong = int((np.isfinite(truth) & free).sum()), 0, int((answers[OURS] & ~free).sum())
            found = dict(zip(COLUMNS, (len(flights), int(np.isfinite(truth).sum()), *wrong), strict=True))
        add_verdict(study, f"edges: {meeting.duo.name}", name, found)
    return np.asarray(answers[OURS])
