"""The paper `chip`: what it prints, measuring functions, and a whole run (slow)."""

from dataclasses import replace

import numpy as np
import pytest
from chip_spoilt import results, words
from chip_table import good_table

import tumble
from tumble.api.collide import collides
from tumble.bench.framework.answers import counted
from tumble.bench.framework.benchmark import Run
from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNKNOWN
from tumble.bench.framework.run import run_benchmark
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.chip import BENCHMARK, rotation
from tumble.bench.papers.chip.measure import LIST_METHODS, LISTS, METHODS, QUICK, VOLUMES, tasks
from tumble.bench.papers.chip.published import AVERAGE, WORST
from tumble.bench.papers.chip.reached import nodes_reached
from tumble.bench.papers.chip.rotation import (
    AS_IT_IS,
    BARE_TIME,
    CHIP,
    CYCLE_MODEL,
    PASS_MEAN,
    PASSES,
    RECURSIVE,
    ROTATION,
    VOLUME,
    chip_tree,
    chosen_steps,
    prepared,
    rotate,
    run_model,
)
from tumble.bench.papers.chip.speedups import HOSTS, LEAVES, MIXED, TRIANGLES, cycles_per_check, speedups
from tumble.bench.papers.chip.variants import BARE, ONE_PAIR, VARIANTS, chosen_step, run_variants
from tumble.chip import sweep as sweeping
from tumble.scenario.objects import RealPair, shape_duo
from tumble.scenario.paper_chip import STAND_INS, close_distance
from tumble.scenario.tumbling import tumbling_poses


def test_hardware_times_and_speedups_of_a_rotation():
    table = good_table()
    study, model = table.study(ROTATION), table.study(CYCLE_MODEL)
    # 1 000 reads in 20 lists are 25 pairs per list: 330 cycles each
    assert study.series("Lock", CHIP, "time") == pytest.approx([20 * 330 * 3.76e-9, 100 * 2080 * 3.76e-9])
    mean, worst = speedups(study, model, "Lock", MIXED)
    assert mean == pytest.approx(61_000e-6 / (6_600 + 208_000) / 3.76e-9)
    assert worst == pytest.approx(60_000e-6 / 208_000 / 3.76e-9)
    # 5 010 cycles more for 1 000 pairs of triangles, 10 and 100 of which the poses test; then 296 cycles of set-up, and
    # four for each of five answers, or 1 176 and sixteen
    assert cycles_per_check(model) == pytest.approx(5.01)
    assert speedups(study, model, "Lock", TRIANGLES)[1] == pytest.approx(60_000e-6 / 208_501 / 3.76e-9)
    worst = [speedups(study, model, "Lock", form)[1] for form in HOSTS]
    assert worst == pytest.approx([60_000e-6 / cycles / 3.76e-9 for cycles in (208_817, 209_757)])
    study.add_series("Lock", RECURSIVE, BARE_TIME, [1e-3, 2e-3])
    assert speedups(study, model, "Lock", LEAVES)[1] == pytest.approx(2_000e-6 / 208_000 / 3.76e-9)


@pytest.mark.slow
def test_the_papers_chip_is_run_beside_ours():
    duo, table = shape_duo("bowl", 50), Table()
    poses = tumbling_poses(0.6, 3)
    assert [chosen_step(checks) for checks in ([1e9, 0.0, 1.0], [9e9, 0.0, 8e9], [0.0, 0.0])] == [2, 2, 0]
    run_variants(duo, poses, [1e9, 0.0, 1.0], table.study(VARIANTS))  # the first would take too long
    study = table.study(VARIANTS)
    assert study.cases() == ["bowl 50, by surface", "bowl 50, by median"]
    for case in study.cases():
        assert study.value(case, BARE, "polygon checks") >= study.value(case, "as it is", "polygon checks")
        assert study.value(case, BARE, "bytes") < study.value(case, "as it is", "bytes")
        assert study.value(case, ONE_PAIR, "without triangles") >= study.value(case, "as it is", "without triangles")
    assert study.total("same pairs") == 6


