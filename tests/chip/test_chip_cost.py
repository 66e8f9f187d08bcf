"""Equation 5 against the times that the paper prints, and its constants against the design that they follow from."""

from dataclasses import replace

import pytest

from tumble.bench.framework.published import published_rows
from tumble.chip import cost
from tumble.chip.cost import PAPER

ROWS = published_rows("chip")
"""Table 1"""
PARTS = {"average": "speed-up", "worst": "worst speed-up"}
PRINTED = [pytest.param(row, part, id=f"{row['object']}, {part}") for row in ROWS for part in PARTS]


@pytest.mark.parametrize(("row", "part"), PRINTED)
def test_every_printed_hardware_time(row, part):
    cycles = cost.total_cycles(int(row[f"{part} aligned"]), int(row[f"{part} tumbled"]))
    assert round(cost.seconds(cycles) * 1e6) == int(row[f"{part} hardware"])


@pytest.mark.parametrize(("row", "part"), PRINTED)
def test_printed_speedups_are_the_ratios_of_printed_times(row, part):
    """Within what the rounding of the hardware time allows: 0.5 µs of 9 to 15 is much."""
    software, hardware = int(row[f"{part} software"]), int(row[f"{part} hardware"])
    assert software / (hardware + 0.5) - 1 <= int(row[PARTS[part]]) <= software / (hardware - 0.5) + 1


def test_the_papers_example():
    assert cost.list_cycles(26) == 340
    assert cost.total_cycles(aligned=26 * 2 * 240, tumbled=240) == 40_800
    assert cost.seconds(40_800) == pytest.approx(153.4e-6, rel=1e-3)


def test_the_papers_constants_follow_from_its_design():
    assert cost.idle_latency() + 8 == 16  # "a random access to a node pair takes 16 cycles"
    assert cost.transformed_at(replace(PAPER, tumbled=1)) == 52  # "the last one after 52 cycles"
    assert cost.transformed_at() == 88
    assert cost.opening_cycles() == 100
    assert cost.bank_delay() == 2
    assert cost.pair_cycles() == 10


def test_reads_and_comparisons_are_two_ways_to_count():
    assert cost.cycles_of_reads(reads=600, tumbled=20, lists=10) == cost.total_cycles(aligned=1200, tumbled=20)
    four = replace(PAPER, tumbled=4)
    assert cost.cycles_of_reads(reads=600, tumbled=40, lists=10, design=four) == cost.total_cycles(2400, 40, four)


def test_groups_that_are_not_whole_are_transformed_sooner():
    four = replace(PAPER, tumbled=4)
    whole, half = (cost.cycles_of_reads(600, tumbled, 10, four) for tumbled in (40, 20))
    assert whole - half == 10 * 2 * 36
    assert half == cost.cycles_of_reads(600, 20, 10, PAPER)


def test_nothing_visited_takes_no_time():
    assert cost.total_cycles(0, 0) == 0


@pytest.mark.parametrize(
    "change, opening, pair",
    [
        ({"bus_bits": 512}, 94, 6),
        ({"bus_bits": 128}, 112, 18),
        ({"bus_bits": 32}, 204, 66),  # now the bus is the slower part of an opening
        ({"banks": 1}, 100, 16),
        ({"banks": 8}, 100, 9),
        ({"precharge": 4}, 100, 11),
        ({"ras_cas": 4}, 104, 11),
        ({"cas": 4}, 104, 10),
        ({"dotadd_stages": 8}, 102, 10),
        ({"tumbled": 1}, 64, 10),
        ({"tumbled": 4}, 172, 10),
    ],
)
def test_what_a_designer_changes(change, opening, pair):
    design = replace(PAPER, **change)
    assert (cost.opening_cycles(design), cost.pair_cycles(design)) == (opening, pair)


def test_a_smaller_k_is_transformed_sooner():
    openings = [cost.transformed_at(replace(PAPER, k=k)) for k in (6, 14, 18, 24, 26)]
    assert openings == [10 + 2 * (k // 2 + k) + 6 for k in (6, 14, 18, 24, 26)]


def test_the_clock_changes_seconds_alone():
    fast = replace(PAPER, clock_ns=1.88)
    assert cost.list_cycles(30, fast) == cost.list_cycles(30)
    assert cost.seconds(1000, fast) == cost.seconds(1000) / 2
