"""Deforming meshes: every frame as if the mesh were new, whatever its tree went through."""

import tracemalloc

import numpy as np
import pytest

import tumble
from triangle_rows import meet_in_mesh_many
from tumble import shapes
from tumble.api import deformable
from tumble.api.deformable import FIRST_SHARE, LEAST_SHARE, FrameTimings, Ledger
from tumble.errors import MeshError, OptionError
from tumble.scenario.sheet import FRAMES, SheetOverBall


def brute(mesh):
    pairs = np.stack(np.triu_indices(len(mesh), 1), axis=1)
    return pairs[meet_in_mesh_many(mesh.vertices, mesh.faces, pairs)]


def assert_right(sheet, cloth, frame):
    """Compare a frame with brute force over all pairs, which has neither boxes nor trees; return how many there are."""
    mesh = sheet.mesh(frame)
    np.testing.assert_array_equal(cloth.vertices, mesh.vertices)
    hits, own = cloth.collide(sheet.ball).pairs, cloth.self_collide().pairs
    np.testing.assert_array_equal(hits, tumble.collide(mesh, sheet.ball, method="brute").pairs)
    np.testing.assert_array_equal(own, brute(mesh))
    return len(hits), len(own)


@pytest.mark.parametrize("rebuild", [None, False, True])
def test_a_sheet_falls_over_a_ball(rebuild):
    sheet = SheetOverBall(12, 1)
    cloth = tumble.Deformable(sheet.mesh(0))
    counts = []
    for frame in range(0, FRAMES, 23):
        cloth.update(sheet.vertices(frame), rebuild=rebuild)
        counts.append(assert_right(sheet, cloth, frame))
        assert rebuild is None or cloth.timings.rebuilt is rebuild
    assert cloth.timings.frame == len(counts)
    assert counts[-1][0] > 100
    assert counts[-1][1] > 10


@pytest.mark.slow
def test_three_hundred_frames():
    """No drift, no leak, no missed pair."""
    sheet = SheetOverBall(40)
    cloth = tumble.Deformable(sheet.mesh(0))
    tracemalloc.start()
    try:
        memory = []
        for frame in range(FRAMES):
            cloth.update(sheet.vertices(frame))
            hits, own = len(cloth.collide(sheet.ball)), len(cloth.self_collide())
            if frame % 50 == 0 or frame == FRAMES - 1:
                assert assert_right(sheet, cloth, frame) == (hits, own)
                memory.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert hits > 1000
    assert own > 100
    assert max(memory[1:]) - min(memory[1:]) < 1 << 20


def test_a_mesh_that_is_torn_apart_and_crushed():
    """Vertices go anywhere: the worst for a tree that is only refitted."""
    rng = np.random.default_rng(5)
    mesh = shapes.torus(segments=10, sides=6)
    ours = tumble.Deformable(mesh)
    other = tumble.Deformable(shapes.icosphere(1))
    for scale, offset in ((1.0, 0.0), (1e-3, 0.5), (1e8, 0.0), (2.0**-1060, 0.0), (1.0, 0.2)):
        vertices = rng.normal(size=mesh.vertices.shape) * scale + offset
        ours.update(vertices, rebuild=False)
        np.testing.assert_array_equal(ours.self_collide().pairs, brute(tumble.Mesh(vertices, mesh.faces)))
        pose = tumble.translation(0.3, 0.1, 0.0)
        expected = tumble.collide((vertices, mesh.faces), other.mesh, pose, method="brute")
        np.testing.assert_array_equal(ours.collide(other, pose).pairs, expected.pairs)
        turned = sorted(other.collide(ours, None, pose).pairs[:, ::-1].tolist())
        assert turned == expected.pairs.tolist()


