"""Claims and goals of the paper `bsp`, put to a table made by hand: each can fail."""

import bsp_table
import pytest
from bsp_table import EMBREE, GPU, IPC_FAST, SCENES, flat, good_table, results, steep

from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNKNOWN
from tumble.bench.framework.goals import MET, MISSED, check_goals
from tumble.bench.framework.goals import UNKNOWN as NOT_REACHED
from tumble.bench.framework.table import Table
from tumble.bench.papers.bsp import broad_phases
from tumble.bench.papers.bsp.broad_phases import FACES, TWIN
from tumble.bench.papers.bsp.claims import GOALS
from tumble.bench.papers.bsp.published import add_published
from tumble.bench.papers.bsp.races import (
    COMPRESSED,
    QUERY,
    TREES,
    called,
)
from tumble.bench.papers.bsp.sheet import CASE, MEASURED, SHEET
from tumble.bench.papers.bsp.ways import ALL, ANSWERS, BETWEEN, DEVICES

CERTAIN = {"same-answers", "padding"}


def goals(table):
    return {goal.name: goal for goal in check_goals(GOALS, table)}


def spoiled(name, *values):
    """The good table with something written again by one of the functions that made it, or by `Study.add`."""
    table = good_table()
    add = getattr(bsp_table, f"add_{name}", None)
    if add:
        add(table, *values)
    else:
        table.study(name).add(*values)
    return table


def streams(**speedups):
    table = good_table()
    for scene, value in zip(SCENES, speedups.values(), strict=True):
        bsp_table.add_streams(table, scene, value)
    return table


def swept(figure, value, n_body=None):
    """All scenes with other times in a figure."""
    table = good_table()
    for scene in SCENES:
        bsp_table.add_sweep(table, figure, scene, n_body if n_body and scene == "n-body" else value)
    return table


def without_gain():
    table = good_table()
    for scene in table.study(TREES).cases():
        table.study(TREES).add(scene, called(GPU, QUERY, COMPRESSED), "time", 0.02)
    return table


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
        ("real-time", FAILS, spoiled("query", "cloth-ball", ALL, 7.0)),
        ("real-time", UNKNOWN, spoiled(DEVICES, GPU, "", "kind", "cpu")),
        ("order", FAILS, spoiled("query", "n-body", BETWEEN, 0.5)),
        ("faster", PARTLY, streams(cloth_ball=2.0, funnel=2.0, n_body=2.0)),
        ("faster", FAILS, streams(cloth_ball=9.0, funnel=9.0, n_body=0.9)),
        ("best-scene", FAILS, streams(cloth_ball=9.0, funnel=2.0, n_body=4.0)),
        ("deep-steps", PARTLY, swept(8, lambda entry, step: 2 + step)),
        ("deep-steps", FAILS, swept(8, lambda entry, step: 5 - step)),
        ("small-steps", FAILS, swept(8, lambda entry, step: 5 - step)),
        ("entry", FAILS, swept(8, flat)),
        ("entry", FAILS, swept(8, steep)),
        ("entry", PARTLY, swept(8, flat, lambda entry, step: flat(entry, step) * (1.5 if entry == 5 else 1))),
        ("mid-range", FAILS, swept(9, lambda queue, group: queue * group)),
        ("mid-range", PARTLY, swept(9, lambda queue, group: 9 / queue)),
        ("mid-range", PARTLY, swept(9, lambda queue, group: 9 / group)),
        ("mid-range", PARTLY, swept(9, lambda queue, group: group / queue)),
        ("padding", PARTLY, spoiled("trees", "n-body", 201, 100)),
        ("compressed", FAILS, without_gain()),
    ],
)
def test_each_claim_can_fail(name, word, table):
    result = results(table)[name]
    assert result.verdict.word == word
    assert result.broken == (name in CERTAIN)


def test_loads_of_stand_ins_say_nothing_about_the_paper():
    table = Table()
    bsp_table.add_load(table, "n-body", "stand-in", 305, 58_800, 0, False)
    found = results(table)
    assert (found["loads"].verdict.word, found["objects"].verdict.word) == (UNKNOWN, UNKNOWN)


def test_two_scenes_have_no_order():
    table = Table()
    for scene in ("cloth-ball", "funnel"):
        bsp_table.add_query(table, scene, ALL, 1.0)
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
    goal = goals(table)[name]
    assert goal.verdict == MISSED
    assert goal.reached < 1


def test_the_average_over_streams_is_a_plain_mean_of_the_devices_ratios():
    goal = goals(good_table())["bulk on devices"]
    assert goal.measured.startswith(
        "opencl:0: 4.67× (Cloth-Ball 4.00×, Funnel 4.00×, NBody 6.00×; in the paper's way 4.67×; in kernels alone 9.33×"
    )
    assert goal.reached == pytest.approx(4.6667 / 4, rel=1e-3)


def test_the_distance_to_embree_is_stated_both_ways():
    assert "takes 2.00× as long as Embree" in goals(good_table())["beside Embree, cloth-ball"].measured
    faster = spoiled(FACES, "cloth-ball", EMBREE, f"time / {TWIN}", 3.0)
    assert "is 3.00× as fast as Embree" in goals(faster)["beside Embree, cloth-ball"].measured


def test_the_fastest_of_a_family_counts():
    text = goals(good_table())["self-collision candidates, cloth-ball"].measured
    assert "3.00× as fast as IPC Toolkit, LBVH" in text
    assert "with the Python objects that it makes of all candidates, about 100 ns each" in text
