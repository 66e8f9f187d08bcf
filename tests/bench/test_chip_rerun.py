"""A whole run of `tumble.bench.chip` with tiny objects, from trees to files."""

import csv
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from tumble.api.collide import collides
from tumble.bench import chip
from tumble.bench.chip import rotating
from tumble.bench.chip.listing import METHODS
from tumble.bench.chip.published import TABLE_1
from tumble.bench.chip.stand_ins import STAND_INS, close_distance
from tumble.bench.peers.objects import RealPair, shape_duo
from tumble.bench.peers.race import Effort
from tumble.bench.peers.tumbling import tumbling_poses
from tumble.chip import sweep as sweeping
from tumble.errors import FileError, MissingDependencyError

VOLUMES = ("aabb", "kdop24")
TINY = replace(
    chip.QUICK,
    stand_ins=STAND_INS[:2],
    shrink=100,
    real=(RealPair("triangle", "one.off", "one.off"), RealPair("ghost", "none.off", "none.off")),
    steps=6,
    samples=2,
    real_samples=1,
    long_shrink=100,
    list_shrink=100,
    volumes=VOLUMES,
    list_steps=3,
    effort=Effort(0.0, least_rounds=1, most_rounds=1),
    sweep_shrink=200,
    triangle_pairs=10,
)
FILES = {"results.json", "results.csv", "index.md", "index.html"}
FILES |= {f"{stem}.{kind}" for stem in ("rotations", "lists", "k", "sweep") for kind in ("svg", "png")}


@pytest.fixture(scope="module", autouse=True)
def two_knobs():
    """A sweep over everything takes long."""
    knobs = [knob for knob in sweeping.KNOBS if knob.name in ("k", "banks")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeping.sweep, "__kwdefaults__", {**sweeping.sweep.__kwdefaults__, "knobs": knobs})
        yield


@pytest.fixture(scope="module")
def finished(tmp_path_factory, two_knobs):
    """One whole run: its folder, what it returned, and its steps."""
    folder, steps = tmp_path_factory.mktemp("chip"), []
    (folder / "one.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    result = chip.run(folder / "out", True, lambda *step: steps.append(step), data=folder, scope=TINY)
    return folder / "out", result, steps


def test_a_whole_run(finished):
    folder, result, steps = finished
    assert {path.name for path in folder.iterdir()} == FILES
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == result
    assert result["ok"]
    assert [one["object"] for one in result["rotations"]] == ["Filter", "Frontlight", "triangle"]
    assert result["rotations"][0]["published"]["average"]["aligned"] == TABLE_1["Filter"].average.aligned
    assert all(sample["agrees"] for one in result["rotations"] for sample in one["samples"])
    assert [one["object"] for one in result["long_lists"]] == ["Filter and a box", "Frontlight and a box"]
    assert all(one["agrees"] and one["polygon_checks"] for one in result["long_lists"])
    assert {name for one in result["lists"] for name in one["counts"]} == {
        f"{volume} {method}" for volume in VOLUMES for method in METHODS
    }
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)
    assert steps[-1][0] == steps[-1][1]
    verdicts = {claim["name"]: claim["verdict"] for claim in result["claims"]}
    assert verdicts["same-answers"] == verdicts["moved-once"] == verdicts["published-times"] == "holds"
    assert "not measured" not in verdicts.values()
    markdown = (folder / "index.md").read_text(encoding="utf-8")
    html = (folder / "index.html").read_text(encoding="utf-8")
    for words in ("Table 1", "… in the paper", "`ghost` was left out", "quick run", "What a designer can change"):
        assert words in markdown
    assert html.count("<svg") == 4
    assert "Something is wrong" not in html


def test_counts_that_belong_together(finished):
    """The chip reads a node once for two siblings, and moves each tumbled node once."""
    for one in finished[1]["rotations"]:
        aligned, reads, tumbled = (np.array(one[name]) for name in ("aligned", "reads", "tumbled"))
        assert (reads <= aligned).all()
        assert (aligned <= 2 * reads).all()
        assert (tumbled <= 2 * one["triangles"] - 1).all()
        assert all(time > 0 for name in ("hardware", "recursive", "listed") for time in one[name])


def test_the_table_of_numbers(finished):
    with (finished[0] / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["part"] for row in rows} == {"table 1", "lists", "sweep"}
    aligned = [row for row in rows if row["object"] == "Filter" and row["what"] == "aligned"]
    assert [float(row["value"]) for row in aligned] == finished[1]["rotations"][0]["aligned"]


def test_a_wrong_answer_of_the_chip_is_a_fault_and_shown(tmp_path, monkeypatch):
    honest = rotating.run_twice

    def forgetful(*arguments):
        run, plain = honest(*arguments)
        return replace(run, pairs=run.pairs[1:]), plain

    monkeypatch.setattr(rotating, "run_twice", forgetful)
    monkeypatch.setattr("tumble.bench.peers.objects.default_data_folder", lambda: None)
    scope = replace(TINY, stand_ins=STAND_INS[:1], volumes=("kdop24",), sweep_of="Filter")
    result = chip.run(tmp_path, scope=scope)
    assert not result["ok"]
    assert [claim["name"] for claim in result["claims"] if claim["broken"]] == ["same-answers"]
    assert any("Real meshes were left out" in note for note in result["notes"])
    assert "Something is wrong with this build" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_stand_ins_have_the_papers_sizes():
    assert [one.name for one in STAND_INS] == list(TABLE_1)
    for one in STAND_INS[:4]:  # the last takes a second
        assert len(one.duo().a) == pytest.approx(TABLE_1[one.name].polygons, rel=0.05)


def test_a_distance_at_which_some_poses_touch():
    duo = shape_duo("torus", 200)
    seldom, often = (close_distance(duo, share, 12) for share in (0.15, 0.5))
    assert often < seldom

    def touching(distance):
        return sum(collides(duo.a, duo.b, None, pose) for pose in tumbling_poses(distance, 12))

    assert touching(seldom) <= 0.15 * 12 < touching(often) <= 0.5 * 12


def test_the_model_runs_the_dearest_pose_that_is_not_too_long():
    from chip_findings import good_rotation

    reads = np.array([10.0, 4_000.0, 2_000.0, 1e9])
    tumbled = np.array([10.0, 20.0, 20.0, 20.0])
    rotation = good_rotation(reads=reads, tumbled=tumbled, checks=np.zeros(4))
    assert rotating.chosen_steps(rotation, 1) == [1]
    assert rotating.chosen_steps(rotation, 2) == [1, 0]
    assert rotating.chosen_steps(rotation, 3) == [1, 2, 0]
    assert rotating.chosen_steps(rotation, 9) == [1, 2, 0]
    many = replace(rotation, checks=np.array([0.0, 1e6, 0.0, 0.0]))
    assert rotating.chosen_steps(many, 1) == [2]


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(FileError, match="nowhere is no folder"):
        chip.run(tmp_path, data="nowhere", scope=TINY)


def test_without_matplotlib_it_says_so_before_measuring(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError, match=r"tumble\[plot\]"):
        chip.run(tmp_path, scope=TINY)
