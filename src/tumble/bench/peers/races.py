"""The questions that are asked of all: about two objects, about many poses, about many bodies, and the build.

Each has its own study; answers are compared with Tumble's before the clock starts.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np

from tumble.bench.framework.answers import Difference, Pairs, add_difference, compare_hits, compare_pairs
from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import Rounds, Study, Table, Value
from tumble.bench.framework.timing import Effort, race
from tumble.bench.peers.contract import Crowd, Peer, Poses, Touching
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.ours import OURS, TumblePeer
from tumble.report import count
from tumble.scenario.objects import Duo, arrays, shape_duo
from tumble.scenario.tumbling import aligned_poses, crowd_poses, motion_poses, scattered_poses, tumbling_poses

# Where a single look at the two boxes settles it: what a call costs.
FAR_APART = 3.0
ALIGNED = (0.9, 0.75, 0.5)
# The bodies of a scene, which go to and fro between so many arrangements.
BODY_FACES, MOVES = 600, 2

Ask = Callable[[], Any]
Asks = Mapping[str, Ask]
Facts = Mapping[str, Value]
Compare = Callable[[Any, Any], Difference]


@dataclass(frozen=True)
class Recorder:
    """Where results go, and for how long to race."""

    table: Table
    effort: Effort


def first_hits(recorder: Recorder, entrants: Entrants, distance: float, steps: int, query: str = "first-hit") -> None:
    """Does the second object touch the first? A bool for each pose of the turn."""
    asks = entrants.first_hits(tumbling_poses(distance, steps))
    _hits(recorder, query, _at(entrants, distance), asks, entrants.context)


def on_threads(recorder: Recorder, entrants: Entrants, distance: float, threads: int) -> None:
    """First hits asked for by several Python threads at once, each going through its part of a fine turn."""
    poses = tumbling_poses(distance, 120 * threads)
    with ThreadPoolExecutor(threads) as pool:
        _hits(recorder, "python-threads", _at(entrants, distance), entrants.first_hits_on(pool, threads, poses))


def all_pairs(recorder: Recorder, entrants: Entrants, distance: float, steps: int, query: str = "all-pairs") -> None:
    """Which triangles touch? An array of ids for each pose of the turn."""
    _pairs(recorder, query, _at(entrants, distance), entrants, tumbling_poses(distance, steps))


def aligned(recorder: Recorder, entrants: Entrants) -> None:
    """All pairs of objects that were moved but not turned: many triangles only just touch, or lie in one plane."""
    _pairs(recorder, "aligned", _facts(entrants.duo), entrants, aligned_poses(ALIGNED))


def _facts(duo: Duo) -> dict[str, Value]:
    return {"case": duo.name, "object": duo.name, "triangles": duo.faces}


def _at(entrants: Entrants, distance: float) -> dict[str, Value]:
    return {**_facts(entrants.duo), "case": f"{entrants.duo.name} at {distance:g}", "distance": distance}


def _hits(recorder: Recorder, query: str, facts: Facts, asks: Asks, context: Sequence[str] = ()) -> None:
    ours = compared(recorder.table.study(query), str(facts["case"]), asks, compare_hits)
    answer = f"{sum(map(bool, ours))} of {len(ours)} touch"
    _timed(recorder, query, {**facts, "answer": answer, "items": len(ours)}, asks, context)


def _pairs(recorder: Recorder, query: str, facts: Facts, entrants: Entrants, poses: Poses) -> None:
    asks = entrants.all_pairs(poses)
    ours: list[Pairs] = compared(recorder.table.study(query), str(facts["case"]), asks, compare_pairs)
    answer = f"{count(round(float(np.mean([len(pairs) for pairs in ours]))))} pairs per pose"
    _timed(recorder, query, {**facts, "answer": answer, "items": len(ours)}, asks, entrants.context)


def compared(study: Study, case: str, asks: Asks, compare: Compare) -> Any:
    """Ask all once, write how their answers differ, and return ours."""
    answers = {name: ask() for name, ask in asks.items()}
    for name, found in answers.items():
        if name != OURS:
            add_difference(study, case, name, compare(answers[OURS], found))
    return answers[OURS]


def _timed(recorder: Recorder, query: str, facts: Facts, asks: Asks, context: Sequence[str]) -> None:
    add_times(recorder.table.study(query), facts, race(asks, recorder.effort, context))


def add_times(study: Study, facts: Facts, rounds: Rounds) -> None:
    """Write what the rounds of one case took, and how many times as long as Tumble each rival."""
    case = str(facts["case"])
    study.add_values(case, "", {name: value for name, value in facts.items() if name != "case"})
    study.add_race(case, rounds, [(name, OURS) for name in rounds if name != OURS], int(facts["items"]))


def batches(recorder: Recorder, entrants: Entrants, poses: int, threads: int) -> None:
    """Hit flags of a motion, where neighbours are alike, and of poses that have nothing to do with each other.

    One call of Tumble's, against Python loops over the others with everything made beforehand; on one thread and,
    where wanted, on several.
    """
    ours: Any = entrants.pairs[OURS]
    for query, matrices in (("batch", motion_poses(poses)), ("scattered", scattered_poses(poses))):
        asks: dict[str, Ask] = {name: _as_array(ask) for name, ask in entrants.first_hits(matrices).items()}
        asks[OURS] = partial(ours.batch, matrices, 1)
        with ThreadPoolExecutor(threads) as pool:
            if threads > 1:
                loops = entrants.first_hits_on(pool, threads, matrices)
                asks |= {threaded(name, threads): ask for name, ask in loops.items()}
                asks[threaded(OURS, threads)] = partial(ours.batch, matrices, threads)
            hits = compared(recorder.table.study(query), entrants.duo.name, asks, compare_hits)
            answer: Facts = {"answer": f"{np.mean(hits):.0%} of the poses touch", "items": len(hits)}
            add_threaded(recorder, query, {**_facts(entrants.duo), **answer}, race(asks, recorder.effort), threads)


def threaded(name: str, threads: int) -> str:
    """Return what a contestant on several threads is called."""
    return f"{name} on {threads} threads"


def _as_array(ask: Callable[[], list[bool]]) -> Callable[[], np.ndarray]:
    return lambda: np.array(ask(), dtype=bool)


def add_threaded(recorder: Recorder, query: str, facts: Facts, rounds: Rounds, threads: int) -> None:
    """Write the times of one thread, and in a study of its own those of several.

    With threads, Tumble on several meets every loop there is: plain ones, and those on as many threads.
    """
    plain = {name: values for name, values in rounds.items() if not name.endswith(" threads")}
    add_times(recorder.table.study(query), facts, plain)
    ours = rounds.get(threaded(OURS, threads))
    if ours is not None:
        rivals = {name: values for name, values in rounds.items() if not name.startswith(OURS)}
        add_times(recorder.table.study(f"{query}-threads"), facts, {OURS: ours, **rivals})


def build(recorder: Recorder, peers: Sequence[Peer], kind: str, faces: int, say: Say) -> None:
    """From NumPy arrays to a hierarchy that is ready for questions, over the first object.

    VTK and trimesh build only at the first question: they do not compete.
    """
    duo = shape_duo(kind, faces)
    asks = {peer.name: partial(peer.prepare, *arrays(duo.a)) for peer in peers if peer.judged}
    for make in asks.values():
        make()
    _timed(recorder, "build", {**_facts(duo), "triangles": len(duo.a), "items": 1}, asks, ())


def crowd(recorder: Recorder, peers: Sequence[Peer], bodies: int, spacing: float, threads: int, say: Say) -> None:
    """Move every body and find which touch and where, on one thread and, where wanted, on several."""
    mesh = shape_duo("torus", BODY_FACES).a
    crowds: dict[str, Crowd] = {}
    for peer in peers:
        made = peer.crowd(peer.prepare(*arrays(mesh)), bodies)
        if made is not None:
            crowds[peer.name] = made
    if threads > 1:
        ours = TumblePeer()
        crowds[threaded(OURS, threads)] = ours.crowd(ours.prepare(*arrays(mesh)), bodies, threads)
    movers = {name: _mover(made, bodies, spacing) for name, made in crowds.items()}
    study, case = recorder.table.study("scene"), f"{count(bodies)} bodies {spacing:g} apart"
    asks = {name: _moved(crowds[name], mover) for name, mover in movers.items()}
    found: Touching = compared(study, case, asks, compare_crowds)[0]
    answer = f"{count(len(found.bodies or ()))} pairs of bodies, {count(found.triangle_pairs)} of triangles"
    facts: Facts = {"case": case, "object": "torus", "triangles": len(mesh), "answer": answer, "items": 1}
    rounds = race(movers, recorder.effort, [peer.name for peer in peers if not peer.judged])
    add_threaded(recorder, "scene", facts, rounds, threads)


def _moved(made: Crowd, mover: Ask) -> Callable[[], list[Touching]]:
    return lambda: [made.as_touching(mover()) for _ in range(MOVES)]


def _mover(made: Crowd, bodies: int, spacing: float) -> Ask:
    """Puts the bodies into the next arrangement at each call, and asks."""
    arrangements = cycle([made.native(crowd_poses(bodies, spacing, seed)) for seed in range(MOVES)])
    touching = made.touching
    return lambda: touching(next(arrangements))


def compare_crowds(truth: Sequence[Touching], answers: Sequence[Touching]) -> Difference:
    """Numbers of triangle pairs, and bodies where the library names them."""
    differ = missing = invented = 0
    for right, found in zip(truth, answers, strict=True):
        change = found.triangle_pairs - right.triangle_pairs
        bodies_differ = None not in (right.bodies, found.bodies) and right.bodies != found.bodies
        differ += bool(change or bodies_differ)
        missing, invented = missing + max(0, -change), invented + max(0, change)
    return Difference(len(truth), differ, missing, invented)
