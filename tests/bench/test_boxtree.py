"""The paper `boxtree`: measuring functions, contestants, and a whole run (slow)."""

import math
import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from boxtree_table import results

import tumble
from tumble.bench.framework.answers import differences
from tumble.bench.framework.benchmark import Run
from tumble.bench.framework.claims import PARTLY
from tumble.bench.framework.run import run_benchmark
from tumble.bench.framework.statistics import DECIDING_ROUNDS, Interval
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree import BENCHMARK, contestants
from tumble.bench.papers.boxtree.builds import fit
from tumble.bench.papers.boxtree.contestants import (
    AABB,
    BUILDS,
    DOP,
    LEAF_SIZE,
    OBB,
    build_boxtree,
)
from tumble.bench.papers.boxtree.measure import FULL, QUICK, tasks
from tumble.bench.papers.boxtree.nodes import (
    EMPTINESS,
    NODES,
    PACKED,
    TWO_PLANES,
    add_emptiness,
    add_moves,
    add_node_costs,
    emptiness,
    empty_shares,
)
from tumble.bench.papers.boxtree.published import TABLE_1, TURN_SIZES, add_published
from tumble.bench.papers.boxtree.races import (
    AHEAD,
    ALL,
    BYTES,
    KINDS,
    MORE_CHILDREN,
    PRINTED_TESTS,
    PRINTED_TREES,
    QUERIES,
    TESTS,
    TREES,
    TURN,
    PreparedTrees,
    add_turn,
    both_of,
    race_of,
)
from tumble.errors import FileError
from tumble.query.answer import Collision
from tumble.scenario.objects import RealPair, shape_duo
from tumble.scenario.tumbling import tumbling_poses

PARENT = [0, 0, 0, 10, 10, 10]


def share(box, sibling, parent=PARENT):
    return empty_shares(*(np.array([row], float) for row in (box, sibling, parent)))[0]


def test_the_side_of_the_split_is_not_counted():
    halves = [0, 0, 0, 5, 10, 10], [5, 0, 0, 10, 10, 10]
    assert share(*halves) == share(*halves[::-1]) == 0.0


def test_other_sides_are_counted():
    # a tenth is missing below x, though the split is above x; another tenth above y
    assert share([1, 0, 0, 5, 10, 10], [5, 0, 0, 10, 10, 10]) == pytest.approx(0.1)
    assert share([1, 0, 0, 5, 9, 10], [5, 0, 0, 10, 10, 10]) == pytest.approx(1 - 0.9 * 0.9)
    assert share([5, 0, 0, 9, 10, 10], [0, 0, 0, 5, 10, 10]) == pytest.approx(0.1)


def test_flat_boxes_are_neither_empty_nor_full():
    flat = [0, 0, 3, 10, 10, 3]
    assert share([0, 0, 3, 5, 10, 3], [5, 0, 3, 10, 10, 3], flat) == 0.0
    assert share([0, 0, 3, 5, 8, 3], [5, 0, 3, 10, 10, 3], flat) == pytest.approx(0.2)


def test_all_nodes_but_the_root_are_measured():
    mesh = shape_duo("gear", 500).a
    shares, leaf, touching = emptiness(mesh)
    tree = tumble.build(mesh, "aabb", split="sah", leaf_size=1)
    assert len(shares) == len(leaf) == len(touching) == len(tree) - 1
    assert leaf.sum() == tree.leaf_count
    assert ((shares >= 0) & (shares <= 1)).all()
    # every side of a parent's box is a side of one of its two children's at least: three a child on average
    assert touching.mean() >= 3
    assert touching.max() <= 6
    study = Table().study(EMPTINESS)
    add_emptiness("gear", mesh, study)
    assert study.value("gear", "all nodes", "close") == (shares <= 0.1).mean()
    assert study.value("gear", "inner", "median") == np.median(shares[~leaf])
    assert study.series("gear", "all nodes", "at most")[[20, 200]] == pytest.approx([(shares <= 0.1).mean(), 1])


def test_a_mesh_of_one_triangle_has_no_nodes_to_measure():
    study = Table().study(EMPTINESS)
    add_emptiness("one", tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), study)
    assert not study


COUNTS = np.array([1_000, 10_000, 100_000, 1_000_000])


def known(seconds, low=1.0, high=1.0):
    """Times that lie within these parts of them."""
    return [Interval(value, low * value, high * value) for value in seconds]


def test_a_fit_finds_the_factor_and_the_power():
    found = fit(COUNTS, known(3e-9 * COUNTS * np.log2(COUNTS)))
    assert (found.factor, found.worst) == pytest.approx((3e-9, 1.0))
    assert found.power == pytest.approx(3 * (found.expected_power,))
    assert 1.0 < found.expected_power < 1.2
    assert found.holds


