"""Claims and goals of the paper `bsp`, put to a table made by hand: each can fail."""

import bsp_table
import pytest
from bsp_table import EMBREE, GPU, IPC_FAST, SCENES, flat, good_table, result, results, steep

from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNDECIDED, UNKNOWN
from tumble.bench.framework.goals import MET, MISSED, check_goals
from tumble.bench.framework.goals import UNKNOWN as NOT_REACHED
from tumble.bench.framework.statistics import DECIDING_ROUNDS
from tumble.bench.framework.table import Table
from tumble.bench.papers.bsp import broad_phases, counts, formulas
from tumble.bench.papers.bsp.broad_phases import FACES, TWIN
from tumble.bench.papers.bsp.claims import CLAIMS
from tumble.bench.papers.bsp.goals import GOALS
from tumble.bench.papers.bsp.measure import FULL, QUICK
from tumble.bench.papers.bsp.published import add_published
from tumble.bench.papers.bsp.sheet import CASE, MEASURED, SHEET
from tumble.bench.papers.bsp.ways import ALL, ANSWERS, DEVICES

CERTAIN = {"same-answers", "changing", "padding", "one-test-each", "rounds", "heuristic", "flushes"}


def goals(table):
    return {goal.name: goal for goal in check_goals(GOALS, table)}


def later(make):
    """Make tables when a test asks for them, not while the file is imported."""
    return lambda *values, **named: lambda: make(*values, **named)


@later
def spoiled(name, *values, **named):
    """The good table with something written again by one of the functions that made it, or by `Study.add`."""
    table = good_table()
    add = getattr(bsp_table, f"add_{name}", None)
    if add:
        add(table, *values, **named)
    else:
        table.study(name).add(*values)
    return table


@later
def streams(**speedups):
    table = good_table()
    for scene, value in zip(SCENES, speedups.values(), strict=True):
        bsp_table.add_streams(table, scene, value)
    return table


@later
def swept(figure, value, n_body=None):
    """All scenes with other times in a figure."""
    table = good_table()
    for scene in SCENES:
        bsp_table.add_sweep(table, figure, scene, n_body if n_body and scene == "n-body" else value)
    return table


@later
def everywhere(name, *values, **named):
    """The good table with the same written again for all scenes."""
    table = good_table()
    for scene in SCENES:
        getattr(bsp_table, f"add_{name}")(table, scene, *values, **named)
    return table


@later
def noisy():
    """Bulk and streams that take turns in being faster."""
    table = good_table()
    names = {bsp_table.PAPERS: [1.0] * 8, bsp_table.opponent(bsp_table.PAPERS): [0.5, 2.0] * 4}
    for scene in SCENES:
        table.study(bsp_table.streams.FIGURE_7).add_race(scene, names, [tuple(reversed(names))])
    return table


@later
def unsteady():
    table = good_table()
    seconds = {bsp_table.PAPERS: [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]}
    table.study(bsp_table.QUERIES).add_race(bsp_table.case_of("funnel", ALL), seconds)
    return table


@later
def padding_not_read(stored):
    """Neither lines nor tests are fewer without inactive nodes, but perhaps lines as they are stored."""
    table = good_table()
    for scene in SCENES:
        bsp_table.add_lockstep(table, scene, compressed=1_000, stored=stored)
        bsp_table.add_counted(table, scene, counts.INACTIVE)
    return table


def even(entry, step):
    return 40_000 * step


def test_all_hold_on_a_good_table():
    found = results(good_table())
    assert {result.verdict.word for result in found.values()} == {HOLDS}
    assert {goal.verdict for goal in goals(good_table()).values()} == {MET}
    assert {name for name, result in found.items() if result.claim.certain} == CERTAIN


def test_nothing_measured_is_no_verdict():
    table = Table()
    add_published(table)
    assert {result.verdict.word for result in results(table).values()} == {UNKNOWN}
    assert {goal.verdict for goal in goals(table).values()} == {NOT_REACHED}