def test_the_published_table():
    study = good_table().study(PUBLISHED)
    assert [study.count(name, "", "polygons") for name in study.cases()] == [one.polygons for one in STAND_INS]
    assert [study.count(name, AVERAGE, "speed-up") for name in study.cases()] == [98, 36, 27, 31, 26]
    assert [study.count(name, WORST, "speed-up") for name in study.cases()] == [127, 44, 38, 49, 53]
    columns = ("aligned", "tumbled", "hardware", "software")
    assert [study.count("Filter", WORST, name) for name in columns] == [542_888, 3_553, 5_638, 717_164]


def test_stand_ins_have_the_papers_sizes():
    assert [one.name for one in STAND_INS] == good_table().study(PUBLISHED).cases()
    for one in STAND_INS[:4]:  # the last takes a second
        assert len(one.duo().a) == pytest.approx(one.polygons, rel=0.05)


def test_a_distance_at_which_some_poses_touch():
    duo = shape_duo("torus", 200)
    seldom, often = (close_distance(duo, share, 12) for share in (0.15, 0.5))
    assert often < seldom

    def touching(distance):
        return sum(collides(duo.a, duo.b, None, pose) for pose in tumbling_poses(distance, 12))

    assert touching(seldom) <= 0.15 * 12 < touching(often) <= 0.5 * 12


def test_the_model_runs_the_most_expensive_pose_that_is_not_too_long():
    cycles = np.array([10.0, 40_000.0, 20_000.0, 1e9])
    assert chosen_steps(cycles, 1) == [1]
    assert chosen_steps(cycles, 2) == [1, 0]
    assert chosen_steps(cycles, 3) == chosen_steps(cycles, 9) == [1, 2, 0]


POSES = [
    tumble.translation(0.4, 0.2, -0.1) @ tumble.rotation((1.0, 2.0, 3.0), 0.7),
    tumble.translation(0.9, 0.1, 0.0),
    tumble.translation(50.0, 0.0, 0.0),
]


def queries(volume, method):
    tree = chip_tree(tumble.shapes.torus(segments=12, sides=8), volume)
    return prepared(tree, tree, POSES, method)


@pytest.mark.parametrize(
    "volume", ["aabb", *(pytest.param(name, marks=pytest.mark.slow) for name in ("kdop24", "sphere", "obb"))]
)
def test_lists_move_what_they_reach_and_the_recursive_traversal_more(volume):
    assert volume in VOLUMES
    recursive = [counted(query)[1].moves for query in queries(volume, "stack")]
    for method in LIST_METHODS:
        listed = queries(volume, method)
        reached = [nodes_reached(query) for query in listed]
        assert [counted(query)[1].moves for query in listed] == reached
        assert recursive[0] > reached[0] > 10
        assert reached[-1] == 1  # far away: the root, and nothing else


def test_a_traversal_that_moves_nodes_again_is_found_out(monkeypatch):
    """What the lists count in a rotation, and what the recursive traversal counts in the same poses; by boxes."""
    monkeypatch.setattr(rotation, "_timed", lambda asked: np.ones((6, len(asked))))
    monkeypatch.setattr(rotation, "chip_tree", lambda mesh: chip_tree(mesh, "aabb"))
    duo, table = shape_duo("bowl", 600), Table()
    rotate(duo, "a bowl", 0.6, 3, table.study(ROTATION))
    _spoil_by_the_recursive_traversal(table, duo, "aabb")


@pytest.mark.slow
def test_a_rotation_is_timed_and_run_on_the_model():
    duo, table = shape_duo("bowl", 600), Table()
    cycles = rotate(duo, "a bowl", 0.6, 3, table.study(ROTATION))
    run_model(duo, 0.6, 3, chosen_steps(cycles, 1), table.study(CYCLE_MODEL))
    assert len(table.study(ROTATION).series(duo.name, RECURSIVE, PASS_MEAN.format("time"))) == PASSES
    (case,) = table.study(CYCLE_MODEL).cases()
    tumbled = table.study(CYCLE_MODEL).value(case, AS_IT_IS, "tumbled")
    assert words(table)["moved-once"] == HOLDS
    table.study(CYCLE_MODEL).add(case, AS_IT_IS, "tumbled", 1 + tumbled)
    assert words(table)["moved-once"] == PARTLY
    table.study(CYCLE_MODEL).add(case, AS_IT_IS, "tumbled", tumbled)
    _spoil_by_the_recursive_traversal(table, duo, VOLUME)