def test_the_power_is_as_uncertain_as_the_times():
    """With an equal error of all four sizes, the slope over three decades: by hand."""
    found = fit(COUNTS, known(COUNTS * 1e-9, 0.5, 2.0)).power
    error = math.log(2) / math.log(10) / math.sqrt(5)
    assert found == pytest.approx((1.0, 1.0 - error, 1.0 + error))
    for few in (known(COUNTS * 1e-9, 0.0, math.inf), known([1e-6, *COUNTS[1:] * 1e-9], 1.0, math.inf)):
        assert fit(COUNTS, few).holds is None


def test_growth_by_the_square_is_noticed():
    found = fit(COUNTS, known(1e-12 * COUNTS.astype(float) ** 2))
    assert found.power.value == pytest.approx(2.0)
    assert found.holds is False
    assert found.worst > 10


def test_table_1_as_printed():
    table = Table()
    add_published(table)
    paper = table.study(PUBLISHED)
    printed = [(9, 12), (9, 24), (9, 82), (16, 29), (28, 90), (64, 243), (100, 168)]
    names = paper.contestants(TABLE_1)
    assert [tuple(paper.count(TABLE_1, n, q) for q in ("bytes per node", "operations")) for n in names] == printed


@pytest.mark.slow
def test_table_1_as_measured(monkeypatch):
    monkeypatch.setattr("tumble.bench.papers.boxtree.nodes.MOST_OPENED", 100)
    table = Table()
    add_published(table)
    study, paper = table.study(NODES), table.study(PUBLISHED)
    add_node_costs(shape_duo("knot", 300).a, study)

    def cost(name, quantity):
        return study.value(TABLE_1, name, quantity)

    assert set(paper.contestants()) < set(study.contestants())
    assert {cost(f"boxtree, {test}", "bytes per node") for test in ("axis", "lookup", "sat-lite", "sat")} == {9.0}
    assert [cost(name, "bytes per node") for name in (AABB, "sphere tree", PACKED)] == [80, 64, 32]
    assert cost(AABB, "bytes per triangle") > 4 * cost("boxtree, sat", "bytes per triangle")
    # 24 numbers of 8 bytes, and links of 32; directions, centre and half sizes, and links
    assert (cost(DOP, "bytes per node"), cost(OBB, "bytes per node")) == (224, 15 * 8 + 32)
    # a link of four bytes leads to two children; nodes with both planes hold three vertex numbers and a byte
    assert (cost("boxtree, axis", "link bytes"), cost("boxtree, axis", "reached")) == (4, 1)
    assert cost(TWO_PLANES, "bytes per node") == 3 * 4 + 1
    assert cost(OBB, "worst") > paper.value(TABLE_1, OBB, "operations") > cost(OBB, "mean")
    for name in ("boxtree, axis", "boxtree, sat-lite", "boxtree, sat", AABB, OBB, DOP):
        assert 0 < cost(name, "mean") <= cost(name, "worst")
        assert cost(name, "worst ahead") < cost(name, "worst")
        # each DOP of b is compared in all its slabs, where the test of a pair may end with the first three
        assert name == DOP or cost(name, "mean ahead") < cost(name, "mean")


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_volumes_are_moved_half_as_often_one_level_up(every, monkeypatch):
    """By default without the trees that would be other kernels to compile."""
    if not every:
        monkeypatch.setattr("tumble.bench.papers.boxtree.nodes.STORED", {AABB: "aabb"})
    study = Table().study(NODES)
    add_moves(shape_duo("knot", 300).a, study)
    assert study.contestants() == ([AABB] if not every else ["sphere tree", AABB, OBB, DOP])
    for name in study.contestants():
        assert 1.5 < study.value(TABLE_1, name, "moves") / study.value(TABLE_1, name, "moves ahead") < 2.5


def test_the_default_boxtree_is_what_build_makes():
    mesh = shape_duo("torus", 200).a
    assert build_boxtree(mesh) is tumble.build(mesh, "boxtree")
    assert {build_boxtree(mesh, name).leaf_size for name in BUILDS} == {LEAF_SIZE}
    assert len({id(build_boxtree(mesh, name)) for name in BUILDS}) == len(BUILDS)