def test_long_thin_triangles_can_be_refitted():
    """A Mesh of these has a tree of pieces; a Deformable has not."""
    rng = np.random.default_rng(1)
    start, step = rng.uniform(size=(300, 1, 3)), rng.normal(size=(300, 1, 3)) * 0.7
    corners = (start + step * [[[0], [1], [1]]] + rng.normal(size=(300, 3, 3)) * 0.02).reshape(-1, 3)
    faces = np.arange(900).reshape(-1, 3)
    ours = tumble.Deformable((corners, faces))
    for _ in range(3):
        corners = corners + rng.normal(size=corners.shape) * 0.05
        ours.update(corners, rebuild=False)
        np.testing.assert_array_equal(ours.self_collide().pairs, brute(tumble.Mesh(corners, faces)))
        np.testing.assert_array_equal(
            ours.self_collide(candidates=True).pairs, tumble.self_collide((corners, faces), candidates=True).pairs
        )


def test_candidates_of_a_step():
    sheet = SheetOverBall(10, 0)
    cloth = tumble.Deformable(sheet.mesh(100))
    end = sheet.vertices(101)
    found, expected = cloth.candidates(vertices_end=end), tumble.candidates(sheet.mesh(100), vertices_end=end)
    np.testing.assert_array_equal(found.edge_edge, expected.edge_edge)
    np.testing.assert_array_equal(found.face_vertex, expected.face_vertex)


@pytest.mark.parametrize("rebuild", [None, False, True])
def test_bad_frames_change_nothing(rebuild):
    sheet = SheetOverBall(8, 0)
    cloth = tumble.Deformable(sheet.mesh(250))
    before, mesh, timings = cloth.self_collide().pairs, cloth.mesh, cloth.timings
    wrong = sheet.vertices(251)
    wrong[7, 1] = np.nan
    for vertices, message in (
        (wrong, "vertex 7 has a NaN"),
        (np.where(np.isnan(wrong), np.inf, wrong), "vertex 7 has an infinity"),
        (np.zeros((80, 3)), "update got 80 vertices for a mesh of 81"),
        (wrong[:, :2], r"must have shape \(n, 3\)"),
        (np.full(wrong.shape, "x"), "must be real numbers"),
    ):
        with pytest.raises(MeshError, match=message):
            cloth.update(vertices, rebuild=rebuild)
        assert cloth.mesh is mesh
        assert cloth.timings is timings
    for word in ("no", 0, [True]):
        with pytest.raises(OptionError, match="rebuild must be True, False or None"):
            cloth.update(sheet.vertices(251), rebuild=word)
        assert cloth.mesh is mesh
    np.testing.assert_array_equal(cloth.self_collide().pairs, before)
    with pytest.raises(OptionError, match="threads must be"):
        tumble.Deformable(shapes.box(), threads=0)


def test_a_failure_in_the_midst_of_an_update_changes_nothing(monkeypatch):
    cloth = tumble.Deformable(shapes.cloth(6, 6))
    mesh, timings = cloth.mesh, cloth.timings

    def fail(*arguments):
        raise MemoryError

    monkeypatch.setattr(deformable, "_with_tree", fail)
    with pytest.raises(MemoryError):
        cloth.update(cloth.vertices + 1.0, rebuild=True)
    assert (cloth.mesh, cloth.timings, cloth.timings.frame) == (mesh, timings, 0)


def test_frames_before_stay_as_they_were():
    cloth = tumble.Deformable(shapes.cloth(6, 6))
    old, array = cloth.mesh, cloth.vertices + 1.0
    cloth.update(array)
    array[:] = 7.0
    assert old.vertices[0, 0] + 1.0 == cloth.vertices[0, 0] != 7.0
    assert not cloth.vertices.flags.writeable
    assert cloth.faces is old.faces
    assert len(tumble.collide(old, cloth.mesh)) == 0


def test_empty_and_tiny_meshes():
    for mesh in (([], []), ([[0, 0, 0]], []), ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])):
        ours = tumble.Deformable(mesh)
        ours.update(ours.vertices + 1.0)
        assert not ours.self_collide()
        assert bool(ours)
        assert len(ours) == len(mesh[1])


