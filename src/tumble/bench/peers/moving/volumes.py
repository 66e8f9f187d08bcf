"""What two solids have in common: the volume for each pose, and of every two parts of an assembly."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.answers import add_difference, compare_values
from tumble.bench.framework.timing import race
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.manifold_peer import ManifoldPeer
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.races import Recorder, add_times, compared
from tumble.mesh import Part
from tumble.mesh.edges import edges_of
from tumble.report import count
from tumble.scenario.objects import Duo
from tumble.scenario.tumbling import tumbling_poses

PENETRATION, ASSEMBLY = "penetration", "assembly-penetration"
DEPTHS = f"{OURS} with depths"
PLACE = 0.5
"""between the middles of the boxes, in their lengths"""


def closed(duo: Duo) -> bool:
    """Tell whether both objects are solids."""
    return all(edges_of(mesh).closed and edges_of(mesh).oriented for mesh in (duo.a, duo.b))


def volumes(recorder: Recorder, entrants: Entrants, poses: int) -> None:
    """The common volume of two objects that tumble into each other."""
    asks, study = entrants.asks("volumes", tumbling_poses(PLACE, poses)), recorder.table.study(PENETRATION)
    found = compared(study, entrants.duo.name, asks, compare_values)
    answer = f"{np.mean(found):.3g} in common"
    facts: dict[str, float | str] = {
        "case": entrants.duo.name,
        "object": entrants.duo.name,
        "triangles": entrants.duo.faces,
    }
    add_times(study, {**facts, "answer": answer, "items": len(found)}, race(asks, recorder.effort, entrants.brief))


def assembly(recorder: Recorder, peers: Sequence[Peer], name: str, parts: Sequence[Part]) -> None:
    """All common volumes of an assembly; Manifold is told which parts to look at."""
    scene = tumble.Scene()
    for number, part in enumerate(parts):
        scene.add(str(number), part.mesh)
    found = scene.penetrations(depth=False)
    asks: dict[str, Callable[[], Any]] = {OURS: partial(scene.penetrations, depth=False)}
    asks[DEPTHS] = scene.penetrations
    study = recorder.table.study(ASSEMBLY)
    pairs, ours = solid_pairs(found)
    for peer in peers:
        if isinstance(peer, ManifoldPeer):
            asks[peer.name] = partial(_common_volumes, _solids(peer, parts, pairs), pairs)
            theirs = asks[peer.name]()
            size = max(float(ours.max(initial=0.0)), 1e-300)
            add_difference(study, name, peer.name, compare_values((ours / size).tolist(), (theirs / size).tolist()))
    answer = f"{count(len(found))} pairs of {count(len(parts))} parts, {count(len(pairs))} of solids"
    triangles = sum(len(part.mesh) for part in parts)
    facts: dict[str, float | str] = {"case": name, "object": name, "triangles": triangles, "answer": answer, "items": 1}
    add_times(study, facts, race(asks, recorder.effort))


def solid_pairs(found: Sequence[Any]) -> tuple[list[tuple[int, int]], NDArray[np.float64]]:
    """The pairs of bodies that have a volume in common, or at least could: their numbers, and what Tumble says."""
    kept = [each for each in found if np.isfinite(each.volume)]
    return [(int(each.a), int(each.b)) for each in kept], np.array([each.volume for each in kept])


def _solids(peer: ManifoldPeer, parts: Sequence[Part], pairs: Sequence[tuple[int, int]]) -> dict[int, Any]:
    """Merged as Manifold needs them."""
    made = {}
    for number in {number for pair in pairs for number in pair}:
        mesh = parts[number].mesh
        used, faces = np.unique(edges_of(mesh).faces, return_inverse=True)
        made[number] = peer.prepare(mesh.vertices[used], faces.reshape(-1, 3).astype(np.int64))
    return made


def _common_volumes(solids: dict[int, Any], pairs: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    return np.array([(solids[i] ^ solids[j]).volume() for i, j in pairs])