@pytest.mark.parametrize(
    ("first", "every"), [(False, False), *(pytest.param(each, True, marks=pytest.mark.slow) for each in (False, True))]
)
def test_contestants_answer_alike(first, every):
    """By default all but the trees that store other volumes than boxes, each of which is another kernel to compile."""
    mesh, poses = shape_duo("knot", 300).a, tumbling_poses(0.6, 5)
    answers = {}
    field = [*contestants.overlap_tests(), *contestants.trees()[0], *contestants.ahead_elsewhere()]
    printed = {f"{one.name} as printed": one for one in contestants.printed_tests()}
    assert {"sat-lite, both planes as printed", "lookup, whole offsets as printed"} < set(printed)
    field += [replace(one, name=name) for name, one in printed.items()]
    field += [replace(one, name=f"{one.name}, one by one") for one in contestants.printed_trees()]
    field += contestants.arities()
    ahead_too = {f"{name}, ahead" for name in ("24-DOP tree", "AABB tree", "OBB tree", "sphere tree")}
    assert {"24-DOP tree", "OBB tree", "axis, each pair", *ahead_too, *BUILDS} < {one.name for one in field}
    for one in field:
        if one.name.partition(",")[0] in ("24-DOP tree", "OBB tree", "sphere tree") and not every:
            continue
        tree = one.prepare(mesh)
        found = one.ask(tree, tree, poses, first)()
        answers[one.name] = [hit if first else sorted(map(tuple, hit.tolist())) for hit in found]
    truth = answers[contestants.PACKED]
    assert any(truth)
    assert not all(truth)
    assert all(answer == truth for answer in answers.values())
    assert {"AABB tree", "AABB tree, ahead", "axis, each pair", *BUILDS} < set(answers)


def test_every_test_is_asked_by_its_own_name():
    mesh, poses = shape_duo("knot", 1_000).a, tumbling_poses(0.8, 6)
    tree = build_boxtree(mesh)
    tests = {one.name: sum(each.tests for each in one.stats(tree, tree, poses)) for one in contestants.overlap_tests()}
    assert tests["sat"] < tests["sat-lite"] < tests["axis"] <= tests["lookup"] == tests[contestants.WHOLE_LOOKUP]
    assert all(tests[f"{name}, each pair"] == tests[name] for name in contestants.OVERLAPS)


def test_without_fcl_the_others_compete(monkeypatch):
    monkeypatch.setitem(sys.modules, "fcl", None)
    found, notes = contestants.trees()
    assert contestants.FCL not in [one.name for one in found]
    assert "tumble[bench]" in notes[0]


ONE_ROUND = Effort(0.0, least_rounds=1, most_rounds=1)
TINY = replace(
    QUICK,
    kinds=("torus", "gear"),
    real=(RealPair("triangle", "one.off", "one.off"), RealPair("ghost", "none.off", "none.off")),
    node_faces=200,
    split_faces=100,
    build_sizes=(100, 200, 400, 800),
    large=("torus", 800),
    build_effort=ONE_ROUND,
    turn_faces=200,
    turn_large=(("gear", 400),),
    turn_distances=(0.5, 0.9),
    turn_steps=6,
    printed_turn_steps=3,
    startup_faces=100,
    startup_effort=ONE_ROUND,
    distances=(0.6,),
    steps=((10**9, 3),),
    printed_steps=((10**9, 2),),
    effort=ONE_ROUND,
    test_kinds=("torus",),
    test_sizes=(100, 400),
    printed_sizes=(100,),
    outlook=(("torus", 200),),
    outlook_effort=ONE_ROUND,
    tree_sizes=(100, 400),
    printed_tree_sizes=(100,),
)


def test_a_race_compares_counts_and_times():
    table, field = Table(), contestants.overlap_tests()[:2]
    trees = PreparedTrees(shape_duo("torus", 100), field)
    trees.race_at(0.6, tumbling_poses(0.6, 3), ONE_ROUND, table, TESTS, 100)
    trees.add_bytes(table.study(BYTES))
    for query in QUERIES:
        study = race_of(table, TESTS, query)
        (case,) = study.cases()
        assert case == "torus 100 at 0.6"
        assert study.contestants() == ["sat-lite", "sat"]
        assert [found[:2] for found in differences(study).values()] == [(3, 0), (3, 0)]
        assert study.ratio(case, "sat", "sat-lite") > 0
        assert study.has(case, "sat", "overlapping") == (query == ALL)
    assert table.study(BYTES).value("torus 100", "sat", "bytes") > 0


def test_a_turn_is_asked_step_by_step():
    study = Table().study(TURN)
    add_turn(shape_duo("torus", 100), 0.5, 6, study)
    assert study.count("torus 100 at 0.5", "", "steps") == 6
    for query in QUERIES:
        assert 0 < study.value("torus 100 at 0.5", query, "time, low") <= study.value("torus 100 at 0.5", query, "time")
        assert 0 < study.count("torus 100 at 0.5", query, "hits") <= 6


def test_a_turn_in_the_papers_setting(monkeypatch):
    asked, honest = [], contestants.boxtree_collide()
    monkeypatch.setattr(contestants, "boxtree_collide", lambda: lambda *each: (asked.append(each), honest(*each))[1])
    study = Table().study(TURN)
    add_turn(shape_duo("torus", 100), 0.5, 3, study, printed=True)
    assert study.cases() == ["torus 100, as printed at 0.5"]
    assert {(each[0].leaf_size, each[-1]) for each in asked} == {(1, True)}


