"""What the benchmark of paper `bsp` counts, tries and races, on small scenes and the CPU."""

from itertools import pairwise

import numpy as np
import pytest
from bsp_table import results

import tumble
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.bsp import counts, formulas, lockstep, races, scenes, streams, ways
from tumble.bench.papers.bsp.counts import COUNTS, CountGrid, add_counts, frontiers_of
from tumble.bench.papers.bsp.published import BEST_SPEEDUP, TABLE_1, add_published
from tumble.device.front_primed import primed_front
from tumble.query.settings import BulkSettings, FrontSettings
from tumble.traversal.bulk.entry import pairs_entered
from tumble.traversal.bulk.rounds import leaf_pairs

ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)


def quiet(label, done=0.0):
    """Nothing is shown."""


@pytest.fixture(scope="module")
def counted():
    table = Table()
    for scene in scenes.scenes(None, 400)[0][1:]:
        add_counts(scene, CountGrid((0, 1, 2), (1, 2)), table, quiet)
    return table


def test_counts_follow_the_paper(counted):
    study = counted.study(COUNTS)
    made = {scene.name: scene for scene in scenes.scenes(None, 400)[0]}
    assert study.cases() == ["funnel", "n-body"]
    objects = len(made["n-body"].now)
    assert study.count("n-body", "", "pairs of objects") == objects * (objects - 1) // 2
    assert study.count("n-body", "", "overlapping") < study.count("n-body", "", "pairs of objects")
    assert study.count("funnel", "", "pairs of objects") == 6 + 4
    for scene in study.cases():
        every, pruned = (frontiers_of(study, scene, name) for name in (counts.EVERY, counts.OVERLAPPING))
        assert set(every) == {(entry, step) for entry in (0, 1, 2) for step in (1, 2)}
        for at, sizes in every.items():
            assert sizes[0] >= pruned[at][0]
            # what overlaps is the same, and so is all that follows from it
            np.testing.assert_array_equal(sizes[1:], pruned[at][1:])
        assert all(len(every[0, one]) > len(every[0, two]) for one, two in pairwise((1, 2)))
    found = results(counted)
    assert found["one-test-each"].verdict.word == found["rounds"].verdict.word == "holds"


def test_lockstep_counts_what_the_traversals_do():
    """A traversal in NumPy has the frontiers of bulk and the tests of streams; shares follow from a small example."""
    scene = scenes.scenes(None, 400)[0][2]
    trees = ways.trees_on(None, scene.now)
    pairs = ways.pairs_for(trees, ways.BETWEEN, True)
    _, work = leaf_pairs(trees, pairs, BulkSettings(depth_step=2, tested=False), adjacent=True, threads=1)
    rounds = list(lockstep.bulk_work(trees, pairs))
    assert [len(steps) for _, _, steps in rounds] == work.frontiers
    assert sum(int(steps.sum()) for _, _, steps in rounds) == 2 * work.tests - len(pairs)
    primed = primed_front(scene.before, scene.now, every=True)
    _, _, walked = primed.follow(primed.trees, primed.front, primed.pairs)
    assert lockstep.stream_work(trees, primed.front.pairs).sum() == walked.tests
    apart, beside = np.arange(32) * 4, np.zeros(32, np.int64)
    assert lockstep._lines([(apart, apart + 400), (beside, beside + 4)]) == (64 + 2, 128)
    siblings = 3 + np.arange(32)  # four at a time on two lines, unless the array begins one box later
    assert [lockstep._lines([(siblings, siblings)], begin)[0] for begin in range(4)] == [9, 8, 9, 9]
    assert lockstep._lines_anywhere([(siblings, siblings)]) == 8.75
    assert lockstep._share([np.array([1] * 31 + [3]), np.array([2])]) == (34 + 2) / (32 * 3 + 32 * 2)


def test_a_first_frontier_that_is_too_large_is_left_out(monkeypatch):
    scene = scenes.scenes(None, 400)[0][2]
    trees = ways.trees_on(None, scene.now)
    pairs = ways.pairs_for(trees, ways.BETWEEN, True)
    monkeypatch.setattr(counts, "MOST_ENTERED", pairs_entered(trees.layout, pairs, 1))
    table = Table()
    add_counts(scene, CountGrid((0, 1, 2), (2,)), table, quiet)
    assert set(frontiers_of(table.study(COUNTS), scene.name, counts.EVERY)) == {(0, 2), (1, 2)}


