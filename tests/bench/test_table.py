"""The long table: what is written is read back, and questions about it."""

import math

import pytest

from tumble.bench.framework.table import Row, Table
from tumble.errors import FileError


def small_table():
    table = Table()
    study = table.study("lists")
    study.add("knot, at 0.8", "stack", "time", 2e-6, "s")
    study.add("knot, at 0.8", "", "answer", "3 pairs,\nnone twice")
    study.add_values("torus", "stack", {"iterations": 7, "overlaps": 3.25})
    study.add_series("torus", "stack", "poses", [1, 2, 3.5], "nodes")
    table.note("Left out: one.")
    return table


def test_what_is_written_is_read_back(tmp_path):
    table = small_table()
    table.write(tmp_path / "results.csv")
    again = Table.read(tmp_path / "results.csv")
    assert list(again.rows()) == list(table.rows())
    assert again.study("lists").text("knot, at 0.8", "", "answer") == "3 pairs,\nnone twice"
    header, first, *_ = (tmp_path / "results.csv").read_text(encoding="utf-8").splitlines()
    assert header == "study,case,contestant,quantity,value,unit,round"
    assert first == 'lists,"knot, at 0.8",stack,time,2e-06,s,'


def test_values_series_and_facts_about_a_case():
    study = small_table().study("lists")
    assert study.cases() == ["knot, at 0.8", "torus"]
    assert study.cases("stack", "lists") == []
    assert study.contestants() == study.contestants("torus") == ["stack"]
    assert study.quantities("torus", "stack") == ["iterations", "overlaps", "poses"]
    assert study.count("torus", "stack", "iterations") == 7
    assert study.series("torus", "stack", "poses").tolist() == [1, 2, 3.5]
    assert study.total("poses") == 6.5
    assert study.value("torus", "stack", "time", 0.5) == 0.5
    assert not Table().study("lists")


def test_a_value_that_is_not_there_is_named():
    with pytest.raises(KeyError, match="no 'time' of 'stack' on 'torus' in the study 'lists'"):
        small_table().study("lists").value("torus", "stack", "time")


def test_a_value_written_again_replaces_the_first():
    study = small_table().study("lists")
    study.add("torus", "stack", "iterations", 8)
    assert study.value("torus", "stack", "iterations") == 8


def test_races_keep_medians_and_ratios_within_rounds():
    study = Table().study("race")
    # Ratios of the rounds: 2, 2, 10; the ratio of the medians is 10 / 4.
    rounds = {"slow": [4.0, 20.0, 10.0], "fast": [2.0, 10.0, 1.0], "late": [5.0]}
    study.add_race("torus", rounds, [("slow", "fast"), ("late", "fast"), ("slow", "absent")], items=2)
    assert study.value("torus", "slow", "time") == 5
    assert study.ratio("torus", "slow", "fast") == 2
    assert study.ratio("torus", "slow", "slow") == 1
    assert study.ratio("torus", "late", "fast") == 2.5, "only the rounds that both ran count"
    assert study.value("torus", "slow", "rounds") == 3
    assert not study.has("torus", "slow", "time / absent")
    assert study.value("torus", "slow", "time, low") < 5 < study.value("torus", "slow", "time, high")


def test_the_mean_of_ratios_is_geometric_and_over_the_cases_that_have_both():
    study = Table().study("race")
    for case, seconds in (("a", 2.0), ("b", 8.0)):
        study.add_race(case, {"slow": [seconds], "fast": [1.0]}, [("slow", "fast")])
    study.add_race("c", {"slow": [100.0]})
    assert study.ratios("slow", "fast") == {"a": 2, "b": 8}
    assert study.mean_ratio("slow", "fast") == pytest.approx(4)
    assert study.mean_ratio("slow", "fast", ["a"]) == pytest.approx(2)
    assert math.isnan(study.mean_ratio("fast", "slow"))


def test_notes_stand_once():
    table = small_table()
    table.note("Left out: two.")
    table.note("Left out: one.")
    assert table.notes == ["Left out: one.", "Left out: two."]


def test_what_has_no_mean_is_written_too(tmp_path):
    table = Table()
    table.study("race").add("torus", "pool", "speed-up", math.nan)
    table.write(tmp_path / "results.csv")
    again = Table.read(tmp_path / "results.csv").study("race")
    assert math.isnan(again.value("torus", "pool", "speed-up"))


def test_rows_make_a_table_again():
    rows = [Row("s", "c", "x", "q", 1.0, "s", 0), Row("s", "c", "x", "q", 2.0, "s", 1)]
    assert list(Table(rows).rows()) == rows


@pytest.mark.parametrize("text, reason", [("table,scene\n2,x\n", "its columns are table, scene"), ("", "")])
def test_other_files_are_refused(tmp_path, text, reason):
    (tmp_path / "other.csv").write_text(text)
    with pytest.raises(FileError, match=f"cannot read .*other.csv: .*{reason}"):
        Table.read(tmp_path / "other.csv")
    with pytest.raises(FileError, match="No such file"):
        Table.read(tmp_path / "none.csv")
