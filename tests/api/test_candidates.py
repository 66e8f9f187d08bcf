"""Candidates by boxes: all pairs of NumPy's brute force and no others, and the counts that IPC Toolkit publishes."""

import importlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tumble
from covering import crossed
from element_pairs import brute, brute_boxes
from tumble import shapes
from tumble.api.candidates import KINDS
from tumble.errors import MeshError, OptionError
from tumble.hierarchy.packed import packed

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
REFERENCE = MESHES / "reference.json"
PEERS = json.loads(REFERENCE.read_text())["_peer_broadphase"] if REFERENCE.exists() else {}


def assert_right(mesh, **options):
    expected = brute(mesh, options.get("radius", 0.0), options.get("vertices_end"))
    found = tumble.candidates(mesh, KINDS, **options)
    np.testing.assert_array_equal(found.edges, expected["edges"])
    for kind in KINDS:
        np.testing.assert_array_equal(getattr(found, kind.replace("-", "_")), expected[kind], kind)
    return expected


def crumpled(seed, vertices, faces, size):
    rng = np.random.default_rng(seed)
    return tumble.Mesh(rng.integers(0, size + 1, (vertices, 3)), rng.integers(0, vertices, (faces, 3)))


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(0, 60), st.sampled_from([1, 3, 9]), st.booleans())
@settings(max_examples=40)
def test_small_meshes_on_a_grid(seed, vertices, faces, size, swept):
    mesh = crumpled(seed, vertices, faces, size)
    end = mesh.vertices + np.random.default_rng(seed).integers(-1, 2, mesh.vertices.shape) if swept else None
    assert_right(mesh, radius=seed % 3 / 2, vertices_end=end)


@crossed(1, radius=[0.0, 0.01, 0.1], place=[(0.0, 1.0), (1e7, 1.0), (0.0, 1e90), (0.0, 2.0**-1050)])
def test_sheets(radius, place):
    offset, scale = place
    mesh = shapes.cloth(14, 14, wave=0.2, seed=4)
    mesh = tumble.Mesh((mesh.vertices + offset) * scale, mesh.faces)
    expected = assert_right(mesh, radius=radius * scale)
    assert min(len(expected[kind]) for kind in KINDS) > 100


def test_boxes_that_just_touch_and_just_miss():
    """The box of a vertex reaches one float64 beyond the radius: between 1 and 1.5 that is two to the power of -52."""
    step = 2.0**-52
    faces = [[0, 1, 2], [3, 4, 5]]
    for gap, meet in ((2 * step, True), (3 * step, False)):
        left, right = [[1.0, 0, 0], [1.0, 1, 0], [1.0, 0, 1]], [[1.0 + gap, y, z] for y, z in ((0, 0), (1, 0), (0, 1))]
        found = tumble.candidates((left + right, faces), "face-face")
        assert len(found.face_face) == meet
        assert found.edge_edge is found.face_vertex is found.edges is None
        assert len(tumble.self_collide((left + right, faces), candidates=True)) == 0


@pytest.mark.parametrize("axis", [pytest.param(0, marks=pytest.mark.slow), 1, pytest.param(2, marks=pytest.mark.slow)])
def test_flat_sheets(axis):
    """All boxes touch each other along an axis in float32, so float64 decides everywhere."""
    mesh = shapes.cloth(12, 12, wave=0.0)
    vertices = np.roll(mesh.vertices[:, [0, 1, 2]] * [1.0, 1.0, 0.0], axis, axis=1)
    below = vertices - np.eye(3)[(2 + axis) % 3] * 3 * 2.0**-1074  # the steps of 0 do not reach it
    faces = np.concatenate([mesh.faces, mesh.faces + len(vertices)])
    expected = assert_right(tumble.Mesh(np.concatenate([vertices, below]), faces))
    layer = np.arange(len(faces)) >= len(mesh)
    assert (layer[expected["face-face"][:, 0]] == layer[expected["face-face"][:, 1]]).all()
    assert len(expected["edge-edge"]) > 100


def test_kinds_alone_are_kinds_together():
    """Each kind has trees of its own."""
    mesh = shapes.cloth(16, 15, wave=0.3, seed=3)
    mesh = tumble.Mesh(np.concatenate([mesh.vertices, mesh.vertices[:9] + 0.01]), mesh.faces)  # nine of no face
    together = tumble.candidates(mesh, KINDS)
    for kind in KINDS:
        found, name = tumble.candidates(mesh, kind), kind.replace("-", "_")
        assert [each for each in ("face_vertex", "edge_edge", "face_face") if getattr(found, each) is not None] == [
            name
        ]
        np.testing.assert_array_equal(getattr(found, name), getattr(together, name))
        assert (found.edges is not None) == (kind == "edge-edge")
    assert together.face_vertex[:, 1].max() >= len(mesh.vertices) - 9
    assert repr(tumble.candidates(mesh, ())) == "<Candidates: none asked for>"


