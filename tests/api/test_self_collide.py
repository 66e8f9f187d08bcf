"""Self-collisions: brute force over all pairs, and the rational judge, against the walk."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tumble
from adjacent_oracle import meeting_pairs
from covering import crossed
from triangle_rows import meet_in_mesh_many
from tumble import shapes
from tumble.errors import MeshError, OptionError
from tumble.hierarchy.packed import packed
from tumble.traversal.packed import engine

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
REFERENCE = MESHES / "reference.json"
ANSWERS = json.loads(REFERENCE.read_text()) if REFERENCE.exists() else {}
FRAMES = [key for key in ANSWERS if key.startswith("self:")]


def crumpled(seed, vertices, faces, size):
    """Return faces between random points of a small grid: neighbours, folds, copies, segments and points."""
    rng = np.random.default_rng(seed)
    return tumble.Mesh(rng.integers(0, size + 1, (vertices, 3)), rng.integers(0, vertices, (faces, 3)))


def sheet(seed, rows, fold):
    """Return a wavy sheet whose height is rough enough to cut itself when `fold` is large."""
    rng = np.random.default_rng(seed)
    cloth = shapes.cloth(rows, rows)
    return tumble.Mesh(cloth.vertices + rng.normal(size=cloth.vertices.shape) * fold / rows, cloth.faces)


def slivers(seed, count):
    """Return long thin triangles, each two with a common edge: the tree cuts them into pieces."""
    rng = np.random.default_rng(seed)
    start = rng.uniform(size=(count, 1, 3))
    step = rng.normal(size=(count, 1, 3)) * 0.7
    sides = start + step / 2 + rng.normal(size=(count, 2, 3)) * 0.02
    corners = np.concatenate([start, start + step, sides], axis=1)
    quads = 4 * np.arange(count)[:, None]
    return tumble.Mesh(corners.reshape(-1, 3), np.concatenate([np.add(quads, (0, 1, 2)), np.add(quads, (1, 0, 3))]))


def brute(mesh):
    """All pairs, without any box."""
    pairs = np.stack(np.triu_indices(len(mesh), 1), axis=1)
    return pairs[meet_in_mesh_many(mesh.vertices, mesh.faces, pairs)]


@given(st.integers(0, 2**32 - 1), st.sampled_from([5, 9, 20, 40]), st.integers(2, 9), st.sampled_from([1, 2, 4, 9]))
@settings(max_examples=settings().max_examples // 5)
def test_judged(seed, vertices, faces, size):
    mesh = crumpled(seed, vertices, faces, size)
    np.testing.assert_array_equal(tumble.self_collide(mesh).pairs, meeting_pairs(mesh.vertices, mesh.faces))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_judged_at_length(seed):
    mesh = crumpled(seed, 60, 90, 5)
    np.testing.assert_array_equal(tumble.self_collide(mesh).pairs, meeting_pairs(mesh.vertices, mesh.faces))


@crossed(1, fold=[0.0, 1.0, 4.0], place=[(0.0, 1.0), (1e9, 1e-3), (-3e5, 1e20), (0.0, 2.0**-1060)])
def test_sheets(fold, place):
    offset, scale = place
    mesh = sheet(3, 24 if scale > 1e-300 else 8, fold)  # denormal numbers take the judge long
    mesh = tumble.Mesh((mesh.vertices + offset) * scale, mesh.faces)
    found = tumble.self_collide(mesh).pairs
    np.testing.assert_array_equal(found, brute(mesh))
    assert (len(found) > 0) == (fold > 0.0)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_many_random_faces(seed):
    mesh = crumpled(seed, 900, 1200, 40)
    np.testing.assert_array_equal(tumble.self_collide(mesh).pairs, brute(mesh))


def test_triangles_in_pieces_are_told_once():
    mesh = slivers(1, 400)
    assert packed(mesh).repeats
    found = tumble.self_collide(mesh).pairs
    np.testing.assert_array_equal(found, brute(mesh))
    assert len(found) > 100


@pytest.mark.parametrize("shape", [shapes.torus(), shapes.gear(), shapes.bowl(), shapes.icosphere(), shapes.box()])
def test_sound_surfaces(shape):
    assert not tumble.self_collide(shape)
    assert len(tumble.self_collide(shape, first=True)) == 0


@pytest.mark.parametrize("turn", [np.eye(4), tumble.rotation((1.0, 2.0, 3.0), 0.7)])
def test_a_flat_sheet_and_one_folded_flat(turn):
    mesh = shapes.cloth(12, 12, wave=0.0)
    points = mesh.vertices
    folded = tumble.Mesh(np.where(points[:, :1] > 0.1, points * [-1, 1, 1] + [0.2, 0, 0], points), mesh.faces)
    assert not tumble.self_collide(mesh)
    assert len(tumble.self_collide(folded)) > 100
    for flat in (mesh, folded):  # turned, they are flat only up to rounding
        turned = tumble.transformed(flat, turn)
        np.testing.assert_array_equal(tumble.self_collide(turned).pairs, brute(turned))


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(threads):
    mesh = sheet(5, 60, 3.0)
    np.testing.assert_array_equal(
        tumble.self_collide(mesh, threads=threads).pairs, tumble.self_collide(mesh, threads=1).pairs
    )
    one = tumble.self_collide(mesh, first=True, threads=threads)
    np.testing.assert_array_equal(one.pairs, tumble.self_collide(mesh, first=True, threads=1).pairs)


def test_first_is_one_of_all():
    mesh = sheet(5, 30, 2.0)
    everything = {tuple(pair) for pair in tumble.self_collide(mesh).pairs.tolist()}
    (pair,) = tumble.self_collide(mesh, first=True).pairs.tolist()
    assert tuple(pair) in everything


@pytest.mark.parametrize("capacity", [1, 7, 1770, 1771])
def test_buffers_grow(capacity, monkeypatch):
    monkeypatch.setattr(engine, "FIRST_KEYS", capacity)
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (60, 1)))
    np.testing.assert_array_equal(tumble.self_collide(mesh).pairs, np.stack(np.triu_indices(60, 1), axis=1))


@pytest.mark.parametrize("faces", [[], [[0, 1, 2]], [[0, 1, 2], [0, 2, 3]], [[0, 1, 2], [0, 1, 2]]])
def test_small_meshes(faces):
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.array(faces, int).reshape(-1, 3))
    assert len(tumble.self_collide(mesh)) == (1 if len(faces) == 2 and faces[0] == faces[1] else 0)


def test_answers_are_frozen():
    pairs = tumble.self_collide(sheet(5, 20, 3.0)).pairs
    assert pairs.dtype == np.int64
    assert not pairs.flags.writeable


def test_bad_input_is_named():
    with pytest.raises(OptionError, match="threads must be a whole number"):
        tumble.self_collide(shapes.box(), threads=0)
    with pytest.raises(MeshError, match="expected a tumble"):
        tumble.self_collide("box.stl")


@pytest.mark.skipif(not ANSWERS, reason="the folder of real meshes is not here")
@pytest.mark.parametrize("key", [*FRAMES[1::2], *(pytest.param(key, marks=pytest.mark.slow) for key in FRAMES[::2])])
def test_real_scenes(key):
    trimesh = pytest.importorskip("trimesh")
    scene, frame = key.removeprefix("self:").split("/")
    (path,) = (MESHES / "scalable-ccd-data" / scene / "frames").glob(f"{frame}.*")
    raw = trimesh.load(path, process=False)
    mesh = tumble.Mesh(raw.vertices, raw.faces)
    pairs = tumble.self_collide(mesh).pairs
    first, second = (mesh.faces[pairs[:, k]] for k in (0, 1))
    disjoint = ~(first[:, :, None] == second[:, None, :]).any(axis=(1, 2))
    assert (len(pairs), disjoint.sum()) == (ANSWERS[key]["tri_pairs"], ANSWERS[key]["tri_pairs_vertex_disjoint"])
