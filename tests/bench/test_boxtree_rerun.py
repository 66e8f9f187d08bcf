"""A whole run of `tumble.bench.boxtree` with tiny objects, from trees to files."""

import csv
import json
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest

from tumble.bench import boxtree
from tumble.bench.boxtree import contestants
from tumble.bench.framework.timing import Effort
from tumble.errors import FileError, MissingDependencyError
from tumble.query.answer import Collision
from tumble.scenario.objects import RealPair

ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
TINY = replace(
    boxtree.QUICK,
    kinds=("torus", "gear"),
    real=(RealPair("triangle", "one.off", "one.off"), RealPair("ghost", "none.off", "none.off")),
    node_faces=200,
    build_sizes=(100, 200, 400, 800),
    large=("torus", 800),
    build_effort=ONE_ROUND,
    turn_faces=200,
    turn_distances=(0.5, 0.9),
    turn_steps=6,
    distances=(0.6,),
    steps=((10**9, 3),),
    effort=ONE_ROUND,
    test_kinds=("torus",),
    test_sizes=(100, 400),
    tree_sizes=(100, 400),
)
FILES = {"results.json", "results.csv", "index.md", "index.html"}
FILES |= {f"figure{number}.{kind}" for number in (1, 6, 8, 9, 10) for kind in ("svg", "png")}


@pytest.fixture(scope="module", autouse=True)
def few_operations():
    """Operations are counted in Python: a few say as much as many here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tumble.bench.operation_counts.MOST_OPENED", 20)
        yield


@pytest.fixture(scope="module")
def finished(tmp_path_factory, few_operations):
    """One whole run: its folder, what it returned, and its steps."""
    folder, steps = tmp_path_factory.mktemp("boxtree"), []
    (folder / "one.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    result = boxtree.run(folder / "out", True, lambda *step: steps.append(step), data=folder, scope=TINY)
    return folder / "out", result, steps


def test_a_whole_run(finished):
    folder, result, steps = finished
    assert {path.name for path in folder.iterdir()} == FILES
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == result
    assert result["ok"]
    queries = [case["query"] for case in result["cases"]]
    assert {query: queries.count(query) for query in queries} == {
        "tests": 2, "first tests": 2, "trees": 5, "first trees": 5, "ahead": 2, "first ahead": 2,
    }  # fmt: skip
    assert not any(one["differ"] for one in result["differences"] if one["peer"] != contestants.FCL)
    assert [done for done, _, _ in steps[1:]] == sorted(done for done, _, _ in steps[1:])
    assert steps[-1][0] == steps[-1][1]
    assert {claim["name"]: claim["verdict"] for claim in result["claims"]}["same-answers"] == "holds"
    assert "not measured" not in {claim["verdict"] for claim in result["claims"]}
    # 800 triangles say nothing about the rate at 500 000, and FCL need not be installed
    beside_fcl = [] if find_spec("fcl") else ["against FCL, all pairs", "against FCL, first hit"]
    assert [goal["name"] for goal in result["goals"] if goal["verdict"] == "not measured"] == [*beside_fcl, "build"]
    assert {(turn["object"], turn["distance"], turn["steps"]) for turn in result["turns"]} == {
        (f"{kind} 200", distance, 6) for kind in ("torus", "gear") for distance in (0.5, 0.9)
    }
    assert {one["object"] for one in result["emptiness"]} == {"torus", "gear", "triangle"}
    markdown = (folder / "index.md").read_text(encoding="utf-8")
    html = (folder / "index.html").read_text(encoding="utf-8")
    for words in ("Table 1", "OBB tree", "`ghost` was left out", "quick run", "What the paper claims"):
        assert words in markdown
    assert markdown.count("`ghost` was left out") == 1
    assert html.count("<svg") == 5
    assert "Something is wrong" not in html


def test_the_table_of_times(finished):
    with (finished[0] / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["figure"] for row in rows} == {"6", "8", "9", "10", "ahead"}
    assert all(float(row["seconds"]) > 0 for row in rows)
    tests = [row for row in rows if row["figure"] == "9" and row["query"] == "all"]
    assert {row["contestant"] for row in tests} == {one.name for one in contestants.overlap_tests()}
    assert all(float(row["box_pairs"]) >= float(row["overlapping"]) for row in tests)
    assert {row["object"] for row in rows if row["figure"] == "10"} >= {"torus 100", "gear 400", "triangle"}


def test_a_lost_pair_is_a_fault_and_shown(tmp_path, monkeypatch):
    honest = contestants.boxtree_collide()

    def forgetful(*arguments):
        found = honest(*arguments)
        overlap = arguments[5] if len(arguments) > 5 else contestants.DEFAULT_OVERLAP
        return Collision(found.pairs[:-1], found.stats) if overlap == "axis" else found

    monkeypatch.setattr(contestants, "boxtree_collide", lambda: forgetful)
    scope = replace(TINY, real=(), kinds=("torus",), build_sizes=(100,), large=("torus", 100), turn_distances=(0.9,))
    result = boxtree.run(tmp_path, scope=scope)
    assert not result["ok"]
    assert [claim["name"] for claim in result["claims"] if claim["broken"]] == ["same-answers"]
    differ = {
        (one["query"], one["peer"]) for one in result["differences"] if one["differ"] and one["peer"] != contestants.FCL
    }
    assert differ == {(query, name) for query in ("tests", "first tests") for name in ("axis", "axis, each pair")}
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Something is wrong with this build" in html
    assert '<tr class="flagged"><td class="whole"><code>axis</code></td>' in html


def test_without_fcl_and_real_meshes(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcl", None)
    monkeypatch.setattr("tumble.scenario.objects.default_data_folder", lambda: None)
    result = boxtree.run(tmp_path, scope=replace(TINY, test_sizes=(), build_sizes=(100,), large=("torus", 100)))
    assert result["ok"]
    assert any("`FCL` did not compete" in note for note in result["notes"])
    assert any("Real meshes were left out" in note for note in result["notes"])
    assert not (tmp_path / "figure9.svg").exists()
    verdicts = {claim["name"]: claim["verdict"] for claim in result["claims"]}
    assert verdicts["lookup-gain"] == verdicts["n-log-n"] == "not measured"


@pytest.mark.parametrize("quick, steps", [(True, 200), (False, 5000)])
def test_the_papers_steps_in_a_full_run(quick, steps):
    scope = boxtree.QUICK if quick else boxtree.FULL
    assert scope.turn_steps == steps
    assert len(scope.build_sizes) >= 4
    assert scope.large[1] == 500_000


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(FileError, match="nowhere is no folder"):
        boxtree.run(tmp_path, data="nowhere", scope=TINY)
    (tmp_path / "taken").write_text("x")
    with pytest.raises(FileError, match="taken"):
        boxtree.run(tmp_path / "taken", scope=TINY)


def test_without_matplotlib_it_says_so_before_measuring(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError, match=r"tumble\[plot\]"):
        boxtree.run(tmp_path, scope=TINY)
