"""The paper `bsp`: scenes, sweeps and broad phases, and a whole run (slow)."""

import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bsp_table import results
from typer.testing import CliRunner

import tumble
from tumble.bench.framework.benchmark import Run
from tumble.bench.framework.run import run_benchmark
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.bsp import BENCHMARK, broad_phases, embree, measure, races, scenes, sequences, ways
from tumble.bench.papers.bsp.broad_phases import FACES, TWIN
from tumble.bench.papers.bsp.measure import FULL, QUICK, tasks
from tumble.bench.papers.bsp.published import TABLE_1
from tumble.bench.papers.bsp.races import (
    COMPRESSED,
    FORMS,
    LOADS,
    PADDED,
    QUERIES,
    QUERY,
    TREES,
    add_loads,
    case_of,
    questions,
)
from tumble.bench.papers.bsp.sequences import SEQUENCES
from tumble.bench.papers.bsp.sheet import CASE, RULES, SHEET, smoothed
from tumble.bench.papers.bsp.streams import FIGURE_7, SETTINGS, StreamsGrid, called, label, opponent
from tumble.bench.papers.bsp.sweeps import add_sweep, refused, seconds_of, study_of
from tumble.bench.papers.bsp.ways import ANSWERS, BETWEEN, CPU, papers_way, pruned_way, ways_of
from tumble.cli import app
from tumble.device import devices
from tumble.errors import FileError, OptionError
from tumble.mesh import Mesh, shapes
from tumble.query.settings import BULK_AS_IN_PAPER, BULK_ON_DEVICES, FrontSettings

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)


def test_curves_are_smoothed_by_medians():
    assert smoothed(np.array([1.0, 9.0, 2.0, 3.0]), 3) == [5.0, 2.0, 3.0, 2.5]


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
        assert 0.6 < sum(map(len, scene.now)) / thousands / 1000 < 1.4
        assert len(scene.now) == TABLE_1[scene.name].objects


@pytest.mark.slow
@pytest.mark.skipif(not MESHES.is_dir(), reason="the real scenes are not here")
def test_the_real_scenes_have_the_papers_objects_and_known_loads():
    found, notes = scenes.scenes(scenes.scene_folder(MESHES), 1)
    table = Table()
    for scene in found:
        add_loads(scene, table)
    study = table.study(LOADS)
    assert notes == []
    assert [len(scene.now) for scene in found] == [row.objects for row in TABLE_1.values()]
    sums = {case: study.count(case, "", "between") + study.count(case, "", "within") for case in study.cases()}
    assert sums == {
        "cloth-ball, 92": 1_337_359,
        "cloth-ball, 93": 1_543_976,
        "funnel, 227": 135_312,
        "funnel, 228": 135_685,
        "n-body, 18": 1_063_938,
        "n-body, 19": 1_061_233,
    }
    assert races.ordered(table, "cloth-ball, 93") == 3_087_952
    assert races.ordered(table, "n-body, 19") == 2 * 19_853


def test_sweeps_keep_what_they_do_not_sweep():
    steps = dict(QUICK.grid(8).settings(BULK_ON_DEVICES))
    assert (steps[5, 4].entry_level, steps[5, 4].step) == (5, 4)
    assert (steps[5, 4].queue, steps[5, 4].group) == (BULK_ON_DEVICES.queue, BULK_ON_DEVICES.group)
    queues = dict(FULL.grid(9).settings(BULK_ON_DEVICES))
    assert not dict(FULL.grid(9).settings(BULK_AS_IN_PAPER))[8, 256].tested
    assert (queues[8, 256].queue, queues[8, 256].group, queues[8, 256].step) == (8, 256, FULL.sweep_step)
    assert len(queues) == len(FULL.queues) * len(FULL.groups)


def quiet(label, done=0.0):
    """Nothing is shown."""