@pytest.mark.parametrize(
    "name, word, table",
    [
        ("same-answers", PARTLY, spoiled(ANSWERS, "cloth-ball", GPU, "same", 0)),
        ("objects", PARTLY, spoiled("load", "n-body", "19", 310, 58_800, 0)),
        ("loads", PARTLY, spoiled("load", "n-body", "19", 305, 19_853, 0)),
        ("triangles", PARTLY, spoiled("load", "n-body", "19", 305, 58_800, 0, triangles=146_501)),
        ("self-collisions", PARTLY, spoiled("load", "cloth-ball", "93", 2, 1_000, 1_001)),
        ("self-collisions", PARTLY, spoiled("load", "cloth-ball", "93", 2, 1_520_001, 1_520_000)),
        ("self-collisions", FAILS, spoiled("load", "cloth-ball", "93", 2, 1_001, 1_000)),
        ("primary-interactions", FAILS, spoiled("load", "funnel", "228", 4, 12_000, 145_000, both=6_000)),
        ("changing", FAILS, spoiled("rule", MEASURED, 1_235)),
        ("fewest-overlaps", FAILS, spoiled("load", "n-body", "19", 305, 9_000_000, 0)),
        ("real-time", PARTLY, spoiled("query", "cloth-ball", ALL, 7.0)),
        ("real-time", UNDECIDED, spoiled("query", "cloth-ball", ALL, 6.0, 5)),
        ("steady", UNDECIDED, spoiled("query", "cloth-ball", ALL, 6.0, 5)),
        ("real-time", UNKNOWN, spoiled(DEVICES, GPU, "", "kind", "cpu")),
        ("one-millisecond", FAILS, spoiled("query", "funnel", ALL, 1.1)),
        ("order", FAILS, spoiled("scene_race", 6.0, 0.9, 0.5)),
        ("twice-as-slow", FAILS, spoiled("scene_race", 6.0, 0.5, 2.0)),
        ("steady", PARTLY, unsteady()),
        ("largest-workload", FAILS, spoiled("between", "funnel", 901)),
        ("faster", PARTLY, streams(cloth_ball=9.0, funnel=9.0, n_body=0.9)),
        ("faster", FAILS, streams(cloth_ball=0.9, funnel=0.9, n_body=0.9)),
        ("faster", UNDECIDED, noisy()),
        ("four-times", FAILS, streams(cloth_ball=2.0, funnel=2.0, n_body=2.0)),
        ("best-scene", FAILS, streams(cloth_ball=9.0, funnel=2.0, n_body=4.0)),
        ("up-to", FAILS, streams(cloth_ball=7.0, funnel=7.0, n_body=7.0)),
        ("up-to", PARTLY, spoiled("streams", "n-body", 8.0, ours=7.0)),
        ("local-stacks", FAILS, everywhere("stacks", 1.0)),
        ("deep-steps", PARTLY, swept(8, lambda entry, step: 2 + step)),
        ("deep-steps", FAILS, swept(8, lambda entry, step: 5 - step)),
        ("deep-tests", FAILS, everywhere("counted", counts.OVERLAPPING, behind=lambda entry, step: 10_000)),
        ("small-steps", FAILS, swept(8, lambda entry, step: 5 - step)),
        (
            "fewest-tests",
            FAILS,
            everywhere("counted", counts.EVERY, behind=lambda entry, step: 1_000_000 - 1000 * step),
        ),
        ("spikes", FAILS, everywhere("counted", counts.EVERY, behind=even)),
        ("spikes", FAILS, everywhere("counted", counts.EVERY, behind=lambda entry, step: 1_000 * (entry + 1))),
        ("padding-spikes", FAILS, everywhere("counted", counts.INACTIVE)),
        ("entry", FAILS, swept(8, flat)),
        ("entry", FAILS, swept(8, steep)),
        ("entry", PARTLY, swept(8, flat, lambda entry, step: flat(entry, step) * (1.5 if entry == 5 else 1))),
        ("entry-tests", FAILS, everywhere("counted", counts.EVERY, lambda entry: 1, even)),
        ("initial-input", PARTLY, everywhere("counted", counts.EVERY, lambda entry: 1)),
        ("queues", FAILS, swept(9, lambda queue, group: 9 * queue)),
        ("groups", FAILS, swept(9, lambda queue, group: 9 * group)),
        ("extremes", PARTLY, swept(9, lambda queue, group: group / queue)),
        ("middle", FAILS, swept(9, lambda queue, group: 1.0)),
        ("padding", PARTLY, spoiled("trees", "n-body", 201, 100)),
        ("padding-is-cheap", PARTLY, spoiled("facts", "n-body", 10**7, 100)),
        ("sparse", PARTLY, spoiled("facts", "n-body", 120, 100)),
        ("less-memory", PARTLY, spoiled("trees", "funnel", 65_535, 36_984, 6.6)),
        ("less-read", PARTLY, everywhere("lockstep", compressed=1_000, stored=1_000)),
        ("less-read", PARTLY, padding_not_read(500)),
        ("less-read", FAILS, padding_not_read(1_000)),
        ("compressed", PARTLY, spoiled("tree_race", "funnel", 1.0)),
        ("simple-construction", PARTLY, spoiled("tree_race", "funnel", linked=1.9)),
        ("rebuilt", PARTLY, spoiled("sequence", "funnel", 1.5)),
        ("rebuilt", UNDECIDED, spoiled("sequence", "funnel", 0.5, passes=5)),
        ("rebuilt-on-sheet", FAILS, spoiled("sequence", CASE, 1.5)),
        ("rebuilt-on-sheet", PARTLY, spoiled("sequence", CASE, 1.5, ways=[GPU])),
        ("uniform", PARTLY, spoiled("lockstep", "n-body", 0.1, 0.2)),
        ("coalesced", PARTLY, spoiled("lockstep", "n-body", lines=0.8)),
        ("little-reuse", FAILS, everywhere("lockstep", lines=0.3)),
        ("search-is-negligible", FAILS, everywhere("variants", 1.2)),
        ("one-test-each", PARTLY, spoiled("value", counts.COUNTS, "n-body", counts.EVERY, "tests: 0 1", 1)),
        ("rounds", PARTLY, spoiled("counted", "n-body", counts.EVERY, rounds=lambda entry, step: 14 - step)),
        ("first-frontier", FAILS, everywhere("counted", counts.EVERY, lambda entry: 3**entry)),
        ("larger-workloads", FAILS, everywhere("counted", counts.EVERY, behind=lambda entry, step: 10**6 // 8**step)),
        ("averaged-out", PARTLY, everywhere("counted", counts.EVERY, rounds=lambda entry, step: 3 + entry)),
        ("heuristic", PARTLY, spoiled(formulas.EQUATION_4, "κ and α", "", "kept", 8)),
        ("flushes", PARTLY, spoiled("variants", "n-body", flushed=3)),
        ("few-additions", PARTLY, spoiled("variants", "n-body", flushes=51)),
        ("stays-there", PARTLY, spoiled("variants", "n-body", returned=8)),
        ("stays-there", PARTLY, spoiled("variants", "n-body", launches=4)),
        ("prefix-sums", PARTLY, spoiled("variants", "n-body", same=0)),
        ("footprint", PARTLY, spoiled("fronts", "n-body", at_once=201)),
        ("traffic", PARTLY, spoiled("fronts", "n-body", bulk=99)),
        ("simpler", FAILS, spoiled("code", 121, 120)),
    ],
)
def test_each_claim_can_fail(name, word, table):
    found = result(table(), name)
    assert found.verdict.word == word
    assert found.broken == (name in CERTAIN)


def test_each_claim_has_a_mutation():
    broken = test_each_claim_can_fail.pytestmark[0].args[1]
    assert {name for name, word, _ in broken if word in (FAILS, PARTLY)} == set(results(good_table()))


def test_few_rounds_of_a_sweep_decide_nothing():
    table = Table()
    table.study(DEVICES).add_values(GPU, "", {"device": "GTX", "kind": "gpu"})
    for scene in SCENES:
        for figure, value in ((8, steep if scene == "n-body" else flat), (9, bsp_table.large)):
            bsp_table.add_sweep(table, figure, scene, value, QUICK.sweep_rounds)
    words = {name: result.verdict.word for name, result in results(table).items()}
    swept = {"deep-steps", "small-steps", "entry", "queues", "groups", "extremes", "middle"}
    assert {name for name, word in words.items() if word != UNKNOWN} == swept
    assert {words[name] for name in swept} == {UNDECIDED}


def test_full_runs_have_rounds_enough_to_decide():
    efforts = (FULL.effort, FULL.streams_effort, FULL.streams.effort)
    assert min(FULL.sweep_rounds, FULL.passes, *(effort.least_rounds for effort in efforts)) >= DECIDING_ROUNDS


def test_without_a_device_claims_about_kernels_say_so():
    found = results(Table())
    kernels = ("search-is-negligible", "prefix-sums", "flushes", "few-additions", "stays-there", "local-stacks")
    assert all(found[name].verdict.numbers.startswith("no OpenCL device here: ") for name in kernels)
    limits = ("real-time", "one-millisecond")
    assert all(found[name].verdict.numbers.startswith("no GPU here: ") for name in limits)


def test_every_claim_says_when_it_holds():
    assert [claim.name for claim in CLAIMS if not 0 < len(claim.holds_if) <= 100] == []


def test_loads_of_stand_ins_say_nothing_about_the_paper():
    table = Table()
    bsp_table.add_load(table, "n-body", "stand-in", 305, 58_800, 0, False)
    found = results(table)
    assert (found["loads"].verdict.word, found["objects"].verdict.word) == (UNKNOWN, UNKNOWN)


def test_two_scenes_have_no_order():
    table = Table()
    table.study(bsp_table.SCENE_RACE).add_race(bsp_table.PAPERS, {"cloth-ball": [1.0], "funnel": [2.0]})
    assert results(table)["order"].verdict.word == UNKNOWN


@pytest.mark.parametrize(
    "name, table",
    [
        ("bulk on devices", streams(cloth_ball=2.0, funnel=2.0, n_body=5.9)),
        ("self-collision candidates, cloth-ball", spoiled(FACES, "cloth-ball", IPC_FAST, f"time / {TWIN}", 0.9)),
        (
            "contact candidates, cloth-ball",
            spoiled(broad_phases.ELEMENTS, "cloth-ball", IPC_FAST, f"time / {broad_phases.WIDE}", 0.9),
        ),
        ("answers", spoiled(ANSWERS, "cloth-ball", GPU, "same", 0)),
        ("sheet", spoiled("rule", MEASURED, 1_235)),
        ("sheet", spoiled(SHEET, CASE, "", "megabytes, late", 220.0)),
    ],
)
def test_each_goal_can_be_missed(name, table):
    goal = goals(table())[name]
    assert goal.verdict == MISSED
    assert goal.reached < 1


def test_the_average_over_streams_is_a_plain_mean_of_the_devices_ratios():
    goal = goals(good_table())["bulk on devices"]
    assert goal.measured.startswith(
        "opencl:0: 5.33× (Cloth-Ball 4.00×, Funnel 4.00×, NBody 8.00×; in the paper's way 5.33×; in kernels alone 10.7×"
    )
    assert goal.reached == pytest.approx(5.3333 / 4, rel=1e-3)


def test_the_distance_to_embree_is_stated_both_ways():
    assert "takes 2.00× as long as Embree" in goals(good_table())["beside Embree, cloth-ball"].measured
    faster = spoiled(FACES, "cloth-ball", EMBREE, f"time / {TWIN}", 3.0)
    assert "is 3.00× as fast as Embree" in goals(faster())["beside Embree, cloth-ball"].measured


def test_the_fastest_of_a_family_counts():
    text = goals(good_table())["self-collision candidates, cloth-ball"].measured
    assert "3.00× as fast as IPC Toolkit, LBVH" in text
    assert "with the Python objects that it makes of all candidates, about 100 ns each" in text
