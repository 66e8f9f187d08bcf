"""The page of `tumble chip`: its numbers, its timeline and its sweep."""

import numpy as np
import pytest
from chip_runs import INTERVALS, idle_run, made_run, plain_run

from tumble.chip import Design
from tumble.chip.sweep import Point, equation_cycles
from tumble.report.chip.facts import bus_share, difference, facts, units, waits
from tumble.report.chip.page import write_page
from tumble.report.chip.sweep import draw_sweep, sweep_rows, sweep_table
from tumble.report.chip.timeline import busy_shares, draw_timeline


def test_the_numbers_of_a_run():
    run, plain = made_run(), plain_run()
    shown = dict(facts(run, plain))
    assert equation_cycles(run) == equation_cycles(plain) == 460
    assert difference(plain) == pytest.approx(0.05)
    assert shown["cycles"] == "600"
    assert shown["… without triangles"] == "483, +5.0% beside Equation 5 (460)"
    assert shown["time"] == "2.26 µs at 3.76 ns per cycle"
    assert shown["busiest unit"] == "triangle unit, 67% of the time"
    assert bus_share(run) == pytest.approx(8192 / (600 * 32))
    assert shown["lists"] == "2, 15.0 pairs of aligned nodes on average"
    assert shown["triangle pairs checked"] == "7, 1 of them by the host"
    assert units(run)[:2] == [("triangle unit", "400", "66.7%"), ("SDRAM", "300", "50.0%")]
    assert [reason for reason, _, _ in waits(run)] == ["DOTADD", "SDRAM"]


def test_a_faster_model_than_the_equation_is_told_as_such():
    shown = dict(facts(made_run(), plain_run(cycles=414)))
    assert shown["… without triangles"] == "414, −10.0% beside Equation 5 (460)"


def test_a_query_without_work_has_a_page_too(tmp_path):
    run = idle_run()
    assert dict(facts(run, run))["… without triangles"] == "–"
    write_page(tmp_path, ["a", "b"], run, run)
    text = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert "They do not touch." in text
    assert "There was no list to process." in text
    assert not (tmp_path / "timeline.svg").exists()


def test_shares_of_bins():
    edges = np.array([0, 10, 20, 30, 100])
    intervals = [("x", 5, 12, ""), ("x", 18, 20, ""), ("x", 30, 65, "")]
    assert busy_shares(intervals, edges).tolist() == [0.5, 0.4, 0.0, 0.5]
    assert busy_shares([], edges).tolist() == [0, 0, 0, 0]


def test_shares_add_up_to_the_busy_cycles():
    dotadd = [one for one in INTERVALS if one[0] == "DOTADD"]
    edges = np.linspace(0, 160, 38)
    assert (busy_shares(dotadd, edges) * np.diff(edges)).sum() == pytest.approx(48)


def test_the_timeline_has_a_row_for_each_unit_that_worked_and_bars_where_it_did():
    canvas = draw_timeline(made_run(busy={**made_run().busy, "stack engine": 0}))
    overview, close_up = canvas.axes
    names = [label.get_text() for label in close_up.get_yticklabels()]
    assert names == ["SDRAM", "DOTADD", "comparators", "triangle unit"]
    assert [label.get_text() for label in overview.get_yticklabels()][1] == "DOTADD  16%"
    bars = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in close_up.patches)
    assert bars == sorted((start, stop) for _, start, stop, _ in INTERVALS)


def made_points():
    wide = Design(bus_bits=512)
    base = made_run(), plain_run()
    wider = made_run(design=wide, cycles=500, bus_bytes=4096), plain_run(design=wide, cycles=300)
    return [
        Point("bus", "256 bits", True, *base),
        Point("bus", "512 bits", False, *wider),
        Point("banks", "4", True, *base),
    ]


def test_the_rows_of_a_sweep():
    first, second, third = sweep_rows(made_points())
    assert first[:5] == ["bus width", "256 bits •", "triangle unit 67%", "SDRAM 62%", "2.26"]
    assert first[5:] == ["1.82", "1.73", "+5.0%", "1.00×", "43%"]
    # 94 + 13 · 6 cycles a list, two of them
    assert second[4:] == ["1.88", "1.13", "1.29", "−12.8%", "1.20×", "13%"]
    assert third[:2] == ["memory banks", "4 •"]
    assert [row[0] for row in sweep_table(made_points()).rows] == ["bus width", "", "memory banks"]


def test_a_panel_for_each_measure():
    canvas = draw_sweep(made_points())
    assert [axes.get_title(loc="left") for axes in canvas.axes] == ["bus width", "memory banks"]


def test_the_whole_page(tmp_path):
    path = write_page(tmp_path, ["nut", "bolt"], made_run(design=Design(banks=8)), plain_run(), made_points())
    html, text = path.read_text(encoding="utf-8"), (tmp_path / "index.md").read_text(encoding="utf-8")
    assert html.count("<svg") == 2
    for words in (
        "# nut and bolt on the CollisionChip",
        "They touch in 2 pairs of triangles.",
        "triangle pairs, which the equation leaves out, add 117 cycles",
        "100 + (α − 2) · 9 cycles",
        "the master controller waited for",
        "What a designer can change",
    ):
        assert words in text
    # the measure that differs from the paper's stands out
    assert html.count('class="flagged"') == 1
