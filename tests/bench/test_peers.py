"""Tumble against its peers: goals put to tables made by hand, queries with libraries that are Tumble in disguise."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from fake_moving import FakeMoving, FakeStep
from fake_peers import FakePeer, FakePoints, forgetful

from tumble.bench.framework.benchmark import Run
from tumble.bench.framework.goals import MET, MISSED, UNKNOWN, check_goals
from tumble.bench.framework.page import Page
from tumble.bench.framework.run import run_benchmark
from tumble.bench.framework.table import Study, Table
from tumble.bench.framework.timing import Effort
from tumble.bench.peers import BENCHMARK, once
from tumble.bench.peers.apart import ApartSizes
from tumble.bench.peers.contract import Touching
from tumble.bench.peers.entrants import Field, find_peers
from tumble.bench.peers.goals import GOALS, extremes, fastest, judged_of, leads
from tumble.bench.peers.measure import LIBRARIES, QUICK, tasks
from tumble.bench.peers.moving.edges import EdgePlan
from tumble.bench.peers.moving.tasks import MovingSizes
from tumble.bench.peers.once import add_fact
from tumble.bench.peers.page import QUERIES, goals_tally, remark, rows_of, slower_first_hits
from tumble.bench.peers.points.races import PointSizes
from tumble.bench.peers.races import add_times, compare_crowds
from tumble.errors import FileError, MissingDependencyError, OptionError, TumbleError
from tumble.report import Document
from tumble.scenario.objects import RealPair

JUDGED = ["fcl", "coal-obb"]
ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
TINY = replace(
    QUICK,
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
    apart=ApartSizes(
        sizes=(200,),
        places=(1.5, 0.8),
        poses=3,
        motion=20,
        motion_of=(("torus", 200),),
        solid_poses=2,
        times=2,
        solid_sizes=(200,),
    ),
    points=PointSizes(faces=200, points=200, of=("torus",), judged=400, judged_of=("gear",)),
    point_effort=ONE_ROUND,
    moving=MovingSizes(
        faces=200,
        flights=2,
        samples=50,
        recorded=("motion.xml",),
        between=5,
        edge_faces=200,
        edge_plan=EdgePlan(12, 20),
        robots=(RealPair("robot", "one.off", "one.off"),),
        sheet=6,
        scenes=(),
        solids=(("torus", 200),),
        real=(RealPair("triangle", "one.off", "one.off"),),
        poses=2,
        assemblies=(),
    ),
    moving_effort=ONE_ROUND,
)


def empty_table():
    table = Table()
    for name in (*JUDGED, "vtk"):
        table.study(LIBRARIES).add(name, "", "judged", name != "vtk")
    return table


def timed(study, case, items=1, **rounds):
    """Write one case, names by keyword with underscores for hyphens."""
    named = {name.replace("_", "-"): values for name, values in rounds.items()}
    add_times(study, {"case": case, "object": case, "triangles": 10, "items": items}, named)


def with_times(query, **rounds):
    table = empty_table()
    timed(table.study(query), "a", **rounds)
    return table


def goals(table):
    return {goal.name: goal for goal in check_goals(GOALS, table)}


def test_seconds_are_for_one_item():
    study = Study("q")
    timed(study, "a", items=4, tumble=[8.0, 8.0])
    assert study.value("a", "tumble", "time") == 2.0


def test_the_rival_is_the_fastest_judged_one_in_its_median_round():
    study = Study("q")
    timed(study, "a", tumble=[1.0] * 3, fcl=[9.0, 2.0, 9.0], coal_obb=[5.0] * 3, vtk=[0.1] * 3)
    assert fastest(study, "a", JUDGED) == "coal-obb"
    assert fastest(study, "a", ["vtk"]) == "vtk"
    assert fastest(study, "a", ["nobody"]) is None
    timed(study, "b", **{"tumble": [1.0], "fcl on 2 threads": [3.0], "fcl": [4.0]})
    # compared, but not timed
    study.add("b", "coal-obb", "differ", 0)
    assert fastest(study, "b", JUDGED) == "fcl on 2 threads"


def test_leads_name_the_ends_and_whatever_is_slower():
    table = empty_table()
    study = table.study("first-hit")
    timed(study, "half", tumble=[2.0], fcl=[1.0], coal_obb=[50.0])
    timed(study, "eight", tumble=[1.0], fcl=[9.0], coal_obb=[8.0])
    timed(study, "two", tumble=[1.0], fcl=[2.0])
    timed(study, "alone", tumble=[1.0], vtk=[0.001])
    found = leads(study, judged_of(table))
    assert found == {"half": 0.5, "eight": 8.0, "two": 2.0}
    assert extremes(found) == ("half", "eight")
    page = Page(Document(""), table, Path())
    assert slower_first_hits(page) == " First hits on which Tumble is slower: 0.50× (half)."
    assert goals_tally(page) == "29 goals, 2 missed, 27 not measured"


def test_nothing_measured_is_no_verdict():
    assert {goal.verdict for goal in goals(empty_table()).values()} == {UNKNOWN}


@pytest.mark.parametrize(
    "goal, query, enough, too_little",
    [
        ("all pairs, one thread", "all-pairs", 10.1, 9.9),
        ("first hit, one thread", "first-hit", 3.1, 2.9),
        ("first hit, every case", "first-hit", 1.01, 0.99),
        ("far apart, one call", "far-apart", 1.01, 0.99),
        ("10 000 poses in one call, with threads", "batch-threads", 30.1, 29.9),
        ("build", "build", 5.1, 4.9),
        ("distance, one thread", "distance", 10.1, 9.9),
        ("distance, every case", "distance", 1.01, 0.99),
        ("1 000 distances in one call, with threads", "distance-many-threads", 30.1, 29.9),
        ("closest points, per core", "closest-points", 1.01, 0.99),
        ("signed distance of points, per core", "signed-distance", 1.01, 0.99),
    ],
)
def test_a_ratio_goal_is_met_or_missed(goal, query, enough, too_little):
    for lead, verdict in ((enough, MET), (too_little, MISSED)):
        found = goals(with_times(query, tumble=[1.0], fcl=[lead]))[goal]
        assert found.verdict == verdict
    assert found.verdict_text.startswith("missed: at 9")
    assert found.verdict_text.endswith("% of the goal")


def test_one_slow_case_misses_the_goal_that_none_is_slower():
    table = with_times("first-hit", tumble=[1.0], fcl=[100.0])
    timed(table.study("first-hit"), "y", tumble=[1.0], fcl=[0.5])
    found = goals(table)
    assert found["first hit, one thread"].verdict == MET
    assert found["first hit, every case"].verdict == MISSED
    assert found["first hit, every case"].measured == "slower on 1 of 2; least lead 0.50× (y)"


def test_goals_that_name_fcl_look_at_fcl_alone():
    table = with_times("build", tumble=[1.0], fcl=[6.0], coal_obb=[2.0])
    rounds = {"tumble": [1.0], "fcl": [40.0], "coal-obb": [3.0], "fcl on 2 threads": [9.0]}
    timed(table.study("batch-threads"), "a", **rounds)
    found = goals(table)
    assert found["build"].verdict == MET
    assert found["10 000 poses in one call, with threads"].measured == "40.0× (40.0× to 40.0×, cases: 1)"
    assert [(title, leads) for title, _, leads in rows_of(table)] == [("motion, threads", [40.0]), ("build", [6.0])]


def test_goals_on_memory_and_start():
    names = ("memory", "first use, cold", "first use, warm")
    for numbers, verdict in (((64.0, 29.0, 2.9), MET), ((129.0, 60.0, 3.1), MISSED)):
        table = empty_table()
        add_fact(table.study("memory"), "tumble", "with triangles", numbers[0], "", "")
        add_fact(table.study("memory"), "fcl", "with triangles", 560.0, "", "")
        add_fact(table.study("start"), "tumble", "cold", numbers[1], "s", "")
        add_fact(table.study("start"), "tumble", "warm", numbers[2], "s", "")
        assert [goals(table)[name].verdict for name in names] == [verdict] * 3
    assert goals(table)["memory"].measured == "129 bytes; FCL here: 560"
    assert goals(table)["first use, cold"].verdict_text == "missed: at 50% of the goal"


def test_crowds_that_differ():
    ours = [Touching({(0, 1)}, 5), Touching({(0, 1)}, 5), Touching({(0, 1)}, 5)]
    theirs = [Touching(None, 5), Touching({(0, 2)}, 5), Touching(None, 8)]
    assert compare_crowds(ours, theirs) == (3, 2, 0, 3)


def measured(*fakes, sizes=TINY, **options):
    """The table of a run, nothing drawn."""
    run = Run(sizes, {"field": Field(fakes, ()), **options}, Table())
    for task in tasks(run):
        task.work(lambda label, done=0.0: None)
    return run.table


def differing(table):
    """Which libraries gave wrong answers to which queries."""
    studies = {query: table.study(query) for query in QUERIES}
    return {
        (query, name)
        for query, study in studies.items()
        for case in study.cases()
        for name in study.contestants(case)
        if study.value(case, name, "differ", 0)
    }


def test_answers_that_differ_are_told_by_query_and_library():
    only = ["first-hit", "all-pairs", "batch", "scene", "python-threads"]
    fakes = FakePeer("fcl", spoil=forgetful), FakePeer("coal-obb")
    table = measured(*fakes, sizes=replace(TINY, real=()), only=only, threads=1)
    found = {"first-hit", "all-pairs", "batch", "scattered", "scene"}
    assert differing(table) == {(query, "fcl") for query in found}
    # one thread: no query with threads
    assert {query for query in QUERIES if table.study(query)} == found
    study = table.study("all-pairs")
    case = next(case for case in study.cases() if study.value(case, "fcl", "differ"))
    assert study.value(case, "fcl", "missing") > study.value(case, "fcl", "invented") == 0
    assert remark(table).endswith("cases (fcl).\n")


def test_objects_too_large_for_a_library_are_not_given_to_it():
    fakes = FakePeer("fcl"), FakePeer("vtk", judged=False, most_faces=100)
    table = measured(*fakes, sizes=replace(TINY, real=()), only=["first-hit"])
    assert table.study("first-hit").contestants() == ["fcl", "tumble"]
    assert judged_of(table) == ["fcl"]


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"only": ["nothing"]}, OptionError, "unknown query 'nothing'"),
        ({"threads": 0}, OptionError, "threads=0"),
        ({"data": "no/such/folder"}, FileError, "no/such/folder is no folder"),
    ],
)
def test_options_that_make_no_sense(options, error, message):
    with pytest.raises(error, match=message):
        measured(FakePeer(), **options)


def test_without_any_library_to_compare_with(monkeypatch):
    for module in ("fcl", "coal"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError, match=r'python-fcl or coal.*pip install "tumble\[bench\]"'):
        tasks(Run(TINY))


def test_a_missing_library_is_named_and_the_others_compete():
    def missing():
        raise ImportError("No module named 'coal'")

    found = find_peers({"fcl": FakePeer, "coal-obb": missing})
    assert [peer.name for peer in found.peers] == ["fcl"]
    assert found.notes == [
        "`coal-obb` did not compete: No module named 'coal'. Install it with `pip install \"tumble[bench]\"`."
    ]


@pytest.mark.slow
def test_a_whole_run(tmp_path, monkeypatch):
    # Numbers instead of processes, which take seconds to start.
    monkeypatch.setattr(once, "timed_process", lambda command, environment, ends=(0,): 1.5)
    monkeypatch.setattr(once, "_grown_elsewhere", lambda name, faces: 500.0)
    (tmp_path / "one.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    apart, points = (FakePeer("fcl"), FakePeer("meshlib")), (FakePoints("fcpw"), FakePoints("trimesh", most_points=50))
    moving = {"moving": (FakeMoving("fcl"),), "steps": (FakeStep(),)}
    fakes = Field((FakePeer("fcl"), FakePeer("vtk", judged=False)), ["`coal` is missing."], apart, points, **moving)
    folder = tmp_path / "out"
    result = run_benchmark(BENCHMARK, folder, True, data=tmp_path, threads=2, sizes=TINY, field=fakes)
    files = {"results.json", "results.csv", "index.md", "index.html"}
    files |= {f"{stem}.{kind}" for stem in ("speedups", "distance") for kind in ("svg", "png")}
    assert {path.name for path in folder.iterdir()} == files
    table = Table.read(folder / "results.csv")
    numbers = {
        "far-apart": 5, "aligned": 5, "python-threads": 5, "first-hit": 10, "all-pairs": 10, "sweep-first-hit": 2,
        "sweep-all-pairs": 2, "batch": 1, "batch-threads": 1,
        "scattered": 1, "scattered-threads": 1, "build": 4, "scene": 1, "scene-threads": 1,
        "distance": 8, "distance-many": 2, "distance-many-threads": 2, "signed-meshes": 8, "relation": 16,
        "closest-points": 2, "closest-points-threads": 2, "signed-distance": 2, "signed-distance-threads": 2,
        "signed-on-surface": 1, "signed-on-surface-threads": 1, "signs": 5,
    }  # fmt: skip
    assert {query: len(table.study(query).cases("tumble")) for query in numbers} == numbers
    # no recorded motion, no assembly and no robot lies beside the mesh, and Manifold does not compete
    unknown = {goal["name"] for goal in result["goals"] if goal["verdict"] not in ("met", "missed")}
    robots = {f"configurations of a robot, {how}" for how in ("per core", "with threads")}
    robots |= {f"the same{how}, against convex hulls" for how in ("", " with threads")}
    assert unknown == {
        "a motion from frame to frame", "common volume of two meshes", "all penetrations of a gearbox", *robots,
    }  # fmt: skip
    assert not differing(table)
    assert result["remark"] == ""
    assert set(table.study("batch-threads").contestants()) == {"tumble", "fcl", "fcl on 2 threads"}
    assert set(table.study("build").contestants()) == {"tumble", "fcl"}
    kept = table.study("memory")
    assert kept.value("with triangles", "fcl", "value") == 500.0
    assert kept.value("with triangles", "tumble", "value") > kept.value("tree alone", "tumble", "value") + 20
    scene = table.study("scene")
    assert [scene.count(case, "", "answers") for case in scene.cases()] == [2]
    assert set(scene.contestants()) == {"tumble", "fcl", "vtk", "tumble on 2 threads"}
    markdown = (folder / "index.md").read_text(encoding="utf-8")
    for words in ("First hit", "`coal` is missing.", "`ghost` was left out", "1.50 s", "500", "quick run"):
        assert words in markdown
    assert (folder / "index.html").read_text(encoding="utf-8").count("<svg") == 2


HOARDER = """
import numpy as np
from tumble.bench.peers.once import grown_bytes

class Hoarder:
    def prepare(self, vertices, faces):
        return np.ones(len(faces) * 400, dtype=np.uint8)

print(grown_bytes(Hoarder(), 50_000))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the growth of a process is read from /proc")
@pytest.mark.slow
def test_bytes_a_triangle_are_what_a_library_takes():
    # as in the benchmark, in a fresh process: this one has freed memory to fill first
    told = subprocess.run([sys.executable, "-c", HOARDER], capture_output=True, text=True, check=True).stdout
    assert float(told) == pytest.approx(400, rel=0.1)


def test_reported_bytes_count_tree_and_mesh():
    tree, mesh = once.reported_bytes(2_000)
    assert mesh == pytest.approx(24, rel=0.05)  # a closed mesh: half a vertex and three indices a triangle
    assert tree > 8


def test_processes_are_timed_and_must_answer():
    assert once.timed_process([sys.executable, "-c", ""], {}) > 0
    assert once.timed_process([sys.executable, "-c", "raise SystemExit(1)"], {}, ends=(0, 1)) > 0
    with pytest.raises(TumbleError, match="exit code 1: ZeroDivisionError"):
        once.timed_process([sys.executable, "-c", "1 / 0"], {})
