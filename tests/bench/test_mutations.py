"""Every claim of every kept run can fail, and can hold: its verdict follows what was measured."""

from functools import cache
from pathlib import Path

import pytest
from mutations import changed, groups_of, reachable, recorded, word_of

from tumble.bench import BENCHMARKS, load
from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNDECIDED, UNKNOWN, Claim, Verdict
from tumble.bench.framework.table import Table, reads

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@cache
def kept(name: str) -> Table:
    (path,) = sorted((FOLDER / name).glob("*/results.csv"))[:1]
    table = Table.read(path)
    load(name).published(table)
    return table


def stuck(name: str) -> list[str]:
    """The claims whose verdict no change of what they read changes: for the worse where they hold, else at all."""
    found, table = [], kept(name)
    for claim in load(name).claims:
        word = word_of(claim, table)
        wanted = {FAILS, PARTLY} if word == HOLDS else {HOLDS, PARTLY, FAILS, UNDECIDED} - {word}
        if word != UNKNOWN and not reachable(claim, table, wanted) & wanted:
            found.append(claim.name)
    return found


@pytest.mark.parametrize("name", [name for name in BENCHMARKS if name != "peers"])
def test_every_claim_that_was_measured_can_fail_and_can_hold(name: str) -> None:
    assert stuck(name) == []


def test_a_claim_that_cannot_fail_is_found() -> None:
    table = Table()
    table.study("race").add("knot", "stack", "time", 2.0, "s")
    kind = reads("race")(lambda study: Verdict(HOLDS, str(study.value("knot", "stack", "time"))))
    fair = reads("race")(lambda study: Verdict(HOLDS if study.value("knot", "stack", "time") < 3 else FAILS, ""))
    assert reachable(Claim("kind", "", "", "", kind), table, {FAILS}) == {HOLDS}
    assert reachable(Claim("fair", "", "", "", fair), table, {FAILS}) == {HOLDS, FAILS}
    assert table.study("race").value("knot", "stack", "time") == 2.0


def test_what_is_read_is_recorded_and_put_back() -> None:
    table, keys = Table(), {}
    table.study("race").add_values("knot", "stack", {"time": 2.0, "tests": 3.0})
    with recorded(keys):
        table.study("race").value("knot", "stack", "time")
    assert list(keys) == [("race", "knot", "stack", "time")]
    with changed(table, groups_of(keys)[0], lambda value, k: 3 * value):
        assert table.study("race").value("knot", "stack", "time") == 6.0
    assert table.study("race").value("knot", "stack", "time") == 2.0
