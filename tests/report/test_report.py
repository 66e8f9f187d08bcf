"""Tables, text and pages: what is written must be readable back, escaped, and the same in both forms."""

import sys
from itertools import pairwise

import pytest

from tumble.errors import InputError, MissingDependencyError
from tumble.report import Column, Document, Table, count, microseconds, plots, ratio, significant
from tumble.report.tables import to_html

TABLE = Table(
    [Column("name"), Column("ours", True, "time"), Column("paper", True, "time", faint=True)],
    [["a|b <x>", "1.5", "2.5"], ["`c`", "3", "4"]],
    flagged=[1],
)


def test_markdown_table_escapes_bars_and_aligns_numbers():
    lines = TABLE.markdown().splitlines()
    assert lines == [
        "| name | time, ours | time, paper |",
        "| :--- | ---: | ---: |",
        "| a\\|b <x> | 1.5 | 2.5 |",
        "| `c` | 3 | 4 |",
    ]


def test_html_table_escapes_groups_and_flags():
    html = TABLE.html()
    assert "a|b &lt;x&gt;" in html
    assert '<th class="group" colspan="2">time</th>' in html
    assert html.count('<tr class="flagged">') == 1
    assert '<td class="number opens">3</td><td class="number faint">4</td>' in html


def test_a_row_of_the_wrong_length_is_refused():
    with pytest.raises(InputError, match="row 1 has 1 cells"):
        Table([Column("a"), Column("b")], [["1", "2"], ["3"]])


@pytest.mark.parametrize(
    "text, html",
    [
        ("a < b & c", "a &lt; b &amp; c"),
        ("`x<y` **so**", "<code>x&lt;y</code> <strong>so</strong>"),
        ("[a](b.html)", '<a href="b.html">a</a>'),
        ("**all `five`**", "<strong>all <code>five</code></strong>"),
    ],
)
def test_inline_markup(text, html):
    assert to_html(text) == html


def test_numbers():
    assert count(203776) == "203\u202f776"
    assert count(None) == "–"
    assert significant(0.0012345) == "0.00123"
    assert significant(123456.0) == "123\u202f456"
    assert significant(0) == "0"
    assert significant(float("nan")) == "–"
    assert microseconds(1.5e-6) == "1.50"
    assert [ratio(value) for value in (0.987, 86.8)] == ["0.99×", "86.8×"]


def test_document_writes_both_forms(tmp_path):
    document = Document("A & B", "Lead.")
    document.heading("First part")
    document.text("Words.")
    document.items(["one", "two"])
    document.table(TABLE)
    document.folded("more", TABLE)
    document.figure('<?xml version="1.0"?><!DOCTYPE svg><svg width="1"></svg>', "f.svg", "A figure.")
    markdown, html = (path.read_text(encoding="utf-8") for path in document.write(tmp_path))
    assert markdown.startswith("# A & B\n\nLead.\n\n## First part\n\nWords.\n\n- one\n- two\n")
    assert "![A figure.](f.svg)" in markdown
    assert "<title>A &amp; B</title>" in html
    assert '<a href="#first-part">First part</a>' in html
    assert '<h2 id="first-part">' in html
    assert "<?xml" not in html
    assert html.count("<svg") == 1
    assert "http" not in html, "the page must need no network"


def test_names_at_the_ends_of_lines_keep_apart():
    placed = plots.spread([0.1, 0.11, 0.12, 0.9], 0.05)
    assert placed == sorted(placed)
    assert all(high - low > 0.0499 for low, high in pairwise(placed))
    assert placed[3] == 0.9


def test_missing_matplotlib_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "tumble\[plot\]"'):
        plots.require_matplotlib()
