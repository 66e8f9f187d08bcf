"""Text that is not for a terminal is what rich would make of it."""

import pytest

from tumble.cli import output
from tumble.cli.output import styled

TEXTS = [
    "",
    "a",
    "a\n",
    "a\n\n b  ",
    "  a  ",
    "✗ · ³\n x",
    "wide 日本 \n",
    "a\tb",
    "bell \x07",
    "x" * 3000,
    "[bold]a[/]",
]


@pytest.mark.parametrize("text", TEXTS, ids=repr)
def test_text_is_what_rich_makes_of_it(text):
    assert styled(text, "bold") == output._styled(text, "bold")


def test_colours_are_kept_where_they_are_asked_for(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[" in styled("a", "bold")
