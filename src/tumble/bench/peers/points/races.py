"""The questions about points: how near is the mesh, and on which side? All libraries get the same points.

One run has two times: on the wall, with all cores, and the processor time of all threads together, which is what one
core needs. Answers are compared before the clock starts, signs with the exact judge's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.answers import Difference, add_difference, compare_values
from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import Study, Value
from tumble.bench.framework.timing import both_clocks, race
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.points.contract import PointPeer, PointScene
from tumble.bench.peers.points.judge import ON_SURFACE, sides
from tumble.bench.peers.points.ours import TumblePoints
from tumble.bench.peers.races import Recorder, add_times
from tumble.mesh import Mesh
from tumble.report import count
from tumble.scenario.objects import arrays, shape_duo

CLOSEST, SIGNED, ON_SURFACE_QUERY, SIGNS = "closest-points", "signed-distance", "signed-on-surface", "signs"
IN_BOX, NEAR, ON_IT = "in the box", "near the surface", "near and on the surface"
# In lengths of the box; beyond this a wrong sign is not a matter of rounding to single precision.
FAR = 1e-6
WRONG = ("wrong", "on surface, wrong")

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class PointSizes:
    """Sizes of a run; those of a full one unless told otherwise."""

    faces: int = 100_000
    points: int = 100_000
    of: Sequence[str] = ("torus", "knot")
    # Points whose signs the judge looks at, in all, and the meshes.
    judged: int = 1_000_000
    judged_of: Sequence[str] = ("torus", "knot", "gear", "bowl")


@dataclass(frozen=True)
class Entrant:
    """A library with its tree, its points, and which part of the points these are."""

    peer: PointPeer
    scene: PointScene
    points: Any
    asked: int

    def ask(self, question: str, threads: int) -> Any:
        """Ask one question about all points."""
        return getattr(self.scene, question)(self.points, threads)


@dataclass(frozen=True)
class Case:
    """Points and a mesh, and those that are asked about them."""

    name: str
    question: str
    mesh: Mesh
    points: Reals
    entrants: Mapping[str, Entrant]


def points_of(mesh: Mesh, where: str, number: int, seed: int = 1) -> Reals:
    """Return random points in the box of a mesh, near its surface, or near and on it."""
    rng = np.random.default_rng(seed)
    low, high = mesh.triangles.min(axis=(0, 1)), mesh.triangles.max(axis=(0, 1))
    if where == IN_BOX:
        return rng.uniform(low, high, (number, 3))
    triangles = mesh.triangles[rng.integers(0, len(mesh), number)]
    weights = rng.dirichlet([1.0, 1.0, 1.0], number)[:, :, None]
    off = rng.normal(size=(number, 3)) * (0.003 if where == NEAR else 10.0 ** rng.uniform(-16.0, -2.0, (number, 1)))
    points: Reals = (triangles * weights).sum(axis=1) + off
    if where == ON_IT:
        # corners are on the surface; middles of edges are, or miss it by a unit in the last place
        points[::4], points[1::4] = triangles[::4, 0], triangles[1::4, :2].mean(axis=1)
    return points


def closest(recorder: Recorder, peers: Sequence[PointPeer], sizes: PointSizes, threads: int, say: Say) -> None:
    """Nearest points of meshes, in their box and near their surface."""
    for kind in sizes.of:
        for where in (IN_BOX, NEAR):
            say(f"{kind}, {where}")
            _race(recorder, CLOSEST, _case(peers, "closest", kind, where, sizes), threads)


def signed(recorder: Recorder, peers: Sequence[PointPeer], sizes: PointSizes, threads: int, say: Say) -> None:
    """Signed distances of points in the box and near the surface, and of one mesh on it."""
    for kind in sizes.of:
        for where in (IN_BOX, NEAR, ON_IT) if kind == sizes.of[0] else (IN_BOX, NEAR):
            say(f"{kind}, {where}")
            query = ON_SURFACE_QUERY if where == ON_IT else SIGNED
            _race(recorder, query, _case(peers, "signed", kind, where, sizes), threads)


def judged(recorder: Recorder, sizes: PointSizes, threads: int, say: Say) -> None:
    """Signs of many points by Tumble alone, and by the judge."""
    share = sizes.judged // (2 * len(sizes.judged_of))
    for kind in sizes.judged_of:
        duo = shape_duo(kind, sizes.faces)
        mesh = duo.a
        ours = TumblePoints().scene(*arrays(mesh))
        for where in (IN_BOX, ON_IT):
            say(f"{kind}, {where}")
            points = points_of(mesh, where, share, seed=2)
            found = ours.distances(ours.signed(points, threads))
            case = f"{duo.name}, {where}, Tumble alone"
            add_signs(recorder.table.study(SIGNS), case, OURS, found, sides(mesh, points), found)


def _case(peers: Sequence[PointPeer], question: str, kind: str, where: str, sizes: PointSizes) -> Case:
    duo = shape_duo(kind, sizes.faces)
    points = points_of(duo.a, where, sizes.points)
    found = {}
    for peer in peers:
        if question in peer.answers:
            scene, asked = peer.scene(*arrays(duo.a)), min(peer.most_points, len(points))
            found[peer.name] = Entrant(peer, scene, scene.native(points[:asked]), asked)
    return Case(f"{duo.name}, {where}", question, duo.a, points, found)


def _race(recorder: Recorder, query: str, case: Case, threads: int) -> None:
    asks = {name: partial(each.ask, case.question, threads) for name, each in case.entrants.items()}
    distances = {name: each.scene.distances(asks[name]()) for name, each in case.entrants.items()}
    answer = _compared(recorder, query, case, distances)
    brief = [name for name, each in case.entrants.items() if each.peer.brief]
    rounds = race(asks, recorder.effort, brief, both_clocks)
    number = len(case.points)
    facts: dict[str, Value] = {"case": case.name, "triangles": len(case.mesh), "answer": answer, "items": number}
    for clock, study in enumerate((f"{query}-threads", query)):
        if clock == 0 and threads == 1:
            continue
        seconds = {
            name: [float(both[clock]) * number / case.entrants[name].asked for both in np.array(values)]
            for name, values in rounds.items()
        }
        add_times(recorder.table.study(study), facts, seconds)


def _compared(recorder: Recorder, query: str, case: Case, distances: Mapping[str, NDArray[np.floating]]) -> str:
    """Write how answers differ from Tumble's, and signs from the judge's; return what Tumble's are, in words."""
    ours, signs = distances[OURS], case.question == "signed"
    truth = sides(case.mesh, case.points) if signs else np.empty(0, np.int8)
    for name, found in distances.items():
        right = ours[: len(found)]
        if name != OURS:
            add_difference(recorder.table.study(query), case.name, name, _compare(right, found))
        if signs:
            add_signs(recorder.table.study(SIGNS), case.name, name, found, truth[: len(found)], right)
    inside = f", {count(int((ours < 0).sum()))} inside" if signs else ""
    return f"{np.abs(ours).mean():.2g} away on average{inside}"


def _compare(right: NDArray[np.floating], found: NDArray[np.floating]) -> Difference:
    return compare_values(np.abs(right), np.abs(found))


def add_signs(
    study: Study,
    case: str,
    name: str,
    found: NDArray[np.floating],
    truth: NDArray[np.int8],
    right: NDArray[np.floating],
) -> None:
    """Write how many signs are wrong, off the surface and on it, and how far values are off."""
    on_surface = truth == ON_SURFACE
    wrong = (np.sign(found) != truth) & ~on_surface
    values = {
        "points": len(truth),
        "wrong": int(wrong.sum()),
        "wrong, far": int((wrong & (np.abs(right) > FAR)).sum()),
        "on surface": int(on_surface.sum()),
        "on surface, wrong": int((on_surface & (found != 0)).sum()),
        "off": float(np.abs(np.abs(found) - np.abs(right)).max(initial=0.0)),
    }
    study.add_values(case, name, values)
