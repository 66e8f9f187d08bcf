"""The paper `stackless`: its tables transcribed, and runs of a few scenes, of pictures and on a device."""

import math
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest
from stackless_table import PAPER

import tumble
from tumble.bench.framework.claims import HOLDS, UNKNOWN
from tumble.bench.framework.run import run_benchmark
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Plan
from tumble.bench.papers.stackless import BENCHMARK, measure, pictures
from tumble.bench.papers.stackless.cases import time_ratio
from tumble.bench.papers.stackless.devices import DEVICES, SETTINGS, WALKS, Crowd, by_way
from tumble.bench.papers.stackless.measure import FULL, QUERIES, QUICK, STACKS, Sizes, new_memory
from tumble.bench.papers.stackless.new_stack import repeat_with_new_stacks
from tumble.bench.papers.stackless.published import COUNTERS, METHODS
from tumble.errors import OptionError
from tumble.scenario import pair_scene, pair_scene_names


def test_all_tables_are_there():
    assert PAPER.cases(*METHODS) == pair_scene_names(), "the scenes follow the paper's tables, name by name"
    assert {PAPER.count(scene, "", "table") for scene in PAPER.cases()} == set(range(2, 9))


def test_counts_of_a_row_fit_each_other():
    """They are tied to each other, so a slip of one digit shows."""
    for scene in PAPER.cases():
        for method in METHODS:
            iterations, overlaps, leaves, touching = (PAPER.count(scene, method, name) for name in COUNTERS)
            start = PAPER.count(scene, "", "faces a") if method == "leaf" else 1
            assert iterations == start + 2 * (overlaps - leaves)
            assert touching <= leaves <= overlaps
            low, high, mean, deviation = (PAPER.value(scene, method, n) for n in ("min", "max", "mean", "deviation"))
            assert low <= mean <= high
            assert deviation <= high - low
        for name in ("leaf overlaps", "geometry overlaps", "repetitions"):
            assert len({PAPER.count(scene, method, name) for method in METHODS}) == 1


def test_a_few_values_read_off_the_paper():
    assert [PAPER.value("scalability-4", "leaf", name) for name in ("repetitions", "mean", "iterations")] == [
        1000,
        98.6587,
        1559634,
    ]
    assert PAPER.value("close-proximity-3", "stack", "time") == pytest.approx(1.9587 / 10000)
    assert PAPER.value("separation-2", "stackless", "time") == pytest.approx(0.0067 / 100000)
    faces = [PAPER.count("different-counts-largest-first", "", name) for name in ("faces a", "faces b")]
    assert faces == [203776, 796]


def prepared(looping):
    """A stand-in for `prepare_query`: only these methods have kernels that loop, the others are called in turn.

    Each such kernel takes seconds to compile; those that count are there for other tests.
    """

    def prepare(scene, method, rule=None):
        query = measure.prepare(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b, method=method, tree="aabb")
        if method not in looping:
            query.repeat = lambda times: [query.stats() for _ in range(times)]
        return query

    return prepare


@pytest.mark.parametrize(
    "looping", [pytest.param(("leaf",), id="leaf"), pytest.param(METHODS, id="all", marks=pytest.mark.slow)]
)
def test_two_scenes_on_the_real_kernels(looping, tmp_path, monkeypatch, no_pixels):
    monkeypatch.setattr(measure, "prepare_query", prepared(looping))
    steps = []
    sizes = Sizes(0.0, ("small-proximity-1", "separation-1"), repetitions=2, rounds=6, outlook=(), crowds=())
    summary = run_benchmark(BENCHMARK, tmp_path, True, lambda *step: steps.append(step), sizes=sizes)
    assert summary["ok"]
    study = Table.read(tmp_path / "results.csv").study(QUERIES)
    words = {claim["name"]: claim["verdict"] for claim in summary["claims"]}
    assert words["no-memory"] == HOLDS
    assert words["separation-set-up-explains"] != UNKNOWN
    for one, other in permutations([*METHODS, *map(new_memory, STACKS)], 2):
        ratio = time_ratio(study, "separation-1", one, other)
        assert 0 < ratio.low < ratio.high < math.inf  # within rounds: the quotient of two medians is a point
    assert study.cases(*METHODS) == ["separation-1", "small-proximity-1"]
    assert [study.count("separation-1", method, "iterations") for method in METHODS] == [1, 1, 1, 1, 796]
    for scene in study.cases():
        for method in METHODS:
            assert [study.count(scene, method, name) for name in ("repetitions", "rounds")] == [2, 6]
            assert 0 < study.value(scene, method, "min") <= 2 * study.value(scene, method, "time") * 1.001
            assert 2 * study.value(scene, method, "time") <= study.value(scene, method, "max") * 1.001
    assert steps[0] == (0, 200, "separation-1: trees and kernels")
    assert steps[-2:] == [(200, 200, "small-proximity-1"), (200, 200, "writing")]
    page = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert "Table 3: separation" in page
    assert "`stack, memory per query`" in page
    assert {path.stem for path in tmp_path.glob("*.svg")} == {"figure28", "figure30", "figure33"}


