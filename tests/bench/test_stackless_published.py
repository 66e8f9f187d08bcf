"""The published tables, transcribed: counts of a row are tied to each other, so a slip of one digit shows."""

import pytest

from tumble.bench.stackless import METHODS, published
from tumble.bench.stackless.published import faces_of
from tumble.scenario import pair_scene_names

ROWS = published().rows


def test_all_tables_are_there():
    assert len(ROWS) == 20 * 5
    assert {row.table for row in ROWS} == set(range(2, 9))
    assert published().scenes() == pair_scene_names(), "the scenes follow the paper's tables, name by name"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.scene}-{row.algorithm}")
def test_counts_of_a_row_fit_each_other(row):
    start = faces_of(row.scene)[0] if row.algorithm == "leaf" else 1
    assert row.iterations == start + 2 * (row.overlaps - row.leaf_overlaps)
    assert row.geometry_overlaps <= row.leaf_overlaps <= row.overlaps
    assert row.min <= row.mean <= row.max
    assert row.deviation <= row.max - row.min


@pytest.mark.parametrize("scene", published().scenes())
def test_counts_of_a_scene_fit_each_other(scene):
    rows = [published()[scene, method] for method in METHODS]
    assert len({(row.leaf_overlaps, row.geometry_overlaps, row.repetitions) for row in rows}) == 1
    assert len({(row.iterations, row.overlaps) for row in rows[1:4]}) == 1


def test_a_few_rows_read_off_the_paper():
    row = published()["scalability-4", "leaf"]
    assert (row.table, row.repetitions, row.mean, row.iterations) == (6, 1000, 98.6587, 1559634)
    row = published()["close-proximity-3", "stack"]
    assert (row.table, row.repetitions, row.mean, row.iterations) == (4, 10000, 1.9587, 1851)
    assert published()["separation-2", "stackless"].seconds_per_query == pytest.approx(0.0067 / 100000)
    assert faces_of("different-counts-largest-first") == (203776, 796)
