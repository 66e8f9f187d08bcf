"""How far can a mesh that deforms go in a step? Whole steps, broad and narrow phase, on all cores."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

import tumble
from tumble.bench.framework.answers import Difference, add_difference
from tumble.bench.framework.timing import race
from tumble.bench.peers.moving.contract import Reals, StepPeer
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.races import Recorder, add_times
from tumble.mesh import Mesh, shapes

CCD_STEP = "ccd-step"
EXACT = f"{OURS} exact"
SCENES = {
    "cloth-ball 92 to 93": ("cloth-ball", "cloth_ball92", "cloth_ball93"),
    "cloth-funnel 227 to 228": ("cloth-funnel", "227", "228"),
    "n-body 18 to 19": ("n-body-simulation", "balls16_18", "balls16_19"),
}
FOLDER = "scalable-ccd-data"
SHAKEN = 0.5
"""in sides of a square of the sheet: by how much its vertices move at random"""


def sheet_step(sides: int) -> tuple[Mesh, Reals]:
    """A wavy sheet, and where its vertices are after they were shaken."""
    sheet = shapes.cloth(sides, sides, wave=0.2, seed=1)
    shaken = np.random.default_rng(1).normal(size=sheet.vertices.shape)
    return sheet, sheet.vertices + shaken * SHAKEN / sides


def scene_step(name: str, folder: Path) -> tuple[Mesh, Reals]:
    """Two frames of a scene of Scalable CCD; a FileError names what cannot be read."""
    scene, *frames = SCENES[name]
    first, second = (tumble.load(folder / FOLDER / scene / "frames" / f"{frame}.ply") for frame in frames)
    return first, second.vertices


def steps(recorder: Recorder, peers: Sequence[StepPeer], case: str, step: tuple[Mesh, Reals]) -> None:
    """Ask for the first contact of one step; the exact answer of Tumble judges all."""
    mesh, end = step
    start, end, faces = np.array(mesh.vertices), np.array(end), mesh.faces.astype(np.int32)
    cloth, study = tumble.Deformable(Mesh(start, faces)), recorder.table.study(CCD_STEP)
    exact = partial(cloth.time_of_impact, end, exact=True)
    truth = exact()
    asks = {peer.name: peer.step(start, end, faces) for peer in peers}
    for peer in peers:
        found = asks[peer.name]()
        study.add(case, peer.name, "first contact", found)
        if peer.name != OURS:
            add_difference(study, case, peer.name, compare_step((truth.time, truth.latest), found, peer))
    answer = f"first contact at {truth.time:.6g}" if truth else "no contact"
    facts: dict[str, float | str] = {"case": case, "object": case, "triangles": len(mesh), "answer": answer, "items": 1}
    add_times(study, facts, race({**asks, EXACT: exact}, recorder.effort))


def compare_step(truth: tuple[float, float], found: float, peer: StepPeer) -> Difference:
    """One answer: missing where it is later than the contact, invented where it stops long before its part of the way.

    Libraries that stop at a part of the way stop when the gap has shrunk so far: where the gap does not close at a
    constant rate, that is another part of the time. So half of what they promise counts as right.
    """
    first, latest = (min(time, 1.0) for time in truth)
    late, early = found > latest * (1.0 + 1e-9), found < 0.5 * peer.share * first - peer.tolerance
    return Difference(1, int(late or early), int(late), int(early))