@pytest.mark.parametrize("faces", [1, 2, 8, 9, 64, 65])
def test_full_and_nearly_full_trees(faces):
    rng = np.random.default_rng(faces)
    assert_right(tumble.Mesh(rng.uniform(size=(3 * faces, 3)), np.arange(3 * faces).reshape(-1, 3)), radius=0.1)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads, monkeypatch):
    monkeypatch.setattr(importlib.import_module("tumble.api.candidates"), "PAIRS_PER_ELEMENT", 0)
    mesh = shapes.cloth(60, 60, wave=0.3, seed=2)
    one, many = tumble.candidates(mesh, KINDS, threads=1), tumble.candidates(mesh, KINDS, threads=threads)
    for name in ("edges", "face_vertex", "edge_edge", "face_face"):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def slivers(count):
    """Return long thin triangles, which the tree cuts into pieces."""
    rng = np.random.default_rng(count)
    start, step = rng.uniform(size=(count, 1, 3)), rng.normal(size=(count, 1, 3)) * 0.7
    corners = start + step * [[[0], [1], [1]]] + rng.normal(size=(count, 3, 3)) * 0.02
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


@pytest.mark.parametrize("mesh, pieces", [(crumpled(1, 200, 300, 20), False), (slivers(300), True)])
def test_candidates_of_self_collide(mesh, pieces):
    """All pairs whose boxes meet, neighbours included, also where triangles are cut into pieces."""
    assert packed(mesh).repeats == pieces
    boxes = np.stack([mesh.triangles.min(axis=1), mesh.triangles.max(axis=1)], axis=1)
    expected = np.argwhere(np.triu(brute_boxes(boxes, boxes), 1))
    np.testing.assert_array_equal(tumble.self_collide(mesh, candidates=True).pairs, expected)
    assert len(tumble.self_collide(mesh, candidates=True, first=True)) == 1


def test_nothing_to_find():
    for mesh in (([], []), ([[0, 0, 0]], []), ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])):
        found = tumble.candidates(mesh, KINDS)
        assert len(found.face_vertex) == len(found.edge_edge) == len(found.face_face) == 0
        assert not tumble.self_collide(mesh, candidates=True)


def test_bad_input_is_named():
    box = shapes.box()
    with pytest.raises(OptionError, match="unknown kind of candidates 'edge-face'"):
        tumble.candidates(box, ("edge-edge", "edge-face"))
    for kinds in (3, None, [["edge-edge"]], np.eye(4), np.array(3), [np.eye(2)]):
        with pytest.raises(OptionError, match=r"(?s)unknown kind of candidates .*choose some of: face-vertex"):
            tumble.candidates(box, kinds)
    for radius in (-1.0, np.nan, np.inf, "wide", "0.5", True, None):
        with pytest.raises(OptionError, match="radius must be a number from 0"):
            tumble.candidates(box, radius=radius)
    with pytest.raises(MeshError, match="vertices_end has 7 vertices for a mesh of 8"):
        tumble.candidates(box, vertices_end=box.vertices[:7])
    with pytest.raises(MeshError, match="vertices_end: vertex 3 has a NaN"):
        tumble.candidates(box, vertices_end=np.where(np.arange(8)[:, None] == 3, np.nan, box.vertices))


def frames(scene, first, second):
    trimesh = pytest.importorskip("trimesh")
    folder = MESHES / "scalable-ccd-data" / scene / "frames"
    a, b = (trimesh.load(next(folder.glob(f"{name}.*")), process=False) for name in (first, second))
    return tumble.Mesh(a.vertices, a.faces), b.vertices


@pytest.mark.skipif(not PEERS, reason="the folder of real meshes is not here")
def test_the_counts_of_others():
    """Of cloth-ball and funnel, swept from one frame to the next, by the published tests and IPC Toolkit."""
    known = PEERS["ipctk only"]["cloth-funnel 227->228"]
    mesh, end = frames("cloth-funnel", "227", "228")
    found = tumble.candidates(mesh, vertices_end=end)
    assert (len(found.face_vertex), len(found.edge_edge)) == (known["vf"], known["ee"])


@pytest.mark.slow
@pytest.mark.skipif(not PEERS, reason="the folder of real meshes is not here")
def test_the_large_counts_of_others():
    (known,) = (value for key, value in PEERS.items() if key.startswith("cloth-ball 92->93"))
    mesh, end = frames("cloth-ball", "cloth_ball92", "cloth_ball93")
    found = tumble.candidates(mesh, vertices_end=end)
    assert (len(found.face_vertex), len(found.edge_edge)) == (known["vf"], known["ee"])


@pytest.mark.slow
@pytest.mark.skipif(not PEERS, reason="the folder of real meshes is not here")
def test_a_count_of_single_precision():
    """IPC Toolkit's LBVH lists 9 and 20 pairs more. The 9 were looked at: they are 2**-22 apart, a step of float32."""
    known = PEERS["ipctk only"]["n-body-simulation 18->19"]
    mesh, end = frames("n-body-simulation", "balls16_18", "balls16_19")
    found = tumble.candidates(mesh, vertices_end=end)
    assert (len(found.face_vertex), len(found.edge_edge)) == (known["vf"] - 9, known["ee"] - 20)