def test_a_sweep_compares_times_and_notes_refusals(monkeypatch):
    honest = ways.leaf_pairs

    def forgetful(trees, pairs, settings, **options):
        if settings.entry_level == 3:
            raise OptionError("too deep")
        keys, work = honest(trees, pairs, settings, **options)
        return (keys[1:] if settings.entry_level == 2 else keys), work

    monkeypatch.setattr(ways, "leaf_pairs", forgetful)
    table, scene = Table(), scenes.scenes(None, 400)[0][2]
    grid = replace(QUICK.grid(8), first=(0, 2, 3), second=(BULK_AS_IN_PAPER.step,), rounds=1)
    add_sweep(scene, grid, [], table, quiet)
    study, step = study_of(table, 8), BULK_AS_IN_PAPER.step
    assert set(seconds_of(study, "n-body", CPU)) == {(0, step), (2, step)}
    assert refused(study, "n-body", CPU) == 1
    assert study.text("n-body", CPU, f"refused: 3 {step}") == "too deep"
    answers = table.study(ANSWERS)
    cases = [f"n-body, {BETWEEN}, entry level {entry}, µ {step}" for entry in (0, 2)]
    assert [answers.value(case, CPU, "same") for case in cases] == [1, 0]
    assert answers.count(cases[1], CPU, "found") == answers.count(cases[1], CPU, "wanted") - 1
    assert results(table)["same-answers"].broken


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
    ipc, table = broad_phases.Ipc(), Table()
    assert ipc.names == ["BruteForce", "LBVH"]
    ball = shapes.icosphere(2)
    scene = scenes.Scene("cloth-ball", [ball], [ball, Mesh(ball.vertices + 0.3, ball.faces)], ("1", "2"))
    broad_phases.race_faces(scene, ipc, None, ONE_ROUND, table)
    study = table.study(FACES)
    names = [TWIN, "tumble.candidates", "IPC Toolkit, BruteForce", "IPC Toolkit, LBVH"]
    assert study.contestants() == names
    twin, wide, *others = (study.count("cloth-ball", name, "candidates") for name in names)
    assert twin == others[0] == others[1] > 0
    assert wide >= twin  # boxes that are one float64 step larger
    assert study.value("cloth-ball", "", "per object") >= 0
    assert study.ratio("cloth-ball", names[3], TWIN) > 0
    assert table.study(ANSWERS).contestants() == [TWIN]
    assert table.study(ANSWERS).total("same") == 1


def test_no_embree_says_why(monkeypatch):
    with pytest.raises(ImportError, match=r"nothing\.so"):
        embree.Embree("nothing.so")
    monkeypatch.setattr(embree, "find_spec", lambda name: None)
    monkeypatch.setattr(embree, "find_library", lambda name: None)
    monkeypatch.delenv(embree.VARIABLE, raising=False)
    with pytest.raises(ImportError, match="TUMBLE_EMBREE"):
        embree.Embree()


@pytest.mark.slow
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


# Settings that are the paper's anyway: every other one would be another kernel to compile.
TINY = replace(
    QUICK,
    effort=ONE_ROUND,
    streams_effort=ONE_ROUND,
    streams=StreamsGrid((FrontSettings.steps,), (FrontSettings.segments,), (FrontSettings.stack,), ONE_ROUND),
    count_levels=(0, 2),
    entry_levels=(0, 2),
    depth_steps=(BULK_AS_IN_PAPER.step,),
    queues=(BULK_AS_IN_PAPER.queue,),
    groups=(BULK_AS_IN_PAPER.group,),
    sweep_step=BULK_AS_IN_PAPER.step,
    sheet_cells=8,
    sheet_every=100,
    passes=1,
    pass_every=100,
    shrink=400,
)


def _missing(*arguments):
    raise ImportError("not here")


@pytest.fixture
def no_peers(monkeypatch):
    monkeypatch.setattr(measure, "Ipc", _missing)
    monkeypatch.setattr(measure, "Embree", _missing)


