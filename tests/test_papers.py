"""docs/papers.md names every numbered part of the papers, and its verdicts are those of the runs that are kept."""

import re

import pytest

from papers import (
    CLAIMS,
    PAGE,
    PARTS,
    ROOT,
    changed_verdicts,
    chapters,
    due,
    items,
    named,
    rewritten,
    rows,
    verdict_text,
)
from tumble.bench import BENCHMARKS
from tumble.bench.framework.claims import HOLDS, NOT_MEASURED, UNKNOWN, Verdict

TEXT = PAGE.read_text(encoding="utf-8")


def test_every_paper_has_a_chapter():
    assert set(chapters(TEXT)) == set(PARTS) == set(BENCHMARKS) - {"peers", "growth"}


@pytest.mark.parametrize("paper", PARTS)
def test_every_numbered_part_is_named(paper):
    found = items(chapters(TEXT)[paper])
    missing = {kind: due(paper, kind) - named(kind, found) for kind in PARTS[paper]}
    assert missing == {kind: set() for kind in PARTS[paper]}


@pytest.mark.parametrize("paper", PARTS)
def test_no_cell_is_empty(paper):
    found = list(rows(chapters(TEXT)[paper]))
    assert found
    assert [cells for cells in found if not all(cells) or len(cells) not in (3, 4)] == []


def test_files_that_it_names_exist():
    named_files = re.findall(r"`((?:\w+/)+[\w.-]*)`|pytest (tests/\S+\.py)", TEXT)
    paths = [source or test for source, test in named_files]
    assert len(paths) > 60
    assert [path for path in paths if not any((root / path).exists() for root in (ROOT, ROOT / "src" / "tumble"))] == []


def test_the_claims_are_those_of_the_kept_runs():
    assert {found["name"] for found in CLAIMS.finditer(TEXT)} == set(PARTS)
    assert rewritten(TEXT) == TEXT, "run: python -m tests.papers"


@pytest.mark.parametrize("paper", PARTS)
def test_verdicts_survive_a_second_run(paper):
    assert changed_verdicts(paper) == []


def test_numbers_are_read_from_lists_and_ranges():
    assert named("Figure", "Figures 27–29 and 33; Figure 4") == {"27", "28", "29", "33", "4"}
    assert named("Section", "Sections 3.2.1, 6 and Section 4.1") == {"3", "3.2", "3.2.1", "6", "4", "4.1"}
    assert named("Section", "Sections 6.1–6.3") == {"6", "6.1", "6.2", "6.3"}
    assert named("Table", "Tables 2–3, 5") == {"2", "3", "5"}


def test_claims_do_not_stand_in_for_items():
    claims = "<!-- claims of chip -->\n| claim | in |\n|---|---|\n| Fast. | Section 4.1 |\n<!-- end of claims -->\n"
    assert items(f"| item | where |\n|---|---|\n| Section 4: a board | `chip/` |\n\n{claims}") == "Section 4: a board"


def test_what_was_not_measured_says_why():
    assert verdict_text(Verdict(UNKNOWN, "no GPU here")) == "– not measured: no GPU here"
    assert verdict_text(NOT_MEASURED) == "– not measured"
    assert verdict_text(Verdict(HOLDS, "2×")) == "✓ holds"
