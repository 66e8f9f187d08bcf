"""The published queries of Scalable CCD with their answers, where the folder of real meshes is."""

import csv
import json
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import ccd_oracle
import tumble
from tumble.hierarchy.implicit.elements import edges_of

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
DATA = MESHES / "scalable-ccd-data"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the folder of real meshes is not here")

ASK = {"vf": tumble.vertex_face_impacts, "ee": tumble.edge_edge_impacts}
SCENES = {
    "cloth-funnel": ("227", "227", "228"),
    "cloth-ball": ("92", "cloth_ball92", "cloth_ball93"),
    "n-body-simulation": ("18", "balls16_18", "balls16_19"),
}


def answers(scene, kind):
    name = SCENES[scene][0]
    return np.array(json.loads((DATA / scene / "mma_bool" / f"{name}{kind}_mma_bool.json").read_text()))


def rational_queries(kind):
    """The queries of cloth-funnel, which are given as fractions."""
    with (DATA / "cloth-funnel" / "queries" / f"227{kind}.csv").open() as file:
        rows = [[int(x) for x in row] for row in csv.reader(file) if row]
    exact = [[Fraction(*row[k : k + 2]) for k in (0, 2, 4)] for row in rows]
    points = np.array([[float(x) for x in row] for row in exact])
    assert all(
        Fraction(x) == y for xs, ys in zip(points.tolist(), exact, strict=True) for x, y in zip(xs, ys, strict=True)
    )
    return points.reshape(-1, 2, 4, 3).transpose(1, 0, 2, 3)


def queries_of_frames(scene, kind):
    """Queries as numbers of boxes: vertices, then edges, then faces."""
    trimesh = pytest.importorskip("trimesh")
    number, *names = SCENES[scene]
    frames = [trimesh.load(DATA / scene / "frames" / f"{name}.ply", process=False) for name in names]
    faces, places = frames[0].faces, [frame.vertices for frame in frames]
    edges = edges_of(faces.astype(np.int32))
    boxes = np.array(json.loads((DATA / scene / "boxes" / f"{number}{kind}.json").read_text()))
    first_edge, first_face = len(places[0]), len(places[0]) + len(edges)
    if kind == "vf":
        four = np.concatenate([boxes[:, :1], faces[boxes[:, 1] - first_face]], axis=1)
    else:
        four = np.concatenate([edges[boxes[:, 0] - first_edge], edges[boxes[:, 1] - first_edge]], axis=1)
    return np.asarray(places[0])[four], np.asarray(places[1])[four]


def assert_right(kind, start, end, expected):
    careful, exact = ASK[kind](start, end), ASK[kind](start, end, exact=True)
    assert careful.hits[expected].all()
    np.testing.assert_array_equal(exact.hits, expected)
    assert (careful.times <= exact.latest).all()
    return careful


@pytest.mark.parametrize("kind", ASK)
def test_queries_as_fractions(kind):
    start, end = rational_queries(kind)
    careful = assert_right(kind, start, end, answers("cloth-funnel", kind))
    assert not (careful.hits & ~answers("cloth-funnel", kind)).any()  # not promised, but so it is
    for k in range(0, len(start), 40):
        assert ccd_oracle.meets(start[k], end[k], kind == "ee") == answers("cloth-funnel", kind)[k]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ASK)
@pytest.mark.parametrize("scene", SCENES)
def test_queries_of_frames(scene, kind):
    assert_right(kind, *queries_of_frames(scene, kind), answers(scene, kind))
