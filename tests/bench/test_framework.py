"""A benchmark of nothing, from tasks to page: claims and goals, progress, files, and the page of a kept table."""

import json
import sys
from collections import defaultdict

import numpy as np
import pytest

from tumble.bench.framework import machine
from tumble.bench.framework.answers import wrong_answers
from tumble.bench.framework.benchmark import Benchmark, Run, Task
from tumble.bench.framework.claims import (
    UNKNOWN,
    Claim,
    check_claims,
    over_cases,
    read_claims,
)
from tumble.bench.framework.goals import MET, MISSED, Goal, check_goals
from tumble.bench.framework.goals import UNKNOWN as NOT_REACHED
from tumble.bench.framework.machine import Neighbours
from tumble.bench.framework.page import Flagged, Page, parse_page
from tumble.bench.framework.run import render, run_benchmark
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.errors import FileError, MissingDependencyError
from tumble.report import Column, Document, plots
from tumble.report import Table as PageTable


def measure(run, say):
    say("half of it", 0.5)
    run.study("race").add("torus", "stack", "time", run.sizes * run.options.get("factor", 1), "s")
    run.table.note("Knots were left out.")


def tasks(run):
    return [Task("first", lambda say: measure(run, say)), Task("second", lambda say: None)]


PAGE = """# Nothing

Nothing is
measured.

## Goals

Twice as
fast as {LIMIT} s.

## Times
<!-- needs: race -->

{seconds: torus, stack} s.

This was not measured: {absent}.

{seconds_table}

<details> Every {LIMIT}
time {seconds_table}

![A line
of {LIMIT}.](times)

![Nothing to draw.](absent)

- One of
  two
- The other

### Below

Words.

## Left out
<!-- needs: race; no such study -->

Words.

### Left out as well

Words.

## Left out by a function
<!-- needs: {absent} -->

Words.

## How it was measured

- **Clock.** None
  of {LIMIT}.
"""


def seconds(page, case, name):
    return f"{page.study('race').value(case, name, 'time'):g}"


def seconds_table(page):
    return PageTable([Column("s")], [[seconds(page, "torus", "stack")]])


def times(page):
    canvas, (axes,) = plots.figure()
    axes.plot([1, 2])
    return canvas


SLOTS = {"LIMIT": 8, "seconds": seconds, "seconds_table": seconds_table, "times": times, "absent": lambda page: None}


def is_fast(table):
    study = table.study("race")
    seconds = [study.value(case, "stack", "time") for case in study.cases()]
    return over_cases([(value < 5, f"{value:g} s") for value in seconds], "seconds: ")


def reach(table):
    study = table.study("race")
    return (f"{study.value('torus', 'stack', 'time'):g}", 4 / study.value("torus", "stack", "time")) if study else None