def test_streams_race_with_the_settings_that_were_fastest(monkeypatch):
    scene, table = scenes.scenes(None, 400)[0][2], Table()
    grid = streams.StreamsGrid((0, 128), (4, 64), (8, 32), ONE_ROUND)
    assert len(grid.settings(on_cpu=False)) == 8
    assert {each.segments for each in grid.settings(on_cpu=True)} == {FrontSettings.segments}
    best = "steps 0, segments 64, stack 8"
    monkeypatch.setattr(
        streams, "race", lambda asks, effort: {name: [1.0 if name == best else 2.0] * 8 for name in asks}
    )
    chosen = streams.tuned(ways.CPU, "cpu", scene, grid, table)
    assert chosen == FrontSettings(steps=0, stack=8)
    assert streams.chosen_settings(table) == {f"n-body, {ways.CPU}": best}
    study = table.study(streams.SETTINGS)
    assert study.ratio(f"n-body, {ways.CPU}", "steps 128, segments 64, stack 32", best) == 2.0


def test_bulk_and_streams_enter_with_the_same_pairs():
    scene, table = scenes.scenes(None, 400)[0][2], Table()
    grid = streams.StreamsGrid((FrontSettings.steps,), (FrontSettings.segments,), (FrontSettings.stack,), ONE_ROUND)
    streams.race_streams(scene, [], grid, ONE_ROUND, table)
    assert (
        set(streams.speedups(table, ways.CPU)) == set(streams.speedups(table, ways.papers_way(ways.CPU))) == {"n-body"}
    )
    assert streams.opponent(ways.papers_way("opencl:0")) == "opencl:0, streams, all pairs"
    assert streams.opponent(ways.pruned_way("opencl:0")) == streams.opponent("opencl:0") == "opencl:0, streams"
    assert table.study(ways.ANSWERS).total("same") == len(table.study(streams.FIGURE_7).contestants())


def test_scenes_are_raced_beside_each_other():
    made, table = scenes.scenes(None, 400)[0], Table()
    races.race_scenes(made, [], ONE_ROUND, table)
    study = table.study(races.SCENES)
    assert study.cases() == [ways.papers_way(ways.CPU)]
    assert study.contestants() == list(TABLE_1)
    both = (
        study.ratio(ways.papers_way(ways.CPU), "funnel", "n-body"),
        study.ratio(ways.papers_way(ways.CPU), "n-body", "funnel"),
    )
    assert both[0] * both[1] == pytest.approx(1.0)


def test_trees_are_built_with_links_and_without():
    scene, table = scenes.scenes(None, 400)[0][2], Table()
    races.race_trees(scene, [], ONE_ROUND, table)
    found = results(table)
    assert found["simple-construction"].verdict.word == found["compressed"].verdict.word == "not decided"
    assert found["padding"].verdict.word == "holds"


def test_leaf_pairs_of_cloth_and_funnel_are_counted():
    scene, table = scenes.scenes(None, 100)[0][1], Table()
    races.add_loads(scene, table)
    both = tumble.collide_all(scene.now[:2], candidates=True).counts.sum()
    study = table.study(races.LOADS)
    assert study.count("funnel, stand-in", "", races.CLOTH_AND_FUNNEL) == both > 0
    assert study.count("funnel, stand-in", "", "between") > both


def test_kernels_are_counted_without_variants_and_comments():
    lines = [
        "a;",
        "",
        "#ifndef X",
        "#error",
        "#endif",
        "#if X == 0",
        "b;",
        "#elif X == 1",
        "c;",
        "#else",
        "d;",
        "#endif",
    ]
    lines += ["#if X", "e;", "#else", "f;", "#endif", "#if X == 1", "g;", "#if X == 0", "h;", "#endif", "#endif"]
    assert list(formulas._compiled(lines)) == ["a;", "", "b;", "f;"]
    assert 50 < formulas.code_lines("bulk.cl") < formulas.code_lines("front.cl")


def test_published_speedups_are_those_of_the_text():
    table = Table()
    add_published(table)
    study = table.study("published")
    assert [study.value("n-body", name, "speed-up") for name in ("GeForce GTX 960", "Radeon R9 280")] == [6.2, 7.1]
    assert [study.value("average", name, "speed-up") for name in ("GeForce GTX 960", "Radeon R9 280")] == [4.3, 4.4]
    assert BEST_SPEEDUP == (6.2, 7.1)
