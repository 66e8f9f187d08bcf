"""A whole run, from scenes to files: on the real kernels for two scenes, on stand-ins for all twenty."""

import csv
import json
import sys
from types import SimpleNamespace

import pytest

from tumble.bench import stackless
from tumble.bench.stackless import METHODS, measure, published
from tumble.errors import FileError, MissingDependencyError, OptionError

FILES = {"results.json", "results.csv", "index.md", "index.html", "figure33.svg", "figure33.png"}


class PublishedQuery:
    """Stands in for a prepared query: counts as published, no work."""

    def __init__(self, scene, method, **changes):
        row = published()[scene.name, method]
        counts = {name: getattr(row, name) for name in ("iterations", "overlaps", "leaf_overlaps")}
        self.counts = {**counts, "hits": row.geometry_overlaps, **changes}

    def repeat(self, times):
        return self.counts["hits"]

    def stats(self):
        return SimpleNamespace(**self.counts)


def test_two_scenes_on_the_real_kernels(tmp_path):
    steps = []
    result = stackless.run(
        tmp_path / "new" / "folder",
        progress=lambda *step: steps.append(step),
        scenes=["small-proximity-1", "separation-1"],
        repetitions=2,
        rounds=3,
    )
    folder = tmp_path / "new" / "folder"
    assert {path.name for path in folder.iterdir()} == FILES
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == result
    assert result["ok"]
    assert [(row["scene"], row["algorithm"]) for row in result["rows"]] == [
        (scene, method) for scene in ("separation-1", "small-proximity-1") for method in METHODS
    ]
    assert all((row["repetitions"], row["rounds"]) == (2, 3) for row in result["rows"])
    assert all(0 < row["min"] <= row["median"] <= row["max"] for row in result["rows"])
    assert [row["iterations"] for row in result["rows"][:5]] == [1, 1, 1, 1, 796]
    assert steps[0] == (0, 200, "separation-1: trees and kernels")
    assert steps[-1] == (200, 200, "small-proximity-1")
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)


def test_all_scenes_side_by_side_with_the_paper(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "prepare_query", PublishedQuery)
    result = stackless.run(tmp_path, repetitions=1, rounds=2)
    assert result["ok"]
    assert len(result["rows"]) == 100
    with (tmp_path / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["iterations"] for row in rows] == [str(row.iterations) for row in published().rows]
    markdown = (tmp_path / "index.md").read_text(encoding="utf-8")
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    for number in range(2, 9):
        assert f"Table {number}:" in markdown
        assert f"Table {number}:" in html
    assert "What the paper claims and what we found" in html
    assert "Something is wrong" not in html
    assert html.count("<svg") == 1
    assert (tmp_path / "figure33.png").read_bytes().startswith(b"\x89PNG")


def test_a_wrong_count_is_flagged_on_the_page(tmp_path, monkeypatch):
    def broken(scene, method):
        return PublishedQuery(scene, method, **({"iterations": 7} if method == "stackless" else {}))

    monkeypatch.setattr(measure, "prepare_query", broken)
    result = stackless.run(tmp_path, scenes=["separation-1", "scalability-0"], repetitions=1, rounds=1)
    assert not result["ok"]
    assert {claim["name"] for claim in result["claims"] if claim["broken"]} == {
        "separation-one-iteration",
        "same-walk",
        "iterations-add-up",
    }
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Something is wrong with this build" in html
    assert html.count('<tr class="flagged">') == 3


def test_quick_spends_less_than_full(monkeypatch, tmp_path):
    budgets = []
    monkeypatch.setattr(measure, "prepare_query", PublishedQuery)
    monkeypatch.setattr(stackless.driver, "budgeted", lambda s: budgets.append(s) or measure.fixed(1, 1))
    for quick in (True, False):
        stackless.run(tmp_path, quick=quick, scenes=["separation-1"])
    assert budgets[0] * 20 < 60
    assert budgets[1] * 20 <= 1800


@pytest.mark.parametrize(
    "options, message",
    [
        ({"scenes": ["nowhere"]}, "unknown scene 'nowhere': choose from intersection-1"),
        ({"scenes": []}, "no scene named"),
        ({"rounds": 3}, "repetitions=None and rounds=3"),
        ({"rounds": 3, "repetitions": 0}, "repetitions=0"),
    ],
)
def test_options_that_make_no_sense(tmp_path, options, message):
    with pytest.raises(OptionError, match=message):
        stackless.run(tmp_path, **options)


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "taken").write_text("x")
    with pytest.raises(FileError, match="taken"):
        stackless.run(tmp_path / "taken")


def test_without_matplotlib_it_says_so_before_measuring(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(measure, "prepare_query", None)
    with pytest.raises(MissingDependencyError, match=r"tumble\[plot\]"):
        stackless.run(tmp_path)
