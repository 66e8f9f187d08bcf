"""Every claim can fail, and can hold: its verdict follows what was measured.

By default claims are put to the made-up table of their paper's tests, if it measures them. With `-m slow` they are put
to the kept runs, and those that a kept run does not measure (no GPU, a table older than the claim), or whose rounds
there are too few to decide anything, to the made-up table: none is left out.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from mutations import Reads, changed, groups_of, reachable, recorded

from tumble.bench import BENCHMARKS, load
from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNDECIDED, UNKNOWN, Claim, Verdict
from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import Table, reads

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
PAPERS = [name for name in BENCHMARKS if name not in ("peers", "growth")]


@cache
def kept(name: str) -> Table:
    (path,) = sorted((FOLDER / name).glob("*/results.csv"))[:1]
    table = Table.read(path)
    load(name).published(table)
    return table


@cache
def made_up(name: str) -> Table:
    table = import_module(f"{name.replace('-', '_')}_table").good_table()
    load(name).published(table)
    return table


def fault(claim: Claim, table: Table) -> str:
    """What is wrong with a claim: it is not judged by a table, or cannot fail, or cannot hold where it fails."""
    word, seen = (claim.test(table) or Verdict(UNKNOWN, "")).word, Reads()
    if word == UNKNOWN:
        return "not measured"
    wanted = {HOLDS, PARTLY} if word == FAILS else {FAILS}
    if reachable(claim, table, wanted, seen) & wanted:
        return ""
    return "too few rounds" if word == UNDECIDED and seen.few_rounds else f"always {word!r}"


# the papers with the most claims take seconds, and their own tests have a table for each claim on which it fails
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in ("bsp", "chip"))) for name in PAPERS]
)
def test_every_claim_can_fail_and_can_hold_on_a_made_up_table(name: str) -> None:
    faults = {claim.name: fault(claim, made_up(name)) for claim in load(name).claims}
    assert {name: found for name, found in faults.items() if found and found != "not measured"} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAPERS)
def test_every_claim_can_fail_and_can_hold(name: str, record_property) -> None:
    faults = {claim: fault(claim, kept(name)) for claim in load(name).claims}
    open_ones = [claim for claim, found in faults.items() if found in ("not measured", "too few rounds")]
    record_property("claims put to the made-up table", len(open_ones))
    faults.update({claim: fault(claim, made_up(name)) for claim in open_ones})
    assert {claim.name: found for claim, found in faults.items() if found} == {}


def time_claim(judge) -> Claim:
    """A claim about one time."""
    return Claim("claim", "", "", "", reads("race")(lambda study: judge(study.value("knot", "stack", "time"))))


def small_table() -> Table:
    table = Table()
    for case in ("knot", "torus"):
        table.study("race").add_values(case, "stack", {"time": 2.0, "tests": 3.0})
    return table


def test_a_claim_that_cannot_fail_is_found() -> None:
    table = small_table()
    assert fault(time_claim(lambda time: Verdict(HOLDS, str(time))), table) == "always 'holds'"
    assert fault(time_claim(lambda time: Verdict(PARTLY if time > 9 else HOLDS, "")), table) == "always 'holds'"
    assert fault(time_claim(lambda time: Verdict(UNDECIDED if time > 9 else PARTLY, "")), table) != ""
    assert fault(time_claim(lambda time: Verdict(UNDECIDED if time > 9 else FAILS, "")), table) != ""
    assert fault(time_claim(lambda time: Verdict(HOLDS if time < 3 else FAILS, "")), table) == ""
    assert fault(time_claim(lambda time: Verdict(HOLDS if time > 3 else FAILS, "")), table) == ""
    assert fault(time_claim(lambda time: None), table) == "not measured"
    assert table.study("race").value("knot", "stack", "time") == 2.0


def test_changes_that_break_a_part_each_are_made_together() -> None:
    """Less than 3 on the knot, more than 1 on the torus: no one change of all values breaks both."""

    def test(study) -> Verdict:
        kept = (study.value("knot", "stack", "time") < 3) + (study.value("torus", "stack", "time") > 1)
        return Verdict((FAILS, PARTLY, HOLDS)[kept], "")

    assert fault(Claim("both", "", "", "", reads("race")(test)), small_table()) == ""


@pytest.mark.parametrize("rounds, found", [(3, "too few rounds"), (6, "")])
def test_too_few_rounds_are_not_taken_for_a_fault(rounds: int, found: str) -> None:
    table = Table()
    table.study("race").add_race("knot", {"a": [2.0] * rounds, "b": [1.0] * rounds}, [("a", "b")])
    words = {True: HOLDS, False: FAILS, None: UNDECIDED}
    stored = reads("race")(lambda study: Verdict(words[study.interval("knot", "a", "b").above(1)], ""))
    assert fault(Claim("stored", "", "", "", stored), table) == found
    table.study("race").add_series("knot", "a", "time", [2.0] * rounds)
    made = reads("race")(lambda study: Verdict(words[Interval.of(study.series("knot", "a", "time")[1:]).above(1)], ""))
    table.study("race").add("knot", "a", "time", 2.0)  # a round more: the series begins with the median
    assert fault(Claim("made", "", "", "", made), table) == found


def test_what_is_read_is_recorded_and_put_back() -> None:
    table, seen = small_table(), Reads()
    with recorded(seen):
        table.study("race").value("knot", "stack", "time")
    assert list(seen.keys) == [("race", "knot", "stack", "time")]
    assert not seen.few_rounds
    with changed(table, dict.fromkeys(groups_of(seen.keys)[0][0], lambda value, k: 3 * value)):
        assert table.study("race").value("knot", "stack", "time") == 6.0
    assert table.study("race").value("knot", "stack", "time") == 2.0
    assert Interval.of([1.0] * 6) == (1.0, 1.0, 1.0)
