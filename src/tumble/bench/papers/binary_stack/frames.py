"""Figure 1: the falling bodies at four moments. The table keeps poses and a coarse body, the page draws them.

Poses are rows of twelve numbers, bodies one after the other; they and the body stand in the table as texts of numbers,
rounded to a thousandth of a length unit, which is less than a pixel.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.table import Study
from tumble.bench.papers.binary_stack.fall import Recording
from tumble.bench.papers.binary_stack.published import at_step
from tumble.core.keys import unique_rows
from tumble.mesh import Mesh

FRAMES = "frames"
BODY = "body"
PANELS = 4
# Cells along the longest side of a body that is drawn: its vertices are merged within a cell.
CELLS = 22
DECIMALS = 3
POSE_NUMBERS = 12


def add_frames(recording: Recording, study: Study) -> None:
    """Write the body and the poses of four recorded moments, evenly spread up to the last."""
    assert recording.body is not None
    coarse = merged(recording.body)
    _add(study, BODY, "vertices", coarse.vertices)
    study.add(BODY, "", "faces", " ".join(map(str, coarse.faces.ravel().tolist())))
    steps = sorted(recording.moments)
    for quarter in range(1, PANELS + 1):
        moment = recording.moments[steps[round(quarter * (len(steps) - 1) / PANELS)]]
        _add(study, at_step(moment.step), "poses", moment.poses[:, :3])


def _add(study: Study, case: str, quantity: str, values: NDArray[np.float64]) -> None:
    numbers = np.round(values.ravel(), DECIMALS) + 0.0  # no −0
    study.add(case, "", quantity, " ".join(f"{value:g}" for value in numbers.tolist()))


def merged(mesh: Mesh) -> Mesh:
    """A coarse version of a mesh: the vertices of a grid cell become their mean, triangles that collapse vanish."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    cell = float((high - low).max()) / CELLS
    places = np.floor((mesh.vertices - low) / cell).astype(np.int64)
    which = unique_rows(places).which
    which = which.ravel()
    sums = np.zeros((which.max() + 1, 3))
    np.add.at(sums, which, mesh.vertices)
    faces = which[mesh.faces]
    whole = (faces != np.roll(faces, 1, axis=1)).all(axis=1)
    return Mesh(sums / np.bincount(which)[:, None], faces[whole])


def body_of(study: Study) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices and faces of the body that is drawn."""
    faces = np.array(study.text(BODY, "", "faces").split(), np.int64).reshape(-1, 3)
    return _numbers(study, BODY, "vertices", 3), faces


def poses_of(study: Study) -> dict[str, NDArray[np.float64]]:
    """The (n, 3, 4) poses of every frame."""
    cases: Sequence[str] = [case for case in study.cases() if case != BODY]
    return {case: _numbers(study, case, "poses", POSE_NUMBERS).reshape(-1, 3, 4) for case in cases}


def _numbers(study: Study, case: str, quantity: str, width: int) -> NDArray[np.float64]:
    return np.array(study.text(case, "", quantity).split(), np.float64).reshape(-1, width)