def test_full_races_have_the_rounds_that_decide():
    efforts = (FULL.effort, FULL.build_effort, FULL.startup_effort, FULL.outlook_effort)
    assert min(effort.least_rounds for effort in efforts) >= DECIDING_ROUNDS
    assert FULL.printed_tree_sizes == FULL.tree_sizes
    assert FULL.steps_for(16_000, TREES) > FULL.steps_for(16_000, PRINTED_TREES)


def test_a_lost_pair_is_a_fault_and_shown(tmp_path, monkeypatch):
    honest = contestants.boxtree_collide()

    def forgetful(*arguments):
        found = honest(*arguments)
        return Collision(found.pairs[:-1], found.stats) if arguments[5] == "axis" else found

    monkeypatch.setattr(contestants, "boxtree_collide", lambda: forgetful)
    table = Table()
    PreparedTrees(shape_duo("torus", 100), contestants.overlap_tests()).race_at(
        0.6, tumbling_poses(0.6, 3), ONE_ROUND, table, TESTS, 100
    )
    result = results(table)["same-answers"]
    assert (result.verdict.word, result.broken) == (PARTLY, True)
    assert result.verdict.numbers == "differ: axis on torus 100 at 0.6, axis, each pair on torus 100 at 0.6"


def labels(sizes, **options):
    run = Run(sizes, options, Table())
    return [task.label for task in tasks(run)], run.table.notes


def test_without_fcl_and_real_meshes_the_rest_is_measured(monkeypatch, tmp_path):
    assert any("ghost" in label for label in labels(TINY, data=tmp_path)[0])
    monkeypatch.setitem(sys.modules, "fcl", None)
    monkeypatch.setattr("tumble.scenario.objects.default_data_folder", lambda: None)
    found, notes = labels(TINY)
    assert not any("ghost" in label for label in found)
    assert any("`FCL` did not compete" in note for note in notes)
    assert any("Real meshes were left out" in note for note in notes)
    with pytest.raises(FileError, match="nowhere is no folder"):
        labels(TINY, data="nowhere")


@pytest.mark.parametrize("sizes, steps", [(QUICK, 200), (FULL, 5000)])
def test_the_papers_steps_in_a_full_run(sizes, steps):
    assert sizes.turn_steps == steps
    assert len(sizes.build_sizes) >= 4
    assert sizes.large[1] == 500_000
    assert {size for _, size in sizes.turn_large} <= set(TURN_SIZES) == {64_000, 80_000}
    assert len(FULL.turn_large) == len(TURN_SIZES)


@pytest.mark.slow
def test_a_whole_run(tmp_path, monkeypatch):
    monkeypatch.setattr("tumble.bench.papers.boxtree.nodes.MOST_OPENED", 20)
    (tmp_path / "one.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    folder = tmp_path / "out"
    result = run_benchmark(BENCHMARK, folder, True, data=tmp_path, sizes=TINY)
    files = {"results.json", "results.csv", "index.md", "index.html"}
    figures = (
        "figure1",
        "figure6",
        "figure8",
        "figure9",
        "figure9-printed",
        "figure10",
        "figure10-printed",
        "estimates",
    )
    files |= {f"{name}.{kind}" for name in figures for kind in ("svg", "png")}
    assert {path.name for path in folder.iterdir()} == files
    assert result["ok"]
    assert "not measured" not in {claim["verdict"] for claim in result["claims"]}
    # 800 triangles say nothing about the rate at 500 000, and FCL need not be installed
    beside_fcl = [] if find_spec("fcl") else ["against FCL, all pairs", "against FCL, first hit"]
    assert [goal["name"] for goal in result["goals"] if goal["verdict"] == "not measured"] == [*beside_fcl, "build"]
    table = Table.read(folder / "results.csv")
    numbers = {kind: len(study.cases()) for kind in KINDS for study in both_of(table, kind)}
    assert numbers == {TESTS: 2, PRINTED_TESTS: 1, TREES: 5, PRINTED_TREES: 2, AHEAD: 2, MORE_CHILDREN: 2}
    # a mesh of one triangle has no nodes but the root
    assert table.study(EMPTINESS).cases() == ["torus", "gear"]
    markdown = (folder / "index.md").read_text(encoding="utf-8")
    for text in ("Table 1", "OBB tree", "quick run", "The best variant over all cases"):
        assert text in markdown
    assert markdown.count("`ghost` was left out") == 1
    assert (folder / "index.html").read_text(encoding="utf-8").count("<svg") == len(figures)
