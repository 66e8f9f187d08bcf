"""A table of text cells that renders as Markdown and as HTML.

Columns may stand in groups ("iterations" over "ours" and "paper"): HTML spans a second header row over
them; Markdown, which knows one header row, joins both names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from tumble.errors import InputError

_MARKUP = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\[(?P<label>[^\]]+)\]\((?P<target>[^)\s]+)\)")


def to_html(text: str) -> str:
    """The text as HTML. Its markup is a small part of Markdown, so that one text serves both outputs.

    `code`, **stress** and [label](target) are turned into tags; everything else is plain text and is escaped.
    """
    parts, end = [], 0
    for match in _MARKUP.finditer(text):
        parts += [escape(text[end : match.start()]), _tag(match)]
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def _tag(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return f"<code>{escape(match['code'])}</code>"
    if match["strong"] is not None:
        return f"<strong>{to_html(match['strong'])}</strong>"
    return f'<a href="{escape(match["target"])}">{to_html(match["label"])}</a>'


@dataclass(frozen=True)
class Column:
    """One column: its title and group, and how it is set.

    Numbers stand right with figures of one width; faint is for comparison; whole cells never break a line.
    """

    title: str
    number: bool = False
    group: str = ""
    faint: bool = False
    whole: bool = False

    @property
    def full_title(self) -> str:
        """The title after that of its group."""
        return f"{self.group}, {self.title}" if self.group else self.title


def number_columns(*titles: str, group: str = "", faint: bool = False) -> list[Column]:
    """Columns of numbers, in one group if it has a name."""
    return [Column(title, True, group, faint) for title in titles]


@dataclass(frozen=True)
class Table:
    """Columns and rows of cells; cells may use the markup of `to_html`."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    flagged: Sequence[int] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        for index, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise InputError(
                    f"row {index} has {len(row)} cells, the table has {len(self.columns)} columns: "
                    "give every row one cell per column"
                )

    def markdown(self) -> str:
        """The table in GitHub's Markdown, numbers set right."""
        rules = ["---:" if c.number else ":---" for c in self.columns]
        lines = [_markdown_row([c.full_title for c in self.columns]), _markdown_row(rules)]
        lines += [_markdown_row(row) for row in self.rows]
        return "\n".join(lines)

    def html(self) -> str:
        """The table as HTML, in a box that scrolls sideways on a narrow screen."""
        body = "\n".join(self._html_row(index, row) for index, row in enumerate(self.rows))
        head = "\n".join(self._html_head())
        return f'<div class="scroll"><table>\n<thead>\n{head}\n</thead>\n<tbody>\n{body}\n</tbody></table></div>'

    def _html_head(self) -> list[str]:
        titles = self._html_cells("th", [column.title for column in self.columns])
        if not any(c.group for c in self.columns):
            return [f"<tr>{titles}</tr>"]
        spans = [(group, len(list(run))) for group, run in groupby(self.columns, key=lambda c: c.group)]
        groups = "".join(
            f'<th class="group" colspan="{n}">{to_html(group)}</th>' if group else f'<td colspan="{n}"></td>'
            for group, n in spans
        )
        return [f"<tr>{groups}</tr>", f"<tr>{titles}</tr>"]

    def _html_row(self, index: int, row: Sequence[str]) -> str:
        flag = ' class="flagged"' if index in self.flagged else ""
        return f"<tr{flag}>{self._html_cells('td', row)}</tr>"

    def _html_cells(self, tag: str, texts: Sequence[str]) -> str:
        cells = []
        for index, (column, text) in enumerate(zip(self.columns, texts, strict=True)):
            opens_group = bool(column.group) and self.columns[index - 1].group != column.group
            kinds = {"number": column.number, "faint": column.faint, "whole": column.whole, "opens": opens_group}
            names = " ".join(name for name, wanted in kinds.items() if wanted)
            cells.append(f'<{tag} class="{names}">' if names else f"<{tag}>")
            cells.append(f"{to_html(text)}</{tag}>")
        return "".join(cells)


def _markdown_row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(escaped)} |"
