"""How far, how near, inside or not: the questions about two meshes beyond touching.

Each has its own study; answers are compared with Tumble's before the clock starts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import tumble
from tumble.bench.framework.answers import Difference, compare_hits, compare_pairs, compare_values
from tumble.bench.framework.table import Value
from tumble.bench.framework.timing import Rounds, race
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.races import Asks, Compare, Recorder, add_times, compared
from tumble.mesh import Mesh, shapes, translation
from tumble.report import count
from tumble.scenario.objects import Duo, in_unit_cube, shape_duo
from tumble.scenario.tumbling import Poses, motion_poses, tumbling_poses

# The size of what tumbles in a ball, and where it does so, beside it and across its surface, in lengths of the box.
INNER_SIZE, INSIDE, BESIDE, ACROSS = 0.35, 0.1, 1.0, 0.5
CLEARANCE = 0.02
# Of larger meshes, millions of pairs are nearer than that.
MOST_FACES_OF_PAIRS = 12_000
TURN_AT = 1.2
# From here on no pose crosses. Of bodies that do, MeshLib tells a depth, and Tumble 0.
NOT_CROSSING = 1.0

Facts = Mapping[str, Value]


@dataclass(frozen=True)
class ApartSizes:
    """Sizes of a run; those of a full one unless told otherwise."""

    # Triangles of each shape.
    sizes: Sequence[int] = (1_000, 10_000, 100_000, 500_000)
    # Between the middles of the boxes, in their lengths: apart, near, and so near that some poses touch.
    places: Sequence[float] = (1.5, 1.0, 0.8)
    poses: int = 8
    motion: int = 1_000
    motion_of: Sequence[tuple[str, int]] = (("torus", 1_000), ("gear", 10_000), ("knot", 10_000), ("torus", 100_000))
    # Objects in a ball.
    solid_poses: int = 4
    # How often boxes that touch are subdivided.
    times: int = 4
    solid_sizes: Sequence[int] = (1_000, 10_000, 100_000)


def distances(recorder: Recorder, entrants: Entrants, sizes: ApartSizes, place: float) -> None:
    """How far is the second object from the first? A distance for each pose of the turn, with nearest points."""
    asks = entrants.asks("distances", tumbling_poses(place, sizes.poses))
    _raced(recorder, "distance", _facts(entrants.duo, f" at {place:g}"), asks, compare_values, entrants.brief)


def signed_distances(recorder: Recorder, entrants: Entrants, place: float, poses: int, name: str) -> None:
    """The same with a sign, negative where one object is inside the other."""
    asks = entrants.asks("signed_distances", tumbling_poses(place, poses))
    _raced(recorder, "signed-meshes", _facts(entrants.duo, name), asks, compare_values, entrants.brief)


def clearances(recorder: Recorder, entrants: Entrants, sizes: ApartSizes, place: float) -> None:
    """Are the two nearer than a clearance? And which triangles are?"""
    facts, poses = _facts(entrants.duo, f" at {place:g}"), tumbling_poses(place, sizes.poses)
    _raced(recorder, "clearance", facts, entrants.asks("within", poses, CLEARANCE), compare_hits, entrants.brief)
    if entrants.duo.faces <= MOST_FACES_OF_PAIRS:
        pairs = entrants.asks("pairs_within", poses, CLEARANCE)
        _raced(recorder, "clearance-pairs", facts, pairs, compare_pairs, entrants.brief)


def has_clearance() -> bool:
    """Whether this Tumble answers questions about clearances."""
    return hasattr(tumble, "clearance")


def motions(recorder: Recorder, entrants: Entrants, sizes: ApartSizes, threads: int) -> None:
    """Distances along a motion that draws near, and along a turn that stays apart.

    One call of Tumble's, on one thread and on several, against Python loops over the others.
    """
    ours: Any = entrants.pairs[OURS]
    for name, poses in (("draws near", motion_poses(sizes.motion)), ("turns", tumbling_poses(TURN_AT, sizes.motion))):
        asks: dict[str, Any] = {**entrants.asks("distances", poses), OURS: partial(ours.distances_of_all, poses, 1)}
        several = f"{OURS} on {threads} threads"
        if threads > 1:
            asks[several] = partial(ours.distances_of_all, poses, threads)
        facts = _facts(entrants.duo, f" {name}")
        found = compared(recorder.table.study("distance-many"), str(facts["case"]), asks, compare_values)
        facts = {**facts, "answer": _answer(found), "items": len(found)}
        rounds = race(asks, recorder.effort, entrants.brief)
        plain = {each: values for each, values in rounds.items() if each != several}
        add_times(recorder.table.study("distance-many"), facts, plain)
        if threads > 1:
            add_times(recorder.table.study("distance-many-threads"), facts, {**plain, OURS: rounds[several]})


def solid_duo(kind: str, faces: int) -> Duo:
    """A ball, and a smaller object that fits into it: both have about so many triangles."""
    ball = shapes.icosphere(max(1, round(np.log(faces / 20) / np.log(4))))
    inner = shape_duo(kind, faces)
    small = Mesh(inner.a.vertices * INNER_SIZE, inner.a.faces)
    return Duo(f"{inner.name} in a ball", kind, in_unit_cube(ball), small)


def solids(recorder: Recorder, entrants: Entrants, sizes: ApartSizes, queries: Sequence[str]) -> None:
    """Signed distances and relations of a ball and what tumbles in it; relations also beside it and across it."""
    if "signed-meshes" in queries:
        signed_distances(recorder, entrants, INSIDE, sizes.solid_poses, "")
    if "relation" in queries:
        for name, place in (("inside", INSIDE), ("beside", BESIDE), ("across", ACROSS)):
            asks = entrants.asks("relations", tumbling_poses(place, sizes.solid_poses))
            _raced(recorder, "relation", _facts(entrants.duo, f", {name}"), asks, compare_words, entrants.brief)


def touching_duos(times: int) -> dict[str, tuple[Mesh, Mesh, Poses]]:
    """Boxes that touch without crossing, and such as lie in each other, at poses that do not round."""
    box, small = tumble.subdivide(shapes.box(), times), tumble.subdivide(shapes.box(0.5), times - 1)
    hollow = Mesh(
        np.concatenate([box.vertices, small.vertices]),
        np.concatenate([box.faces, small.faces[:, ::-1] + len(box.vertices)]),
    )
    beside = np.stack([translation(*shift) for shift in ((1, 0, 0), (0, 1, 0.25), (1, 1, 0), (1, 1, 1))])
    within = np.stack([translation(*shift) for shift in ((0, 0, 0), (0.25, 0, 0), (0.25, 0.25, 0.25))])
    void = np.stack([np.eye(4)])
    inner = Mesh(small.vertices * 0.5, small.faces)
    return {
        "boxes side by side": (box, box, beside),
        "a box in a box": (box, small, within),
        "a box in the void of a box": (hollow, inner, void),
        "the same box": (box, Mesh(box.vertices.copy(), box.faces.copy()), void),
    }


def relations_in_contact(recorder: Recorder, entrants: Entrants, poses: Poses) -> None:
    """Relations of boxes that touch."""
    asks = entrants.asks("relations", poses)
    _raced(recorder, "relation", _facts(entrants.duo, ""), asks, compare_words, entrants.brief)


def compare_words(truth: Sequence[str], answers: Sequence[str]) -> Difference:
    """Words, pose by pose; a relation in which solids meet is missing or invented."""
    differ = missing = invented = 0
    for right, found in zip(truth, answers, strict=True):
        differ += right != found
        missing += found == "apart" != right
        invented += right == "apart" != found
    return Difference(len(truth), differ, missing, invented)


def _facts(duo: Duo, place: str) -> dict[str, Value]:
    return {"case": f"{duo.name}{place}", "object": duo.name, "triangles": duo.faces}


def _raced(recorder: Recorder, query: str, facts: Facts, asks: Asks, compare: Compare, brief: Sequence[str]) -> None:
    study = recorder.table.study(query)
    found = compared(study, str(facts["case"]), asks, compare)
    rounds: Rounds = race(asks, recorder.effort, brief)
    add_times(study, {**facts, "answer": _answer(found), "items": len(found)}, rounds)


def _answer(found: Any) -> str:
    """What came out, in a few words."""
    if isinstance(found, np.ndarray):
        touching, inside = int((found == 0).sum()), int((found < 0).sum())
        words = [f"{touching} of {len(found)} touch"] if touching else []
        words += [f"{inside} inside"] if inside else []
        return ", ".join([*words, f"{np.abs(found).mean():.2g} apart"])
    if isinstance(found[0], str):
        return ", ".join(dict.fromkeys(found))
    if isinstance(found[0], np.ndarray):
        return f"{count(round(float(np.mean([len(pairs) for pairs in found]))))} pairs per pose"
    return f"{sum(map(bool, found))} of {len(found)} nearer"
