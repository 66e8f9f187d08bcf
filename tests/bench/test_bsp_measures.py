"""What the rerun of paper `bsp` is about: scenes cut into objects, stand-ins, broad phases of others."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import tumble
from tumble.bench.bsp import broad_phases, embree, scenes, sweeps, table
from tumble.bench.bsp.published import TABLE_1
from tumble.bench.bsp.records import Findings
from tumble.bench.bsp.scope import FULL, QUICK
from tumble.bench.framework.timing import Effort
from tumble.errors import FileError
from tumble.mesh import Mesh, shapes
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)


def beside(a, b):
    """One mesh of two, which share no vertex."""
    return Mesh(np.concatenate([a.vertices, b.vertices]), np.concatenate([a.faces, b.faces + len(a.vertices)]))


def test_objects_are_linked_by_numbers_not_by_places():
    box, ball = shapes.box(), shapes.icosphere(1)
    which = scenes.components(beside(box, beside(ball, box)))
    assert np.bincount(which).tolist() == [12, 80, 12]
    whole = beside(ball, box)
    first, second = scenes.parts(whole, scenes.components(whole))
    assert np.array_equal(first.triangles, ball.triangles)
    assert np.array_equal(second.triangles, box.triangles)
    assert len(second.vertices) == 8


def test_scenes_are_read_and_put_together_again(tmp_path):
    now = beside(shapes.box(), shapes.icosphere(1))
    for path, mesh in zip(scenes.FRAMES["funnel"], (Mesh(now.vertices + 0.5, now.faces), now), strict=True):
        file = tmp_path / scenes.FOLDER / path
        file.parent.mkdir(parents=True, exist_ok=True)
        _write_ply(file, mesh)
    found, notes = scenes.scenes(scenes.scene_folder(tmp_path), 400)
    assert [scene.name for scene in found] == list(TABLE_1)
    assert [scene.real for scene in found] == [False, True, False]
    assert len(notes) == 2
    assert all("stand-in" in note for note in notes)
    funnel = found[1]
    assert funnel.frames == ("227", "228")
    assert [len(mesh) for mesh in funnel.now] == [12, 80]
    assert np.allclose(funnel.whole.triangles, now.triangles)
    assert np.allclose(funnel.before[1].vertices - funnel.now[1].vertices, 0.5)


def test_frames_with_other_faces_are_no_scene(tmp_path):
    for path, mesh in zip(scenes.FRAMES["funnel"], (shapes.box(), shapes.icosphere(1)), strict=True):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        _write_ply(tmp_path / path, mesh)
    found, notes = scenes.scenes(tmp_path, 400)
    assert not found[1].real
    assert "different faces" in notes[1]


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(FileError, match="--scenes"):
        scenes.scene_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("name", list(TABLE_1))
def test_stand_ins_touch_move_and_have_as_many_objects(name):
    made, _ = scenes.scenes(None, 16)
    scene = next(one for one in made if one.name == name)
    assert all(np.array_equal(a.faces, b.faces) for a, b in zip(scene.before, scene.now, strict=True))
    assert any(not np.array_equal(a.vertices, b.vertices) for a, b in zip(scene.before, scene.now, strict=True))
    assert tumble.collide_all(scene.now, candidates=True).counts.sum() > 0
    if name != "n-body":
        assert len(scene.now) == TABLE_1[name].objects


def test_a_full_stand_in_is_about_as_large_as_the_scene():
    for scene in scenes.scenes(None, 1)[0]:
        thousands = float(TABLE_1[scene.name].triangles.rstrip("K"))
        assert 0.6 < scene.triangles / thousands / 1000 < 1.4
        assert len(scene.now) == TABLE_1[scene.name].objects


@pytest.mark.slow
@pytest.mark.skipif(not MESHES.is_dir(), reason="the real scenes are not here")
def test_the_real_scenes_have_the_papers_objects_and_known_loads():
    found, notes = scenes.scenes(scenes.scene_folder(MESHES), 1)
    findings = Findings()
    for scene in found:
        table.count_load(scene, findings)
    assert notes == []
    assert [len(scene.now) for scene in found] == [row.objects for row in TABLE_1.values()]
    assert [(one.frame, one.between + one.within) for one in findings.loads] == [
        ("92", 1_337_359),
        ("93", 1_543_976),
        ("227", 135_312),
        ("228", 135_685),
        ("18", 1_063_938),
        ("19", 1_061_233),
    ]
    assert findings.loads[1].ordered == 3_087_952


def test_sweeps_keep_what_they_do_not_sweep():
    steps = dict(sweeps.settings_of(8, QUICK, BULK_ON_DEVICES))
    assert steps[5, 4].entry_level == 5
    assert steps[5, 4].step == 4
    assert (steps[5, 4].queue, steps[5, 4].group) == (BULK_ON_DEVICES.queue, BULK_ON_DEVICES.group)
    queues = dict(sweeps.settings_of(9, FULL, BULK_ON_DEVICES))
    assert not dict(sweeps.settings_of(9, FULL, BULK_AS_IN_PAPER))[8, 256].tested
    assert (queues[8, 256].queue, queues[8, 256].group, queues[8, 256].step) == (8, 256, FULL.sweep_step)
    assert len(queues) == len(FULL.queues) * len(FULL.groups)


class _Phase:
    """A broad phase as IPC Toolkit's, by brute force."""

    def build(self, vertices, edges, faces):
        self.faces, self.corners = faces, vertices[faces]

    def detect_face_face_candidates(self):
        low, high = self.corners.min(axis=1), self.corners.max(axis=1)
        pairs = np.argwhere(((low[:, None] <= high) & (low <= high[:, None])).all(axis=2))
        return [(i, j) for i, j in pairs.tolist() if i < j and not set(self.faces[i]) & set(self.faces[j])]

    def detect_collision_candidates(self):
        found = self.detect_face_face_candidates()
        return SimpleNamespace(ee_candidates=found, __len__=lambda: len(found))