@pytest.mark.slow
def test_the_walks_on_a_device(tmp_path):
    if not tumble.devices():
        pytest.skip("no OpenCL device")
    sizes = Sizes(0.0, (), crowds=[Crowd(0, 0, 3)], device_rounds=2)
    summary = run_benchmark(BENCHMARK, tmp_path, sizes=sizes)
    words = {claim["name"]: claim["verdict"] for claim in summary["claims"]}
    assert words["device-same-answer"] == words["device-same-walk"] == HOLDS
    study = Table.read(tmp_path / "results.csv").study(DEVICES)
    case = study.cases()[0]
    assert study.count(case, "", "touching") > 0
    for method in WALKS:
        for way in SETTINGS:
            assert study.value(case, by_way(method, way), "time") > 0
            assert study.ratio(case, by_way(method, way), by_way("binary-stack", way)) > 0
    assert "796 against 796 triangles, 3 poses | `stackless-post` |" in (tmp_path / "index.md").read_text("utf-8")


def test_new_stacks_give_the_same_answer():
    scene = pair_scene("intersection-1")
    for method in STACKS:
        query = measure.prepare_query(scene, method)
        assert repeat_with_new_stacks(query, method, 3) == query.stats().hits > 0


@pytest.mark.slow
def test_the_outlook_and_exchanged_sides_on_the_real_kernels(tmp_path):
    summary = run_benchmark(
        BENCHMARK, tmp_path, sizes=Sizes(0.0, ("different-sizes",), repetitions=1, rounds=1, crowds=())
    )
    words = {claim["name"]: claim["verdict"] for claim in summary["claims"]}
    assert summary["ok"]
    assert words["compact-stack"] == words["another-rule"] == words["sizes-leaf-exchanged"] == HOLDS
    rules = Table.read(tmp_path / "results.csv").study(measure.RULES_STUDY)
    assert rules.count("different-sizes", "volume", "iterations") == 107
    assert "| `b-twice` |" in (tmp_path / "index.md").read_text("utf-8")


def test_the_nearest_triangle_is_painted():
    """A red triangle in front of a blue one, then behind it."""
    blue = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    colours = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    for depth, shown in ((0.5, 1), (-0.5, 0)):
        red = blue + np.array([0.0, 0.0, depth])
        picture = pictures._painted(np.stack([blue, red]), colours, np.array([2.0, 2.0]))
        middle = picture[picture.shape[0] // 2, picture.shape[1] // 2]
        np.testing.assert_array_equal(middle, [*colours[shown], 1.0])
        assert picture[0, 0, 3] == 0  # nothing there


def test_a_wrong_count_is_flagged_on_the_page(tmp_path, monkeypatch, no_pixels):
    class PublishedQuery:
        """Stands in for a prepared query: counts as published but for one method, no work."""

        def __init__(self, scene, method):
            self.scene, self.method, self.nbytes = scene.name, method, 8 * (method in STACKS)

        def repeat(self, times):
            return 0

        def stats(self):
            counts = {name.replace(" ", "_"): PAPER.count(self.scene, self.method, name) for name in COUNTERS}
            counts["hits"] = counts.pop("geometry_overlaps")
            return SimpleNamespace(**{**counts, **({"iterations": 7} if self.method == "stackless" else {})})

    monkeypatch.setattr(measure, "prepare_query", PublishedQuery)
    monkeypatch.setattr(measure, "_with_new_memory", lambda queries: {})
    sizes = Sizes(0.0, ("separation-1", "scalability-0"), repetitions=1, rounds=1, outlook=(), crowds=())
    summary = run_benchmark(BENCHMARK, tmp_path, sizes=sizes)
    broken = {claim["name"] for claim in summary["claims"] if claim["broken"]}
    assert broken == {"separation-one-iteration", "same-walk", "iterations-add-up"}
    assert (tmp_path / "index.html").read_text(encoding="utf-8").count('<tr class="flagged">') == 3


def test_a_plan_keeps_to_the_seconds_unless_numbers_are_given():
    assert QUICK.seconds * 20 < 60
    assert FULL.seconds * 20 <= 1800
    assert QUICK.plan(1000, {"stack": 9.0}).rounds == 6  # as many as a claim about times needs
    assert QUICK.plan(1000, {"stack": 1e-3}).rounds < FULL.plan(1000, {"stack": 1e-3}).rounds
    assert Sizes(9.0, repetitions=3, rounds=4).plan(1000, {"stack": 1.0}) == Plan({"stack": 3}, 4)


def test_all_methods_run_equally_often():
    plan = QUICK.plan(1000, {"stack": 1e-3, "leaf": 50e-3})
    assert plan.repetitions["stack"] == plan.repetitions["leaf"] < 1000


def test_an_unknown_scene(tmp_path):
    with pytest.raises(OptionError, match="unknown scene 'nowhere': choose from intersection-1"):
        run_benchmark(BENCHMARK, tmp_path, sizes=Sizes(1.0, ("nowhere",)))