def test_timings_are_of_one_frame():
    cloth = tumble.Deformable(shapes.cloth(6, 6))
    assert (cloth.timings.frame, cloth.timings.rebuilt, cloth.timings.queries) == (0, True, 0.0)
    cloth.self_collide()
    cloth.collide(shapes.box())
    first = cloth.timings
    assert min(first.collide, first.self_collide) > 0.0
    assert first.queries == first.collide + first.self_collide
    cloth.update(cloth.vertices, rebuild=False)
    assert 0.0 < cloth.timings.tree <= cloth.timings.update
    assert (cloth.timings.frame, cloth.timings.rebuilt, cloth.timings.queries) == (1, False, 0.0)


def test_a_clock_that_says_when_to_build(monkeypatch):
    """A build takes four seconds more than a refit, queries ten: a tenth of five of them is more than that."""
    now = [0.0]
    monkeypatch.setattr(deformable, "perf_counter", lambda: now[0])

    def taking(seconds, function):
        def run(*arguments, **options):
            now[0] += seconds
            return function(*arguments, **options)

        return run

    monkeypatch.setattr(deformable, "_built_blocks", taking(4.0, deformable._built_blocks))
    monkeypatch.setattr(deformable, "self_collide", taking(10.0, deformable.self_collide))
    cloth = tumble.Deformable(shapes.cloth(4, 4))
    rebuilt = []
    for _ in range(12):
        cloth.self_collide()
        cloth.update(cloth.vertices)
        rebuilt.append(cloth.timings.rebuilt)
    # no gain is found, so next time a hundredth is asked for: not before 40 more queries
    assert rebuilt == [False] * 4 + [True] + [False] * 7


def frame_of(queries):
    return FrameTimings(3, False, 0.0, 0.0, self_collide=queries)


def after(ledger, *queries):
    for seconds in queries:
        ledger = ledger.after_frame(frame_of(seconds))
    return ledger


def test_the_ledger():
    ledger = Ledger().after_build(5.0)
    assert not ledger.rebuilding_pays(1.0)
    ledger = after(ledger, 10.0, 0.0, 20.0)
    assert (ledger.queries, ledger.share) == (30.0, FIRST_SHARE)
    assert not ledger.rebuilding_pays(1.0)
    assert ledger.rebuilding_pays(2.5)


def test_the_gain_of_a_build():
    """The quickest of three frames each; frames without queries tell nothing."""
    ledger = after(Ledger().after_build(5.0), 7.0, 30.0, 20.0, 25.0).after_build(6.0)
    assert (ledger.queries, ledger.build_seconds) == (0.0, 6.0)
    assert after(ledger, 1.0, 0.0, 1.0).share == FIRST_SHARE
    gained = after(ledger, 50.0, 0.0, 8.0, 9.0, 1.0)
    assert (gained.queries, gained.share) == (68.0, 0.5 * (1.0 - 8.0 / 20.0))
    assert after(ledger, 25.0, 26.0, 27.0).share == LEAST_SHARE
    assert after(after(Ledger(), 9.0, 9.0).after_build(5.0), 1.0, 1.0, 1.0).share == FIRST_SHARE


def test_a_clearance():
    moving, other = tumble.Deformable(shapes.icosphere(2)), tumble.Deformable(shapes.icosphere(1))
    moving.update(moving.vertices * 1.25)
    place = tumble.translation(0.0, 0.0, 2.5)
    found = moving.clearance(other, 0.4, None, place)
    due = tumble.clearance(tumble.Mesh(moving.vertices, moving.faces), other.mesh, 0.4, None, place)
    assert due
    assert found.pairs.tolist() == due.pairs.tolist()
    assert found.distances.tolist() == due.distances.tolist()
    assert moving.timings.collide > 0
    with pytest.raises(tumble.OptionError, match="d must be"):
        moving.clearance(other, -1.0)