def fake_ipctk(monkeypatch):
    base = type("BroadPhase", (_Phase,), {})
    module = SimpleNamespace(
        BroadPhase=base, LBVH=type("LBVH", (base,), {}), BruteForce=type("BruteForce", (base,), {})
    )
    module.edges = lambda faces: np.zeros((1, 2), np.int32)
    monkeypatch.setitem(sys.modules, "ipctk", module)


def test_broad_phases_are_raced_and_compared(monkeypatch):
    fake_ipctk(monkeypatch)
    ipc, findings = broad_phases.Ipc(), Findings()
    assert ipc.names == ["BruteForce", "LBVH"]
    ball = shapes.icosphere(2)
    scene = scenes.Scene("cloth-ball", [ball], [ball, Mesh(ball.vertices + 0.3, ball.faces)], ("1", "2"))
    broad_phases.race_faces(scene, ipc, None, ONE_ROUND, findings)
    (raced,) = findings.faces
    assert set(raced.rounds) == {
        "tumble, CPU twin",
        "tumble.candidates",
        "IPC Toolkit, LBVH",
        "IPC Toolkit, BruteForce",
    }
    twin, wide, *others = raced.counts.values()
    assert twin == others[0] == others[1] > 0
    assert wide >= twin  # boxes that are one float64 step larger
    assert findings.object_seconds[0] >= 0
    assert all(answer.same for answer in findings.answers)


def test_no_embree_says_why(monkeypatch):
    with pytest.raises(ImportError, match=r"nothing\.so"):
        embree.Embree("nothing.so")
    monkeypatch.setattr(embree, "find_spec", lambda name: None)
    monkeypatch.setattr(embree, "find_library", lambda name: None)
    monkeypatch.delenv(embree.VARIABLE, raising=False)
    with pytest.raises(ImportError, match="TUMBLE_EMBREE"):
        embree.Embree()


def test_embree_finds_the_same_candidates():
    try:
        found = embree.Embree()
    except ImportError as error:
        pytest.skip(str(error))
    mesh = beside(shapes.torus(), Mesh(shapes.icosphere(2).vertices + 0.3, shapes.icosphere(2).faces))
    for neighbours in (False, True):
        truth = tumble.collide_all([mesh], within=True, candidates=True, neighbours=neighbours).pairs(0, 0)
        for quality in (embree.LOW, embree.MEDIUM):
            keys, count = found.candidates(mesh, 1 << 16, neighbours=neighbours, quality=quality)
            assert count == len(keys) == len(truth)
            assert np.array_equal(np.sort(keys), truth[:, 0] << 32 | truth[:, 1])
        assert found.candidates(mesh, 5, neighbours=neighbours)[1] == len(truth)


def _write_ply(path, mesh):
    lines = ["ply", "format ascii 1.0", f"element vertex {len(mesh.vertices)}"]
    lines += [f"property double {axis}" for axis in "xyz"]
    lines += [f"element face {len(mesh)}", "property list uchar int vertex_indices", "end_header"]
    lines += [" ".join(repr(float(x)) for x in vertex) for vertex in mesh.vertices]
    lines += [" ".join(map(str, [3, *face])) for face in mesh.faces.tolist()]
    path.write_text("\n".join(lines) + "\n")
