"""A whole run, from contestants to files, with tiny objects and libraries that are Tumble in disguise."""

import csv
import json
import math
import subprocess
import sys
from dataclasses import replace

import pytest
from fake_peers import FakePeer, forgetful

from tumble.bench import peers
from tumble.bench.framework.timing import Effort
from tumble.bench.peers import memory, start
from tumble.bench.peers.found import find_peers
from tumble.errors import FileError, MissingDependencyError, OptionError, TumbleError
from tumble.scenario.objects import RealPair

ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
TINY = replace(
    peers.QUICK,
    sizes=(200,),
    real=(RealPair("triangle", "one.off", "one.off"), RealPair("ghost", "none.off", "none.off")),
    distances=(0.9, 0.5),
    steps=((10**9, 3),),
    pair_effort=ONE_ROUND,
    sweep=(0.4, 0.8),
    sweep_faces=200,
    batch_of=(("torus", 200),),
    batch_poses=40,
    bodies=8,
    spacings=(0.7,),
    build_sizes=(200,),
    memory_faces=200,
    long_effort=ONE_ROUND,
)
FILES = {"results.json", "results.csv", "index.md", "index.html"}
FILES |= {f"{stem}.{kind}" for stem in ("speedups", "distance") for kind in ("svg", "png")}


def field(*fakes, notes=()):
    return peers.Field(fakes, notes)


@pytest.fixture
def no_processes(monkeypatch):
    """Numbers instead of processes, which take seconds to start."""
    monkeypatch.setattr(start, "timed_process", lambda command, environment, ends=(0,): 1.5)
    monkeypatch.setattr(memory, "_grown_elsewhere", lambda name, faces: 500.0)


def test_a_whole_run(tmp_path, no_processes):
    (tmp_path / "one.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    steps = []
    fakes = field(FakePeer("fcl"), FakePeer("vtk", judged=False), notes=["`coal` is missing."])
    result = peers.run(
        tmp_path / "out", True, lambda *step: steps.append(step), data=tmp_path, threads=2, scope=TINY, field=fakes
    )
    folder = tmp_path / "out"
    assert {path.name for path in folder.iterdir()} == FILES
    assert json.loads((folder / "results.json").read_text(encoding="utf-8")) == result
    queries = [case["query"] for case in result["cases"]]
    assert {query: queries.count(query) for query in queries} == {
        "far-apart": 5, "aligned": 5, "python-threads": 5, "first-hit": 10, "all-pairs": 10, "sweep-first-hit": 2,
        "sweep-all-pairs": 2, "batch": 1, "batch-threads": 1,
        "scattered": 1, "scattered-threads": 1, "build": 4, "scene": 1, "scene-threads": 1,
    }  # fmt: skip
    assert all(goal["verdict"] in ("met", "missed") for goal in result["goals"])
    assert not any(difference["differ"] for difference in result["differences"])
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)
    assert steps[-1][0] == steps[-1][1]
    with (folder / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(len(case["seconds_per_item"]) for case in result["cases"])
    assert all(float(row["seconds_per_item"]) > 0 for row in rows)
    assert {row["contestant"] for row in rows if row["query"] == "batch-threads"} == {
        "tumble", "fcl", "fcl on 2 threads",
    }  # fmt: skip
    facts = {(fact["query"], fact["name"], fact["contestant"]): fact["value"] for fact in result["facts"]}
    assert facts["memory", "with triangles", "fcl"] == 500.0
    assert facts["memory", "with triangles", "tumble"] > facts["memory", "tree alone", "tumble"] + 20
    assert facts["start", "cold", "tumble"] == 1.5
    assert {row["contestant"] for row in rows if row["query"] == "build"} == {"tumble", "fcl"}
    assert [one["asked"] for one in result["differences"] if one["query"] == "scene"] == [2, 2, 2]
    markdown = (folder / "index.md").read_text(encoding="utf-8")
    html = (folder / "index.html").read_text(encoding="utf-8")
    for words in ("First hit", "`coal` is missing.", "`ghost` was left out", "1.50 s", "500"):
        assert words in markdown
    assert html.count("<svg") == 2
    assert "quick run" in html


def test_answers_that_differ_are_shown(tmp_path):
    fakes = field(FakePeer("fcl", spoil=forgetful), FakePeer("coal-obb"))
    only = ["first-hit", "all-pairs", "batch", "scene"]
    asked = [*only, "python-threads"]
    result = peers.run(tmp_path, scope=replace(TINY, real=()), field=fakes, only=asked, threads=1)
    wrong = [one for one in result["differences"] if one["differ"]]
    assert {one["peer"] for one in wrong} == {"fcl"}
    assert {one["query"] for one in wrong} == {*only, "scattered"}
    assert all(one["missing"] and not one["extra"] for one in wrong)
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert f"The {len(wrong)} cases with a difference" in html
    assert html.count('<tr class="flagged"><td class="whole"><code>fcl</code></td>') == len(only) + 1
    assert '<tr class="flagged"><td class="whole"><code>coal-obb</code></td>' not in html
    assert {case["query"] for case in result["cases"]} == {*only, "scattered"}  # one thread: no query with threads
    assert not (tmp_path / "distance.svg").exists()


def test_the_ratio_is_against_the_faster_and_cases_that_lose_are_listed(tmp_path, monkeypatch):
    seconds = {"tumble": 2.0, "fcl": 1.0, "coal-obb": 3.0, "vtk": 0.1}
    monkeypatch.setattr(
        peers.driver.agenda.__globals__["pair_queries"],
        "race",
        lambda contestants, effort, context: {name: [seconds[name]] for name in contestants},
    )
    fakes = field(FakePeer("fcl"), FakePeer("coal-obb"), FakePeer("vtk", judged=False))
    result = peers.run(tmp_path, scope=replace(TINY, real=()), field=fakes, only=["first-hit"])
    assert {case["fastest_rival"] for case in result["cases"]} == {"fcl"}
    assert {case["speedup"]["fcl"]["median"] for case in result["cases"]} == {0.5}
    goals = {goal["name"]: goal for goal in result["goals"]}
    assert goals["first hit, every case"]["measured"].startswith("slower on 8 of 8")
    assert math.isclose(goals["first hit, one thread"]["reached"], 0.5 / 3)
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "First hits on which Tumble is slower: 0.50× (" in html


def test_objects_too_large_for_a_library_are_not_given_to_it(tmp_path):
    fakes = field(FakePeer("fcl"), FakePeer("vtk", judged=False, most_faces=100))
    result = peers.run(tmp_path, scope=replace(TINY, real=()), field=fakes, only=["first-hit"])
    assert all(set(case["seconds_per_item"]) == {"tumble", "fcl"} for case in result["cases"])


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"only": ["nothing"]}, OptionError, "unknown query 'nothing'"),
        ({"threads": 0}, OptionError, "threads=0"),
        ({"data": "no/such/folder"}, FileError, "no/such/folder is no folder"),
    ],
)
def test_options_that_make_no_sense(tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        peers.run(tmp_path, field=field(FakePeer()), scope=TINY, **options)


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "taken").write_text("x")
    with pytest.raises(FileError, match="taken"):
        peers.run(tmp_path / "taken", field=field(FakePeer()), scope=TINY)


