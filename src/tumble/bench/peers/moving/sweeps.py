"""When do two bodies touch? One flight per call, and recorded motions from frame to frame."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Any

import numpy as np

import tumble
from tumble.bench.framework.timing import race
from tumble.bench.peers.moving.contract import MovingPair, MovingPeer
from tumble.bench.peers.moving.judge import JUDGED, add_verdict, first_contact, verdict
from tumble.bench.peers.moving.meeting import Asks, Meeting
from tumble.bench.peers.moving.ours import TumbleMovingPair, motions_of
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.races import Recorder, add_threaded, add_times, threaded
from tumble.scenario.flights import Flight, flights_at_each_other
from tumble.scenario.objects import Duo, shape_duo

TIME_OF_IMPACT, MOTION, WHOLE_MOTION = "time-of-impact", "motion", "motion-whole"
LINEAR, SCREW = "linear", "screw"


def sweeps(recorder: Recorder, peers: Sequence[MovingPeer], faces: int, count: int, samples: int) -> None:
    """Two tori fly at each other, straight and along screws: each flight is a case."""
    meeting = Meeting.of(shape_duo("torus", faces), peers, "impacts")
    for kind in (LINEAR, SCREW):
        for number, flight in enumerate(flights_at_each_other(count, kind == SCREW), start=1):
            asks = {name: partial(pair.impacts, pair.native([flight])) for name, pair in meeting.pairs.items()}
            times = _judged(recorder, meeting, f"{meeting.duo.name} {kind}", [flight], asks, samples)
            answer = f"touch at {times[0]:.4f}" if times[0] < inf else "pass each other"
            facts = meeting.facts(f"{meeting.duo.name} {kind} {number}", motion=kind, answer=answer, items=1)
            add_times(recorder.table.study(TIME_OF_IMPACT), facts, race(asks, recorder.effort))


def motions(
    recorder: Recorder, peers: Sequence[MovingPeer], recorded: tuple[Duo, list[Flight]], samples: int, threads: int
) -> None:
    """A recorded motion: the first contact between every two frames, and of all frames as one path."""
    duo, flights = recorded
    meeting = Meeting.of(duo, peers, "both move")
    case = f"{duo.name}, {len(flights) + 1} frames"
    native = {name: pair.native(flights) for name, pair in meeting.pairs.items()}
    asks: dict[str, Callable[[], Any]] = {
        name: partial(pair.impacts, native[name]) for name, pair in meeting.pairs.items()
    }
    together = motions_of(flights)
    asks[OURS] = partial(meeting.ours.impacts_of_all, together, 1)
    if threads > 1:
        asks[threaded(OURS, threads)] = partial(meeting.ours.impacts_of_all, together, threads)
    times = _judged(recorder, meeting, case, flights, asks, samples)
    answer = f"{int(np.isfinite(times).sum())} of {len(flights)} touch"
    facts = meeting.facts(case, answer=answer, items=len(flights))
    add_threaded(recorder, MOTION, facts, race(asks, recorder.effort), threads)
    path = _path(meeting.ours, flights)
    until: dict[str, Callable[[], float]] = {
        name: partial(_until_first, pair, native[name]) for name, pair in meeting.pairs.items()
    }
    until[OURS] = path
    facts = meeting.facts(case, answer=f"first contact in frame {path():.4f}", items=1)
    for name, ask in until.items():
        recorder.table.study(WHOLE_MOTION).add(case, name, "first contact", ask())
    add_times(recorder.table.study(WHOLE_MOTION), facts, race(until, recorder.effort))


def _path(ours: TumbleMovingPair, flights: Sequence[Flight]) -> Callable[[], float]:
    """All flights as one motion of each body; the answer is in frames."""
    poses = [[motion.at(0.0) for motion in each] for each in zip(*flights, strict=True)]
    ends = [[motion.at(1.0)] for motion in flights[-1]]
    paths = [tumble.Motion.path(np.stack(each + end)) for each, end in zip(poses, ends, strict=True)]
    return lambda: tumble.time_of_impact(ours.a, ours.b, *paths).time * len(flights)


def _until_first(pair: MovingPair, native: Sequence[Any]) -> float:
    """Ask flight by flight until one touches."""
    for number, flight in enumerate(native):
        time = float(pair.impacts([flight])[0])
        if time < inf:
            return number + time
    return inf


def _judged(
    recorder: Recorder, meeting: Meeting, case: str, flights: Sequence[Flight], asks: Asks, samples: int
) -> Any:
    """Ask all once, write what the judge says about their answers, and return ours."""
    duo = meeting.duo.a, meeting.duo.b
    truth = [first_contact(*duo, flight, samples) for flight in flights]
    answers = {name: ask() for name, ask in asks.items()}
    for name, found in answers.items():
        add_verdict(recorder.table.study(JUDGED), case, name, verdict(duo, flights, truth, found))
    return answers[OURS]