BENCHMARK = Benchmark(
    name="nothing",
    page=parse_page(PAGE, SLOTS),
    packages=("tumble", "no-such-package"),
    full=3.0,
    quick=2.0,
    quick_text="less of it",
    tasks=tasks,
    claims=(
        Claim("fast", "It is fast.", "Section 1", "very", is_fast, certain=True),
        Claim(
            "old",
            "It was fast.",
            "Section 2",
            lambda table: f"{table.study(PUBLISHED).value('torus', 'stack', 'time'):g} s",
            is_fast,
            group="Of old",
        ),
    ),
    goals=(Goal("speed", "4 s", reach),),
    published=lambda table: table.study(PUBLISHED).add("torus", "stack", "time", 9, "s"),
    remark=lambda table: f"{len(table.notes)} note",
)
FILES = {"results.csv", "results.json", "index.md", "index.html", "times.svg", "times.png"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder, steps = tmp_path_factory.mktemp("bench") / "new" / "folder", []
    return folder, run_benchmark(BENCHMARK, folder, True, lambda *step: steps.append(step)), steps


def test_files_and_summary(finished):
    folder, summary, _ = finished
    assert {path.name for path in folder.iterdir()} == FILES
    written = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    rows = written.pop("results")
    assert written == summary
    assert {row["study"] for row in rows} == {PUBLISHED, "race"}
    assert (summary["benchmark"], summary["ok"], summary["quick"]) == ("nothing", True, True)
    assert summary["versions"]["no-such-package"] == "not installed"
    assert summary["notes"] == ["Knots were left out."]
    assert summary["remark"] == "1 note"
    assert [claim["published"] for claim in summary["claims"]] == ["very", "9 s"]


def test_progress_goes_up_within_tasks(finished):
    assert finished[2] == [
        (0, 200, "first"),
        (50, 200, "half of it"),
        (100, 200, "second"),
        (200, 200, "writing"),
    ]


def test_the_page(finished):
    text = (finished[0] / "index.md").read_text(encoding="utf-8")
    for words in ("less of it (quick run)", "### Of old", "Of 2 claims, 2 hold", "| speed | 4 s | 2 | ✓ met |"):
        assert words in text
    for words in (
        "Nothing is measured. Measured on",
        "2 s",
        "- **Clock.** None of 8.",
        "- Knots were left out.",
        "no-such-package not installed",
    ):
        assert words in text
    assert (finished[0] / "index.html").read_text(encoding="utf-8").count("<svg") == 1


def test_the_text_of_a_page(finished):
    text = (finished[0] / "index.md").read_text(encoding="utf-8")
    times = text[text.index("## Times") : text.index("\n\n## How it was measured")]
    assert text.index("## Goals\n\nTwice as fast as 8 s.\n\n|") < text.index("## Times")
    assert times.split("\n\n") == [
        "## Times",
        "2 s.",
        "| s |\n| :--- |\n| 2 |",
        "<details><summary>Every 8 time</summary>",
        "| s |\n| :--- |\n| 2 |",
        "</details>",
        "![A line of 8.](times.svg)",
        "*A line of 8.*",
        "- One of two\n- The other",
        "### Below",
        "Words.",
    ]


def test_a_page_with_a_slot_that_nothing_fills():
    with pytest.raises(KeyError, match="nobody"):
        parse_page(PAGE.replace("{LIMIT} s", "{nobody} s"), SLOTS)
    with pytest.raises(KeyError, match="nobody"):
        parse_page(PAGE.replace("(times)", "(nobody)"), SLOTS)


def test_a_page_with_text_right_below_a_heading():
    with pytest.raises(ValueError, match="leave a line free"):
        parse_page(PAGE.replace("needs: race -->", "need: race -->"), SLOTS)


TABLES = """# Tables

Heads stand on the page.

## Times

{fact: race, faces} faces of {first_case: race}.{measured: no such study}

{number_of_cases: race} case: {fact: race, faces} faces of {first_case: race}.{measured: race}

<details> Every time
| name | ms: ours | ms: *paper* |
|:---|---:|---:|
| {rows: 2} |

| nothing |
|---|
| {rows: 0} |

## How it was measured

- Not at all.
"""


def test_heads_of_tables_and_facts_stand_on_the_page(tmp_path):
    rows = [["stack", "1", "2"], Flagged(["leaf", "3", "4"])]
    page = Page(Document("Tables"), Table(), tmp_path)
    page.study("race").add("torus", "", "faces", 12)
    for section in parse_page(TABLES, {"rows": lambda page, most: rows[: int(most)]}).sections:
        section(page)
    paragraph, table = page.document.blocks[1:]
    assert paragraph.markdown == "1 case: 12 faces of torus."
    assert "<summary>Every time</summary>" in table.markdown
    assert table.markdown.splitlines()[2] == "| name | ms, ours | ms, paper |"
    assert '<th class="group" colspan="2">ms</th>' in table.html
    assert '<th class="number faint">paper</th>' in table.html
    assert table.html.count('<tr class="flagged"><td class="whole">leaf</td>') == 1


def test_a_claim_without_a_test():
    with pytest.raises(KeyError, match="published_times"):
        read_claims("tumble.bench.papers.chip", {})


def test_a_claim_with_a_bar_in_it():
    everything = defaultdict(lambda: is_fast)
    published = {claim.name: claim.published for claim in read_claims("tumble.bench.papers.bsp", everything)}
    assert published["groups"] == "|G| ≥ 2⁵"


def test_a_page_ends_with_its_method():
    with pytest.raises(ValueError, match="How it was measured"):
        parse_page(PAGE.partition("## How")[0], SLOTS)


def test_a_kept_table_gives_the_same_page(finished, tmp_path):
    folder, summary, _ = finished
    assert render(BENCHMARK, folder / "results.csv", tmp_path) == summary
    for name in ("index.md", "index.html", "times.svg", "results.json"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (folder / name).read_text(encoding="utf-8")


def test_a_full_run_and_options(tmp_path, no_pixels):
    summary = run_benchmark(BENCHMARK, tmp_path, factor=4)
    assert not summary["ok"]
    assert [claim["broken"] for claim in summary["claims"]] == [True, False]
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Something is wrong with this build" in text
    assert text.count('<tr class="flagged">') == 2, "the claim and the goal"
    assert "(quick run)" not in text


def test_sizes_can_be_given(tmp_path, no_pixels):
    run_benchmark(BENCHMARK, tmp_path, sizes=4.5)
    assert Table.read(tmp_path / "results.csv").study("race").value("torus", "stack", "time") == 4.5


@pytest.mark.parametrize("load, said", [(0.1, False), (1.37, True)])
def test_a_busy_machine_is_said_on_the_page_and_in_the_summary(tmp_path, monkeypatch, no_pixels, load, said):
    monkeypatch.setattr(Neighbours, "load", lambda self: load)
    summary = run_benchmark(BENCHMARK, tmp_path, quick=True)
    assert summary["busy"].startswith("The machine was busy: other programs took 1.4 of its cores") == said
    assert ("The machine was busy" in (tmp_path / "index.md").read_text(encoding="utf-8")) == said


def test_where_the_system_does_not_tell_nothing_is_said(tmp_path, monkeypatch, no_pixels):
    monkeypatch.setattr(machine, "_clocks", lambda: None)
    assert run_benchmark(BENCHMARK, tmp_path, quick=True)["busy"] == ""


def test_what_others_take_is_what_all_take_less_our_own(monkeypatch):
    clocks = iter([(10.0, 100.0, 50.0), (20.0, 117.0, 59.0)])
    monkeypatch.setattr(machine, "_clocks", lambda: next(clocks))
    assert Neighbours().load() == pytest.approx(0.8)


def test_nothing_measured_is_neither_kept_nor_broken():
    (fast, _) = check_claims(BENCHMARK.claims, _published())
    assert (fast.verdict.word, fast.broken) == (UNKNOWN, False)
    (goal,) = check_goals(BENCHMARK.goals, Table())
    assert (goal.verdict, goal.as_dict()["reached"]) == (NOT_REACHED, None)


def _published():
    table = Table()
    BENCHMARK.published(table)
    return table


@pytest.mark.parametrize("seconds, verdict, text", [(4.0, MET, "met"), (4.001, MISSED, "missed: at 99% of the goal")])
def test_goals_are_met_or_missed(seconds, verdict, text):
    run = Run(seconds)
    measure(run, lambda *said: None)
    (goal,) = check_goals(BENCHMARK.goals, run.table)
    assert (goal.verdict, goal.verdict_text) == (verdict, text)


def test_a_file_in_the_way(tmp_path):
    (tmp_path / "taken").write_text("x")
    with pytest.raises(FileError, match="taken"):
        run_benchmark(BENCHMARK, tmp_path / "taken")


def test_without_matplotlib_it_says_so_before_measuring(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError, match=r"tumble\[plot\]"):
        run_benchmark(BENCHMARK, tmp_path, sizes="nothing that could be multiplied")


def test_other_triangles_are_noticed_in_any_order():
    pairs = [np.array([[3, 1], [0, 2]]), np.empty((0, 2), np.int64)]
    truth = [pairs[0][::-1], pairs[1]]
    assert wrong_answers(pairs, truth) == 0
    assert wrong_answers([pairs[0][:1], pairs[1]], truth) == 1
    assert wrong_answers([pairs[0][[0, 1, 1]], pairs[1]], truth) == 1
    assert wrong_answers([pairs[0] + 1, pairs[1]], truth) == 1
    assert wrong_answers([pairs[0], np.array([[0, 0]])], truth) == 1