def test_what_is_missing_is_said_before_measuring(no_peers, monkeypatch, tmp_path):
    monkeypatch.setattr(measure, "devices", list)
    run = Run(TINY, {"scenes": tmp_path}, Table())
    labels = [task.label for task in tasks(run)]
    assert labels[0] == "Leaf pairs: cloth-ball"
    assert not any(label.startswith("Contact candidates") for label in labels)
    notes = " ".join(run.table.notes)
    for words in ("IPC Toolkit did not compete", "Embree did not compete", "No OpenCL device"):
        assert words in notes
    assert notes.count("is a stand-in") == 3
    assert run.study("run").text("versions", "", "embree") == "not installed"
    assert ways_of(run.table) == [CPU, papers_way(CPU)]
    with pytest.raises(FileError, match="--scenes"):
        tasks(Run(TINY, {"scenes": "nowhere"}))


@pytest.mark.slow
def test_a_whole_run(no_peers, tmp_path):
    (tmp_path / "no scenes").mkdir()
    folder = tmp_path / "out"
    result = run_benchmark(BENCHMARK, folder, True, scenes=tmp_path / "no scenes", sizes=TINY)
    figures = ("figure7", "figure8", "figure9", "spikes", "broad-phases", "sheet")
    files = {"results.json", "results.csv", "index.md", "index.html"}
    assert {path.name for path in folder.iterdir()} == files | {f"{s}.{k}" for s in figures for k in ("svg", "png")}
    assert result["ok"]
    words = {claim["name"]: claim["verdict"] for claim in result["claims"]}
    assert words["same-answers"] == words["padding"] == "holds"
    table, names = Table.read(folder / "results.csv"), [device.name for device in devices()]
    asked = table.study(QUERIES)
    assert asked.cases() == [case_of(scene, question) for scene in TABLE_1 for question in questions(scene)]
    assert set(asked.contestants()) == set(ways_of(table))
    raced = table.study(FIGURE_7)
    assert all(raced.has(scene, opponent(way), "time") for scene in TABLE_1 for way in ways_of(table))
    assert all(raced.value(scene, opponent(name), "kernels") > 0 for scene in TABLE_1 for name in names)
    assert table.study(SETTINGS).text(f"funnel, {CPU}", "", "chosen") == label(FrontSettings())
    left_out = [papers_way(CPU)] if names else []
    assert set(study_of(table, 8).contestants()) == set(ways_of(table)) - set(left_out)
    assert set(study_of(table, 9).contestants()) == set(ways_of(table)) - {*left_out, *map(pruned_way, names)}
    assert words["one-test-each"] == words["heuristic"] == "holds"
    grown = table.study(TREES)
    assert all(grown.value(s, COMPRESSED, "nodes") <= grown.value(s, PADDED, "nodes") for s in grown.cases())
    assert all(grown.has(s, called(CPU, QUERY, form), "time") for s in grown.cases() for form in FORMS)
    followed = table.study(SEQUENCES)
    assert followed.cases() == [*TABLE_1, CASE]
    assert set(followed.contestants()) == {called(way, rule) for way in (CPU, *names) for rule in sequences.RULES}
    assert words["rebuilt"] == words["rebuilt-on-sheet"] == "not decided"  # one pass
    sheet = table.study(SHEET)
    assert sheet.contestants()[:3] == list(RULES)
    assert len(sheet.contestants()) == 5
    assert len({sheet.count(CASE, rule, "pairs") for rule in sheet.contestants()}) == 1
    markdown = (folder / "index.md").read_text(encoding="utf-8")
    for text in ("quick run", "is a stand-in", "Embree did not compete", "6.43", "3\u202f100\u202f000"):
        assert text in markdown
    assert (folder / "index.html").read_text(encoding="utf-8").count("<svg") == len(figures)


def test_the_command_takes_scenes_and_embree():
    text = re.sub(r"\x1b\[[0-9;]*m", "", CliRunner().invoke(app, ["bench", "bsp", "--help"]).stdout)
    assert all(option in text for option in ("--quick", "--scenes", "--embree", "--out", "--from"))