def _spoil_by_the_recursive_traversal(table, duo, volume):
    """The claim holds; it does not with the moves of the recursive traversal in the place of those of the lists."""
    assert words(table)["moved-once"] == HOLDS
    trees = chip_tree(duo.a, volume), chip_tree(duo.b, volume)
    moves = [counted(query)[1].moves for query in prepared(*trees, tumbling_poses(0.6, 3), "stack")]
    assert (np.array(moves) > table.study(ROTATION).series(duo.name, CHIP, "reached")).all()
    table.study(ROTATION).add_series(duo.name, CHIP, "tumbled", moves)
    assert words(table)["moved-once"] in (FAILS, PARTLY)
    assert results(table)["moved-once"].broken


TINY = replace(
    QUICK,
    stand_ins=STAND_INS[:2],
    shrink=100,
    real=(RealPair("triangle", "one.off", "one.off"), RealPair("ghost", "none.off", "none.off")),
    steps=6,
    samples=2,
    real_samples=1,
    long_shrink=100,
    soup=40,
    variant_shrink=200,
    list_shrink=100,
    volumes=("aabb", "kdop24"),
    list_steps=3,
    effort=Effort(0.0, least_rounds=1, most_rounds=1),
    start_up_rounds=1,
    sweep_shrink=200,
    triangle_pairs=10,
)


@pytest.fixture
def two_knobs(monkeypatch):
    """A sweep over everything takes long."""
    knobs = [knob for knob in sweeping.KNOBS if knob.name in ("k", "banks")]
    monkeypatch.setattr(sweeping.sweep, "__kwdefaults__", {**sweeping.sweep.__kwdefaults__, "knobs": knobs})


@pytest.mark.slow
def test_a_whole_run(tmp_path, two_knobs):
    (tmp_path / "one.off").write_text("OFF\n3 1 0\n0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n")
    out = tmp_path / "out"
    summary = run_benchmark(BENCHMARK, out, True, sizes=TINY, data=tmp_path)
    assert summary["ok"]
    unknown = {claim["name"] for claim in summary["claims"] if claim["verdict"] == UNKNOWN}
    assert unknown == {"slow-it-unit", "bandwidth", "two-at-once", "tests-halved"}  # knobs that are not turned here
    table = Table.read(out / "results.csv")
    rotations, model, lists = (table.study(name) for name in (ROTATION, CYCLE_MODEL, LISTS))
    assert rotations.cases() == ["Filter", "Frontlight", "triangle"]
    assert {"Filter and a box", "Frontlight and a box"} <= set(model.cases())
    assert model.total("same pairs") == len(model.cases())
    assert lists.contestants() == [f"{volume} {method}" for volume in TINY.volumes for method in METHODS]
    for name in rotations.cases():
        aligned, reads, tumbled = (rotations.series(name, CHIP, q) for q in ("aligned", "reads", "tumbled"))
        assert (reads <= aligned).all()
        assert (aligned <= 2 * reads).all()
        assert (tumbled <= 2 * rotations.value(name, "", "triangles") - 1).all()
        assert all((rotations.series(name, who, "time") > 0).all() for who in rotations.contestants(name))
    text = (out / "index.md").read_text(encoding="utf-8")
    for part in (
        "Table 1",
        "One list, in time",
        "… in the paper",
        "`ghost` was left out",
        "quick run",
        "What a designer can change",
    ):
        assert part in text
    figures = {f"{stem}.{kind}" for stem in ("rotations", "lists", "k", "sweep") for kind in ("svg", "png")}
    assert figures <= {path.name for path in out.iterdir()}


def test_without_a_folder_of_meshes_it_says_so(monkeypatch):
    monkeypatch.delenv("TUMBLE_MESHES", raising=False)
    run = Run(TINY)
    labels = [task.label for task in tasks(run)]
    assert "Table 1: Filter" in labels
    assert "Table 1: ghost" not in labels
    assert "Real meshes were left out" in run.table.notes[0]
