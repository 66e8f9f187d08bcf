"""A document is a list of blocks, each of which knows how to write itself as Markdown and as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Protocol

from tumble.report.inline import to_html
from tumble.report.page import page
from tumble.report.tables import Table


class Block(Protocol):
    """Anything that can write itself as Markdown and as HTML."""

    def markdown(self) -> str:
        """The block in Markdown."""

    def html(self) -> str:
        """The block in HTML."""


class Document:
    """A report under construction: add blocks in reading order, then `write` it."""

    def __init__(self, title: str, lead: str = "") -> None:
        self.title = title
        self.lead = lead
        self.blocks: list[Block] = []

    def heading(self, text: str, level: int = 2) -> None:
        """A heading; level 2 headings make the table of contents."""
        self.blocks.append(_Heading(text, level))

    def text(self, text: str) -> None:
        """A paragraph."""
        self.blocks.append(_Paragraph(text))

    def items(self, items: Sequence[str]) -> None:
        """A bulleted list."""
        self.blocks.append(_Items(tuple(items)))

    def table(self, table: Table) -> None:
        """A table."""
        self.blocks.append(table)

    def folded(self, summary: str, block: Block) -> None:
        """A block the reader unfolds when wanted."""
        self.blocks.append(_Folded(summary, block))

    def figure(self, svg: str, file: str, caption: str) -> None:
        """A picture: its SVG goes into the HTML page, Markdown points to the file beside it."""
        self.blocks.append(_Figure(svg, file, caption))

    def markdown(self) -> str:
        """The whole document in Markdown."""
        lead = [self.lead] if self.lead else []
        return "\n\n".join([f"# {self.title}", *lead, *(block.markdown() for block in self.blocks)]) + "\n"

    def html(self) -> str:
        """The whole document as one self-contained HTML file."""
        contents = [(b.anchor, b.text) for b in self.blocks if isinstance(b, _Heading) and b.level == 2]
        body = "\n".join(block.html() for block in self.blocks)
        return page(self.title, to_html(self.lead), contents, body)

    def write(self, folder: Path, stem: str = "index") -> list[Path]:
        """Write the document as `stem`.md and `stem`.html into a folder; returns the two paths."""
        paths = [folder / f"{stem}.md", folder / f"{stem}.html"]
        paths[0].write_text(self.markdown(), encoding="utf-8")
        paths[1].write_text(self.html(), encoding="utf-8")
        return paths


@dataclass(frozen=True)
class _Heading:
    text: str
    level: int

    @property
    def anchor(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.text.lower()).strip("-")

    def markdown(self) -> str:
        return f"{'#' * self.level} {self.text}"

    def html(self) -> str:
        return f'<h{self.level} id="{self.anchor}">{to_html(self.text)}</h{self.level}>'


@dataclass(frozen=True)
class _Paragraph:
    text: str

    def markdown(self) -> str:
        return self.text

    def html(self) -> str:
        return f"<p>{to_html(self.text)}</p>"


@dataclass(frozen=True)
class _Items:
    items: tuple[str, ...]

    def markdown(self) -> str:
        return "\n".join(f"- {item}" for item in self.items)

    def html(self) -> str:
        return "<ul>" + "".join(f"<li>{to_html(item)}</li>" for item in self.items) + "</ul>"


@dataclass(frozen=True)
class _Folded:
    summary: str
    block: Block

    def markdown(self) -> str:
        return f"<details><summary>{escape(self.summary)}</summary>\n\n{self.block.markdown()}\n\n</details>"

    def html(self) -> str:
        return f"<details><summary>{escape(self.summary)}</summary>\n{self.block.html()}\n</details>"


@dataclass(frozen=True)
class _Figure:
    svg: str
    file: str
    caption: str

    def markdown(self) -> str:
        return f"![{self.caption}]({self.file})\n\n*{self.caption}*"

    def html(self) -> str:
        # An XML prologue and a doctype have no place inside an HTML body.
        picture = self.svg[self.svg.index("<svg") :]
        return f"<figure>{picture}<figcaption>{to_html(self.caption)}</figcaption></figure>"