def test_without_any_library_to_compare_with(tmp_path, monkeypatch):
    for module in ("fcl", "coal"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError, match=r'python-fcl or coal.*pip install "tumble\[bench\]"'):
        peers.run(tmp_path, scope=TINY)


def test_a_missing_library_is_named_and_the_others_compete():
    def missing():
        raise ImportError("No module named 'coal'")

    found = find_peers({"fcl": FakePeer, "coal-obb": missing})
    assert found.judged == ["fcl"]
    assert found.notes == [
        "`coal-obb` did not compete: No module named 'coal'. Install it with `pip install \"tumble[bench]\"`."
    ]


def test_without_matplotlib_it_says_so_before_measuring(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError, match=r"tumble\[plot\]"):
        peers.run(tmp_path, field=field(), scope=None)


HOARDER = """
import numpy as np
from tumble.bench.peers.memory import grown_bytes

class Hoarder:
    def prepare(self, vertices, faces):
        return np.ones(len(faces) * 400, dtype=np.uint8)

print(grown_bytes(Hoarder(), 50_000))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the growth of a process is read from /proc")
def test_bytes_a_triangle_are_what_a_library_takes():
    # as in the benchmark, in a fresh process: this one has freed memory to fill first
    told = subprocess.run([sys.executable, "-c", HOARDER], capture_output=True, text=True, check=True).stdout
    assert float(told) == pytest.approx(400, rel=0.1)


def test_reported_bytes_count_tree_and_mesh():
    tree, mesh = memory.reported_bytes(2_000)
    assert mesh == pytest.approx(24, rel=0.05)  # a closed mesh: half a vertex and three indices a triangle
    assert tree > 8


def test_processes_are_timed_and_must_answer():
    assert start.timed_process([sys.executable, "-c", ""], {}) > 0
    assert start.timed_process([sys.executable, "-c", "raise SystemExit(1)"], {}, ends=(0, 1)) > 0
    with pytest.raises(TumbleError, match="exit code 1: ZeroDivisionError"):
        start.timed_process([sys.executable, "-c", "1 / 0"], {})
